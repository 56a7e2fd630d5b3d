/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sweeps and their steps, for C and for device code, once per type num_t. at_<sweep> does what a sweep does at one
 * place i and returns what is to be summed; step_<sweep> has the sums in sum[]. sweep.h says when they run, and
 * the methods' files in what order.
 */
#ifndef SPRY_SWEEPS_H
#define SPRY_SWEEPS_H

#include <math.h>

#include "core/number.h"
#include "solve/sweep.h"

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
}

/* Whether a number that must be positive is; if not, the outcome says why. */
BOTH int is_positive(struct spry_state *state, double value) {
    if (!(value > 0) && state->outcome == SPRY_RUNNING)
        state->outcome = is_finite(value) ? SPRY_INDEFINITE : SPRY_NOT_FINITE;
    return value > 0;
}

/* The same for one that is divided by. */
BOTH int is_nonzero(struct spry_state *state, double value) {
    int good = is_finite(value) && value != 0;
    if (!good && state->outcome == SPRY_RUNNING)
        state->outcome = is_finite(value) ? SPRY_BREAKDOWN : SPRY_NOT_FINITE;
    return good;
}

/* ---- all methods ---- */

/* z = M⁻¹ r for a diagonal, where no other sweep does it on the way. */
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

/* ---- CG: Hestenes and Stiefel, "Methods of conjugate gradients for solving linear systems", Journal of Research of
   the National Bureau of Standards 49, 1952 ---- */

/* p = z = M⁻¹ r. */
BOTH struct sums at_cg_begin(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    num_t z = v.z ? v.z[i] : scaled(v.d, i, v.r[i]);
    v.p[i] = z;
    return one_sum(product(v.r[i], z));
}

BOTH void step_cg_begin(struct spry_state *state, const double *sum) {
    if (is_positive(state, sum[0]))
        state->scalars.rho = sum[0];
}

/* q = A p. */
BOTH struct sums at_cg_curvature(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    return one_sum(product(v.p[i], v.q[i]));
}

BOTH void step_cg_curvature(struct spry_state *state, const double *sum) {
    if (is_positive(state, sum[0]))
        state->scalars.alpha = state->scalars.rho / sum[0];
}

/* The same sum, of what the product has added up already. */
BOTH struct sums at_cg_partials(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    return one_sum(v.partial[i]);
}

BOTH void step_cg_partials(struct spry_state *state, const double *sum) {
    step_cg_curvature(state, sum);
}

BOTH struct sums at_cg_update(struct vectors v, struct spry_scalars c, int64_t i) {
    num_t alpha = (num_t)c.alpha, r = v.r[i] - alpha * v.q[i];
    v.x[i] += alpha * v.p[i];
    v.r[i] = r;
    return two_sums(product(r, r), product(r, scaled(v.d, i, r)));
}

/* The next direction follows from the new r · M⁻¹ r. */
BOTH void step_cg_product(struct spry_state *state, const double *sum) {
    if (!is_positive(state, sum[0]))
        return;
    state->scalars.beta = sum[0] / state->scalars.rho;
    state->scalars.rho = sum[0];
}

BOTH void step_cg_update(struct spry_state *state, const double *sum) {
    state->iterations++;
    note(state, sqrt(sum[0]));
    if (state->outcome == SPRY_RUNNING && state->diagonal)
        step_cg_product(state, sum + 1);
}

BOTH struct sums at_cg_product(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    return one_sum(product(v.r[i], v.z[i]));
}

BOTH struct sums at_cg_direction(struct vectors v, struct spry_scalars c, int64_t i) {
    num_t z = v.z ? v.z[i] : scaled(v.d, i, v.r[i]);
    v.p[i] = z + (num_t)c.beta * v.p[i];
    return no_sum();
}

/* ---- MINRES: Paige and Saunders, "Solution of sparse indefinite systems of linear equations", SIAM Journal on
   Numerical Analysis 12, 1975. p is the preconditioned Lanczos vector, s and t the last two without, z = M⁻¹ t; u
   and w are the last two directions. s and t, and u and w, change places after each iteration. ---- */

