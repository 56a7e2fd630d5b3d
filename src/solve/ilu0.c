/* SPDX-License-Identifier: BSD-3-Clause */
/* ILU(0): L and U with the pattern of A, such that L U is A there. */
#include <inttypes.h>

#include "solve/factors.h"

static spry_status factor(spry_context *context, spry_precond *precond) {
    struct spry_factors *factors = precond->part;
    const struct spry_square *square = &factors->square;
    int64_t row;
    precond->shift = precond->options.shift;
    spry_status status =
        spry_triangle_code(context, square->type, square->index)
            ->factor_ilu0(context, square, &factors->substitution[SPRY_LOWER].order, precond->shift, &row);
    if (!status && row >= 0)
        status = spry_fail(context, SPRY_ERROR_INVALID,
                           "row %" PRId64 " (counted from 1): the pivot is zero or not finite", row + 1);
    return status;
}

static spry_status take_values(spry_context *context, spry_precond *precond) {
    static const struct spry_scaling unit = {.weight = 1}, divided = {.weight = 1, .inverse = 1};
    struct spry_factors *factors = precond->part;
    spry_status status = factor(context, precond);
    if (!status)
        status = spry_factors_fill(context, precond, SPRY_LOWER, &factors->square, &unit);
    return status ? status : spry_factors_fill(context, precond, SPRY_UPPER, &factors->square, &divided);
}

static spry_status create(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    spry_status status = spry_factors_open(context, precond, csr, true, true);
    return status ? status : take_values(context, precond);
}

static spry_status update(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    struct spry_factors *factors = precond->part;
    spry_status status = spry_update_values(context, factors->matrix, csr);
    return status ? status : take_values(context, precond);
}

const struct spry_precond_code spry_ilu0_code = {
    .name = "ilu0",
    .create = create,
    .update = update,
    .apply = spry_factors_apply,
    .destroy = spry_factors_destroy,
    .reserve = spry_factors_reserve,
};
