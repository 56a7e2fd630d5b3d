/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the solvers are made of, besides operators and dense products. An update goes once over some vectors, reading and
 * writing, and may add up to two sums; then its step, a little program on the solver's scalars, takes the sums. The
 * scalars are where the vectors are, so that a device need not wait for the host in between. Both are written once,
 * in solve/updates.h, for all backends and types.
 */
#ifndef SPRY_UPDATE_H
#define SPRY_UPDATE_H

#include "solve/ranks.h"
#include "solve/state.h"

/* Sums of an update at most; and with what an earlier one has kept, and with the wish to end that goes along over
   ranks. */
#define SPRY_UPDATE_SUMS 2
#define SPRY_UPDATE_VALUES (SPRY_UPDATE_SUMS + 2)

/*
 * The one list of updates: X(name, sums, hold, shared). Those with sums end with a step of the same name. All are
 * passed over once the solve has an outcome, those with `hold` also while the state says so: iterations after the
 * last one change nothing.
 *
 * Where ranks solve together (ranks.h), `shared` values are added up over all of them before the step: the sums; or
 * the sums and what the step of an earlier update has kept for this one (state->kept), so that both go over the ranks
 * at once. The step has it behind its own sums, with ranks and without. 0: the step only keeps what this rank has.
 */
#define SPRY_UPDATE_LIST(X)                                                                                  \
    X(multiply, 0, false, 0)                                                                                 \
    X(begin, 1, false, 1)                                                                                    \
    X(cg_begin, 1, false, 1)                                                                                 \
    X(cg_curvature, 1, false, 1)                                                                             \
    X(cg_partials, 1, false, 1)                                                                              \
    X(cg_update, 2, false, 2)                                                                                \
    X(cg_advance, 2, false, 0)                                                                               \
    X(cg_product, 1, false, 2)                                                                               \
    X(cg_direction, 0, false, 0)                                                                             \
    X(minres_start, 0, false, 0)                                                                             \
    X(minres_begin, 1, false, 1)                                                                             \
    X(minres_scale, 0, false, 0)                                                                             \
    X(minres_alpha, 1, false, 1)                                                                             \
    X(minres_next, 0, false, 0)                                                                              \
    X(minres_beta, 1, false, 1)                                                                              \
    X(minres_update, 1, false, 1)                                                                            \
    X(bicgstab_begin, 1, false, 1)                                                                           \
    X(bicgstab_first, 1, false, 1)                                                                           \
    X(bicgstab_half, 1, false, 0)                                                                            \
    X(bicgstab_second, 2, false, 3)                                                                          \
    X(bicgstab_update, 2, false, 2)                                                                          \
    X(bicgstab_direction, 0, false, 0)                                                                       \
    X(gmres_first, 0, false, 0)                                                                              \
    X(gmres_norm, 1, true, 1)                                                                                \
    X(gmres_scale, 0, false, 0)                                                                              \
    X(gmres_solve, 1, false, 1)                                                                              \
    X(gmres_correct, 0, false, 0)                                                                            \
    X(gmres_restart, 1, false, 1)

enum spry_update {
#define SPRY_UPDATE_ENUM(name, sums, hold, shared) SPRY_UPDATE_##name,
    SPRY_UPDATE_LIST(SPRY_UPDATE_ENUM)
#undef SPRY_UPDATE_ENUM
        SPRY_UPDATE_COUNT
};

/* The vectors of an update, of n values each; which of them it reads and writes is its own affair. Letters are those of
   the methods' usual descriptions where they agree. */
struct spry_vectors {
    int64_t n;
    void *b, *x, *r, *p, *q, *z, *s, *t, *u, *w;
    const void *d;   /* the preconditioner, if it is a diagonal */
    double *partial; /* CG: sums that the product leaves */
};

struct spry_resident_code; /* resident.h */

/* What a backend has for them: one update, and its step. `ranks` is null where nobody else solves with us. */
struct spry_updates {
    spry_status (*run)(spry_context *context, spry_value_type type, enum spry_update update,
                       const struct spry_vectors *vectors, struct spry_state *state,
                       const struct spry_ranks *ranks);
    const struct spry_resident_code *resident; /* null: no solve stays on the chip */
};

extern const struct spry_updates spry_cpu_updates, spry_cuda_updates;

#endif
