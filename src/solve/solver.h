/* SPDX-License-Identifier: BSD-3-Clause */
/* A solver as it is inside, and what a method is. */
#ifndef SPRY_SOLVER_H
#define SPRY_SOLVER_H

#include "core/backend.h"
#include "solve/update.h"

/* Arrays that a solver has where it works, at most. */
#define SPRY_SOLVER_ARRAYS 16

/* What options are where they are 0. */
#define SPRY_DEFAULT_RELATIVE_F64 1e-8
#define SPRY_DEFAULT_RELATIVE_F32 1e-5
#define SPRY_DEFAULT_DIVERGENCE 1e5
#define SPRY_DEFAULT_ITERATIONS 10000
#define SPRY_DEFAULT_RESTART 30
/* Most vectors of GMRES before it restarts. */
#define SPRY_MAX_RESTART 64

/* A method: a constant record in solve/<method>.c. */
struct spry_method_code {
    const char *name;
    int iterations; /* that a piece does */
    bool cycles;    /* a round is of options.restart pieces and one that closes it; else of one */
    /* Give the solver the vectors and arrays that the method needs. */
    spry_status (*prepare)(spry_solver *solver);
    /* From the first residual, r, to the first iteration. */
    spry_status (*start)(spry_solver *solver);
    /* Piece k of a round of solver->pieces. */
    spry_status (*piece)(spry_solver *solver, int k);
};

struct spry_resident; /* resident.h */
struct spry_listing;

extern const struct spry_method_code spry_cg_method, spry_minres_method, spry_bicgstab_method,
    spry_gmres_method;

/* Part of a round of iterations, and what was recorded of it, if anything. */
struct spry_piece {
    spry_solver *solver;
    int number;
    void *recording;
};

struct spry_solver {
    spry_context *context;
    const struct spry_method_code *method;
    spry_operator a, precond;    /* precond without apply and diagonal: none, or one of no rows */
    spry_solver_options options; /* with defaults filled in */
    struct spry_ranks ranks;     /* that solve together, this one among them */
    int64_t n;
    spry_value_type type;

    struct spry_vectors vectors; /* those that the method has; x and b are the caller's */
    void *basis;                 /* GMRES: n × (restart + 1), by columns */

    struct spry_state *state; /* where the solver works */
    struct spry_state seen;   /* what the host knows of it */
    int64_t reported;         /* iterations that the monitor was told of */
    bool cancelled;
    double *history; /* iterations + 1; null unless asked for */

    struct spry_piece *piece;
    int pieces;     /* of a round */
    int repeat;     /* how often a piece is played at once */
    int stride;     /* iterations between two looks by the host, at most */
    int next_look;  /* and until the next one */
    int unseen;     /* since the last one */
    bool record;    /* pieces are recorded, and replayed */
    bool warm;      /* the context has the workspace for that */
    unsigned moves; /* see operator.h: when they were recorded */

    struct spry_resident *resident;     /* iterations are done on the chip; else null */
    const struct spry_listing *listing; /* where what pieces ask for is put, and not done; else null */

    struct spry_owned owned[SPRY_SOLVER_ARRAYS];
    int owned_count;
};

/* An array where the solver works, which it releases; zero at first. */
spry_status spry_solver_array(spry_solver *solver, int64_t count, size_t size, void **array);
/* The first `count` of these vectors, of n values each. */
spry_status spry_solver_vectors(spry_solver *solver, int count, void **vectors[]);

/* y = A x. */
spry_status spry_solver_apply(spry_solver *solver, const void *x, void *y);
/* Whether there is a preconditioner. A rank without rows has one where the others do, but for a diagonal that is null: which
   is all the same, as it would have no values. */
static inline bool spry_solver_is_preconditioned(const spry_solver *solver) {
    return solver->precond.apply || solver->precond.diagonal;
}
/* Whether a preconditioner has to be applied by a call of its own; a diagonal is multiplied on the way by updates. */
bool spry_solver_applies_precond(const spry_solver *solver);
/* z = M⁻¹ r. */
spry_status spry_solver_precondition(spry_solver *solver, const void *r, void *z);
/* One update over the solver's vectors; its step alone. */
spry_status spry_solver_update(spry_solver *solver, enum spry_update update);
spry_status spry_solver_step(spry_solver *solver, enum spry_update update);
/* So many values of the vectors' type, where the solver works, become their sums over all ranks. */
spry_status spry_solver_add_up(spry_solver *solver, int count, void *values);
/* The ranks that solve together; null where there is none but this one. */
const struct spry_ranks *spry_solver_ranks(const spry_solver *solver);
/* One update over others than the solver's. */
spry_status spry_solver_update_over(spry_solver *solver, enum spry_update update,
                                    const struct spry_vectors *vectors);

#endif
