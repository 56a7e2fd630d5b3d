/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>

#include "analysis/work.h"
#include "core/scatter.h"
#include "core/table.h"
#include "formats/check.h"
#include "formats/ell.h"

static spry_status check_lengths(spry_context *context, const spry_matrix *matrix) {
    const spry_ell *ell = &matrix->ell;
    const idx_t *len = ell->len;
    int64_t total = 0;
    for (int64_t i = 0; i < ell->stride; i++) {
        int64_t most = i < matrix->rows ? ell->width : 0;
        if (len[i] < 0 || len[i] > most)
            return spry_fail(context, SPRY_ERROR_INVALID,
                             "row %" PRId64 " has length %" PRId64 ", outside 0 … %" PRId64, i,
                             (int64_t)len[i], most);
        total += len[i];
    }
    if (total != matrix->nnz)
        return spry_fail(context, SPRY_ERROR_INVALID, "the row lengths sum to %" PRId64 ", expected %" PRId64,
                         total, matrix->nnz);
    return SPRY_OK;
}

static spry_status check_order(spry_context *context, const spry_matrix *matrix, bool distinct) {
    const spry_ell *ell = &matrix->ell;
    const idx_t *len = ell->len, *idx = ell->idx;
    for (int64_t i = 0; i < matrix->rows; i++)
        for (int64_t k = 1; k < len[i]; k++) {
            idx_t before = idx[(k - 1) * ell->stride + i], here = idx[k * ell->stride + i];
            if (here < before || (here == before && distinct))
                return NAME(spry_fail_order)(context, "row", i, "column", here, before);
        }
    return SPRY_OK;
}

static spry_status check_padding(spry_context *context, const spry_matrix *matrix) {
    const spry_ell *ell = &matrix->ell;
    const idx_t *len = ell->len;
    const val_t *val = ell->val;
    for (int64_t k = 0; k < ell->width; k++)
        for (int64_t i = 0; i < ell->stride; i++)
            if (k >= len[i] && val[k * ell->stride + i] != 0)
                return spry_fail(context, SPRY_ERROR_INVALID,
                                 "row %" PRId64 ", slot %" PRId64 ": padding has value %g, expected 0", i, k,
                                 (double)val[k * ell->stride + i]);
    return SPRY_OK;
}

static spry_status validate(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    const spry_ell *ell = &matrix->ell;
    if (ell->stride < matrix->rows || ell->width < 0)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "stride %" PRId64 " or width %" PRId64 " does not suit %" PRId64 " rows",
                         ell->stride, ell->width, matrix->rows);
    spry_status status = check_lengths(context, matrix);
    if (status)
        return status;
    int64_t slots = ell->width * ell->stride;
    const idx_t *idx = ell->idx;
    int64_t k = NAME(spry_first_out_of_range)(context, idx, slots, 0, matrix->cols);
    if (k < slots)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "row %" PRId64 ", slot %" PRId64 ": column %" PRId64 " is outside 0 … %" PRId64,
                         k % ell->stride, k / ell->stride, (int64_t)idx[k], matrix->cols - 1);
    status = check_padding(context, matrix);
    if (!status && (flags & (SPRY_CHECK_SORTED | SPRY_CHECK_DISTINCT)))
        status = check_order(context, matrix, flags & SPRY_CHECK_DISTINCT);
    if (status || !(flags & SPRY_CHECK_FINITE))
        return status;
    const val_t *val = ell->val;
    k = NAME(spry_first_not_finite)(context, val, slots);
    if (k < slots)
        return spry_fail(context, SPRY_ERROR_INVALID, "row %" PRId64 ", slot %" PRId64 ": the value is %g",
                         k % ell->stride, k / ell->stride, (double)val[k]);
    return SPRY_OK;
}

/* Equal shares of rows and entries together, cut between blocks of rows. */
static void cut(const spry_matrix *matrix, struct spry_split *split) {
    const idx_t *len = matrix->ell.len;
    int64_t total = matrix->nnz + matrix->rows, done = 0;
    int p = 0;
    for (int64_t i = 0; i < matrix->rows; i++) {
        while (i % SPRY_ELL_BLOCK == 0 && p < split->parts && done >= spry_share(total, p, split->parts))
            split->cut[p++] = (struct spry_cut){i, 0};
        done += len[i] + 1;
    }
    while (p <= split->parts)
        split->cut[p++] = (struct spry_cut){matrix->rows, 0};
    split->cut[0].unit = 0;
}

static struct spry_window span(const spry_matrix *matrix, const struct spry_cut *begin) {
    const spry_ell *ell = &matrix->ell;
    const idx_t *len = ell->len, *idx = ell->idx;
    int64_t low = INT64_MAX, high = -1;
    for (int64_t k = 0; k < ell->width; k++)
        for (int64_t i = begin[0].unit; i < begin[1].unit; i++) {
            int64_t j = idx[k * ell->stride + i];
            low = k < len[i] && j < low ? j : low;
            high = k < len[i] && j > high ? j : high;
        }
    return spry_window_between(low, high);
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    return spry_plan_by_rows(context, matrix, cut, span);
}

static int64_t slots(const spry_matrix *matrix) {
    return matrix->ell.width * matrix->ell.stride;
}

static size_t slot_size(const spry_matrix *matrix) {
    (void)matrix;
    return sizeof(idx_t) + sizeof(val_t);
}

static int arrays(spry_matrix *matrix, struct spry_array array[SPRY_MAX_ARRAYS]) {
    spry_ell *ell = &matrix->ell;
    array[0] = (struct spry_array){&ell->len, ell->stride, sizeof(idx_t)};
    array[1] = (struct spry_array){&ell->idx, slots(matrix), sizeof(idx_t)};
    array[2] = (struct spry_array){&ell->val, slots(matrix), sizeof(val_t)};
    return 3;
}

static void **values(spry_matrix *matrix) {
    return &matrix->ell.val;
}

static void estimate(struct spry_candidate *candidate) {
    double stride = (double)spry_ell_stride(candidate->features->rows);
    candidate->width = candidate->features->longest;
    candidate->slots = (double)candidate->width * stride;
    candidate->bytes = stride * sizeof(idx_t) + candidate->slots * (sizeof(idx_t) + sizeof(val_t));
}

const struct spry_format_code NAME(spry_ell_code) = {
    .validate = validate,
    .plan = plan,
    .slots = slots,
    .slot_size = slot_size,
    .pads = true,
    .arrays = arrays,
    .values = values,
    .estimate = estimate,
};
