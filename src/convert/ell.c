/* SPDX-License-Identifier: BSD-3-Clause */

#include "convert/ell.h"
#include "convert/fill_limit.h"
#include "convert/renew.h"
#include "core/saturate.h"
#include "core/table.h"
#include "core/team.h"
#include "formats/ell.h"
#include "primitives/pointers.h"

static int64_t length(const compressed_t *rows, int64_t i, int64_t width) {
    const int64_t whole = major_length(rows, i);
    return whole < width ? whole : width;
}

/* Row i, or padding past the last row. */
static void fill_row(const compressed_t *rows, const spry_ell *ell, int64_t i) {
    idx_t *len = ell->len, *idx = ell->idx;
    val_t *val = ell->val;
    int64_t first = i < rows->major ? rows->ptr[i] - rows->base : 0;
    int64_t count = i < rows->major ? length(rows, i, ell->width) : 0;
    len[i] = (idx_t)count;
    for (int64_t k = 0; k < count; k++) {
        idx[k * ell->stride + i] = rows->idx[first + k] - (idx_t)rows->base;
        val[k * ell->stride + i] = rows->val[first + k];
    }
    idx_t last = count ? rows->idx[first + count - 1] - (idx_t)rows->base : 0;
    for (int64_t k = count; k < ell->width; k++) {
        idx[k * ell->stride + i] = last;
        val[k * ell->stride + i] = 0;
    }
}

spry_status NAME(spry_ell_fill)(spry_context *context, const compressed_t *rows, int64_t width,
                                spry_matrix *matrix) {
    spry_ell *ell = &matrix->ell;
    ell->width = width;
    ell->stride = spry_ell_stride(rows->major);
    int64_t slots = spry_multiply_counts(ell->width, ell->stride);
    spry_status status = spry_matrix_array(context, matrix, ell->stride, sizeof(idx_t), &ell->len);
    if (!status)
        status = spry_matrix_entry_arrays(context, matrix, &ell->idx, &ell->val, slots);
    if (status)
        return status;
#pragma omp parallel for num_threads(spry_team_over(context, slots)) /* whole blocks share no cache line */
    for (int64_t block = 0; block < ell->stride; block += SPRY_ELL_BLOCK)
        for (int64_t i = block; i < block + SPRY_ELL_BLOCK; i++)
            fill_row(rows, ell, i);
    return SPRY_OK;
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    compressed_t rows = NAME(spry_compressed_of)(csr);
    int64_t width = NAME(spry_longest)(context, &rows);
    spry_status status = spry_check_longest(context, csr->index, width);
    if (!status)
        status = spry_check_fill(context, csr, options, SPRY_ELL, width, 0);
    return status ? status : NAME(spry_ell_fill)(context, &rows, width, matrix);
}

void NAME(spry_ell_copy_out)(const spry_context *context, const spry_matrix *matrix,
                             const compressed_t *rows) {
    const spry_ell *ell = &matrix->ell;
    const idx_t *len = ell->len, *idx = ell->idx;
    const val_t *val = ell->val;
#pragma omp parallel for num_threads(spry_team_over(context, rows->nnz))
    for (int64_t i = 0; i < rows->major; i++)
        for (int64_t k = 0; k < len[i]; k++) {
            rows->idx[rows->ptr[i] + k] = idx[k * ell->stride + i];
            rows->val[rows->ptr[i] + k] = val[k * ell->stride + i];
        }
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix,
                          const spry_convert_options *options, spry_matrix *csr) {
    (void)options;
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    compressed_t rows = NAME(spry_compressed_of)(csr);
    const idx_t *len = matrix->ell.len;
    for (int64_t i = 0; i < rows.major; i++)
        rows.ptr[i] = len[i];
    NAME(spry_scan)(context, rows.ptr, rows.major);
    NAME(spry_ell_copy_out)(context, matrix, &rows);
    return SPRY_OK;
}

/* ---- new values ---- */

bool NAME(spry_ell_is_same)(const compressed_t *rows, const spry_matrix *matrix, int64_t unit) {
    const spry_ell *ell = &matrix->ell;
    const idx_t *len = ell->len, *idx = ell->idx;
    for (int64_t i = renew_row(rows, unit); i < renew_row(rows, unit + 1); i++) {
        const int64_t first = rows->ptr[i] - rows->base;
        if (len[i] != length(rows, i, ell->width))
            return false;
        for (int64_t k = 0; k < len[i]; k++)
            if (idx[k * ell->stride + i] != rows->idx[first + k] - rows->base)
                return false;
    }
    return true;
}

void NAME(spry_ell_take)(const compressed_t *rows, const spry_matrix *matrix, int64_t unit) {
    const spry_ell *ell = &matrix->ell;
    const idx_t *len = ell->len;
    val_t *val = ell->val;
    for (int64_t i = renew_row(rows, unit); i < renew_row(rows, unit + 1); i++) {
        const int64_t first = rows->ptr[i] - rows->base;
        for (int64_t k = 0; k < len[i]; k++)
            val[k * ell->stride + i] = rows->val[first + k];
    }
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    const struct NAME(spry_renewal)
        renewal = {renew_units(rows.major), NAME(spry_ell_is_same), NAME(spry_ell_take)};
    return NAME(spry_renew)(context, &rows, matrix, &renewal);
}

const struct spry_convert_code NAME(spry_ell_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
