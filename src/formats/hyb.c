/* SPDX-License-Identifier: BSD-3-Clause */
/* HYB is its two parts: what they check, it checks, and what they need, it needs. */
#include <inttypes.h>

#include "core/table.h"
#include "core/tmpl.h"

static spry_status validate(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    const spry_matrix *ell = matrix->hyb.ell, *coo = matrix->hyb.coo;
    if (ell->nnz + coo->nnz != matrix->nnz)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "the parts have %" PRId64 " + %" PRId64 " entries, expected %" PRId64, ell->nnz,
                         coo->nnz, matrix->nnz);
    spry_status status = spry_validate(context, ell, flags);
    return status ? status : spry_validate(context, coo, flags | SPRY_CHECK_SORTED);
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    (void)context;
    size_t ell = matrix->hyb.ell->plan.scratch, coo = matrix->hyb.coo->plan.scratch;
    matrix->plan.scratch = ell > coo ? ell : coo;
    return SPRY_OK;
}

static int64_t slots(const spry_matrix *matrix) {
    return spry_matrix_slots(matrix->hyb.ell) + spry_matrix_slots(matrix->hyb.coo);
}

static size_t bytes(const spry_matrix *matrix) {
    return spry_matrix_bytes(matrix->hyb.ell) + spry_matrix_bytes(matrix->hyb.coo);
}

const struct spry_format_code NAME(spry_hyb_code) = {
    .validate = validate,
    .plan = plan,
    .slots = slots,
    .bytes = bytes,
};
