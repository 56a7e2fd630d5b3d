/* SPDX-License-Identifier: BSD-3-Clause */
/* On a device: COO to CSR sorts and settles duplicates; CSR to COO writes out the rows. */
#include <inttypes.h>

#include "convert/known.cuh"
#include "convert/transpose.cuh"
#include "primitives/expand.cuh"

namespace convert_coo {

static constexpr int BLOCK = 256;

/* Entry k of CSR, one of row i. */
struct copier {
    const idx_t *idx;
    const val_t *val;
    idx_t *row, *col;
    val_t *to;
    __device__ void operator()(int64_t k, idx_t i) const {
        row[k] = i;
        col[k] = idx[k];
        to[k] = val[k];
    }
};

static spry_status from_csr(spry_context *context, const spry_matrix *csr, const spry_convert_options *,
                            spry_matrix *matrix) {
    spry_coo *coo = &matrix->coo;
    int64_t n = matrix->nnz;
    matrix->row_sorted = matrix->sorted = true;
    matrix->cuda.segments.row = csr->csr.ptr; /* for the plan, as is what is known of the rows */
    tell_segments(csr, 0, &matrix->cuda.segments);
    spry_status status = spry_matrix_array(context, matrix, n, sizeof(idx_t), &coo->row);
    if (!status)
        status = spry_matrix_entry_arrays(context, matrix, &coo->col, &coo->val, n);
    const copier copy = {as<idx_t>(csr->csr.idx), as<val_t>(csr->csr.val), as<idx_t>(coo->row),
                         as<idx_t>(coo->col), as<val_t>(coo->val)};
    return status ? status
                  : expand_with(context, "CSR to COO", as<ptr_t>(csr->csr.ptr), 0, csr->rows, n, copy);
}

static spry_status copy_sorted(spry_context *context, const spry_coo *coo, spry_matrix *csr) {
    int64_t n = csr->nnz;
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (!status)
        status = NAME(spry_cuda_compress)(context, as<idx_t>(coo->row), coo->base, n, csr->rows,
                                          as<ptr_t>(csr->csr.ptr));
    if (!status)
        status = NAME(spry_cuda_copy_indices)(context, coo->col, coo->base, csr->csr.idx, n);
    return status ? status : NAME(spry_cuda_copy_values)(context, coo->val, csr->csr.val, n);
}

/* ---- duplicates, in CSR with sorted rows ---- */

/* Whether entry k is at the place of the one before it. */
static __device__ bool repeats(const idx_t *row, const idx_t *idx, int64_t k) {
    return k > 0 && row[k] == row[k - 1] && idx[k] == idx[k - 1];
}

static __global__ void find_first_repeat(int64_t n, const idx_t *row, const idx_t *idx,
                                         unsigned long long *first) {
    int64_t k = thread_number();
    if (k < n && repeats(row, idx, k))
        atomicMin(first, (unsigned long long)k);
}

static spry_status refuse(spry_context *context, const spry_matrix *csr, const idx_t *row, int base) {
    const idx_t *idx = as<idx_t>(csr->csr.idx);
    int64_t n = csr->nnz, first;
    idx_t i, j;
    first_fault found(context);
    spry_status status = found.start();
    if (status)
        return status;
    find_first_repeat<<<blocks_for(n, BLOCK), BLOCK, 0, context->device->stream>>>(n, row, idx,
                                                                                   found.place());
    status = launched(context, "looking for duplicates");
    if (!status)
        status = found.read(&first);
    if (!status)
        status = spry_cuda_fetch(context, &i, row + first, sizeof i);
    if (!status)
        status = spry_cuda_fetch(context, &j, idx + first, sizeof j);
    return status
               ? status
               : spry_fail(context, SPRY_ERROR_DUPLICATE, "row %" PRId64 ", column %" PRId64 " occurs twice",
                           (int64_t)i + base, (int64_t)j + base);
}

static __global__ void mark_distinct(int64_t n, const idx_t *row, const idx_t *idx, ptr_t *mark) {
    int64_t k = thread_number();
    if (k < n)
        mark[k] = !repeats(row, idx, k);
}

/* place[k] is how many distinct entries come before entry k, so an entry with a successor at its own place is
   followed by a duplicate. One thread adds up all of a place, in their order. */
static __global__ void add_up(int64_t n, const ptr_t *place, const idx_t *idx, const val_t *val,
                              idx_t *to_idx, val_t *to_val) {
    int64_t k = thread_number();
    if (k >= n || place[k + 1] == place[k])
        return;
    val_t sum = val[k];
    for (int64_t next = k + 1; next < n && place[next + 1] == place[next]; next++)
        sum += val[next];
    to_idx[place[k]] = idx[k];
    to_val[place[k]] = sum;
}

static __global__ void move_pointers(int64_t count, const ptr_t *ptr, const ptr_t *place, ptr_t *to_ptr) {
    int64_t i = thread_number();
    if (i < count)
        to_ptr[i] = place[ptr[i]];
}

/* Add up the duplicates of `full` into new arrays that `csr` owns. */
static spry_status sum(spry_context *context, const spry_matrix *full, const idx_t *row, spry_matrix *csr) {
    cudaStream_t stream = context->device->stream;
    const spry_csr *from = &full->csr, *to = &csr->csr;
    int64_t n = full->nnz, pointers = full->rows + 1;
    temporary memory(context);
    spry_status status = memory.take(n + 1, sizeof(ptr_t));
    if (!status)
        status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    ptr_t *place = as<ptr_t>(memory.pointer);
    mark_distinct<<<blocks_for(n, BLOCK), BLOCK, 0, stream>>>(n, row, as<idx_t>(from->idx), place);
    status = launched(context, "marking duplicates");
    if (!status)
        status = NAME(spry_cuda_scan)(context, place, n);
    if (status)
        return status;
    add_up<<<blocks_for(n, BLOCK), BLOCK, 0, stream>>>(n, place, as<idx_t>(from->idx), as<val_t>(from->val),
                                                       as<idx_t>(to->idx), as<val_t>(to->val));
    move_pointers<<<blocks_for(pointers, BLOCK), BLOCK, 0, stream>>>(pointers, as<ptr_t>(from->ptr), place,
                                                                     as<ptr_t>(to->ptr));
    return launched(context, "adding up duplicates");
}

static spry_status sum_into_new_arrays(spry_context *context, spry_matrix *csr, const idx_t *row,
                                       int64_t repeats) {
    spry_matrix *full = nullptr;
    spry_status status =
        spry_matrix_new(context, SPRY_CSR, csr->type, csr->index, csr->rows, csr->cols, csr->nnz, &full);
    if (status)
        return status;
    spry_csr_exchange_arrays(csr, full);
    csr->nnz -= repeats;
    status = sum(context, full, row, csr);
    spry_matrix_destroy(full);
    return status;
}

/* `csr` has sorted rows: do with their duplicates as asked. */
static spry_status settle_duplicates(spry_context *context, spry_duplicates wish, int base,
                                     spry_matrix *csr) {
    int64_t repeats = 0;
    temporary memory(context);
    spry_status status = wish == SPRY_KEEP ? SPRY_OK : NAME(spry_cuda_count_repeats)(context, csr, &repeats);
    if (status || repeats == 0)
        return status;
    status = memory.take(csr->nnz, sizeof(idx_t));
    idx_t *row = as<idx_t>(memory.pointer);
    if (!status)
        status = NAME(spry_cuda_expand)(context, as<ptr_t>(csr->csr.ptr), 0, csr->rows, csr->nnz, row);
    if (status)
        return status;
    return wish == SPRY_REFUSE ? refuse(context, csr, row, base)
                               : sum_into_new_arrays(context, csr, row, repeats);
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix,
                          const spry_convert_options *options, spry_matrix *csr) {
    const spry_coo *coo = &matrix->coo;
    spry_status status =
        matrix->sorted ? copy_sorted(context, coo, csr) : NAME(spry_cuda_sort_entries)(context, coo, csr);
    return status ? status : settle_duplicates(context, options->duplicates, coo->base, csr);
}

/* ---- new values ---- */

/* The rows of the COO matrix never fall: where a row of CSR begins and ends in that row, all between does
   too. */
static __global__ void compare(int64_t rows, int64_t nnz, spry_coo coo, spry_csr csr,
                               unsigned long long *differences) {
    const ptr_t *ptr = as<ptr_t>(csr.ptr);
    const idx_t *row = as<idx_t>(coo.row), *col = as<idx_t>(coo.col), *idx = as<idx_t>(csr.idx);
    bool differs = false;
    FOR_ALL(i, 0, rows) {
        int64_t begin = (int64_t)ptr[i] - csr.base, end = (int64_t)ptr[i + 1] - csr.base;
        differs |= begin < end && (row[begin] - coo.base != i || row[end - 1] - coo.base != i);
    }
    FOR_ALL(k, 0, nnz)
    differs |= col[k] - coo.base != idx[k] - csr.base;
    if (differs)
        *differences = 1;
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    int64_t rows = matrix->rows, nnz = matrix->nnz;
    counter found(context);
    if (!matrix->sorted)
        return spry_fail(context, SPRY_ERROR_UNSUPPORTED,
                         "the COO matrix is not in row-major order: change its values in place instead");
    spry_status status = found.start();
    if (status)
        return status;
    compare<<<blocks_at_once(context, nnz > rows ? nnz : rows, BLOCK), BLOCK, 0, context->device->stream>>>(
        rows, nnz, matrix->coo, csr->csr, found.place());
    status = launched(context, "comparing patterns");
    if (!status)
        status = found.same_pattern();
    return status ? status : NAME(spry_cuda_copy_values)(context, csr->csr.val, matrix->coo.val, nnz);
}

extern "C" {
extern const struct spry_convert_code NAME(spry_coo_convert);
const struct spry_convert_code NAME(spry_coo_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
}

} // namespace convert_coo
