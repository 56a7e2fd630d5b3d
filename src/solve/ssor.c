/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Symmetric successive over-relaxation: (2−ω)/ω (D/ω + U)⁻¹ D (D/ω + L)⁻¹. The scaling between the two substitutions
 * is part of them. With t = (2−ω) (D/ω + L)⁻¹ x,
 *
 *     t = (x − L/(2−ω) t) (2−ω) ω D⁻¹ and y = t − ω D⁻¹ U y.
 */
#include "solve/factors.h"

/* The matrix is lent for as long as its values are taken. */
static spry_status update(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    struct spry_factors *factors = precond->part;
    double omega = precond->options.omega;
    struct spry_scaling lower = {.weight = 1 / (2 - omega), .inverse = (2 - omega) * omega},
                        upper = {.weight = omega, .divide_rows = true};
    factors->square.csr = csr->csr;
    spry_status status = spry_factors_fill(context, precond, SPRY_LOWER, &factors->square, &lower);
    return status ? status : spry_factors_fill(context, precond, SPRY_UPPER, &factors->square, &upper);
}

static spry_status create(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    spry_status status = spry_factors_open(context, precond, csr, false, true);
    return status ? status : update(context, precond, csr);
}

const struct spry_precond_code spry_ssor_code = {
    .name = "ssor",
    .create = create,
    .update = update,
    .apply = spry_factors_apply,
    .destroy = spry_factors_destroy,
    .reserve = spry_factors_reserve,
};
