/* SPDX-License-Identifier: BSD-3-Clause */
/* The updates of BiCGSTAB: van der Vorst, "Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG", SIAM Journal on
   Scientific and Statistical Computing 13, 1992. u is the shadow residual; z = M⁻¹ p, q = A z, s = M⁻¹ r, t = A s. */
#ifndef SPRY_BICGSTAB_UPDATES_H
#define SPRY_BICGSTAB_UPDATES_H

#include "solve/update_body.h"

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
    state->kept = sum[0];
}

BOTH struct sums at_bicgstab_second(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    return two_sums(product(v.t[i], v.r[i]), product(v.t[i], v.t[i]));
}

/* It may have converged in the middle of the iteration. */
BOTH void step_bicgstab_second(struct spry_state *state, const double *sum) {
    if (sqrt(sum[2]) <= state->threshold)
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

#endif
