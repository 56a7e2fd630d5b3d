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

/* Whether it is to be looked at: where tests are small (backend.h), large ones are not, and where cases are few, nor
   are those whose matrix is another one's. */
bool test_scenario_is_tried(const struct scenario *scenario);

/* At most so many there are. */
#define MOST_SCENARIOS 64
/* Those that one run of a test with parameters goes over. */
struct scenarios {
    size_t first, end;
};
/* Fills in these parameters, and says how many they are: one for each scenario, so that each has a process of its own;
   or, with SPRY_TEST_PART, one for all. */
size_t test_scenario_ranges(struct scenarios ranges[MOST_SCENARIOS]);

/* So many rows of which one in n has n entries or more: more rows, and more uneven ones, than a scenario has. */
struct list test_uneven_rows(int64_t rows);

/* The scenario of that name; the program ends when there is none. */
const struct scenario *test_scenario(const char *name);

#endif
