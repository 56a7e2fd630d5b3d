/* SPDX-License-Identifier: BSD-3-Clause */
/* COO to CSR sorts and settles duplicates; CSR to COO writes out the rows. */
#include <inttypes.h>

#include "convert/buckets.h"
#include "convert/renew.h"
#include "convert/sort_minor.h"
#include "core/split.h"
#include "core/table.h"
#include "core/team.h"
#include "primitives/pointers.h"

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    (void)options;
    spry_coo *coo = &matrix->coo;
    matrix->row_sorted = matrix->sorted = true;
    spry_status status = spry_matrix_array(context, matrix, matrix->nnz, sizeof(idx_t), &coo->row);
    if (!status)
        status = spry_matrix_entry_arrays(context, matrix, &coo->col, &coo->val, matrix->nnz);
    if (status)
        return status;
    compressed_t rows = NAME(spry_compressed_of)(csr);
    idx_t *row = coo->row, *col = coo->col;
    val_t *val = coo->val;
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz))
    for (int64_t i = 0; i < rows.major; i++)
        for (int64_t k = rows.ptr[i]; k < rows.ptr[i + 1]; k++) {
            row[k] = (idx_t)i;
            col[k] = rows.idx[k];
            val[k] = rows.val[k];
        }
    return SPRY_OK;
}

/* Rows already in order: count them, and copy the rest. */
static void copy_sorted(spry_context *context, const spry_matrix *matrix, const compressed_t *rows) {
    const spry_coo *coo = &matrix->coo;
    const idx_t *row = coo->row, *col = coo->col;
    const val_t *val = coo->val;
    int64_t nnz = matrix->nnz;
    int base = coo->base;
#pragma omp parallel for num_threads(spry_team_over(context, nnz))
    for (int64_t k = 0; k <= nnz; k++) {
        int64_t before = k == 0 ? -1 : row[k - 1] - base, here = k == nnz ? rows->major : row[k] - base;
        for (int64_t i = before + 1; i <= here; i++)
            rows->ptr[i] = (ptr_t)k;
        if (k == nnz)
            continue;
        rows->idx[k] = col[k] - (idx_t)base;
        rows->val[k] = val[k];
    }
}

static spry_status sort_rows(spry_context *context, const spry_matrix *matrix, const compressed_t *rows) {
    const spry_coo *coo = &matrix->coo;
    const idx_t *row = coo->row, *col = coo->col;
    const val_t *val = coo->val;
    int base = coo->base;
    buckets_t buckets;
    spry_status status =
        NAME(spry_buckets_open)(context, row, base, matrix->nnz, rows->major, rows->ptr, &buckets);
    if (status)
        return status;
#pragma omp parallel for num_threads(spry_team(buckets.threads)) schedule(static, 1)
    for (int p = 0; p < buckets.parts; p++) {
        ptr_t *position = buckets.position + p * buckets.keys;
        int64_t end = spry_share(matrix->nnz, p + 1, buckets.parts);
        for (int64_t k = spry_share(matrix->nnz, p, buckets.parts); k < end; k++) {
            ptr_t place = position[row[k] - base]++;
            rows->idx[place] = col[k] - (idx_t)base;
            rows->val[place] = val[k];
        }
    }
    NAME(spry_buckets_close)(context, &buckets);
    return SPRY_OK;
}

/* Row i's entries without those that repeat the one before. */
static ptr_t distinct(const compressed_t *rows, int64_t i) {
    ptr_t count = 0;
    for (ptr_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++)
        count += k == rows->ptr[i] || rows->idx[k] != rows->idx[k - 1];
    return count;
}

/* The first row with a duplicate, and its column. There is one. */
static void find_duplicate(const compressed_t *rows, int64_t *row, int64_t *column) {
    int64_t i = 0;
    while (distinct(rows, i) == major_length(rows, i))
        i++;
    ptr_t k = rows->ptr[i] + 1;
    while (rows->idx[k] != rows->idx[k - 1])
        k++;
    *row = i;
    *column = rows->idx[k];
}

static spry_status refuse(spry_context *context, const compressed_t *rows, int base) {
    int64_t row, column;
    find_duplicate(rows, &row, &column);
    return spry_fail(context, SPRY_ERROR_DUPLICATE, "row %" PRId64 ", column %" PRId64 " occurs twice",
                     row + base, column + base);
}

