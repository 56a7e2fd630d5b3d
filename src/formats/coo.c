/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>

#include "analysis/work.h"
#include "core/scatter.h"
#include "core/table.h"
#include "core/team.h"
#include "formats/check.h"

static spry_status check_indices(spry_context *context, const spry_matrix *matrix, const char *word,
                                 const idx_t *idx, int64_t limit) {
    int base = matrix->coo.base;
    int64_t k = NAME(spry_first_out_of_range)(context, idx, matrix->nnz, base, limit);
    if (k == matrix->nnz)
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_INVALID,
                     "entry %" PRId64 ": %s %" PRId64 " is outside %d … %" PRId64, k + base, word,
                     (int64_t)idx[k], base, limit - 1 + base);
}

/* How entry k stands to the one before it in row-major order: negative, zero for a duplicate, positive. */
static int step(const spry_coo *coo, int64_t k) {
    const idx_t *row = coo->row, *col = coo->col;
    if (row[k] != row[k - 1])
        return row[k] > row[k - 1] ? 1 : -1;
    return (col[k] > col[k - 1]) - (col[k] < col[k - 1]);
}

static spry_status check_order(spry_context *context, const spry_matrix *matrix, bool distinct) {
    const idx_t *row = matrix->coo.row, *col = matrix->coo.col;
    for (int64_t k = 1; k < matrix->nnz; k++) {
        int way = step(&matrix->coo, k);
        if (way < 0 || (way == 0 && distinct))
            return spry_fail(context, SPRY_ERROR_INVALID,
                             "entry %" PRId64 ": row %" PRId64 ", column %" PRId64 " %s",
                             k + matrix->coo.base, (int64_t)row[k], (int64_t)col[k],
                             way < 0 ? "comes before the entry ahead of it" : "occurs twice");
    }
    return SPRY_OK;
}

static spry_status validate(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    spry_status status = check_indices(context, matrix, "row", matrix->coo.row, matrix->rows);
    if (!status)
        status = check_indices(context, matrix, "column", matrix->coo.col, matrix->cols);
    if (!status && (flags & (SPRY_CHECK_SORTED | SPRY_CHECK_DISTINCT)))
        status = check_order(context, matrix, flags & SPRY_CHECK_DISTINCT);
    if (status || !(flags & SPRY_CHECK_FINITE))
        return status;
    const val_t *val = matrix->coo.val;
    int64_t k = NAME(spry_first_not_finite)(context, val, matrix->nnz);
    if (k == matrix->nnz)
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_INVALID, "entry %" PRId64 ": the value is %g", k + matrix->coo.base,
                     (double)val[k]);
}

static void cut(const spry_matrix *matrix, struct spry_split *split) {
    for (int p = 0; p <= split->parts; p++)
        split->cut[p] = (struct spry_cut){0, spry_share(matrix->nnz, p, split->parts)};
}

static struct spry_window row_span(const spry_matrix *matrix, const struct spry_cut *begin) {
    return NAME(spry_index_span)(matrix->coo.row, matrix->coo.base, begin);
}

static struct spry_window col_span(const spry_matrix *matrix, const struct spry_cut *begin) {
    return NAME(spry_index_span)(matrix->coo.col, matrix->coo.base, begin);
}

static void look_at_order(const spry_context *context, spry_matrix *matrix) {
    const idx_t *row = matrix->coo.row;
    int rows_fall = 0, entries_fall = 0;
#pragma omp parallel for num_threads(spry_team_over(context, matrix->nnz))                                   \
    reduction(|                                                                                              \
              : rows_fall, entries_fall)
    for (int64_t k = 1; k < matrix->nnz; k++) {
        rows_fall |= row[k] < row[k - 1];
        entries_fall |= step(&matrix->coo, k) < 0;
    }
    matrix->row_sorted = !rows_fall;
    matrix->sorted = !entries_fall;
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    if (!matrix->sorted)
        look_at_order(context, matrix);
    spry_status status = matrix->row_sorted ? spry_plan_gather(context, matrix, SPRY_N, cut)
                                            : spry_plan_scatter(context, matrix, SPRY_N, cut, row_span);
    return status ? status : spry_plan_scatter(context, matrix, SPRY_T, cut, col_span);
}

static int64_t slots(const spry_matrix *matrix) {
    return matrix->nnz;
}

static int arrays(spry_matrix *matrix, struct spry_array array[SPRY_MAX_ARRAYS]) {
    spry_coo *coo = &matrix->coo;
    array[0] = (struct spry_array){&coo->row, matrix->nnz, sizeof(idx_t)};
    array[1] = (struct spry_array){&coo->col, matrix->nnz, sizeof(idx_t)};
    array[2] = (struct spry_array){&coo->val, matrix->nnz, sizeof(val_t)};
    return 3;
}

static void **values(spry_matrix *matrix) {
    return &matrix->coo.val;
}

static void estimate(struct spry_candidate *candidate) {
    candidate->slots = (double)candidate->features->nnz;
    candidate->bytes = candidate->slots * (2 * sizeof(idx_t) + sizeof(val_t));
}

const struct spry_format_code NAME(spry_coo_code) = {
    .validate = validate,
    .plan = plan,
    .slots = slots,
    .arrays = arrays,
    .values = values,
    .estimate = estimate,
};
