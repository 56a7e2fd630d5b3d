/* SPDX-License-Identifier: BSD-3-Clause */
/* CSC: CSR transposed. */
#include <string.h>

#include "convert/transpose.h"
#include "core/table.h"

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    (void)options;
    spry_csc *csc = &matrix->csc;
    matrix->sorted = true;
    spry_status status = spry_matrix_array(context, matrix, matrix->cols + 1, sizeof(ptr_t), &csc->ptr);
    if (!status)
        status = spry_matrix_entry_arrays(context, matrix, &csc->idx, &csc->val, matrix->nnz);
    if (status)
        return status;
    compressed_t rows = NAME(spry_compressed_of)(csr), cols = NAME(spry_compressed_of)(matrix);
    return NAME(spry_transpose_compressed)(context, &rows, &cols);
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix,
                          const spry_convert_options *options, spry_matrix *csr) {
    (void)options;
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    compressed_t rows = NAME(spry_compressed_of)(csr), cols = NAME(spry_compressed_of)(matrix);
    return NAME(spry_transpose_compressed)(context, &cols, &rows);
}

/* Walk the entries of the rows, each column's place moving on; false at the first that is not where the
   columns have one. Values are written if `write`. */
static bool walk(const compressed_t *rows, const compressed_t *cols, ptr_t *next, bool write) {
    memcpy(next, cols->ptr, (size_t)cols->major * sizeof *next);
    for (int64_t i = 0; i < rows->major; i++)
        for (int64_t k = rows->ptr[i] - rows->base; k < rows->ptr[i + 1] - rows->base; k++) {
            int64_t j = rows->idx[k] - rows->base;
            int64_t place = next[j]++ - cols->base;
            if (place >= cols->ptr[j + 1] - cols->base || cols->idx[place] - cols->base != i)
                return false;
            if (write)
                cols->val[place] = rows->val[k];
        }
    return true;
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    if (!matrix->sorted)
        return spry_fail(
            context, SPRY_ERROR_UNSUPPORTED,
            "the rows do not rise in the columns of the CSC matrix: change its values in place instead");
    compressed_t rows = NAME(spry_compressed_of)(csr), cols = NAME(spry_compressed_of)(matrix);
    void *next;
    spry_status status = spry_allocate(context, (size_t)cols.major, sizeof(ptr_t), &next);
    if (status)
        return status;
    if (walk(&rows, &cols, next, false))
        walk(&rows, &cols, next, true);
    else
        status = SPRY_ERROR_PATTERN;
    spry_release(&context->allocator, next, (size_t)cols.major, sizeof(ptr_t));
    return status;
}

const struct spry_convert_code NAME(spry_csc_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
