/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL-C-σ from CSR and back: rows are sorted within windows, and transposed into slices in tiles of 32 positions × 16 slots. */
#include <inttypes.h>

#include "convert/known.cuh"
#include "convert/sell_windows.cuh"
#include "convert/slice_tiles.cuh"
#include "convert/sorted.cuh"
#include "formats/sell.cuh"
#include "primitives/device.cuh"
extern "C" {
#include "analysis/work.h"
#include "convert/fill_limit.h"
#include "core/saturate.h"
}

namespace convert_sell {

static constexpr int BLOCK = 256;

/* ---- rows in order ---- */

/* Lengths of rows at their positions, and the slots of each slice. */
static __global__ void measure(slices a, const ptr_t *row_ptr, int lanes, spry_sell_findings *found) {
    measure_slices(a.count, a.height, lanes, a.ptr, &found->widths, [&](int64_t p) {
        const int64_t i = p < a.rows ? row_at(a, p) : 0,
                      length = p < a.rows ? row_ptr[i + 1] - row_ptr[i] : 0;
        a.len[p] = (idx_t)length;
        return length;
    });
}

static spry_status measure_rows(spry_context *context, const spry_matrix *csr, const spry_matrix *matrix,
                                spry_sell_findings *found) {
    const slices a = slices_of(matrix);
    const int lanes = lanes_to_measure(a.height);
    if (a.count > 0)
        measure<<<blocks_for(a.count * lanes, BLOCK), BLOCK, 0, context->device->stream>>>(
            a, as<ptr_t>(csr->csr.ptr), lanes, found);
    return launched(context, "widths of slices");
}

/* Keys by which rows are sorted, the window first and then the longest rows, and the rows themselves. */
template <class Key>
static __global__ void list_rows(int64_t rows, const ptr_t *ptr, int64_t window, int64_t longest, Key *key,
                                 idx_t *row, spry_sell_findings *found) {
    const int64_t i = thread_number();
    if (i >= rows)
        return;
    key[i] = (Key)(i / window * (longest + 1) + longest - (ptr[i + 1] - ptr[i]));
    row[i] = (idx_t)i;
    if (i % window != 0 && is_rise(ptr, i))
        found->rises = 1;
}

/* With keys of so many bytes, below `limit`. */
template <class Key>
static spry_status sort_by(spry_context *context, const spry_matrix *csr, const spry_sell *sell,
                           int64_t longest, int64_t limit, spry_sell_findings *found) {
    const int64_t rows = csr->rows;
    temporary keys(context), row(context);
    spry_status status = keys.take(2 * rows, sizeof(Key));
    if (!status)
        status = row.take(rows, sizeof(idx_t));
    if (status)
        return status;
    Key *key = static_cast<Key *>(keys.pointer);
    list_rows<<<blocks_for(rows, BLOCK), BLOCK, 0, context->device->stream>>>(
        rows, as<ptr_t>(csr->csr.ptr), sell->window, longest, key, as<idx_t>(row.pointer), found);
    status = launched(context, "listing rows by length");
    return status ? status
                  : spry_cuda_sort_pairs(context, sizeof(Key), key, key + rows, sizeof(idx_t), row.pointer,
                                         sell->perm, rows, spry_bits_for(0, limit));
}

/* The library's own window: 1 where slices of 32 are full as they are. */
static int64_t choose_window(const spry_sell *sell, const spry_features *features) {
    const int64_t slots = (int64_t)spry_slice_slots(features, WARP, 1);
    return sell->height == WARP && spry_sell_is_full(slots, features->nnz) ? 1
                                                                           : spry_sell_window(sell->height);
}

/* All rows at once, whose windows do not fit a block. */
static spry_status sort_all(spry_context *context, const spry_matrix *csr, int64_t longest,
                            const spry_sell *sell, spry_sell_findings *found) {
    const int64_t windows = spry_sell_slices(csr->rows, sell->window),
                  limit = spry_multiply_counts(windows, longest + 1);
    if (limit == INT64_MAX)
        return spry_fail(context, SPRY_ERROR_OVERFLOW,
                         "sell: %" PRId64 " windows of rows of up to %" PRId64
                         " entries are too many to be sorted",
                         windows, longest);
    return limit <= UINT32_MAX ? sort_by<uint32_t>(context, csr, sell, longest, limit, found)
                               : sort_by<uint64_t>(context, csr, sell, longest, limit, found);
}

/* The permutation, lengths and widths. */
static spry_status sort_rows(spry_context *context, const spry_matrix *csr, int64_t longest,
                             spry_sell_findings *found, spry_matrix *matrix) {
    spry_sell *sell = &matrix->sell;
    const int64_t keys = spry_sell_keys(sell->window, longest);
    spry_status status = spry_matrix_array(context, matrix, csr->rows, sizeof(idx_t), &sell->perm);
    if (status)
        return status;
    if (keys >= 1 && keys <= UINT32_MAX)
        return spry_cuda_sell_sort_windows(context, csr, longest, found, matrix);
    status = sort_all(context, csr, longest, sell, found);
    return status ? status : measure_rows(context, csr, matrix, found);
}

/* Choose the window, and sort rows unless it is known that lengths rise nowhere within one; whether they do will be known with
   the widths of slices. The longest row is left for the plan. */
static spry_status order_rows(spry_context *context, const spry_matrix *csr, spry_sell_findings *found,
                              spry_matrix *matrix) {
    spry_sell *sell = &matrix->sell;
    spry_features space;
    const spry_features *features;
    spry_status status = spry_features_of(context, csr, &space, &features);
    if (!status)
        status = spry_check_longest(context, csr->index, features->longest);
    if (status)
        return status;
    matrix->cuda.groups.longest = features->longest;
    if (sell->window == 0)
        sell->window = choose_window(sell, features);
    if (features->shortest == features->longest)
        sell->window = 1;
    return sell->window == 1 ? measure_rows(context, csr, matrix, found)
                             : sort_rows(context, csr, features->longest, found, matrix);
}

/* Sorting has left rows in their order. */
static void leave_unsorted(spry_matrix *matrix) {
    if (matrix->sell.window > 1)
        spry_matrix_drop_array(matrix, matrix->sell.perm);
    matrix->sell.perm = NULL;
    matrix->sell.window = 1;
}

/* ---- slices ---- */

/* The number of slots, and whether rows stay sorted. Waits, unless it is known of rows in their order. */
static spry_status count_slots(const spry_matrix *csr, const tally<spry_sell_findings> &counters,
                               spry_matrix *matrix) {
    spry_sell *sell = &matrix->sell;
    spry_sell_findings found;
    if (sell->window == 1 && sell->height == WARP && knows_slots(csr, &sell->slots))
        return SPRY_OK;
    spry_status status = counters.read(&found);
    if (status)
        return status;
    sell->slots = spry_multiply_counts((int64_t)found.widths, sell->height);
    if (!found.rises)
        leave_unsorted(matrix);
    return SPRY_OK;
}

/* Pointers and the number of slots, which is checked: where pointers do not hold it, they are never used. */
static spry_status cut_slices(spry_context *context, const spry_matrix *csr,
                              const spry_convert_options *options, const tally<spry_sell_findings> &counters,
                              spry_matrix *matrix) {
    spry_status status = NAME(spry_cuda_scan)(context, as<ptr_t>(matrix->sell.ptr), slices_of(matrix).count);
    if (!status)
        status = count_slots(csr, counters, matrix);
    return status ? status : spry_check_slots(context, csr, options, matrix);
}

/* ---- tiles ---- */

/* Both sides of a conversion. */
struct sides {
    slices sell;
    slice_tiles tiles;
    const ptr_t *row_ptr;
    int base;
};

static sides sides_of(const spry_matrix *csr, const spry_matrix *matrix) {
    const slices sell = slices_of(matrix);
    return {sell, slice_tiles_of(sell.count, sell.height), as<ptr_t>(csr->csr.ptr), csr->csr.base};
}

/* Entries of the row of CSR that belongs to a position. */
struct extent {
    int64_t begin, length;
};

static __device__ extent extent_at(const sides &a, int64_t position) {
    if (position >= a.sell.rows)
        return {0, 0};
    const int64_t i = row_at(a.sell, position);
    return {a.row_ptr[i], a.row_ptr[i + 1] - a.row_ptr[i]};
}

/* Where this lane is, its row, and what the tile has of that. */
struct place : slice_place {
    extent source;
    tile_row row;
    tile_shape shape;
};

/* False, for the whole warp, where there is nothing. */
static __device__ bool find_place(const sides &a, place *at) {
    if (!find_slice_place(
            a.tiles, [&](int64_t s) { return slice_begin(a.sell, s); }, at))
        return false;
    at->source = extent_at(a, at->position);
    at->row = tile_row_at(at->source.begin, at->source.length, at->column);
    at->shape = tile_shape_for(at->row);
    return true;
}

/* Entries of the row and, as far as the tile's first `wide` columns of slots go, `fill` past its end: all lanes store to one column at
   once. */
template <class T>
static __device__ void lay_out_array(const sides &a, const place &at, int64_t wide, const T *from, T *to,
                                     T fill, T *cell) {
    read_rows(from, at.row, at.shape, cell);
    for (int k = 0; k < TILE_SLOTS && k < wide; k++)
        to[slot_at(a.tiles, at, k)] = k < at.row.count ? cell[k * at.shape.pitch + lane_number()] : fill;
}

/* Fill values from those of CSR, and, unless `idx` is null, columns and the slots past the ends of rows: with zero, and with the
   row's last column. The arrays of CSR are taken to begin so much earlier that their base fits. */
static __global__ void lay_out(sides a, const idx_t *idx, const val_t *val) {
    __shared__ tile_cells cells[TILE_WARPS];
    tile_cells &cell = cells[threadIdx.x / WARP];
    place at;
    if (!find_place(a, &at))
        return;
    const int64_t wide = idx ? at.width - at.column : at.row.count;
    lay_out_array(a, at, wide, val, a.sell.val, (val_t)0, cell.val);
    if (!idx)
        return;
    const idx_t last =
        at.row.count < TILE_SLOTS && at.source.length > 0 ? idx[at.source.begin + at.source.length - 1] : 0;
    lay_out_array(a, at, wide, idx, a.sell.idx, last, cell.idx);
}

/* Compare lengths and columns; `from` are those of CSR. Rows without a tile are empty, and as both have as many entries,
   they are so in CSR too unless another row differs. */
static __global__ void compare(sides a, const idx_t *from, unsigned long long *differs) {
    __shared__ idx_t cells[TILE_WARPS][TILE_CELLS];
    idx_t *cell = cells[threadIdx.x / WARP];
    place at;
    if (!find_place(a, &at))
        return;
    read_rows(from, at.row, at.shape, cell);
    bool same = at.position >= a.sell.rows || a.sell.len[at.position] == at.source.length;
    for (int k = 0; k < at.row.count && same; k++)
        same = cell[k * at.shape.pitch + lane_number()] - a.base == a.sell.idx[slot_at(a.tiles, at, k)];
    if (!same)
        *differs = 1;
}

template <class T>
static __device__ void collect_array(const sides &a, const place &at, const T *from, T *to, T *cell) {
    for (int k = 0; k < at.row.count; k++)
        cell[k * at.shape.pitch + lane_number()] = from[slot_at(a.tiles, at, k)];
    write_rows(to, at.row, at.shape, cell);
}

/* The way back, to the arrays of CSR. */
static __global__ void collect(sides a, idx_t *idx, val_t *val) {
    __shared__ tile_cells cells[TILE_WARPS];
    tile_cells &cell = cells[threadIdx.x / WARP];
    place at;
    if (!find_place(a, &at))
        return;
    collect_array(a, at, a.sell.idx, idx, cell.idx);
    collect_array(a, at, a.sell.val, val, cell.val);
}

/* ---- from CSR ---- */

static spry_status make_slices(spry_context *context, const spry_matrix *csr,
                               const spry_convert_options *options, spry_matrix *matrix) {
    spry_sell *sell = &matrix->sell;
    const int64_t count = spry_sell_slices(matrix->rows, sell->height);
    tally<spry_sell_findings> counters(context);
    matrix->sorted = true;
    spry_status status = counters.start();
    if (!status)
        status = spry_matrix_array(context, matrix, count + 1, sizeof(ptr_t), &sell->ptr);
    if (!status)
        status = spry_matrix_array(context, matrix, count * sell->height, sizeof(idx_t), &sell->len);
    if (!status)
        status = order_rows(context, csr, counters.place(), matrix);
    return status ? status : cut_slices(context, csr, options, counters, matrix);
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    spry_sell *sell = &matrix->sell;
    spry_status status = make_slices(context, csr, options, matrix);
    if (!status)
        status = spry_matrix_entry_arrays(context, matrix, &sell->idx, &sell->val, sell->slots);
    if (status)
        return status;
    const sides a = sides_of(csr, matrix);
    lay_out<<<blocks_of_tiles(a.tiles, matrix->sell.slots), TILE_BLOCK, 0, context->device->stream>>>(
        a, as<idx_t>(csr->csr.idx), as<val_t>(csr->csr.val));
    return launched(context, "CSR to SELL");
}

/* ---- to CSR ---- */

static __global__ void list_lengths(slices a, ptr_t *length) {
    const int64_t p = thread_number();
    if (p < a.rows)
        length[row_at(a, p)] = (ptr_t)a.len[p];
}

static spry_status make_pointers(spry_context *context, const slices &a, ptr_t *ptr) {
    if (a.rows > 0)
        list_lengths<<<blocks_for(a.rows, BLOCK), BLOCK, 0, context->device->stream>>>(a, ptr);
    spry_status status = launched(context, "row lengths of SELL to CSR");
    return status ? status : NAME(spry_cuda_scan)(context, ptr, a.rows);
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix, const spry_convert_options *,
                          spry_matrix *csr) {
    cudaStream_t stream = context->device->stream;
    spry_status status = take_csr_arrays(context, matrix, csr);
    if (status)
        return status;
    const sides a = sides_of(csr, matrix);
    status = make_pointers(context, a.sell, as<ptr_t>(csr->csr.ptr));
    if (status)
        return status;
    const unsigned blocks = blocks_of_tiles(a.tiles, matrix->sell.slots);
    if (!matrix->sorted)
        return collect_sorted(context, csr, "SELL to COO", [&](idx_t *idx, val_t *val) {
            collect<<<blocks, TILE_BLOCK, 0, stream>>>(a, idx, val);
        });
    collect<<<blocks, TILE_BLOCK, 0, stream>>>(a, as<idx_t>(csr->csr.idx), as<val_t>(csr->csr.val));
    return launched(context, "SELL to CSR");
}

/* ---- new values ---- */

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    cudaStream_t stream = context->device->stream;
    counter differs(context);
    if (!matrix->sorted)
        return spry_refuse_sell_update(context);
    spry_status status = differs.start();
    if (status)
        return status;
    const sides a = sides_of(csr, matrix);
    const unsigned blocks = blocks_of_tiles(a.tiles, matrix->sell.slots);
    compare<<<blocks, TILE_BLOCK, 0, stream>>>(a, as<idx_t>(csr->csr.idx) - a.base, differs.place());
    status = launched(context, "comparing CSR with SELL");
    if (!status)
        status = differs.same_pattern();
    if (status)
        return status;
    lay_out<<<blocks, TILE_BLOCK, 0, stream>>>(a, nullptr, as<val_t>(csr->csr.val) - a.base);
    return launched(context, "values of CSR to SELL");
}

extern "C" {
extern const struct spry_convert_code NAME(spry_sell_convert);
const struct spry_convert_code NAME(spry_sell_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
}

} // namespace convert_sell
