/* SPDX-License-Identifier: BSD-3-Clause */
/* What the updates and steps of all methods are written with, for C and for device code, once per type num_t; and those
   that are no method's own. */
#ifndef SPRY_UPDATE_BODY_H
#define SPRY_UPDATE_BODY_H

#include <math.h>

#include "core/number.h"
#include "solve/update.h"

#ifdef __CUDACC__
#define BOTH static __host__ __device__ inline
#else
#define BOTH static inline __attribute__((always_inline, unused))
#endif

struct vectors {
    num_t *b, *x, *r, *p, *q, *z, *s, *t, *u, *w;
    const num_t *d;
    const double *partial;
};

struct sums {
    double first, second;
};

BOTH struct vectors typed_vectors(const struct spry_vectors *v) {
    struct vectors typed = {(num_t *)v->b, (num_t *)v->x, (num_t *)v->r,       (num_t *)v->p,
                            (num_t *)v->q, (num_t *)v->z, (num_t *)v->s,       (num_t *)v->t,
                            (num_t *)v->u, (num_t *)v->w, (const num_t *)v->d, v->partial};
    return typed;
}

BOTH struct sums no_sum(void) {
    struct sums none = {0, 0};
    return none;
}

BOTH struct sums one_sum(double term) {
    struct sums one = {term, 0};
    return one;
}

BOTH struct sums two_sums(double first, double second) {
    struct sums two = {first, second};
    return two;
}

BOTH double product(num_t a, num_t b) {
    return (double)a * (double)b;
}

/* M⁻¹ v at one place, where the preconditioner is a diagonal or there is none. */
BOTH num_t scaled(const num_t *d, int64_t i, num_t value) {
    return d ? d[i] * value : value;
}

BOTH int is_finite(double value) {
    return value - value == 0;
}

/* Keep a residual norm, and see whether it is the last. */
BOTH void note(struct spry_state *state, double norm) {
    state->residual = norm;
    state->recent[state->iterations % SPRY_RECENT] = norm;
    if (!is_finite(norm))
        state->outcome = SPRY_NOT_FINITE;
    else if (norm <= state->threshold)
        state->outcome = SPRY_CONVERGED;
    else if (norm > state->ceiling)
        state->outcome = SPRY_DIVERGED;
    else if (state->iterations >= state->limit)
        state->outcome = SPRY_LIMIT;
    else if (state->cancelled)
        state->outcome = SPRY_CANCELLED;
}

/* Whether a number that must be positive, and finite, is; if not, the outcome says why. */
BOTH int is_positive(struct spry_state *state, double value) {
    int good = is_finite(value) && value > 0;
    if (!good && state->outcome == SPRY_RUNNING)
        state->outcome = is_finite(value) ? SPRY_INDEFINITE : SPRY_NOT_FINITE;
    return good;
}

/* The same for one that is divided by. */
BOTH int is_nonzero(struct spry_state *state, double value) {
    int good = is_finite(value) && value != 0;
    if (!good && state->outcome == SPRY_RUNNING)
        state->outcome = is_finite(value) ? SPRY_BREAKDOWN : SPRY_NOT_FINITE;
    return good;
}

/* z = M⁻¹ r for a diagonal, where no other update does it on the way. */
BOTH struct sums at_multiply(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    v.z[i] = v.d[i] * v.r[i];
    return no_sum();
}

/* The first residual. q = A x, or null where x is to be zero. */
BOTH struct sums at_begin(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    if (!v.q)
        v.x[i] = 0;
    num_t r = v.q ? v.b[i] - v.q[i] : v.b[i];
    v.r[i] = r;
    return one_sum(product(r, r));
}

/* GMRES: a new cycle, with r / |r| as the first vector of its basis. */
BOTH void open_cycle(struct spry_state *state) {
    state->hold = 0;
    state->column = 0;
    state->scalars.inverse = 1 / state->residual;
    if (state->restart > 0)
        state->g[0] = state->residual;
}

BOTH void step_begin(struct spry_state *state, const double *sum) {
    if (state->ceiling == 0)
        state->ceiling = state->divergence * sqrt(sum[0]);
    note(state, sqrt(sum[0]));
    open_cycle(state);
}

#endif
