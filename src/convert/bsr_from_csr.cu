/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * BSR from CSR on a device, entry by entry, so that a long row is no thread's work alone. The entry that a block begins with is the
 * first of those that lie in it, by row and then by column; so many of these are before an entry, so many blocks are. In a row of
 * blocks, a block comes after those whose columns are less: in each of its rows a search finds how far these go, and the count of first
 * entries how many begin there. Entries that repeat their column n times lie in n blocks, one behind the other; entry j of them,
 * counted from 0, is of level j, and each level has a first entry.
 */
#include "analysis/blocks.cuh"
#include "convert/bsr.cuh"
#include "formats/csr.cuh"
#include "formats/formats.cuh"
#include "primitives/device.cuh"
extern "C" {
#include "convert/fill_limit.h"
#include "formats/bsr_blocks.h"
#include "formats/index_from.h"
}

namespace convert_bsr_from_csr {

static constexpr int BLOCK = 128;
static_assert(BLOCK >= SPRY_BLOCK_SIZES, "a thread for each size of blocks");

/* ---- the size of blocks ---- */

static __global__ void count_sizes(spry_rows rows, spry_block_counts *counts) {
    spry_count_samples(rows, blockIdx.x, counts);
}

/* What spry_look_at_blocks does. Waits. */
static spry_status choose_size(spry_context *context, const spry_matrix *csr, spry_matrix *matrix) {
    spry_block_counts counts = {};
    tally<spry_block_counts> counters(context);
    spry_status status = counters.start();
    if (!status && csr->nnz > 0) {
        count_sizes<<<SPRY_BLOCK_GRID, BLOCK, 0, context->device->stream>>>(
            {csr->csr.ptr, csr->csr.idx, sizeof(ptr_t), sizeof(idx_t), csr->rows, csr->nnz, 0},
            counters.place());
        status = launched(context, "counting blocks");
    }
    if (!status)
        status = counters.read(&counts);
    if (!status)
        spry_bsr_set_size(matrix, &counts);
    return status;
}

/* ---- rows of CSR ---- */

/* The first of the entries begin … end - 1 of a row that lies in a column or behind it, or `end`. */
static __device__ ptr_t first_from(const csr_arrays &rows, ptr_t begin, ptr_t end, int64_t column) {
    return (ptr_t)index_from(rows.idx, begin, end, column);
}

/* The same, of a row that is not empty there, where it is likely to be the first. */
static __device__ ptr_t next_from(const csr_arrays &rows, ptr_t begin, ptr_t end, int64_t column) {
    return begin < end && rows.idx[begin] >= column ? begin : first_from(rows, begin, end, column);
}

/* Whether the entries begin … end - 1 of a row have one of this level before a column; the first of them is not before the block. */
static __device__ bool has_level(const csr_arrays &rows, ptr_t begin, ptr_t end, int64_t column,
                                 ptr_t level) {
    while (begin < end && rows.idx[begin] < column) {
        const idx_t here = rows.idx[begin];
        if (end - begin > level && rows.idx[begin + level] == here)
            return true;
        begin = next_from(rows, begin + 1, end, (int64_t)here + 1);
    }
    return false;
}

/* ---- numbers of blocks ---- */

/* Whether a block begins with entry k, of this row. */
static __device__ bool is_first(const blocks &a, const csr_arrays &rows, int64_t row, ptr_t k) {
    const int64_t left = rows.idx[k] / a.width * (int64_t)a.width, right = left + a.width;
    const ptr_t begin = rows.ptr[row], level = (ptr_t)repeats_before(rows.idx, begin, k);
    if (level == 0 && k > begin && rows.idx[k - 1] >= left)
        return false;
    if (level > 0 && has_level(rows, first_from(rows, begin, k, left), k - level, rows.idx[k], level))
        return false;
    for (int64_t other = row - row % a.height; other < row; other++) {
        const ptr_t end = rows.ptr[other + 1];
        if (has_level(rows, first_from(rows, rows.ptr[other], end, left), end, right, level))
            return false;
    }
    return true;
}

static __global__ void mark_first(blocks a, csr_arrays rows, const idx_t *row, int64_t count, ptr_t *first) {
    const int64_t k = thread_number();
    if (k < count)
        first[k] = is_first(a, rows, row[k], (ptr_t)k);
}

/* From where first entries are counted. Blocks of earlier rows of blocks begin with earlier entries. */
static __global__ void take_pointers(blocks a, const ptr_t *ptr, const ptr_t *first) {
    const int64_t i = thread_number();
    if (i <= a.count)
        a.ptr[i] = first[ptr[i < a.count ? i * a.height : a.rows]];
}

/* ---- blocks ---- */

/* What one row has in block b, of a level, from `begin` on. */
static __device__ uint64_t fill_row(const blocks &a, const csr_arrays &rows, int64_t b, int r, ptr_t begin,
                                    ptr_t end, int64_t left, ptr_t level) {
    uint64_t mask = 0;
    for (ptr_t k = begin; k < end && rows.idx[k] < left + a.width;) {
        const idx_t here = rows.idx[k];
        const int place = r * a.width + (int)(here - left);
        if (end - k > level && rows.idx[k + level] == here) {
            a.val[b * a.places + place] = rows.val[k + level];
            mask |= (uint64_t)1 << place;
        }
        k = next_from(rows, k + 1, end, (int64_t)here + 1);
    }
    return mask;
}

/* The block that begins with entry k of this row. */
static __device__ void fill_block(const blocks &a, const csr_arrays &rows, int64_t row, ptr_t k,
                                  const ptr_t *first) {
    const int64_t column = rows.idx[k] / a.width, left = column * a.width, i = row / a.height,
                  top = i * a.height;
    const int height = (int)(a.rows - top < a.height ? a.rows - top : a.height);
    const ptr_t level = (ptr_t)repeats_before(rows.idx, rows.ptr[row], k);
    ptr_t begin[SPRY_BLOCK_MOST];
    int64_t b = (int64_t)a.ptr[i] + level;
    for (int r = 0; r < height; r++) {
        const ptr_t from = rows.ptr[top + r];
        begin[r] = first_from(rows, from, rows.ptr[top + r + 1], left);
        b += first[begin[r]] - first[from];
    }
    a.idx[b] = (idx_t)column;
    for (int place = 0; place < a.places; place++)
        a.val[b * a.places + place] = 0;
    uint64_t mask = 0;
    for (int r = 0; r < height; r++)
        mask |= fill_row(a, rows, b, r, begin[r], rows.ptr[top + r + 1], left, level);
    if (a.mask)
        set_mask(&a, b, mask);
}

static __global__ void fill_all(blocks a, csr_arrays rows, const idx_t *row, int64_t count,
                                const ptr_t *first) {
    const int64_t k = thread_number();
    if (k < count && first[k + 1] > first[k])
        fill_block(a, rows, row[k], (ptr_t)k, first);
}

/* ---- the conversion ---- */

/* The rows of entries, and how many blocks begin before each. */
struct numbering {
    temporary row, first;

