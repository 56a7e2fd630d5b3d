/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils from CSR and back. */
#include "convert/kinds.h"

#include <string.h>

#include "core/table.h"
#include "core/team.h"
#include "primitives/pointers.h"

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    (void)options;
    compressed_t rows = NAME(spry_compressed_of)(csr);
    matrix->sorted = true;
    return NAME(spry_make_kinds)(context, &rows, true, matrix, &matrix->stencil);
}

/* ---- to CSR ---- */

static spry_status to_csr(spry_context *context, const spry_matrix *matrix,
                          const spry_convert_options *options, spry_matrix *csr) {
    (void)options;
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    compressed_t rows = NAME(spry_compressed_of)(csr);
    const spry_stencil *stencil = &matrix->stencil;
    for (int64_t i = 0; i < rows.major; i++)
        rows.ptr[i] = (ptr_t)stencil_at(stencil, stencil_number(stencil, i)).length;
    NAME(spry_scan)(context, rows.ptr, rows.major);
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz)) schedule(dynamic, 4096)
    for (int64_t i = 0; i < rows.major; i++) {
        struct stencil_entries entries = stencil_at(stencil, stencil_number(stencil, i));
        for (int64_t k = 0; k < entries.length; k++) {
            rows.idx[rows.ptr[i] + k] = (idx_t)(i + entries.offset[k]);
            rows.val[rows.ptr[i] + k] = entries.val[k];
        }
    }
    return SPRY_OK;
}

/* ---- new values ---- */

/* Each stencil's values, as the first row that has it has them. Stencils are numbered in the order of those rows. */
static void take_values(const compressed_t *rows, const spry_stencil *stencil, val_t *val) {
    const ptr_t *ptr = stencil->ptr;
    int64_t next = 0;
    for (int64_t i = 0; i < rows->major && next < stencil->count; i++) {
        if (stencil_number(stencil, i) != next)
            continue;
        struct row row = row_of(rows, i);
        for (int64_t k = 0; k < row.length; k++)
            val[ptr[next] + k] = row.val[k];
        next++;
    }
}

/* Rows that had one stencil have one still: new values in their places. *done: it was so. */
static spry_status change_values(spry_context *context, const compressed_t *rows, const spry_stencil *stencil,
                                 bool *done) {
    void *val;
    size_t count = (size_t)stencil->entries;
    spry_status status = spry_allocate(context, count, sizeof(val_t), &val);
    if (status)
        return status;
    spry_stencil changed = *stencil;
    changed.val = val;
    take_values(rows, stencil, val);
    *done = NAME(spry_are_of_kinds)(context, rows, &changed, true);
    if (*done && count > 0)
        memcpy(stencil->val, val, count * sizeof(val_t));
    spry_release(&context->allocator, val, count, sizeof(val_t));
    return SPRY_OK;
}

/* Other stencils in place of those that it has. */
static spry_status change_stencils(spry_context *context, const compressed_t *rows, spry_matrix *matrix) {
    spry_matrix *fresh;
    spry_stencil *stencil = &matrix->stencil;
    spry_status status = spry_matrix_new(context, SPRY_STENCIL, matrix->type, matrix->index, matrix->rows,
                                         matrix->cols, matrix->nnz, &fresh);
    if (status)
        return status;
    status = NAME(spry_make_kinds)(context, rows, true, fresh, &fresh->stencil);
    if (!status) {
        void *before[] = {stencil->number, stencil->ptr, stencil->offset, stencil->val};
        for (size_t i = 0; i < sizeof before / sizeof *before; i++)
            spry_matrix_drop_array(matrix, before[i]);
        *stencil = fresh->stencil;
        spry_matrix_take_arrays(matrix, fresh);
    }
    spry_matrix_destroy(fresh);
    return status;
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    compressed_t rows = NAME(spry_compressed_of)(csr);
    bool done;
    if (!NAME(spry_are_of_kinds)(context, &rows, &matrix->stencil, false))
        return SPRY_ERROR_PATTERN;
    spry_status status = change_values(context, &rows, &matrix->stencil, &done);
    return status || done ? status : change_stencils(context, &rows, matrix);
}

const struct spry_convert_code NAME(spry_stencil_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
