/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>

#include "convert/ell.cuh"
#include "convert/known.cuh"
#include "convert/tiles.cuh"
extern "C" {
#include "convert/fill_limit.h"
#include "formats/ell.h"
}

namespace convert_ell {

static constexpr int BLOCK = 256;

/* Both sides of a conversion. Tiles are numbered along the rows first. */
struct sides {
    int64_t rows, width, stride, across; /* across: tiles beside each other */
    const ptr_t *ptr;
    int base;
    idx_t *len, *idx;
    val_t *val;
};

static sides sides_of(const spry_matrix *csr, const spry_matrix *matrix) {
    const spry_ell *ell = &matrix->ell;
    int64_t across = (ell->width + TILE_SLOTS - 1) / TILE_SLOTS;
    return {matrix->rows,
            ell->width,
            ell->stride,
            across,
            as<ptr_t>(csr->csr.ptr),
            csr->csr.base,
            as<idx_t>(ell->len),
            as<idx_t>(ell->idx),
            as<val_t>(ell->val)};
}

/* Blocks that have a warp for each tile. */
static unsigned blocks_of_tiles(const sides &a) {
    return blocks_for((a.stride + WARP - 1) / WARP * a.across, TILE_WARPS);
}

static __device__ int64_t length_of(const sides &a, int64_t i) {
    int64_t whole = i < a.rows ? a.ptr[i + 1] - a.ptr[i] : 0;
    return whole < a.width ? whole : a.width;
}

/* Where this lane is: its row, which may be past the last, and the tile's first slot. */
struct place {
    int64_t row, slot;
};

static __device__ place place_of(const sides &a) {
    int64_t tile = tile_number();
    return {tile / a.across * WARP + lane_number(), tile % a.across * TILE_SLOTS};
}

/* Slots of the tile; the last one beside others may be narrower. */
static __device__ int slots_of(const sides &a, place at) {
    return a.width - at.slot < TILE_SLOTS ? (int)(a.width - at.slot) : TILE_SLOTS;
}

template <class T>
static __device__ void lay_out_array(const sides &a, place at, tile_row row, tile_shape shape, const T *from,
                                     T padding, T *to, T *cell) {
    read_rows(from, row, shape, cell);
    int slots = at.row < a.stride ? slots_of(a, at) : 0;
    to += at.slot * a.stride + at.row;
    for (int k = 0; k < slots; k++)
        to[k * a.stride] = k < row.count ? cell[k * shape.pitch + lane_number()] : padding;
}

/* Fill values and, unless `idx` is null, lengths and columns, from the arrays of CSR, which are taken to begin so much earlier
   that their base fits. Padding is zero, and repeats the row's last column. */
static __global__ void lay_out(sides a, const idx_t *idx, const val_t *val) {
    __shared__ tile_cells cells[TILE_WARPS];
    tile_cells &cell = cells[threadIdx.x / WARP];
    place at = place_of(a);
    int64_t begin = at.row < a.rows ? a.ptr[at.row] : 0, length = length_of(a, at.row);
    tile_row row = tile_row_at(begin, length, at.slot);
    tile_shape shape = tile_shape_for(row);
    if (idx) {
        if (at.slot == 0 && at.row < a.stride)
            a.len[at.row] = (idx_t)length;
        idx_t last = row.count < TILE_SLOTS && length > 0 ? idx[begin + length - 1] : 0;
        lay_out_array(a, at, row, shape, idx, last, a.idx, cell.idx);
    }
    lay_out_array(a, at, row, shape, val, (val_t)0, a.val, cell.val);
}

/* Compare lengths and columns; `from` are those of CSR. */
static __global__ void compare(sides a, const idx_t *from, unsigned long long *differs) {
    __shared__ idx_t cells[TILE_WARPS][TILE_CELLS];
    idx_t *cell = cells[threadIdx.x / WARP];
    place at = place_of(a);
    int64_t begin = at.row < a.rows ? a.ptr[at.row] : 0, length = length_of(a, at.row);
    tile_row row = tile_row_at(begin, length, at.slot);
    tile_shape shape = tile_shape_for(row);
    read_rows(from, row, shape, cell);
    bool same = at.row >= a.rows || a.len[at.row] == length;
    for (int k = 0; k < row.count; k++)
        same &= cell[k * shape.pitch + lane_number()] - a.base == a.idx[(at.slot + k) * a.stride + at.row];
    if (!same)
        *differs = 1;
}

template <class T>
static __device__ void collect_array(const sides &a, place at, tile_row row, tile_shape shape, const T *from,
                                     T *to, T *cell) {
    for (int k = 0; k < row.count; k++)
        cell[k * shape.pitch + lane_number()] = from[(at.slot + k) * a.stride + at.row];
    write_rows(to, row, shape, cell);
}

/* The way back, to the arrays of CSR. */
static __global__ void collect(sides a, idx_t *idx, val_t *val) {
    __shared__ tile_cells cells[TILE_WARPS];
    tile_cells &cell = cells[threadIdx.x / WARP];
    place at = place_of(a);
    bool exists = at.row < a.rows;
    tile_row row = tile_row_at(exists ? a.ptr[at.row] : 0, exists ? a.len[at.row] : 0, at.slot);
    tile_shape shape = tile_shape_for(row);
    collect_array(a, at, row, shape, a.idx, idx, cell.idx);
    collect_array(a, at, row, shape, a.val, val, cell.val);
}

/* A matrix of width 0 has no tiles. */
static spry_status take_entries(spry_context *context, const spry_matrix *csr, const spry_matrix *ell) {
    sides a = sides_of(csr, ell);
    cudaStream_t stream = context->device->stream;
    if (unsigned blocks = blocks_of_tiles(a))
        lay_out<<<blocks, TILE_BLOCK, 0, stream>>>(a, as<idx_t>(csr->csr.idx) - a.base,
                                                   as<val_t>(csr->csr.val) - a.base);
    else if (a.stride > 0)
        return spry_cuda_check(context, cudaMemsetAsync(a.len, 0, (size_t)a.stride * sizeof *a.len, stream),
                               "clearing an array");
    return launched(context, "CSR to ELL");
}

extern "C" spry_status NAME(spry_ell_take_values)(spry_context *context, const spry_matrix *csr,
                                                  spry_matrix *ell) {
    sides a = sides_of(csr, ell);
    if (unsigned blocks = blocks_of_tiles(a))
        lay_out<<<blocks, TILE_BLOCK, 0, context->device->stream>>>(a, nullptr,
                                                                    as<val_t>(csr->csr.val) - a.base);
    return launched(context, "values of CSR to ELL");
}

extern "C" spry_status NAME(spry_ell_fill)(spry_context *context, const spry_matrix *csr, int64_t width,
                                           spry_matrix *matrix) {
    spry_ell *ell = &matrix->ell;
    ell->width = width;
    ell->stride = spry_ell_stride(csr->rows);
    int64_t slots;
    if (__builtin_mul_overflow(ell->width, ell->stride, &slots))
        return spry_fail(context, SPRY_ERROR_OVERFLOW,
                         "%" PRId64 " rows of width %" PRId64 " are too many slots", csr->rows, width);
    spry_status status = spry_matrix_array(context, matrix, ell->stride, sizeof(idx_t), &ell->len);
    if (!status)
        status = spry_matrix_entry_arrays(context, matrix, &ell->idx, &ell->val, slots);
    return status ? status : take_entries(context, csr, matrix);
}

extern "C" spry_status NAME(spry_ell_compare)(spry_context *context, const spry_matrix *csr,
                                              const spry_matrix *ell, unsigned long long *differs) {
    sides a = sides_of(csr, ell);
    const idx_t *from = as<idx_t>(csr->csr.idx) - a.base;
    if (unsigned blocks = blocks_of_tiles(a))
        compare<<<blocks, TILE_BLOCK, 0, context->device->stream>>>(a, from, differs);
    return launched(context, "comparing CSR with ELL");
}

extern "C" spry_status NAME(spry_ell_copy_out)(spry_context *context, const spry_matrix *ell,
                                               const spry_matrix *csr) {
    sides a = sides_of(csr, ell);
    if (unsigned blocks = blocks_of_tiles(a))
        collect<<<blocks, TILE_BLOCK, 0, context->device->stream>>>(a, as<idx_t>(csr->csr.idx),
                                                                    as<val_t>(csr->csr.val));
    return launched(context, "ELL to CSR");
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    int64_t width;
    spry_status status = find_longest_row(context, csr, &width);
    if (!status)
        status = spry_check_longest(context, csr->index, width);
    if (!status)
        status = spry_check_fill(context, csr, options, SPRY_ELL, width, 0);
    return status ? status : NAME(spry_ell_fill)(context, csr, width, matrix);
}

static __global__ void widen(int64_t rows, const idx_t *len, ptr_t *ptr) {
    int64_t i = thread_number();
    if (i < rows)
        ptr[i] = len[i];
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix, const spry_convert_options *,
                          spry_matrix *csr) {
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    ptr_t *ptr = as<ptr_t>(csr->csr.ptr);
    if (csr->rows > 0)
        widen<<<blocks_for(csr->rows, BLOCK), BLOCK, 0, context->device->stream>>>(
            csr->rows, as<idx_t>(matrix->ell.len), ptr);
    status = launched(context, "row lengths of ELL to CSR");
    if (!status)
        status = NAME(spry_cuda_scan)(context, ptr, csr->rows);
    return status ? status : NAME(spry_ell_copy_out)(context, matrix, csr);
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    counter differs(context);
    spry_status status = differs.start();
    if (!status)
        status = NAME(spry_ell_compare)(context, csr, matrix, differs.place());
    if (!status)
        status = differs.same_pattern();
    if (status)
        return status;
    return NAME(spry_ell_take_values)(context, csr, matrix);
}

extern "C" {
extern const struct spry_convert_code NAME(spry_ell_convert);
const struct spry_convert_code NAME(spry_ell_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
}

} // namespace convert_ell
