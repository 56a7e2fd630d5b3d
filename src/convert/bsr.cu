/* SPDX-License-Identifier: BSD-3-Clause */
/* BSR from CSR and back, as in C: a thread walks the rows of a row of blocks side by side, once to count blocks and once to
   fill them; the way back, a thread has a row. */
#include <cstring>

#include "analysis/blocks.cuh"
#include "convert/sorted.cuh"
#include "formats/formats.cuh"
#include "primitives/device.cuh"
extern "C" {
#include "convert/fill_limit.h"
#include "formats/bsr_blocks.h"
}

/* Few threads to a block, as rows are of any length. */
#define BLOCK 64
static_assert(BLOCK >= SPRY_BLOCK_SIZES, "a thread for each size of blocks");

/* ---- the size of blocks ---- */

static __global__ void count_sizes(spry_rows rows, spry_block_counts *counts) {
    spry_count_samples(rows, counts);
}

/* What spry_look_at_blocks does. Waits. */
static spry_status choose_size(spry_context *context, const spry_matrix *csr, spry_matrix *matrix) {
    cudaStream_t stream = context->device->stream;
    spry_block_counts counts = {};
    temporary place(context);
    spry_status status = place.take(1, sizeof counts);
    if (!status)
        status = spry_cuda_check(context, cudaMemsetAsync(place.pointer, 0, sizeof counts, stream),
                                 "clearing counters");
    if (!status && csr->rows > 0) {
        count_sizes<<<(unsigned)spry_block_teams(csr->rows), BLOCK, 0, stream>>>(
            rows_of_csr(as<ptr_t>(csr->csr.ptr), as<idx_t>(csr->csr.idx), csr->rows),
            static_cast<spry_block_counts *>(place.pointer));
        status = launched(context, "counting blocks");
    }
    if (!status)
        status = spry_cuda_fetch(context, &counts, place.pointer, sizeof counts);
    if (!status)
        spry_bsr_set_size(matrix, &counts);
    return status;
}

/* ---- from CSR ---- */

static __global__ void count_all(blocks a, const ptr_t *ptr, const idx_t *idx) {
    const int64_t i = thread_number();
    if (i < a.count)
        a.ptr[i] = (ptr_t)count_blocks(&a, i, ptr, idx);
}

static __global__ void fill_all(blocks a, const ptr_t *ptr, const idx_t *idx, const val_t *val) {
    const int64_t i = thread_number();
    if (i < a.count)
        fill_blocks(&a, i, ptr, idx, val);
}

/* Waits, for the number of blocks. */
static spry_status set_pointers(spry_context *context, const spry_matrix *csr, spry_matrix *matrix) {
    const blocks a = blocks_of(matrix);
    ptr_t last = 0;
    if (a.count > 0)
        count_all<<<blocks_for(a.count, BLOCK), BLOCK, 0, context->device->stream>>>(
            a, as<ptr_t>(csr->csr.ptr), as<idx_t>(csr->csr.idx));
    spry_status status = launched(context, "counting blocks");
    if (!status)
        status = NAME(spry_cuda_scan)(context, a.ptr, a.count);
    if (!status)
        status = spry_cuda_fetch(context, &last, a.ptr + a.count, sizeof last);
    if (!status)
        spry_bsr_set_blocks(matrix, last);
    return status;
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    spry_bsr *bsr = &matrix->bsr;
    matrix->sorted = true;
    spry_status status = bsr->height == 0 ? choose_size(context, csr, matrix) : SPRY_OK;
    if (!status)
        status = spry_matrix_array(context, matrix, spry_cover(matrix->rows, bsr->height) + 1, sizeof(ptr_t),
                                   &bsr->ptr);
    if (!status)
        status = set_pointers(context, csr, matrix);
    if (!status)
        status = spry_check_slots(context, csr, options, matrix);
    if (!status)
        status = spry_bsr_block_arrays(context, matrix);
    if (status || matrix->rows == 0)
        return status;
    const blocks a = blocks_of(matrix); /* not before there are sizes: it divides by them */
    fill_all<<<blocks_for(a.count, BLOCK), BLOCK, 0, context->device->stream>>>(
        a, as<ptr_t>(csr->csr.ptr), as<idx_t>(csr->csr.idx), as<val_t>(csr->csr.val));
    return launched(context, "CSR to BSR");
}