/* Add up the duplicates of `rows` into new arrays that `csr` owns. */
static spry_status sum(spry_context *context, const compressed_t *rows, spry_matrix *csr) {
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    compressed_t out = NAME(spry_compressed_of)(csr);
#pragma omp parallel for num_threads(spry_team_over(context, rows->nnz))
    for (int64_t i = 0; i < rows->major; i++)
        out.ptr[i] = distinct(rows, i);
    NAME(spry_scan)(context, out.ptr, rows->major);
#pragma omp parallel for num_threads(spry_team_over(context, rows->nnz))
    for (int64_t i = 0; i < rows->major; i++) {
        ptr_t place = out.ptr[i] - 1;
        for (ptr_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
            if (k == rows->ptr[i] || rows->idx[k] != rows->idx[k - 1]) {
                out.idx[++place] = rows->idx[k];
                out.val[place] = rows->val[k];
            } else {
                out.val[place] += rows->val[k];
            }
        }
    }
    return SPRY_OK;
}

static int64_t count_distinct(const spry_context *context, const compressed_t *rows) {
    int64_t count = 0;
#pragma omp parallel for num_threads(spry_team_over(context, rows->nnz)) reduction(+ : count)
    for (int64_t i = 0; i < rows->major; i++)
        count += distinct(rows, i);
    return count;
}

/* `csr` has sorted rows: do with their duplicates as asked. */
static spry_status settle_duplicates(spry_context *context, spry_duplicates wish, int base,
                                     spry_matrix *csr) {
    compressed_t rows = NAME(spry_compressed_of)(csr);
    int64_t count = wish == SPRY_KEEP ? rows.nnz : count_distinct(context, &rows);
    if (count == rows.nnz)
        return SPRY_OK;
    if (wish == SPRY_REFUSE)
        return refuse(context, &rows, base);
    spry_matrix *with_duplicates = NULL;
    spry_status status = spry_matrix_new(context, SPRY_CSR, csr->type, csr->index, csr->rows, csr->cols,
                                         csr->nnz, &with_duplicates);
    if (status)
        return status;
    spry_csr_exchange_arrays(csr, with_duplicates);
    csr->nnz = count;
    status = sum(context, &rows, csr);
    spry_matrix_destroy(with_duplicates);
    return status;
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix,
                          const spry_convert_options *options, spry_matrix *csr) {
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    compressed_t rows = NAME(spry_compressed_of)(csr);
    if (matrix->row_sorted)
        copy_sorted(context, matrix, &rows);
    else
        status = sort_rows(context, matrix, &rows);
    if (!status && !NAME(spry_is_sorted)(context, &rows))
        status = NAME(spry_sort_minor)(context, &rows);
    return status ? status : settle_duplicates(context, options->duplicates, matrix->coo.base, csr);
}

/* ---- new values ---- */

/* Entries are in row-major order, so a row's are those from its first to its last. */
static bool is_same_row(const compressed_t *rows, const spry_coo *coo, int64_t i) {
    const idx_t *row = coo->row;
    const int64_t begin = rows->ptr[i] - rows->base, end = rows->ptr[i + 1] - rows->base;
    return begin == end || (row[begin] - coo->base == i && row[end - 1] - coo->base == i);
}

static bool is_same(const compressed_t *rows, const spry_matrix *matrix, int64_t unit) {
    const spry_coo *coo = &matrix->coo;
    const idx_t *col = coo->col, apart = (idx_t)(coo->base - rows->base);
    const int64_t begin = renew_row(rows, unit), end = renew_row(rows, unit + 1);
    int differs = 0;
    for (int64_t i = begin; i < end; i++)
        differs |= !is_same_row(rows, coo, i);
    for (int64_t k = rows->ptr[begin] - rows->base; k < rows->ptr[end] - rows->base; k++)
        differs |= col[k] - rows->idx[k] != apart;
    return !differs;
}

static void take(const compressed_t *rows, const spry_matrix *matrix, int64_t unit) {
    const int64_t begin = rows->ptr[renew_row(rows, unit)] - rows->base,
                  end = rows->ptr[renew_row(rows, unit + 1)] - rows->base;
    val_t *val = matrix->coo.val;
    for (int64_t k = begin; k < end; k++)
        val[k] = rows->val[k];
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    const struct NAME(spry_renewal) renewal = {renew_units(rows.major), is_same, take};
    if (!matrix->sorted)
        return spry_fail(context, SPRY_ERROR_UNSUPPORTED,
                         "the COO matrix is not in row-major order: change its values in place instead");
    return NAME(spry_renew)(context, &rows, matrix, &renewal);
}

const struct spry_convert_code NAME(spry_coo_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
