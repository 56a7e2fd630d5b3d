/* SPDX-License-Identifier: BSD-3-Clause */
/* CSC on a device: CSR transposed. */
#include "convert/places.cuh"
#include "convert/transpose.cuh"

extern "C" {
#include "formats/index_from.h"
}

namespace convert_csc {

static spry_status from_csr(spry_context *context, const spry_matrix *csr, const spry_convert_options *,
                            spry_matrix *matrix) {
    spry_csc *csc = &matrix->csc;
    matrix->sorted = true;
    spry_status status = spry_matrix_array(context, matrix, matrix->cols + 1, sizeof(ptr_t), &csc->ptr);
    if (!status)
        status = spry_matrix_entry_arrays(context, matrix, &csc->idx, &csc->val, matrix->nnz);
    return status ? status : NAME(spry_cuda_transpose)(context, csr, matrix);
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix, const spry_convert_options *,
                          spry_matrix *csr) {
    spry_status status = spry_matrix_csr_arrays(context, csr);
    return status ? status : NAME(spry_cuda_transpose)(context, matrix, csr);
}

/* Of several entries at one place the first is the first there, and so on. */
struct places_in_columns {
    spry_csc cols;

    __device__ int64_t of(const spry_csr &rows, int64_t k, int64_t i) const {
        const ptr_t *row_ptr = as<ptr_t>(rows.ptr), *col_ptr = as<ptr_t>(cols.ptr);
        const idx_t *row_idx = as<idx_t>(rows.idx), *col_idx = as<idx_t>(cols.idx);
        const int64_t j = (int64_t)row_idx[k] - rows.base, end = (int64_t)col_ptr[j + 1] - cols.base,
                      place = index_from(col_idx, (int64_t)col_ptr[j] - cols.base, end, i + cols.base) +
                              repeats_before(row_idx, (int64_t)row_ptr[i] - rows.base, k);
        return place < end && col_idx[place] - cols.base == i ? place : -1;
    }
};

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    if (!matrix->sorted)
        return spry_fail(
            context, SPRY_ERROR_UNSUPPORTED,
            "the rows do not rise in the columns of the CSC matrix: change its values in place instead");
    return put_values(context, csr, places_in_columns{matrix->csc}, as<val_t>(matrix->csc.val));
}

extern "C" {
extern const struct spry_convert_code NAME(spry_csc_convert);
const struct spry_convert_code NAME(spry_csc_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
}

} // namespace convert_csc
