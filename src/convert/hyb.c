/* SPDX-License-Identifier: BSD-3-Clause */
/* HYB: what fits the width goes to ELL, the rest of each row to COO. */
#include "convert/ell.h"
#include "convert/fill_limit.h"
#include "convert/renew.h"
#include "core/table.h"
#include "core/team.h"
#include "primitives/pointers.h"

static int64_t spill(const compressed_t *rows, int64_t i, int64_t width) {
    int64_t over = rows->ptr[i + 1] - rows->ptr[i] - width;
    return over > 0 ? over : 0;
}

static spry_status make_ell(spry_context *context, const spry_matrix *csr, int64_t width, int64_t spilled,
                            spry_matrix **ell) {
    compressed_t rows = NAME(spry_compressed_of)(csr);
    spry_status status = spry_matrix_new(context, SPRY_ELL, csr->type, csr->index, csr->rows, csr->cols,
                                         csr->nnz - spilled, ell);
    if (!status)
        status = NAME(spry_ell_fill)(context, &rows, width, *ell);
    return status ? status : spry_matrix_finish(context, *ell);
}

/* `place` has, for each row, where its spilled entries begin. */
static spry_status make_coo(spry_context *context, const spry_matrix *csr, int64_t width, const ptr_t *place,
                            spry_matrix **coo) {
    compressed_t rows = NAME(spry_compressed_of)(csr);
    spry_status status =
        spry_matrix_new_coo(context, csr->type, csr->index, csr->rows, csr->cols, place[rows.major], coo);
    if (status)
        return status;
    (*coo)->row_sorted = (*coo)->sorted = true;
    idx_t *row = (*coo)->coo.row, *col = (*coo)->coo.col;
    val_t *val = (*coo)->coo.val;
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz))
    for (int64_t i = 0; i < rows.major; i++)
        for (int64_t k = 0; k < spill(&rows, i, width); k++) {
            row[place[i] + k] = (idx_t)i;
            col[place[i] + k] = rows.idx[rows.ptr[i] + width + k];
            val[place[i] + k] = rows.val[rows.ptr[i] + width + k];
        }
    return spry_matrix_finish(context, *coo);
}

static spry_status make_parts(spry_context *context, const spry_matrix *csr,
                              const spry_convert_options *options, int64_t width, ptr_t *place,
                              spry_matrix *matrix) {
    compressed_t rows = NAME(spry_compressed_of)(csr);
#pragma omp parallel for num_threads(spry_team_over(context, rows.major))
    for (int64_t i = 0; i < rows.major; i++)
        place[i] = (ptr_t)spill(&rows, i, width);
    NAME(spry_scan)(context, place, rows.major);
    int64_t spilled = place[rows.major];
    spry_status status = spry_check_fill(context, csr, options, SPRY_HYB, width, spilled);
    if (!status)
        status = make_ell(context, csr, width, spilled, &matrix->owned_parts[0]);
    if (!status)
        status = make_coo(context, csr, width, place, &matrix->owned_parts[1]);
    matrix->hyb = (spry_hyb){matrix->owned_parts[0], matrix->owned_parts[1]};
    return status;
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    compressed_t rows = NAME(spry_compressed_of)(csr);
    int64_t longest = NAME(spry_longest)(context, &rows), width;
    void *place;
    spry_status status = spry_check_longest(context, csr->index, longest);
    if (!status)
        status = spry_hyb_width(context, csr, options, longest, &width);
    if (!status)
        status = spry_allocate(context, (size_t)rows.major + 1, sizeof(ptr_t), &place);
    if (status)
        return status;
    status = make_parts(context, csr, options, width, place, matrix);
    spry_release(&context->allocator, place, (size_t)rows.major + 1, sizeof(ptr_t));
    return status;
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix,
                          const spry_convert_options *options, spry_matrix *csr) {
    (void)options;
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    compressed_t rows = NAME(spry_compressed_of)(csr);
    const spry_coo *coo = &matrix->hyb.coo->coo;
    const idx_t *len = matrix->hyb.ell->ell.len, *row = coo->row, *col = coo->col;
    const val_t *val = coo->val;
    int64_t spilled = matrix->hyb.coo->nnz;
    for (int64_t i = 0; i < rows.major; i++)
        rows.ptr[i] = len[i];
    for (int64_t k = 0; k < spilled; k++)
        rows.ptr[row[k]]++;
    NAME(spry_scan)(context, rows.ptr, rows.major);
    NAME(spry_ell_copy_out)(context, matrix->hyb.ell, &rows);
    for (int64_t k = 0, within = 0; k < spilled; k++) {
        within = k > 0 && row[k] == row[k - 1] ? within + 1 : 0;
        ptr_t place = rows.ptr[row[k]] + len[row[k]] + (ptr_t)within;
        rows.idx[place] = col[k];
        rows.val[place] = val[k];
    }
    return SPRY_OK;
}

/* ---- new values ---- */

/* The first spilled entry of a row, or of one after it. */
static int64_t first_spilled(const spry_matrix *matrix, int64_t row) {
    const spry_matrix *coo = matrix->hyb.coo;
    return index_from(coo->coo.row, 0, coo->nnz, row);
}

static bool is_same_spill(const compressed_t *rows, const spry_matrix *matrix, int64_t unit) {
    const int64_t width = matrix->hyb.ell->ell.width, spilled = matrix->hyb.coo->nnz;
    const idx_t *row = matrix->hyb.coo->coo.row, *col = matrix->hyb.coo->coo.col;
    const int64_t end = renew_row(rows, unit + 1);
    int64_t place = first_spilled(matrix, renew_row(rows, unit));
    for (int64_t i = renew_row(rows, unit); i < end; i++) {
        const int64_t first = rows->ptr[i] - rows->base + width;
        for (int64_t k = 0; k < spill(rows, i, width); k++, place++)
            if (place >= spilled || row[place] != i || col[place] != rows->idx[first + k] - rows->base)
                return false;
    }
    return place == spilled || row[place] >= end;
}

static void take_spill(const compressed_t *rows, const spry_matrix *matrix, int64_t unit) {
    const int64_t width = matrix->hyb.ell->ell.width;
    val_t *val = matrix->hyb.coo->coo.val;
    int64_t place = first_spilled(matrix, renew_row(rows, unit));
    for (int64_t i = renew_row(rows, unit); i < renew_row(rows, unit + 1); i++) {
        const int64_t first = rows->ptr[i] - rows->base + width;
        for (int64_t k = 0; k < spill(rows, i, width); k++)
            val[place++] = rows->val[first + k];
    }
}

static bool is_same(const compressed_t *rows, const spry_matrix *matrix, int64_t unit) {
    return NAME(spry_ell_is_same)(rows, matrix->hyb.ell, unit) && is_same_spill(rows, matrix, unit);
}

static void take(const compressed_t *rows, const spry_matrix *matrix, int64_t unit) {
    NAME(spry_ell_take)(rows, matrix->hyb.ell, unit);
    take_spill(rows, matrix, unit);
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    const struct NAME(spry_renewal) renewal = {renew_units(rows.major), is_same, take};
    return NAME(spry_renew)(context, &rows, matrix, &renewal);
}

const struct spry_convert_code NAME(spry_hyb_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