    explicit numbering(spry_context *context) : row(context), first(context) {
    }
};

static spry_status count_first(spry_context *context, const spry_matrix *csr, const blocks &a,
                               const csr_arrays &rows, numbering *found) {
    const int64_t count = csr->nnz;
    spry_status status = found->row.take(count, sizeof(idx_t));
    if (!status)
        status = found->first.take(count + 1, sizeof(ptr_t));
    if (!status)
        status =
            NAME(spry_cuda_expand)(context, rows.ptr, 0, csr->rows, count, as<idx_t>(found->row.pointer));
    if (status)
        return status;
    ptr_t *first = as<ptr_t>(found->first.pointer);
    mark_first<<<blocks_for(count, BLOCK), BLOCK, 0, context->device->stream>>>(
        a, rows, as<idx_t>(found->row.pointer), count, first);
    status = launched(context, "looking for the first entries of blocks");
    return status ? status : NAME(spry_cuda_scan)(context, first, count);
}

/* Waits, for the number of blocks. */
static spry_status set_pointers(spry_context *context, const spry_matrix *csr, spry_matrix *matrix,
                                const csr_arrays &rows, numbering *found) {
    const blocks a = blocks_of(matrix);
    ptr_t last = 0;
    spry_status status = count_first(context, csr, a, rows, found);
    if (status)
        return status;
    take_pointers<<<blocks_for(a.count + 1, BLOCK), BLOCK, 0, context->device->stream>>>(
        a, rows.ptr, as<ptr_t>(found->first.pointer));
    status = launched(context, "pointers of BSR");
    if (!status)
        status = spry_cuda_fetch(context, &last, a.ptr + a.count, sizeof last);
    if (!status)
        spry_bsr_set_blocks(matrix, last);
    return status;
}

static spry_status fill(spry_context *context, const spry_matrix *csr, const spry_matrix *matrix,
                        const csr_arrays &rows, const numbering &found) {
    fill_all<<<blocks_for(csr->nnz, BLOCK), BLOCK, 0, context->device->stream>>>(
        blocks_of(matrix), rows, as<idx_t>(found.row.pointer), csr->nnz, as<ptr_t>(found.first.pointer));
    return launched(context, "CSR to BSR");
}

/* Of a matrix without entries. */
static spry_status clear_pointers(spry_context *context, spry_matrix *matrix) {
    const size_t bytes = (size_t)(spry_cover(matrix->rows, matrix->bsr.height) + 1) * sizeof(ptr_t);
    spry_bsr_set_blocks(matrix, 0);
    return spry_cuda_check(context, cudaMemsetAsync(matrix->bsr.ptr, 0, bytes, context->device->stream),
                           "clearing pointers");
}

extern "C" spry_status NAME(spry_bsr_from_csr)(spry_context *context, const spry_matrix *csr,
                                               const spry_convert_options *options, spry_matrix *matrix) {
    spry_bsr *bsr = &matrix->bsr;
    const csr_arrays rows = csr_arrays_of(csr);
    numbering found(context);
    matrix->sorted = true;
    spry_status status = bsr->height == 0 ? choose_size(context, csr, matrix) : SPRY_OK;
    if (!status)
        status = spry_matrix_array(context, matrix, spry_cover(matrix->rows, bsr->height) + 1, sizeof(ptr_t),
                                   &bsr->ptr);
    if (!status)
        status =
            csr->nnz > 0 ? set_pointers(context, csr, matrix, rows, &found) : clear_pointers(context, matrix);
    if (!status)
        status = spry_check_slots(context, csr, options, matrix);
    if (!status)
        status = spry_bsr_block_arrays(context, matrix);
    return status || csr->nnz == 0 ? status : fill(context, csr, matrix, rows, found);
}

} // namespace convert_bsr_from_csr
