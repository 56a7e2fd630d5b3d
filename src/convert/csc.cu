/* SPDX-License-Identifier: BSD-3-Clause */
/* CSC on a device: CSR transposed. */
#include "convert/transpose.cuh"

extern "C" {
#include "formats/index_from.h"
}

namespace convert_csc {

static constexpr int BLOCK = 256;

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

/* Where entry k of the rows, which lies in row i, is in the columns; -1 if nowhere. The first of several at
   one place belongs to the first there, and so on. All from 0. */
static __device__ int64_t place_of(int64_t k, int64_t i, const spry_csr &rows, const spry_csc &cols) {
    const ptr_t *row_ptr = as<ptr_t>(rows.ptr), *col_ptr = as<ptr_t>(cols.ptr);
    const idx_t *row_idx = as<idx_t>(rows.idx), *col_idx = as<idx_t>(cols.idx);
    int64_t row_begin = (int64_t)row_ptr[i] - rows.base, same_before = 0;
    if (k > row_begin && row_idx[k - 1] == row_idx[k])
        same_before = k - index_from(row_idx, row_begin, k, row_idx[k]);
    int64_t j = (int64_t)row_idx[k] - rows.base, end = (int64_t)col_ptr[j + 1] - cols.base;
    int64_t place = index_from(col_idx, (int64_t)col_ptr[j] - cols.base, end, i + cols.base) + same_before;
    return place < end && col_idx[place] - cols.base == i ? place : -1;
}

/* Different entries never have the same place, so if all have one, the patterns are the same. */
template <bool writes>
static __global__ void walk(int64_t nnz, const idx_t *row, spry_csr rows, spry_csc cols,
                            unsigned long long *differences) {
    int64_t k = thread_number();
    if (k >= nnz)
        return;
    int64_t place = place_of(k, (int64_t)row[k] - rows.base, rows, cols);
    if constexpr (writes)
        as<val_t>(cols.val)[place] = as<val_t>(rows.val)[k];
    else if (place < 0)
        *differences = 1;
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    if (!matrix->sorted)
        return spry_fail(
            context, SPRY_ERROR_UNSUPPORTED,
            "the rows do not rise in the columns of the CSC matrix: change its values in place instead");
    cudaStream_t stream = context->device->stream;
    int64_t nnz = csr->nnz;
    unsigned blocks = blocks_for(nnz, BLOCK);
    temporary row(context);
    counter found(context);
    spry_status status = row.take(nnz, sizeof(idx_t));
    if (!status)
        status = found.start();
    if (!status)
        status = NAME(spry_cuda_expand)(context, as<ptr_t>(csr->csr.ptr), csr->csr.base, csr->rows, nnz,
                                        as<idx_t>(row.pointer));
    if (status)
        return status;
    walk<false>
        <<<blocks, BLOCK, 0, stream>>>(nnz, as<idx_t>(row.pointer), csr->csr, matrix->csc, found.place());
    status = launched(context, "comparing patterns");
    if (!status)
        status = found.same_pattern();
    if (status)
        return status;
    walk<true>
        <<<blocks, BLOCK, 0, stream>>>(nnz, as<idx_t>(row.pointer), csr->csr, matrix->csc, found.place());
    return launched(context, "placing values");
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