BOTH struct sums at_minres_start(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    v.t[i] = v.r[i];
    v.s[i] = v.u[i] = v.w[i] = 0;
    return no_sum();
}

/* z is t's own array without a preconditioner. */
BOTH struct sums at_minres_begin(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    if (v.d)
        v.z[i] = v.d[i] * v.t[i];
    return one_sum(product(v.t[i], v.z[i]));
}

BOTH void step_minres_begin(struct spry_state *state, const double *sum) {
    if (!is_positive(state, sum[0]))
        return;
    state->lanczos_beta = state->phi_bar = sqrt(sum[0]);
    state->scalars.inverse = 1 / state->lanczos_beta;
    state->scalars.back = 0;
    state->scalars.eps = 0;
    state->dbar = 0;
    state->cosine = -1;
    state->sine = 0;
}

BOTH struct sums at_minres_scale(struct vectors v, struct spry_scalars c, int64_t i) {
    v.p[i] = (num_t)c.inverse * v.z[i];
    return no_sum();
}

/* q = A p. */
BOTH struct sums at_minres_alpha(struct vectors v, struct spry_scalars c, int64_t i) {
    num_t q = v.q[i] - (num_t)c.back * v.s[i];
    v.q[i] = q;
    return one_sum(product(v.p[i], q));
}

BOTH void step_minres_alpha(struct spry_state *state, const double *sum) {
    state->lanczos_alpha = sum[0];
    state->scalars.forth = sum[0] / state->lanczos_beta;
}

/* The new vector takes the place of the older one. */
BOTH struct sums at_minres_next(struct vectors v, struct spry_scalars c, int64_t i) {
    v.s[i] = v.q[i] - (num_t)c.forth * v.t[i];
    return no_sum();
}

/* From here on s is the new vector; without a preconditioner z is its array. */
BOTH struct sums at_minres_beta(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    if (v.d)
        v.z[i] = v.d[i] * v.s[i];
    return one_sum(product(v.s[i], v.z[i]));
}

/* The rotation that takes the new entry out of the tridiagonal matrix. The residual follows it: it is sine² times what
   it was, and the new Lanczos vector times -phi_bar cosine. */
BOTH void step_minres_beta(struct spry_state *state, const double *sum) {
    struct spry_scalars *c = &state->scalars;
    if (sum[0] < 0 || !is_finite(sum[0])) {
        (void)is_positive(state, sum[0]);
        return;
    }
    double alpha = state->lanczos_alpha, old = state->lanczos_beta, beta = sqrt(sum[0]);
    double gbar = state->sine * state->dbar - state->cosine * alpha;
    double next_eps = state->sine * beta;
    c->delta = state->cosine * state->dbar + state->sine * alpha;
    state->dbar = -state->cosine * beta;
    double gamma = hypot(gbar, beta);
    if (!is_nonzero(state, gamma))
        return;
    state->cosine = gbar / gamma;
    state->sine = beta / gamma;
    c->gamma = 1 / gamma;
    c->phi = state->cosine * state->phi_bar;
    state->phi_bar *= state->sine;
    c->keep = state->sine * state->sine;
    c->inverse = beta > 0 ? 1 / beta : 0;
    c->turn = state->phi_bar * state->cosine * c->inverse;
    c->back = beta / old;
    state->lanczos_beta = beta;
    /* The sweep after this one needs the coefficient of this iteration, the step after it sets the next. */
    c->omega = c->eps;
    c->eps = next_eps;
}

/* The new direction takes the place of the older one, u. */
BOTH struct sums at_minres_update(struct vectors v, struct spry_scalars c, int64_t i) {
    num_t w = (num_t)c.gamma * (v.p[i] - (num_t)c.omega * v.u[i] - (num_t)c.delta * v.w[i]);
    num_t r = (num_t)c.keep * v.r[i] - (num_t)c.turn * v.s[i];
    v.u[i] = w;
    v.x[i] += (num_t)c.phi * w;
    v.r[i] = r;
    return one_sum(product(r, r));
}