/* ---- to CSR ---- */

static __global__ void list_lengths(blocks a, ptr_t *length) {
    const int64_t row = thread_number();
    if (row < a.rows)
        length[row] = (ptr_t)row_entries(&a, row);
}

static __global__ void collect(blocks a, const ptr_t *ptr, idx_t *idx, val_t *val) {
    const int64_t row = thread_number();
    if (row >= a.rows)
        return;
    row_walk walk = walk_row(&a, row);
    for (int64_t k = ptr[row]; next_entry(&a, &walk); k++) {
        idx[k] = (idx_t)walk.col;
        val[k] = a.val[walk.slot];
    }
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix, const spry_convert_options *,
                          spry_matrix *csr) {
    const blocks a = blocks_of(matrix);
    cudaStream_t stream = context->device->stream;
    spry_status status = take_csr_arrays(context, matrix, csr);
    if (status)
        return status;
    ptr_t *ptr = as<ptr_t>(csr->csr.ptr);
    if (a.rows > 0)
        list_lengths<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(a, ptr);
    status = launched(context, "row lengths of BSR to CSR");
    if (!status)
        status = NAME(spry_cuda_scan)(context, ptr, a.rows);
    if (status || matrix->nnz == 0)
        return status;
    if (!matrix->sorted)
        return collect_sorted(context, csr, "BSR to COO", [&](idx_t *idx, val_t *val) {
            collect<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(a, ptr, idx, val);
        });
    collect<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(a, ptr, as<idx_t>(csr->csr.idx),
                                                             as<val_t>(csr->csr.val));
    return launched(context, "BSR to CSR");
}

/* ---- new values ---- */

/* The arrays of CSR are taken to begin so much earlier that their base fits. */
static __global__ void compare(blocks a, const ptr_t *ptr, const idx_t *idx, int base,
                               unsigned long long *differs) {
    const int64_t row = thread_number();
    if (row >= a.rows)
        return;
    row_walk walk = walk_row(&a, row);
    int64_t k = ptr[row];
    const int64_t end = ptr[row + 1];
    bool same = true;
    for (; same && next_entry(&a, &walk); k++)
        same = k < end && idx[k] - base == walk.col;
    if (!same || k != end)
        *differs = 1;
}

static __global__ void replace(blocks a, const ptr_t *ptr, const val_t *val) {
    const int64_t row = thread_number();
    if (row >= a.rows)
        return;
    row_walk walk = walk_row(&a, row);
    for (int64_t k = ptr[row]; next_entry(&a, &walk); k++)
        a.val[walk.slot] = val[k];
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const blocks a = blocks_of(matrix);
    const int base = csr->csr.base;
    const ptr_t *ptr = as<ptr_t>(csr->csr.ptr);
    cudaStream_t stream = context->device->stream;
    counter differs(context);
    if (!matrix->sorted)
        return spry_refuse_bsr_update(context);
    spry_status status = differs.start();
    if (status || a.rows == 0)
        return status;
    compare<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(a, ptr, as<idx_t>(csr->csr.idx) - base, base,
                                                             differs.place());
    status = launched(context, "comparing CSR with BSR");
    if (!status)
        status = differs.same_pattern();
    if (status)
        return status;
    replace<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(a, ptr, as<val_t>(csr->csr.val) - base);
    return launched(context, "values of CSR to BSR");
}

extern "C" {
extern const struct spry_convert_code NAME(spry_bsr_convert);
const struct spry_convert_code NAME(spry_bsr_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
}
