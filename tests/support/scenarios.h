/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrices that every kernel and every conversion is tested with. */
#ifndef TEST_SCENARIOS_H
#define TEST_SCENARIOS_H

#include <stdbool.h>

#include "list.h"

struct scenario {
    const char *name;
    struct list (*make)(void);
    bool large;          /* worth fewer combinations of the other choices */
    bool may_be_refused; /* rows so uneven that a padded format may answer SPRY_ERROR_TOO_LARGE */
    bool special_x;      /* multiply by an x with infinities, NaN and zeros in it */
};

extern const struct scenario test_scenarios[];
extern const size_t test_scenario_count;

/* The scenario of that name; the program ends when there is none. */
const struct scenario *test_scenario(const char *name);

#endif
