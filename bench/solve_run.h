/* SPDX-License-Identifier: BSD-3-Clause */
/* One matrix solved with, and what is known of it afterwards. */
#ifndef SPRY_BENCH_SOLVE_RUN_H
#define SPRY_BENCH_SOLVE_RUN_H

#include "solve_choose.h"
#include "solve_plot.h"
#include "solve_system.h"

struct run {
    struct system system;
    struct choice choice;
    spry_precond *precond; /* null: none */
    spry_solver *solver;
    struct plot plot; /* of the solve, where it is to be drawn or its history reported */
    spry_solve_result result;
    double precond_seconds, solver_seconds; /* to make the two */
    double solve_seconds;                   /* the median, where it was solved several times */
    double error;                           /* |x − exact| / |exact|; NaN where the solution is not known */
};

/* All that comes before the first iteration: from reading `input` to the solver and its right-hand side. False:
   run->system.message says why. To be closed in either case. */
bool run_prepare(struct run *run, const struct workplace *place, const char *input);

/* Solve, and with `draw` show the residual as it falls. False: run->system.message says why. */
bool run_solve(struct run *run, bool draw);

void run_close(struct run *run);

/* Conversion, preconditioner and workspace. */
double run_setup_seconds(const struct run *run);

#endif
