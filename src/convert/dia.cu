/* SPDX-License-Identifier: BSD-3-Clause */
/* DIA by slices from CSR and back on a device, a warp for each slice. */
#include "cuda/lanes.cuh"
#include "formats/formats.cuh"
#include "primitives/device.cuh"
extern "C" {
#include "convert/fill_limit.h"
#include "formats/diagonals.h"
}

namespace convert_dia {

static constexpr int BLOCK = 256;

static_assert(SPRY_DIA_ROWS == WARP, "a row to a lane");

/* Threads that all slices take. */
static inline int64_t threads_of(const diagonal_arrays &a) {
    return a.slices * WARP;
}

/* ---- the rows of a slice, walked side by side ---- */

/* What no offset is: columns are less. */
static constexpr idx_t NO_OFFSET = (idx_t)(((uint64_t)1 << (SPRY_TMPL_IDX - 1)) - 1);

/* This lane's row: the entries that are left of it, and the offset of the first of them. */
struct band {
    const idx_t *idx;
    int64_t row, next, end;
    idx_t offset;
};

static __device__ inline void find_offset(band &lane) {
    lane.offset = lane.next < lane.end ? lane.idx[lane.next] - (idx_t)lane.row : NO_OFFSET;
}

/* Past the last row, one without entries. */
static __device__ inline band band_at(const diagonal_arrays &a, const ptr_t *ptr, const idx_t *idx,
                                      int64_t row) {
    const bool is_there = row < a.rows;
    band lane = {idx, row, is_there ? ptr[row] : 0, is_there ? ptr[row + 1] : 0, 0};
    find_offset(lane);
    return lane;
}

/* The diagonal that comes next, and the lanes that have an entry on it; 0: none is left. */
static __device__ inline unsigned next_diagonal(const band &lane, idx_t *least) {
    *least = least_of_lanes(lane.offset);
    const unsigned mask = __ballot_sync(ALL_LANES, lane.offset == *least);
    return *least == NO_OFFSET ? 0 : mask;
}

/* Where this lane has one, take the entry that is on it. */
static __device__ inline void pass(band &lane, idx_t least) {
    if (lane.offset == least) {
        lane.next++;
        find_offset(lane);
    }
}

/* ---- from CSR ---- */

static __global__ void count(diagonal_arrays a, const ptr_t *ptr, const idx_t *idx) {
    const int64_t row = thread_number(), s = row / WARP;
    if (s >= a.slices)
        return;
    band lane = band_at(a, ptr, idx, row);
    int64_t found = 0;
    for (idx_t least; next_diagonal(lane, &least) != 0; found++)
        pass(lane, least);
    if (lane_number() == 0)
        a.first[s] = (ptr_t)found;
}

static __global__ void fill_all(diagonal_arrays a, const ptr_t *ptr, const idx_t *idx, const val_t *val) {
    const int64_t row = thread_number(), s = row / WARP;
    if (s >= a.slices)
        return;
    band lane = band_at(a, ptr, idx, row);
    const int64_t end = a.first[s + 1];
    for (int64_t d = a.first[s]; d < end; d++) {
        idx_t least;
        const unsigned mask = next_diagonal(lane, &least);
        a.val[d * WARP + lane_number()] = lane.offset == least ? val[lane.next] : 0;
        if (lane_number() == 0) {
            a.offset[d] = least;
            a.mask[d] = mask;
        }
        pass(lane, least);
    }
}

/* Waits, for the number of diagonals. */
static spry_status set_pointers(spry_context *context, const spry_matrix *csr, spry_matrix *matrix) {
    const diagonal_arrays a = diagonal_arrays_of(matrix);
    ptr_t last = 0;
    if (a.slices > 0)
        count<<<blocks_for(threads_of(a), BLOCK), BLOCK, 0, context->device->stream>>>(
            a, as<ptr_t>(csr->csr.ptr), as<idx_t>(csr->csr.idx));
    spry_status status = launched(context, "counting diagonals");
    if (!status)
        status = NAME(spry_cuda_scan)(context, a.first, a.slices);
    if (!status)
        status = spry_cuda_fetch(context, &last, a.first + a.slices, sizeof last);
    matrix->dia.diagonals = last;
    return status;
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    matrix->sorted = true;
    spry_status status = spry_matrix_array(context, matrix, spry_dia_slices(matrix->rows) + 1, sizeof(ptr_t),
                                           &matrix->dia.first);
    if (!status)
        status = set_pointers(context, csr, matrix);
    if (!status)
        status = spry_check_slots(context, csr, options, matrix);
    if (!status)
        status = spry_dia_diagonal_arrays(context, matrix);
    if (status || matrix->dia.diagonals == 0)
        return status;
    const diagonal_arrays a = diagonal_arrays_of(matrix);
    fill_all<<<blocks_for(threads_of(a), BLOCK), BLOCK, 0, context->device->stream>>>(
        a, as<ptr_t>(csr->csr.ptr), as<idx_t>(csr->csr.idx), as<val_t>(csr->csr.val));
    return launched(context, "CSR to DIA");
}

/* ---- to CSR, a thread for each row ---- */

/* Call each(d) for the diagonals that a row has an entry on. */
template <class Each>
static __device__ inline void walk_row(const diagonal_arrays &a, int64_t row, Each each) {
    const int64_t s = row / WARP, end = a.first[s + 1];
    for (int64_t d = a.first[s]; d < end; d++)
        if (a.mask[d] >> row % WARP & 1)
            each(d);
}

static __global__ void list_lengths(diagonal_arrays a, ptr_t *length) {
    const int64_t row = thread_number();
    ptr_t entries = 0;
    if (row >= a.rows)
        return;
    walk_row(a, row, [&](int64_t) { entries++; });
    length[row] = entries;
}

static __global__ void collect(diagonal_arrays a, const ptr_t *ptr, idx_t *idx, val_t *val) {
    const int64_t row = thread_number();
    if (row >= a.rows)
        return;
    int64_t k = ptr[row];
    walk_row(a, row, [&](int64_t d) {
        idx[k] = (idx_t)(row + a.offset[d]);
        val[k++] = a.val[d * WARP + row % WARP];
    });
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix, const spry_convert_options *,
                          spry_matrix *csr) {
    const diagonal_arrays a = diagonal_arrays_of(matrix);
    cudaStream_t stream = context->device->stream;
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    ptr_t *ptr = as<ptr_t>(csr->csr.ptr);
    if (a.rows > 0)
        list_lengths<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(a, ptr);
    status = launched(context, "row lengths of DIA to CSR");
    if (!status)
        status = NAME(spry_cuda_scan)(context, ptr, a.rows);
    if (status || matrix->nnz == 0)
        return status;
    collect<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(a, ptr, as<idx_t>(csr->csr.idx),
                                                             as<val_t>(csr->csr.val));
    return launched(context, "DIA to CSR");
}

/* ---- new values ---- */

/* The arrays of CSR are taken to begin so much earlier that their base fits. */
static __global__ void compare(diagonal_arrays a, const ptr_t *ptr, const idx_t *idx, int base,
                               unsigned long long *differs) {
    const int64_t row = thread_number();
    if (row >= a.rows)
        return;
    int64_t k = ptr[row];
    const int64_t end = ptr[row + 1];
    bool same = true;
    walk_row(a, row, [&](int64_t d) {
        same = same && k < end && idx[k] - base == row + a.offset[d];
        k++;
    });
    if (!same || k != end)
        *differs = 1;
}

static __global__ void replace(diagonal_arrays a, const ptr_t *ptr, const val_t *val) {
    const int64_t row = thread_number();
    if (row >= a.rows)
        return;
    int64_t k = ptr[row];
    walk_row(a, row, [&](int64_t d) { a.val[d * WARP + row % WARP] = val[k++]; });
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const diagonal_arrays a = diagonal_arrays_of(matrix);
    const int base = csr->csr.base;
    const ptr_t *ptr = as<ptr_t>(csr->csr.ptr);
    cudaStream_t stream = context->device->stream;
    counter differs(context);
    spry_status status = differs.start();
    if (status || a.rows == 0)
        return status;
    compare<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(a, ptr, as<idx_t>(csr->csr.idx) - base, base,
                                                             differs.place());
    status = launched(context, "comparing CSR with DIA");
    if (!status)
        status = differs.same_pattern();
    if (status)
        return status;
    replace<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(a, ptr, as<val_t>(csr->csr.val) - base);
    return launched(context, "values of CSR to DIA");
}

extern "C" {
extern const struct spry_convert_code NAME(spry_dia_convert);
const struct spry_convert_code NAME(spry_dia_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
}

} // namespace convert_dia
