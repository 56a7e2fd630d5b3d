/* SPDX-License-Identifier: BSD-3-Clause */
/* Which methods and preconditioners are tried for a matrix, in which order, and for how long. */
#ifndef SPRY_SPSOLVE_CHAIN_H
#define SPRY_SPSOLVE_CHAIN_H

#include <stdbool.h>

#include "spsolve/options.h"

/* What of a matrix decides. */
struct traits {
    int64_t rows;
    bool symmetric, by_file; /* by_file: its file says so, it was not looked at */
    bool full, positive;     /* no zero on the diagonal; none there that is not positive */
    bool finite;             /* no value is infinite or NaN */
};

/* A method with a preconditioner. */
struct step {
    int method;       /* a spry_method, or METHOD_NORMAL */
    int precond;      /* a spry_precond_kind, PRECOND_NONE or PRECOND_EQUILIBRATE */
    int restart;      /* gmres; 0: as the options say */
    int64_t limit;    /* iterations after which the next step is taken; 0: as the options say */
    int64_t patience; /* iterations without progress after which it is; 0: any number */
    int degree;       /* chebyshev, unless the options say; 0: the library's */
    bool single;      /* the preconditioner is made and applied in f32 */
};

#define CHAIN_MOST 8

struct chain {
    struct step step[CHAIN_MOST];
    int count;
};

/* The steps for a matrix, at least one. What the options name is taken in all of them. Once one of them has found that
   the matrix is not positive definite, those that need it to be are for nothing: see step_needs_definite. */
void chain_make(struct chain *chain, const struct traits *traits, const struct solve_options *options);

bool step_needs_definite(const struct step *step);

/* All that are worth comparing for a matrix: at most COMPARE_MOST. Returns how many. */
#define COMPARE_MOST 32
int chain_compare(struct step step[COMPARE_MOST], const struct traits *traits,
                  const struct solve_options *options);

#endif
