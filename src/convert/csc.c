/* SPDX-License-Identifier: BSD-3-Clause */
/* CSC: CSR transposed. */
#include "convert/renew.h"
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

/* ---- new values ---- */

/* They are transposed as a new matrix is made. */
static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    spry_matrix *fresh;
    if (!matrix->sorted)
        return spry_fail(
            context, SPRY_ERROR_UNSUPPORTED,
            "the rows do not rise in the columns of the CSC matrix: change its values in place instead");
    spry_status status =
        spry_matrix_new(context, SPRY_CSC, csr->type, csr->index, csr->rows, csr->cols, csr->nnz, &fresh);
    if (status)
        return status;
    status = from_csr(context, csr, NULL, fresh);
    if (!status) {
        const compressed_t cols = NAME(spry_compressed_of)(matrix), source = NAME(spry_compressed_of)(fresh);
        status = NAME(spry_renew_compressed)(context, &source, &cols);
    }
    spry_matrix_destroy(fresh);
    return status;
}

const struct spry_convert_code NAME(spry_csc_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
