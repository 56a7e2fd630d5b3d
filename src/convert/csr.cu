/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR to CSR on a device: a copy with base 0 and sorted rows. */
#include "convert/turn.cuh"

#define BLOCK 256

static spry_status copy_sorted(spry_context *context, const spry_matrix *from, spry_matrix *to) {
    const spry_csr *source = &from->csr;
    spry_status status = spry_matrix_csr_arrays(context, to);
    if (!status)
        status =
            NAME(spry_cuda_copy_pointers)(context, source->ptr, source->base, to->csr.ptr, from->rows + 1);
    if (!status)
        status = NAME(spry_cuda_copy_indices)(context, source->idx, source->base, to->csr.idx, from->nnz);
    return status ? status : NAME(spry_cuda_copy_values)(context, source->val, to->csr.val, from->nnz);
}

/* By way of COO. */
static spry_status sort(spry_context *context, const spry_matrix *from, spry_matrix *to) {
    const spry_csr *source = &from->csr;
    temporary row(context);
    spry_status status = row.take(from->nnz, sizeof(idx_t));
    if (!status)
        status = NAME(spry_cuda_expand)(context, as<ptr_t>(source->ptr), source->base, from->rows, from->nnz,
                                        as<idx_t>(row.pointer));
    spry_coo coo = {row.pointer, source->idx, source->val, source->base};
    return status ? status : NAME(spry_cuda_sort_entries)(context, &coo, to);
}

static spry_status copy(spry_context *context, const spry_matrix *from, const spry_convert_options *,
                        spry_matrix *to) {
    to->sorted = true;
    return from->sorted ? copy_sorted(context, from, to) : sort(context, from, to);
}

static __global__ void compare(int64_t rows, int64_t nnz, spry_csr a, spry_csr b,
                               unsigned long long *differences) {
    const ptr_t *a_ptr = as<ptr_t>(a.ptr), *b_ptr = as<ptr_t>(b.ptr);
    const idx_t *a_idx = as<idx_t>(a.idx), *b_idx = as<idx_t>(b.idx);
    bool differs = false;
    FOR_ALL(i, 0, rows + 1)
    differs |= a_ptr[i] - a.base != b_ptr[i] - b.base;
    FOR_ALL(k, 0, nnz)
    differs |= a_idx[k] - a.base != b_idx[k] - b.base;
    if (differs)
        *differences = 1;
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    int64_t rows = matrix->rows, nnz = matrix->nnz;
    counter found(context);
    spry_status status = found.start();
    if (status)
        return status;
    compare<<<blocks_at_once(context, nnz > rows ? nnz : rows + 1, BLOCK), BLOCK, 0,
              context->device->stream>>>(rows, nnz, matrix->csr, csr->csr, found.place());
    status = launched(context, "comparing patterns");
    if (!status)
        status = found.same_pattern();
    return status ? status : NAME(spry_cuda_copy_values)(context, csr->csr.val, matrix->csr.val, nnz);
}

extern "C" {
extern const struct spry_convert_code NAME(spry_csr_convert);
const struct spry_convert_code NAME(spry_csr_convert) = {
    .from_csr = copy,
    .to_csr = copy,
    .update = update,
};
}
