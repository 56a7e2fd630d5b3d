/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * IC(0): L with the pattern of A's lower triangle, such that L Lᵀ is A there. The upper triangle of A is not read. L
 * need not exist for every positive definite A, but it does with a diagonal that is large enough (Manteuffel, "An
 * incomplete factorization technique for positive definite linear systems", Mathematics of Computation 34, 1980).
 */
#include <inttypes.h>

#include "solve/factors.h"

/* The first shift that is tried where there is none, and from where on the next one is not. Each is twice the one
   before it. */
#define FIRST_SHIFT 1e-3
#define LARGE_SHIFT 1e3

/* From a factor's place filled with A. */
static spry_status factor(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    struct spry_factors *factors = precond->part;
    const struct spry_square *square = &factors->square;
    const struct spry_triangle_code *code = spry_triangle_code(context, square->type, square->index);
    int64_t row;
    precond->shift = precond->options.shift;
    for (;;) {
        spry_status status =
            code->factor_ic0(context, square, &factors->substitution[SPRY_LOWER].order, precond->shift, &row);
        if (status || row < 0)
            return status;
        if (precond->shift >= LARGE_SHIFT)
            return spry_fail(context, SPRY_ERROR_INVALID,
                             "row %" PRId64
                             " (counted from 1): the pivot is not positive, or has no inverse, with a shift "
                             "of %g either",
                             row + 1, precond->shift);
        precond->shift = precond->shift > 0 ? 2 * precond->shift : FIRST_SHIFT;
        status = spry_update_values(context, factors->matrix, csr);
        if (status)
            return status;
    }
}

static spry_status take_values(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    static const struct spry_scaling divided = {.weight = 1, .inverse = 1};
    struct spry_factors *factors = precond->part;
    spry_status status = factor(context, precond, csr);
    if (!status)
        status = spry_factors_fill(context, precond, SPRY_LOWER, &factors->square, &divided);
    if (!status)
        status = spry_update_values(context, factors->transposed, factors->matrix);
    return status ? status
                  : spry_factors_fill(context, precond, SPRY_UPPER, &factors->transposed_square, &divided);
}

static spry_status create(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    spry_status status = spry_factors_open(context, precond, csr, true, false);
    if (!status)
        status = spry_factors_transpose(context, precond);
    return status ? status : take_values(context, precond, csr);
}

static spry_status update(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    struct spry_factors *factors = precond->part;
    spry_status status = spry_update_values(context, factors->matrix, csr);
    return status ? status : take_values(context, precond, csr);
}

const struct spry_precond_code spry_ic0_code = {
    .name = "ic0",
    .create = create,
    .update = update,
    .apply = spry_factors_apply,
    .destroy = spry_factors_destroy,
    .reserve = spry_factors_reserve,
};
