/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes from CSR and back: rows that are alike in their offsets, and values in slices. */
#include "convert/kinds.h"

#include "convert/slices.h"
#include "core/table.h"
#include "core/team.h"
#include "formats/shape.h"
#include "formats/sell.h"
#include "primitives/pointers.h"

/* ---- from CSR ---- */

static void fill_slice(const compressed_t *rows, const spry_shape *shape, int64_t s) {
    const int64_t height = shape->height, first = ((const ptr_t *)shape->first)[s],
                  width = (((const ptr_t *)shape->first)[s + 1] - first) / height;
    val_t *val = (val_t *)shape->val + first;
    for (int64_t r = 0; r < height; r++) {
        const int64_t i = s * height + r;
        const struct row row = i < rows->major ? row_of(rows, i) : (struct row){0};
        for (int64_t k = 0; k < width; k++)
            val[k * height + r] = k < row.length ? row.val[k] : 0;
    }
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    spry_shape *shape = &matrix->shape;
    const int64_t slices = spry_sell_slices(matrix->rows, shape->height);
    spry_status status = NAME(spry_make_kinds)(context, &rows, false, matrix, &shape->rows);
    matrix->sorted = true;
    if (!status)
        status = spry_matrix_array(context, matrix, slices + 1, sizeof(ptr_t), &shape->first);
    if (status)
        return status;
    shape->slots = NAME(spry_measure_slices)(context, &rows, shape->height, shape->first);
    status = NAME(spry_point_to_slices)(context, csr, options, matrix, shape->height, shape->first);
    if (!status)
        status = spry_matrix_array(context, matrix, shape->slots, sizeof(val_t), &shape->val);
    if (status)
        return status;
#pragma omp parallel for num_threads(spry_team_over(context, shape->slots)) schedule(dynamic, 16)
    for (int64_t s = 0; s < slices; s++)
        fill_slice(&rows, shape, s);
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
    const spry_shape *shape = &matrix->shape;
    for (int64_t i = 0; i < rows.major; i++)
        rows.ptr[i] = (ptr_t)stencil_at(&shape->rows, stencil_number(&shape->rows, i)).length;
    NAME(spry_scan)(context, rows.ptr, rows.major);
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz)) schedule(dynamic, 4096)
    for (int64_t i = 0; i < rows.major; i++) {
        const struct shape_row row = shape_row(shape, i);
        for (int64_t k = 0; k < row.entries.length; k++) {
            rows.idx[rows.ptr[i] + k] = (idx_t)(i + row.entries.offset[k]);
            rows.val[rows.ptr[i] + k] = row.val[k * shape->height];
        }
    }
    return SPRY_OK;
}

/* ---- new values ---- */

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    const spry_shape *shape = &matrix->shape;
    const int64_t slices = spry_sell_slices(matrix->rows, shape->height);
    if (!NAME(spry_are_of_kinds)(context, &rows, &shape->rows, false))
        return SPRY_ERROR_PATTERN;
#pragma omp parallel for num_threads(spry_team_over(context, shape->slots)) schedule(dynamic, 16)
    for (int64_t s = 0; s < slices; s++)
        fill_slice(&rows, shape, s);
    return SPRY_OK;
}

const struct spry_convert_code NAME(spry_shape_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
