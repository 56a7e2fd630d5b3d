/* SPDX-License-Identifier: BSD-3-Clause */
/* One method with one preconditioner, tried on a system. */
#ifndef SPRY_SPSOLVE_ATTEMPT_H
#define SPRY_SPSOLVE_ATTEMPT_H

#include "spsolve/chain.h"
#include "spsolve/plot.h"
#include "spsolve/system.h"

/* How an attempt ended: as a spry_outcome, or in one of these ways. */
enum { END_NO_PROGRESS = SPRY_OUTCOME_COUNT, END_TIME, END_INTERRUPTED, END_NOT_BUILT, ENDS };

struct attempt {
    struct step step;
    int end;
    int64_t iterations;
    double residual; /* |b - A x|, computed from the x that there is after it */
    double estimate; /* the method's own */
    double precond_seconds, workspace_seconds, solve_seconds;
    double shift;     /* of the diagonal before factoring; NaN: the preconditioner has none */
    char reason[256]; /* why it could not be built */
};

/*
 * Try a step from the x of the system, whose residual's norm is `residual`; `from_zero`: from x = 0. Norms go to the
 * plot, after those that it has. x is better afterwards or as it was, but for one that is not finite. False:
 * system->message says what failed; a preconditioner that does not exist for this matrix is no failure but an end.
 */
bool attempt_run(struct attempt *attempt, struct system *system, const struct step *step, bool from_zero,
                 double residual, struct plot *plot);

/* Words for an end, and a name of it for programs and tables. Static storage. */
const char *end_words(int end);
const char *end_name(int end);

#endif
