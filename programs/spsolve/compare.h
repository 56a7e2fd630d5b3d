/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods and preconditioners side by side on one system. */
#ifndef SPRY_SPSOLVE_COMPARE_H
#define SPRY_SPSOLVE_COMPARE_H

#include "spsolve/attempt.h"
#include "spsolve/choose.h"

struct comparison {
    struct system system;
    struct choice choice;
    struct attempt attempt[COMPARE_MOST];
    int count;   /* of those that were made */
    int planned; /* and of all */
};

/* Read `input` and make the system. False: comparison->system.message says why. To be closed in either case. */
bool comparison_prepare(struct comparison *comparison, const struct workplace *place, const char *input);

/* Solve with each, from x = 0; until it is interrupted. False: comparison->system.message says why. */
bool comparison_run(struct comparison *comparison);

/* Whether Ctrl-C ended the last one, or left others that were not begun. */
bool comparison_was_cut_short(const struct comparison *comparison);

/* The attempt that converged in the least time, setup included; null: none did. */
const struct attempt *comparison_fastest(const struct comparison *comparison);

void comparison_close(struct comparison *comparison);

#endif