BOTH void step_minres_update(struct spry_state *state, const double *sum) {
    state->iterations++;
    note(state, sqrt(sum[0]));
    if (state->lanczos_beta == 0 && state->outcome == SPRY_RUNNING)
        state->outcome = SPRY_BREAKDOWN;
}

/* ---- BiCGSTAB: van der Vorst, "Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG", SIAM Journal on
   Scientific and Statistical Computing 13, 1992. u is the shadow residual; z = M⁻¹ p, q = A z, s = M⁻¹ r, t = A s. ---- */

BOTH struct sums at_bicgstab_begin(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    num_t r = v.r[i];
    v.u[i] = v.p[i] = r;
    if (v.d)
        v.z[i] = v.d[i] * r;
    return one_sum(product(r, r));
}

BOTH void step_bicgstab_begin(struct spry_state *state, const double *sum) {
    state->scalars.rho = sum[0];
    state->half = 0;
}

BOTH struct sums at_bicgstab_first(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    return one_sum(product(v.u[i], v.q[i]));
}

BOTH void step_bicgstab_first(struct spry_state *state, const double *sum) {
    if (is_nonzero(state, sum[0]))
        state->scalars.alpha = state->scalars.rho / sum[0];
}

BOTH struct sums at_bicgstab_half(struct vectors v, struct spry_scalars c, int64_t i) {
    num_t r = v.r[i] - (num_t)c.alpha * v.q[i];
    v.r[i] = r;
    if (v.d)
        v.s[i] = v.d[i] * r;
    return one_sum(product(r, r));
}

BOTH void step_bicgstab_half(struct spry_state *state, const double *sum) {
    state->half = sqrt(sum[0]) <= state->threshold;
}

BOTH struct sums at_bicgstab_second(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    return two_sums(product(v.t[i], v.r[i]), product(v.t[i], v.t[i]));
}

BOTH void step_bicgstab_second(struct spry_state *state, const double *sum) {
    if (state->half)
        state->scalars.omega = 0;
    else if (is_nonzero(state, sum[1]))
        state->scalars.omega = sum[0] / sum[1];
}

BOTH struct sums at_bicgstab_update(struct vectors v, struct spry_scalars c, int64_t i) {
    num_t r = v.r[i];
    num_t step = (num_t)c.alpha * v.z[i];
    if (c.omega != 0) {
        step += (num_t)c.omega * v.s[i];
        r -= (num_t)c.omega * v.t[i];
    }
    v.x[i] += step;
    v.r[i] = r;
    return two_sums(product(r, r), product(v.u[i], r));
}

BOTH void step_bicgstab_update(struct spry_state *state, const double *sum) {
    struct spry_scalars *c = &state->scalars;
    state->iterations++;
    note(state, sqrt(sum[0]));
    if (state->outcome != SPRY_RUNNING || !is_nonzero(state, c->omega) || !is_nonzero(state, sum[1]))
        return;
    c->beta = sum[1] / c->rho * (c->alpha / c->omega);
    c->rho = sum[1];
}

BOTH struct sums at_bicgstab_direction(struct vectors v, struct spry_scalars c, int64_t i) {
    num_t p = v.r[i] + (num_t)c.beta * (v.p[i] - (num_t)c.omega * v.q[i]);
    v.p[i] = p;
    if (v.d)
        v.z[i] = v.d[i] * p;
    return no_sum();
}

/* ---- GMRES: Saad and Schultz, "GMRES: a generalized minimal residual algorithm for solving nonsymmetric linear
   systems", SIAM Journal on Scientific and Statistical Computing 7, 1986. w is the new vector of the basis. ---- */

