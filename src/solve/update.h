/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the solvers are made of, besides operators and dense products. A update goes once over some vectors, reading and
 * writing, and may add up to two sums; then its step, a little program on the solver's scalars, takes the sums. The
 * scalars are where the vectors are, so that a device need not wait for the host in between. Both are written once,
 * in solve/updates.h, for all backends and types.
 */
#ifndef SPRY_UPDATE_H
#define SPRY_UPDATE_H

#include "solve/state.h"

/* Sums of a update at most. */
#define SPRY_UPDATE_SUMS 2

/*
 * The one list of updates: X(name, sums, hold). Those with sums end with a step of the same name. All are passed over
 * once the solve has an outcome, those with `hold` also while the state says so: iterations after the last one change
 * nothing.
 */
#define SPRY_UPDATE_LIST(X)                                                                                  \
    X(multiply, 0, false)                                                                                    \
    X(begin, 1, false)                                                                                       \
    X(cg_begin, 1, false)                                                                                    \
    X(cg_curvature, 1, false)                                                                                \
    X(cg_partials, 1, false)                                                                                 \
    X(cg_update, 2, false)                                                                                   \
    X(cg_product, 1, false)                                                                                  \
    X(cg_direction, 0, false)                                                                                \
    X(minres_start, 0, false)                                                                                \
    X(minres_begin, 1, false)                                                                                \
    X(minres_scale, 0, false)                                                                                \
    X(minres_alpha, 1, false)                                                                                \
    X(minres_next, 0, false)                                                                                 \
    X(minres_beta, 1, false)                                                                                 \
    X(minres_update, 1, false)                                                                               \
    X(bicgstab_begin, 1, false)                                                                              \
    X(bicgstab_first, 1, false)                                                                              \
    X(bicgstab_half, 1, false)                                                                               \
    X(bicgstab_second, 2, false)                                                                             \
    X(bicgstab_update, 2, false)                                                                             \
    X(bicgstab_direction, 0, false)                                                                          \
    X(gmres_first, 0, false)                                                                                 \
    X(gmres_norm, 1, true)                                                                                   \
    X(gmres_scale, 0, false)                                                                                 \
    X(gmres_solve, 1, false)                                                                                 \
    X(gmres_correct, 0, false)                                                                               \
    X(gmres_restart, 1, false)

enum spry_update {
#define SPRY_UPDATE_ENUM(name, sums, hold) SPRY_UPDATE_##name,
    SPRY_UPDATE_LIST(SPRY_UPDATE_ENUM)
#undef SPRY_UPDATE_ENUM
        SPRY_UPDATE_COUNT
};

/* The vectors of a update, of n values each; which of them it reads and writes is its own affair. Letters are those of
   the methods' usual descriptions where they agree. */
struct spry_vectors {
    int64_t n;
    void *b, *x, *r, *p, *q, *z, *s, *t, *u, *w;
    const void *d;   /* the preconditioner, if it is a diagonal */
    double *partial; /* CG: sums that the product leaves */
};

/* What a backend has for them: one update, and its step. */
struct spry_updates {
    spry_status (*run)(spry_context *context, spry_value_type type, enum spry_update update,
                       const struct spry_vectors *vectors, struct spry_state *state);
};

extern const struct spry_updates spry_cpu_updates, spry_cuda_updates;

#endif
