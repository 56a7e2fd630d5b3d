/* SPDX-License-Identifier: BSD-3-Clause */
/* One matrix solved with, and what is known of it afterwards. */
#ifndef SPRY_SPSOLVE_RUN_H
#define SPRY_SPSOLVE_RUN_H

#include "spsolve/attempt.h"
#include "spsolve/choose.h"

struct run {
    struct system system;
    struct choice choice;
    struct attempt attempt[CHAIN_MOST]; /* in the order that they were made in */
    int attempt_count;
    bool cut_short;     /* by Ctrl-C: an attempt, or its repeats */
    struct plot plot;   /* norms of all attempts, one after the other */
    int64_t iterations; /* of all of them */
    double residual;    /* |b - A x| of the x that is kept, the best */
    double error;       /* |x − exact| / |exact|; NaN where the solution is not known */
};

/* All that comes before the first iteration but the preconditioner and the solver: reading `input`, the choice of steps,
   and the vectors. False: run->system.message says why. To be closed in either case. */
bool run_prepare(struct run *run, const struct workplace *place, const char *input);

/* Solve, one step after the other until one converges, and with `draw` show the residual as it falls. False:
   run->system.message says why. */
bool run_solve(struct run *run, bool draw);

void run_close(struct run *run);

/* The last attempt, whose end is how the run ended. */
const struct attempt *run_last(const struct run *run);
/* Conversion, preconditioners and workspace. */
double run_setup_seconds(const struct run *run);
double run_solve_seconds(const struct run *run);

#endif