BOTH struct sums at_gmres_first(struct vectors v, struct spry_scalars c, int64_t i) {
    v.w[i] = (num_t)c.inverse * v.r[i];
    return no_sum();
}

BOTH struct sums at_gmres_norm(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    return one_sum(product(v.w[i], v.w[i]));
}

/* Apply the earlier rotations to the new column, and find the one that makes it triangular. Returns the entry that it
   leaves on the diagonal. */
BOTH double rotate_column(struct spry_state *state, double below) {
    int j = state->column;
    const num_t *h = (const num_t *)state->h, *again = (const num_t *)state->again;
    double *column = state->triangle + (int64_t)j * state->restart;
    double current = (double)h[0] + (double)again[0];
    for (int i = 0; i < j; i++) {
        double next = (double)h[i + 1] + (double)again[i + 1];
        column[i] = state->cosines[i] * current + state->sines[i] * next;
        current = state->cosines[i] * next - state->sines[i] * current;
    }
    double diagonal = hypot(current, below);
    if (diagonal > 0) {
        state->cosines[j] = current / diagonal;
        state->sines[j] = below / diagonal;
    }
    return column[j] = diagonal;
}

BOTH void step_gmres_norm(struct spry_state *state, const double *sum) {
    double norm = sqrt(sum[0]), diagonal = rotate_column(state, norm);
    int j = state->column;
    state->iterations++;
    state->stuck = !(diagonal > 0 && is_finite(diagonal));
    if (!state->stuck) {
        state->g[j + 1] = -state->sines[j] * state->g[j];
        state->g[j] *= state->cosines[j];
        state->residual = fabs(state->g[j + 1]);
        state->column = j + 1;
        state->scalars.inverse = 1 / norm;
    }
    state->recent[state->iterations % SPRY_RECENT] = state->residual;
    state->hold = state->stuck || norm == 0 || state->column == state->restart ||
                  state->residual <= state->threshold || state->iterations >= state->limit;
    if (state->hold)
        state->scalars.inverse = 0;
}

/* Once the basis is complete, vectors after its last are zero. Otherwise they would grow from one to the next, as nothing
   makes them unit vectors, until they are not finite, and not even times zero would be zero. */
BOTH struct sums at_gmres_scale(struct vectors v, struct spry_scalars c, int64_t i) {
    v.w[i] = c.inverse == 0 ? 0 : (num_t)c.inverse * v.w[i];
    return no_sum();
}

/* Without vectors: a step alone. */
BOTH struct sums at_gmres_solve(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)v;
    (void)c;
    (void)i;
    return no_sum();
}

BOTH void step_gmres_solve(struct spry_state *state, const double *sum) {
    (void)sum;
    num_t *y = (num_t *)state->y;
    double *g = state->g;
    int finite = 1;
    for (int j = state->column; j < state->restart; j++)
        y[j] = 0;
    for (int j = state->column - 1; j >= 0; j--) {
        const double *column = state->triangle + (int64_t)j * state->restart;
        double value = g[j] / column[j];
        for (int i = 0; i < j; i++)
            g[i] -= column[i] * value;
        y[j] = (num_t)value;
        finite &= is_finite(value);
    }
    state->scalars.correct = finite && is_finite(state->residual);
}

/* z = M⁻¹ V y. */
BOTH struct sums at_gmres_correct(struct vectors v, struct spry_scalars c, int64_t i) {
    if (c.correct != 0)
        v.x[i] += v.z[i];
    return no_sum();
}

BOTH struct sums at_gmres_restart(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    num_t r = v.b[i] - v.q[i];
    v.r[i] = r;
    return one_sum(product(r, r));
}

BOTH void step_gmres_restart(struct spry_state *state, const double *sum) {
    note(state, sqrt(sum[0]));
    if (state->stuck && state->outcome == SPRY_RUNNING)
        state->outcome = state->scalars.correct != 0 ? SPRY_BREAKDOWN : SPRY_NOT_FINITE;
    open_cycle(state);
}

#endif
