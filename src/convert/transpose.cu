/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>

#include "convert/transpose.cuh"
#include "primitives/compress.cuh"

namespace convert_transpose {

static constexpr int BLOCK = 256;

/* Where the entry that comes k-th was before. Integers of either width: the branch is the same for all
   threads. */
struct origins {
    const void *positions;
    size_t size;

    __device__ int64_t operator[](int64_t k) const {
        return size == sizeof(uint64_t) ? (int64_t) static_cast<const uint64_t *>(positions)[k]
                                        : (int64_t) static_cast<const uint32_t *>(positions)[k];
    }
};

/* ---- transposition ---- */

/* Give each place its entry and, by the indices that are sorted, each new row or column its begin. */
static __global__ void gather(int64_t n, origins origin, const idx_t *major_of, const val_t *val,
                              const idx_t *index, int base, int64_t minor, ptr_t *to_ptr, idx_t *to_idx,
                              val_t *to_val) {
    const int64_t k = thread_number(), from = k < n ? origin[k] : 0;
    idx_t in = 0;
    val_t value = 0;
    if (k < n) {
        in = major_of[from];
        value = val[from];
    }
    put_pointers(k, index, base, n, minor, to_ptr);
    if (k >= n)
        return;
    to_idx[k] = in - (idx_t)base;
    to_val[k] = value;
}

/* Positions sorted by index say where each entry of the result comes from. Rows or columns are found first, while the host readies the
   sort. */
extern "C" spry_status NAME(spry_cuda_transpose)(spry_context *context, const spry_matrix *from,
                                                 const spry_matrix *to) {
    bool by_rows = from->format == SPRY_CSR;
    int64_t major = by_rows ? from->rows : from->cols, minor = by_rows ? from->cols : from->rows,
            n = from->nnz;
    const spry_csr *source = &from->csr, *target = &to->csr;
    int base = source->base;
    temporary major_of(context), index(context), positions(context);
    spry_status status = major_of.take(n, sizeof(idx_t));
    if (!status)
        status = NAME(spry_cuda_expand)(context, as<ptr_t>(source->ptr), base, major, n,
                                        as<idx_t>(major_of.pointer));
    if (!status)
        status = index.take(n, sizeof(idx_t));
    if (!status)
        status = positions.take(n, spry_position_size(n));
    if (!status)
        status = spry_cuda_sort_positions(context, sizeof(idx_t), source->idx, index.pointer,
                                          positions.pointer, n, spry_bits_for(base, minor));
    if (status)
        return status;
    gather<<<blocks_for(n + 1, BLOCK), BLOCK, 0, context->device->stream>>>(
        n, {positions.pointer, positions.size}, as<idx_t>(major_of.pointer), as<val_t>(source->val),
        as<idx_t>(index.pointer), base, minor, as<ptr_t>(target->ptr), as<idx_t>(target->idx),
        as<val_t>(target->val));
    return launched(context, "transposing");
}

/* ---- entries in any order ---- */

/* Row and column in one number, so that one sort does. */
static __global__ void join(int64_t n, const idx_t *row, const idx_t *col, int base, int col_bits,
                            uint64_t *keys) {
    int64_t k = thread_number();
    if (k < n)
        keys[k] = (uint64_t)(row[k] - base) << col_bits | (uint64_t)(col[k] - base);
}

static __global__ void part(int64_t n, const uint64_t *keys, int col_bits, origins origin, const val_t *val,
                            idx_t *row, idx_t *to_idx, val_t *to_val) {
    int64_t k = thread_number();
    if (k >= n)
        return;
    uint64_t key = keys[k];
    row[k] = (idx_t)(key >> col_bits);
    to_idx[k] = (idx_t)(key & (((uint64_t)1 << col_bits) - 1));
    to_val[k] = val[origin[k]];
}

static spry_status sort_keys(spry_context *context, const spry_coo *coo, int64_t n, int row_bits,
                             int col_bits, void *sorted, void *positions) {
    temporary keys(context);
    spry_status status = keys.take(n, sizeof(uint64_t));
    if (status)
        return status;
    join<<<blocks_for(n, BLOCK), BLOCK, 0, context->device->stream>>>(
        n, as<idx_t>(coo->row), as<idx_t>(coo->col), coo->base, col_bits, as<uint64_t>(keys.pointer));
    status = launched(context, "joining rows and columns");
    return status ? status
                  : spry_cuda_sort_positions(context, sizeof(uint64_t), keys.pointer, sorted, positions, n,
                                             row_bits + col_bits);
}

/* The arrays of the result are made when the sort's have gone: together they would be the most memory in use.
   */
extern "C" spry_status NAME(spry_cuda_sort_entries)(spry_context *context, const spry_coo *coo,
                                                    spry_matrix *csr) {
    int row_bits = spry_bits_for(0, csr->rows), col_bits = spry_bits_for(0, csr->cols);
    int64_t n = csr->nnz;
    if (row_bits + col_bits > 64)
        return spry_fail(context, SPRY_ERROR_OVERFLOW,
                         "%" PRId64 " rows and %" PRId64 " columns are too many to sort by on a device",
                         csr->rows, csr->cols);
    temporary keys(context), positions(context), row(context);
    spry_status status = keys.take(n, sizeof(uint64_t));
    if (!status)
        status = positions.take(n, spry_position_size(n));
    if (!status && n > 0)
        status = sort_keys(context, coo, n, row_bits, col_bits, keys.pointer, positions.pointer);
    if (!status)
        status = spry_matrix_csr_arrays(context, csr);
    if (!status)
        status = row.take(n, sizeof(idx_t));
    if (!status && n > 0) {
        part<<<blocks_for(n, BLOCK), BLOCK, 0, context->device->stream>>>(
            n, as<uint64_t>(keys.pointer), col_bits, {positions.pointer, positions.size}, as<val_t>(coo->val),
            as<idx_t>(row.pointer), as<idx_t>(csr->csr.idx), as<val_t>(csr->csr.val));
        status = launched(context, "placing entries");
    }
    return status ? status
                  : NAME(spry_cuda_compress)(context, as<idx_t>(row.pointer), 0, n, csr->rows,
                                             as<ptr_t>(csr->csr.ptr));
}

/* ---- copies ---- */

template <class T>
static __global__ void rebase(int64_t n, const T *from, int base, T *to) {
    int64_t k = thread_number();
    if (k < n)
        to[k] = from[k] - (T)base;
}

template <class T>
static spry_status copy_integers(spry_context *context, const void *from, int base, void *to, int64_t n) {
    if (n == 0)
        return SPRY_OK;
    rebase<<<blocks_for(n, BLOCK), BLOCK, 0, context->device->stream>>>(n, static_cast<const T *>(from), base,
                                                                        static_cast<T *>(to));
    return launched(context, "copying integers");
}

extern "C" spry_status NAME(spry_cuda_copy_pointers)(spry_context *context, const void *from, int base,
                                                     void *to, int64_t n) {
    return copy_integers<ptr_t>(context, from, base, to, n);
}

extern "C" spry_status NAME(spry_cuda_copy_indices)(spry_context *context, const void *from, int base,
                                                    void *to, int64_t n) {
    return copy_integers<idx_t>(context, from, base, to, n);
}

extern "C" spry_status NAME(spry_cuda_copy_values)(spry_context *context, const void *from, void *to,
                                                   int64_t n) {
    if (n == 0 || from == to)
        return SPRY_OK;
    return spry_cuda_check(
        context,
        cudaMemcpyAsync(to, from, (size_t)n * sizeof(val_t), cudaMemcpyDefault, context->device->stream),
        "copying values");
}

} // namespace convert_transpose
