/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR to CSR on a device: a copy with base 0 and sorted rows. */
#include "convert/transpose.cuh"

extern "C" {
#include "formats/index_from.h"
}

namespace convert_csr {

static constexpr int BLOCK = 256;

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

/* The entries of both matrices, whose rows are equally long: those of `source` are sorted. */
struct matching {
    int64_t nnz;
    spry_csr target, source;
    const idx_t *row; /* of each entry */
    uint32_t *taken;  /* a bit for each entry of `source` */
    val_t *value;     /* in the order of `target` */
};

/* Where entry k of `target` is in `source`, or -1. Of duplicates, the first is the first. */
static __device__ int64_t find(const matching &m, int64_t k) {
    const idx_t *from = as<idx_t>(m.target.idx), *idx = as<idx_t>(m.source.idx);
    const ptr_t *ptr = as<ptr_t>(m.source.ptr);
    const int64_t index = (int64_t)from[k] - m.target.base + m.source.base,
                  begin = ptr[m.row[k]] - m.source.base, end = ptr[m.row[k] + 1] - m.source.base;
    int64_t low = index_from(idx, begin, end, index);
    if (low + 1 < end && idx[low + 1] == index)
        for (int64_t e = begin; e < k; e++)
            low += from[e] == from[k];
    return low < end && idx[low] == index ? low : -1;
}

static __global__ void match(matching m, unsigned long long *differences) {
    bool differs = false;
    FOR_ALL(k, 0, m.nnz) {
        const int64_t at = find(m, k);
        if (at >= 0) {
            const uint32_t bit = 1u << at % 32;
            differs |= (atomicOr(&m.taken[at / 32], bit) & bit) != 0;
            m.value[k] = as<val_t>(m.source.val)[at];
        }
        differs |= at < 0;
    }
    if (differs)
        *differences = 1;
}

/* Rows whose entries are in other orders. */
static spry_status update_in_own_order(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const int64_t nnz = matrix->nnz, words = nnz / 32 + 1;
    cudaStream_t stream = context->device->stream;
    temporary row(context), taken(context), value(context);
    counter found(context);
    spry_status status = row.take(nnz, sizeof(idx_t));
    if (!status)
        status = taken.take(words, sizeof(uint32_t));
    if (!status)
        status = value.take(nnz, sizeof(val_t));
    if (!status)
        status = found.start();
    if (!status)
        status = NAME(spry_cuda_expand)(context, as<ptr_t>(matrix->csr.ptr), matrix->csr.base, matrix->rows,
                                        nnz, as<idx_t>(row.pointer));
    if (!status)
        status = spry_cuda_check(context,
                                 cudaMemsetAsync(taken.pointer, 0, (size_t)words * sizeof(uint32_t), stream),
                                 "clearing an array");
    if (status)
        return status;
    /* Rows are counted from the base. */
    spry_csr source = csr->csr;
    source.ptr = as<ptr_t>(source.ptr) - matrix->csr.base;
    matching m = {nnz,
                  matrix->csr,
                  source,
                  as<idx_t>(row.pointer),
                  as<uint32_t>(taken.pointer),
                  as<val_t>(value.pointer)};
    match<<<blocks_at_once(context, nnz, BLOCK), BLOCK, 0, stream>>>(m, found.place());
    status = launched(context, "matching entries");
    if (!status)
        status = found.same_pattern();
    return status ? status : NAME(spry_cuda_copy_values)(context, value.pointer, matrix->csr.val, nnz);
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const bool own_order = !matrix->sorted && csr->sorted;
    int64_t rows = matrix->rows, nnz = own_order ? 0 : matrix->nnz;
    counter found(context);
    spry_status status = found.start();
    if (status)
        return status;
    compare<<<blocks_at_once(context, nnz > rows ? nnz : rows + 1, BLOCK), BLOCK, 0,
              context->device->stream>>>(rows, nnz, matrix->csr, csr->csr, found.place());
    status = launched(context, "comparing patterns");
    if (!status)
        status = found.same_pattern();
    if (!status && own_order)
        return update_in_own_order(context, matrix, csr);
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

} // namespace convert_csr
