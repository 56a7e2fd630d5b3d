/* SPDX-License-Identifier: BSD-3-Clause */
/* ILU(0): L and U with the pattern of A, such that L U is A there. */
#include <inttypes.h>

#include "core/integers.h"
#include "solve/factors.h"

/* Put the pivot that a row came to, and that has no inverse, into words. */
static spry_status refuse(spry_context *context, const struct spry_square *square, int64_t row) {
    const size_t size = spry_pointer_size(square->index);
    int64_t place;
    double pivot;
    spry_status status =
        context->code->copy(context, &place, (const char *)square->diagonal + (size_t)row * size, size);
    if (!status)
        status =
            spry_fetch_value(context, square->type, square->csr.val, load_integer(&place, size, 0), &pivot);
    return status ? status
                  : spry_fail(context, SPRY_ERROR_INVALID,
                              "row %" PRId64
                              " (counted from 1): the pivot is %g, expected a number with an inverse",
                              row + 1, pivot);
}

static spry_status factor(spry_context *context, spry_precond *precond) {
    struct spry_factors *factors = precond->part;
    const struct spry_square *square = &factors->square;
    int64_t row;
    precond->shift = precond->options.shift;
    spry_status status =
        spry_triangle_code(context, square->type, square->index)
            ->factor_ilu0(context, square, &factors->substitution[SPRY_LOWER].order, precond->shift, &row);
    return status || row < 0 ? status : refuse(context, square, row);
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
