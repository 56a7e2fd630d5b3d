/* SPDX-License-Identifier: BSD-3-Clause */
/* BSR from CSR and back: the rows of a row of blocks are walked side by side, once to count blocks and once to fill them. */
#include "convert/fill_limit.h"
#include "convert/transpose.h"
#include "core/table.h"
#include "core/team.h"
#include "formats/bsr_blocks.h"
#include "formats/major.h"
#include "primitives/pointers.h"

/* ---- from CSR ---- */

/* Blocks of each row of blocks become pointers, and all of them tell whether there are masks. */
static void set_pointers(const spry_context *context, const compressed_t *rows, spry_matrix *matrix) {
    const struct blocks a = blocks_of(matrix);
#pragma omp parallel for num_threads(spry_team_over(context, rows->nnz)) schedule(dynamic, 128)
    for (int64_t i = 0; i < a.count; i++)
        a.ptr[i] = (ptr_t)count_blocks(&a, i, rows->ptr, rows->idx);
    NAME(spry_scan)(context, a.ptr, a.count);
    spry_bsr_set_blocks(matrix, a.ptr[a.count]);
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    matrix->sorted = true;
    if (matrix->bsr.height == 0) {
        struct spry_block_counts counts;
        spry_look_at_blocks(csr, &counts);
        spry_bsr_set_size(matrix, &counts);
    }
    spry_status status = spry_matrix_array(context, matrix, spry_cover(matrix->rows, matrix->bsr.height) + 1,
                                           sizeof(ptr_t), &matrix->bsr.ptr);
    if (status)
        return status;
    set_pointers(context, &rows, matrix);
    status = spry_check_slots(context, csr, options, matrix);
    if (!status)
        status = spry_bsr_block_arrays(context, matrix);
    if (status)
        return status;
    const struct blocks a = blocks_of(matrix);
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz)) schedule(dynamic, 128)
    for (int64_t i = 0; i < a.count; i++)
        fill_blocks(&a, i, rows.ptr, rows.idx, rows.val);
    return SPRY_OK;
}

/* ---- to CSR ---- */

static spry_status to_csr(spry_context *context, const spry_matrix *matrix,
                          const spry_convert_options *options, spry_matrix *csr) {
    (void)options;
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    const struct blocks a = blocks_of(matrix);
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz)) schedule(static)
    for (int64_t row = 0; row < rows.major; row++)
        rows.ptr[row] = (ptr_t)row_entries(&a, row);
    NAME(spry_scan)(context, rows.ptr, rows.major);
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz)) schedule(dynamic, 128)
    for (int64_t row = 0; row < rows.major; row++) {
        struct row_walk walk = walk_row(&a, row);
        for (int64_t k = rows.ptr[row]; next_entry(&a, &walk); k++) {
            rows.idx[k] = (idx_t)walk.col;
            rows.val[k] = a.val[walk.slot];
        }
    }
    return matrix->sorted ? SPRY_OK : NAME(spry_sort_minor)(context, &rows);
}

/* ---- new values ---- */

/* Whether a row has the entries that it has here; their values are taken over if `write`. */
static bool match_row(const compressed_t *rows, const struct blocks *a, int64_t row, bool write) {
    struct row_walk walk = walk_row(a, row);
    int64_t k = rows->ptr[row] - rows->base;
    const int64_t end = rows->ptr[row + 1] - rows->base;
    for (; next_entry(a, &walk); k++) {
        if (k == end || walk.col != rows->idx[k] - rows->base)
            return false;
        if (write)
            a->val[walk.slot] = rows->val[k];
    }
    return k == end;
}

static bool match(const compressed_t *rows, const struct blocks *a, bool write) {
    for (int64_t row = 0; row < rows->major; row++)
        if (!match_row(rows, a, row, write))
            return false;
    return true;
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    if (!matrix->sorted)
        return spry_refuse_bsr_update(context);
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    const struct blocks a = blocks_of(matrix);
    if (!match(&rows, &a, false))
        return SPRY_ERROR_PATTERN;
    match(&rows, &a, true);
    return SPRY_OK;
}

const struct spry_convert_code NAME(spry_bsr_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
