/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>

#include "analysis/work.h"
#include "core/scatter.h"
#include "core/table.h"
#include "formats/check.h"

/* Sorted positions that diagonal d reaches. */
static int64_t reach(const spry_jds *jds, int64_t d) {
    const ptr_t *ptr = jds->ptr;
    return ptr[d + 1] - ptr[d];
}

static spry_status check_diagonals(spry_context *context, const spry_matrix *matrix) {
    const ptr_t *ptr = matrix->jds.ptr;
    int64_t diagonals = matrix->jds.diagonals;
    if (ptr[0] != 0 || ptr[diagonals] != matrix->nnz)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "diagonal pointers go from %" PRId64 " to %" PRId64 ", expected 0 to %" PRId64,
                         (int64_t)ptr[0], (int64_t)ptr[diagonals], matrix->nnz);
    int64_t before = matrix->rows;
    for (int64_t d = 0; d < diagonals; d++) {
        int64_t here = reach(&matrix->jds, d);
        if (here < 1 || here > before)
            return spry_fail(context, SPRY_ERROR_INVALID,
                             "diagonal %" PRId64 " has %" PRId64 " entries, outside 1 … %" PRId64, d, here,
                             before);
        before = here;
    }
    return SPRY_OK;
}

static spry_status check_order(spry_context *context, const spry_matrix *matrix, bool distinct) {
    const ptr_t *ptr = matrix->jds.ptr;
    const idx_t *perm = matrix->jds.perm, *idx = matrix->jds.idx;
    for (int64_t d = 1; d < matrix->jds.diagonals; d++)
        for (int64_t i = 0; i < reach(&matrix->jds, d); i++) {
            idx_t before = idx[ptr[d - 1] + i], here = idx[ptr[d] + i];
            if (here < before || (here == before && distinct))
                return NAME(spry_fail_order)(context, "row", perm[i], "column", here, before);
        }
    return SPRY_OK;
}

static spry_status validate(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    spry_status status = check_diagonals(context, matrix);
    if (!status)
        status = NAME(spry_check_permutation)(context, matrix->jds.perm, matrix->rows, matrix->rows);
    if (status)
        return status;
    const idx_t *idx = matrix->jds.idx;
    int64_t k = NAME(spry_first_out_of_range)(context, idx, matrix->nnz, 0, matrix->cols);
    if (k < matrix->nnz)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "entry %" PRId64 ": column %" PRId64 " is outside 0 … %" PRId64, k, (int64_t)idx[k],
                         matrix->cols - 1);
    if (flags & (SPRY_CHECK_SORTED | SPRY_CHECK_DISTINCT))
        status = check_order(context, matrix, flags & SPRY_CHECK_DISTINCT);
    if (status || !(flags & SPRY_CHECK_FINITE))
        return status;
    const val_t *val = matrix->jds.val;
    k = NAME(spry_first_not_finite)(context, val, matrix->nnz);
    if (k < matrix->nnz)
        return spry_fail(context, SPRY_ERROR_INVALID, "entry %" PRId64 ": the value is %g", k,
                         (double)val[k]);
    return SPRY_OK;
}

/* Entries and rows of the sorted positions before i. */
static int64_t work_before(const spry_matrix *matrix, int64_t i) {
    const ptr_t *ptr = matrix->jds.ptr;
    /* The diagonals up to `low` reach past i, those from it on end before. */
    int64_t low = 0, high = matrix->jds.diagonals;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (reach(&matrix->jds, middle) > i)
            low = middle + 1;
        else
            high = middle;
    }
    return i + low * i + (matrix->nnz - ptr[low]);
}

static void cut(const spry_matrix *matrix, struct spry_split *split) {
    spry_cut_by_work(matrix, split, matrix->rows, matrix->nnz + matrix->rows, work_before);
}

static struct spry_window span(const spry_matrix *matrix, const struct spry_cut *begin) {
    const ptr_t *ptr = matrix->jds.ptr;
    int64_t low = INT64_MAX, end = 0;
    for (int64_t d = 0; d < matrix->jds.diagonals; d++) {
        int64_t here = reach(&matrix->jds, d);
        int64_t last = begin[1].unit < here ? begin[1].unit : here;
        struct spry_cut entries[2] = {{0, ptr[d] + begin[0].unit}, {0, ptr[d] + last}};
        struct spry_window window = NAME(spry_index_span)(matrix->jds.idx, 0, entries);
        if (window.count == 0)
            break;
        low = window.first < low ? window.first : low;
        end = spry_window_end(window) > end ? spry_window_end(window) : end;
    }
    return end == 0 ? (struct spry_window){0, 0} : (struct spry_window){low, end - low};
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    return spry_plan_by_rows(context, matrix, cut, span);
}

static int64_t slots(const spry_matrix *matrix) {
    return matrix->nnz;
}

static int arrays(spry_matrix *matrix, struct spry_array array[SPRY_MAX_ARRAYS]) {
    spry_jds *jds = &matrix->jds;
    array[0] = (struct spry_array){&jds->perm, matrix->rows, sizeof(idx_t)};
    array[1] = (struct spry_array){&jds->ptr, jds->diagonals + 1, sizeof(ptr_t)};
    array[2] = (struct spry_array){&jds->idx, matrix->nnz, sizeof(idx_t)};
    array[3] = (struct spry_array){&jds->val, matrix->nnz, sizeof(val_t)};
    return 4;
}

static void **values(spry_matrix *matrix) {
    return &matrix->jds.val;
}

static void estimate(struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    candidate->slots = (double)features->nnz;
    candidate->bytes = (double)features->rows * sizeof(idx_t) +
                       ((double)features->longest + 1) * sizeof(ptr_t) +
                       candidate->slots * (sizeof(idx_t) + sizeof(val_t));
}

const struct spry_format_code NAME(spry_jds_code) = {
    .validate = validate,
    .plan = plan,
    .slots = slots,
    .arrays = arrays,
    .values = values,
    .estimate = estimate,
};
