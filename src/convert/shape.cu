/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes from CSR and back on a device: rows that are alike are found as for stencils, and values are transposed into slices. */
#include "convert/kinds.cuh"
#include "convert/slice_tiles.cuh"
#include "formats/shape.cuh"
#include "primitives/device.cuh"

extern "C" {
#include "convert/fill_limit.h"
#include "core/saturate.h"
}

namespace convert_shape {

static constexpr int BLOCK = 256;

/* ---- slices ---- */

static __global__ void measure(shapes a, const ptr_t *row_ptr, int lanes, unsigned long long *widths) {
    measure_slices(a.slices, a.height, lanes, a.first, widths, [&](int64_t row) -> int64_t {
        return row < a.rows ? row_ptr[row + 1] - row_ptr[row] : 0;
    });
}

/* Pointers and the number of slots, which is checked. Waits. */
static spry_status cut_slices(spry_context *context, const spry_matrix *csr,
                              const spry_convert_options *options, spry_matrix *matrix) {
    const shapes a = shapes_of(matrix);
    const int lanes = lanes_to_measure(a.height);
    int64_t total = 0;
    counter widths(context);
    spry_status status = widths.start();
    if (status)
        return status;
    if (a.slices > 0)
        measure<<<blocks_for(a.slices * lanes, BLOCK), BLOCK, 0, context->device->stream>>>(
            a, as<ptr_t>(csr->csr.ptr), lanes, widths.place());
    status = launched(context, "widths of slices");
    if (!status)
        status = widths.read(&total);
    if (status)
        return status;
    matrix->shape.slots = spry_multiply_counts(total, a.height);
    status = spry_check_slots(context, csr, options, matrix);
    return status ? status : NAME(spry_cuda_scan)(context, a.first, a.slices);
}

/* ---- values ---- */

/* Both sides of a conversion. */
struct sides {
    shapes shape;
    slice_tiles tiles;
    const ptr_t *row_ptr;
};

static sides sides_of(const spry_matrix *csr, const spry_matrix *matrix) {
    const shapes shape = shapes_of(matrix);
    return {shape, slice_tiles_of(shape.slices, shape.height), as<ptr_t>(csr->csr.ptr)};
}

/* Where this lane is, with a row or past the last one, and what the tile has of the row. */
struct place : slice_place {
    tile_row row;
    tile_shape shape;
};

/* False, for the whole warp, where there is nothing. */
static __device__ bool find_place(const sides &a, place *at) {
    if (!find_slice_place(
            a.tiles, [&](int64_t s) { return (int64_t)a.shape.first[s]; }, at))
        return false;
    const int64_t i = at->position;
    at->row = i < a.shape.rows ? tile_row_at(a.row_ptr[i], a.row_ptr[i + 1] - a.row_ptr[i], at->column)
                               : tile_row{0, 0};
    at->shape = tile_shape_for(at->row);
    return true;
}

/* Fill the slots from the values of CSR, which are taken to begin so much earlier that its base fits. */
static __global__ void __launch_bounds__(TILE_BLOCK) lay_out(sides a, const val_t *from) {
    __shared__ val_t cells[TILE_WARPS][TILE_CELLS];
    val_t *cell = cells[threadIdx.x / WARP];
    place at;
    if (!find_place(a, &at))
        return;
    read_rows(from, at.row, at.shape, cell);
    for (int k = 0; k < TILE_SLOTS && at.column + k < at.width; k++)
        a.shape.own[slot_at(a.tiles, at, k)] =
            k < at.row.count ? cell[k * at.shape.pitch + lane_number()] : 0;
}

/* The way back, columns and values. */
static __global__ void __launch_bounds__(TILE_BLOCK) collect(sides a, idx_t *idx, val_t *val) {
    __shared__ idx_t columns[TILE_WARPS][TILE_CELLS];
    __shared__ val_t values[TILE_WARPS][TILE_CELLS];
    idx_t *column = columns[threadIdx.x / WARP];
    val_t *value = values[threadIdx.x / WARP];
    place at;
    if (!find_place(a, &at))
        return;
    const idx_t *offset =
        a.shape.offset + (at.row.count > 0 ? a.shape.ptr[number_of(a.shape, at.position)] + at.column : 0);
    for (int k = 0; k < at.row.count; k++) {
        column[k * at.shape.pitch + lane_number()] = (idx_t)(at.position + offset[k]);
        value[k * at.shape.pitch + lane_number()] = a.shape.own[slot_at(a.tiles, at, k)];
    }
    write_rows(idx, at.row, at.shape, column);
    write_rows(val, at.row, at.shape, value);
}

static spry_status fill(spry_context *context, const spry_matrix *csr, const spry_matrix *matrix) {
    const sides a = sides_of(csr, matrix);
    lay_out<<<blocks_of_tiles(a.tiles, matrix->shape.slots), TILE_BLOCK, 0, context->device->stream>>>(
        a, as<val_t>(csr->csr.val) - csr->csr.base);
    return launched(context, "values of CSR to shapes");
}

/* ---- from CSR and back ---- */

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    spry_shape *shape = &matrix->shape;
    const int64_t slices = spry_sell_slices(matrix->rows, shape->height);
    matrix->sorted = true;
    spry_status status = NAME(spry_cuda_make_kinds)(context, csr, false, matrix);
    if (!status)
        status = spry_matrix_array(context, matrix, slices + 1, sizeof(ptr_t), &shape->first);
    if (!status)
        status = cut_slices(context, csr, options, matrix);
    if (!status)
        status = spry_matrix_array(context, matrix, shape->slots, sizeof(val_t), &shape->val);
    return status ? status : fill(context, csr, matrix);
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix, const spry_convert_options *,
                          spry_matrix *csr) {
    spry_status status = NAME(spry_cuda_kind_pointers)(context, matrix, csr);
    if (status)
        return status;
    const sides a = sides_of(csr, matrix);
    collect<<<blocks_of_tiles(a.tiles, matrix->shape.slots), TILE_BLOCK, 0, context->device->stream>>>(
        a, as<idx_t>(csr->csr.idx), as<val_t>(csr->csr.val));
    return launched(context, "shapes to CSR");
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    spry_status status = NAME(spry_cuda_compare_kinds)(context, csr, matrix);
    return status ? status : fill(context, csr, matrix);
}

extern "C" {
extern const struct spry_convert_code NAME(spry_shape_convert);
const struct spry_convert_code NAME(spry_shape_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
}

} // namespace convert_shape
