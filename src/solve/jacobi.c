/* SPDX-License-Identifier: BSD-3-Clause */
/* Jacobi: y = D⁻¹ x. */
#include <inttypes.h>

#include "solve/diagonal.h"

spry_status spry_invert_diagonal(spry_context *context, const spry_matrix *csr, bool positive,
                                 void *inverse) {
    double value;
    int64_t row;
    spry_status status =
        spry_diagonal_code_for(context, csr->type, csr->index)->invert(context, csr, positive, inverse, &row);
    if (status || row < 0)
        return status;
    status = spry_fetch_value(context, csr->type, inverse, row, &value);
    if (status)
        return status;
    if (value == 0)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "row %" PRId64 " (counted from 1): there is no entry on the diagonal, or it is zero",
                         row + 1);
    return spry_fail(context, SPRY_ERROR_INVALID,
                     "row %" PRId64 " (counted from 1): the entry on the diagonal is %g, expected %s",
                     row + 1, value, positive ? "a positive number" : "a number with an inverse");
}

static spry_status create(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    spry_status status =
        spry_allocate_array(context, (size_t)precond->n, spry_type_size(precond->type), &precond->part);
    precond->diagonal = precond->part;
    return status ? status : spry_invert_diagonal(context, csr, false, precond->part);
}

static spry_status update(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    return spry_invert_diagonal(context, csr, false, precond->part);
}

static spry_status apply(spry_context *context, const spry_precond *precond, const void *x, void *y) {
    return spry_diagonal_code_for(context, precond->type, precond->index)
        ->apply(context, precond->n, 1, precond->part, x, 0, y);
}

static void destroy(spry_precond *precond) {
    spry_release(&precond->arrays, precond->part, (size_t)precond->n, spry_type_size(precond->type));
}

const struct spry_precond_code spry_jacobi_code = {
    .name = "jacobi",
    .create = create,
    .update = update,
    .apply = apply,
    .destroy = destroy,
};
