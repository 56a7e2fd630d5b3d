/* SPDX-License-Identifier: BSD-3-Clause */
/* The updates of CG: Hestenes and Stiefel, "Methods of conjugate gradients for solving linear systems", Journal of Research of
   the National Bureau of Standards 49, 1952. */
#ifndef SPRY_CG_UPDATES_H
#define SPRY_CG_UPDATES_H

#include "solve/update_body.h"

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

/* An iteration ends with r · r, and the next direction follows from r · M⁻¹ r. */
BOTH void end_cg(struct spry_state *state, double rr, double rz) {
    state->iterations++;
    note(state, sqrt(rr));
    if (state->outcome != SPRY_RUNNING || !is_positive(state, rz))
        return;
    state->scalars.beta = rz / state->scalars.rho;
    state->scalars.rho = rz;
}

BOTH void step_cg_update(struct spry_state *state, const double *sum) {
    end_cg(state, sum[0], sum[1]);
}

/* The same where a preconditioner has to be applied before the iteration can end. */
#define at_cg_advance at_cg_update

BOTH void step_cg_advance(struct spry_state *state, const double *sum) {
    state->kept = sum[0];
}

BOTH struct sums at_cg_product(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    return one_sum(product(v.r[i], v.z[i]));
}

BOTH void step_cg_product(struct spry_state *state, const double *sum) {
    end_cg(state, sum[1], sum[0]);
}

BOTH struct sums at_cg_direction(struct vectors v, struct spry_scalars c, int64_t i) {
    num_t z = v.z ? v.z[i] : scaled(v.d, i, v.r[i]);
    v.p[i] = z + (num_t)c.beta * v.p[i];
    return no_sum();
}

#endif
