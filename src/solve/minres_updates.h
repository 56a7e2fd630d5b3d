/* SPDX-License-Identifier: BSD-3-Clause */
/* The updates of MINRES: Paige and Saunders, "Solution of sparse indefinite systems of linear equations", SIAM Journal on
   Numerical Analysis 12, 1975. p is the preconditioned Lanczos vector, s and t the last two without, z = M⁻¹ t; u
   and w are the last two directions. s and t, and u and w, change places after each iteration. */
#ifndef SPRY_MINRES_UPDATES_H
#define SPRY_MINRES_UPDATES_H

#include "solve/update_body.h"

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
    /* The update after this one needs the coefficient of this iteration, the step after it sets the next. */
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
}

#endif
