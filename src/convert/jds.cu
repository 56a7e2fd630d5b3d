/* SPDX-License-Identifier: BSD-3-Clause */
/* JDS (Saad, "Krylov subspace methods on supercomputers", SIAM J. Sci. Stat. Comput. 10, 1989): rows are
   sorted by falling length, then transposed into diagonals in tiles of 32 sorted positions × 16 diagonals. */
#include "convert/rows_by_length.cuh"
#include "convert/tiles.cuh"
#include "cuda/find.cuh"
extern "C" {
#include "convert/fill_limit.h"
}

namespace convert_jds {

static constexpr int BLOCK = 256;

/* Both sides of a conversion. A band is 16 diagonals, and its tiles go as far as its first diagonal does. */
struct sides {
    int64_t rows, diagonals, bands, nnz;
    const ptr_t *row_ptr, *ptr;
    int base;
    const idx_t *perm;
    idx_t *idx;
    val_t *val;
};

static sides sides_of(const spry_matrix *csr, const spry_matrix *matrix) {
    const spry_jds *jds = &matrix->jds;
    int64_t bands = (jds->diagonals + TILE_SLOTS - 1) / TILE_SLOTS;
    return {matrix->rows,       jds->diagonals,          bands,
            matrix->nnz,        as<ptr_t>(csr->csr.ptr), as<ptr_t>(jds->ptr),
            csr->csr.base,      as<idx_t>(jds->perm),    as<idx_t>(jds->idx),
            as<val_t>(jds->val)};
}

/* Sorted positions that diagonal d reaches. */
static __device__ int64_t reach_of(const sides &a, int64_t d) {
    return a.ptr[d + 1] - a.ptr[d];
}

/* ---- tiles ---- */

static __host__ __device__ int64_t groups_of(const sides &a) {
    return (a.rows + WARP - 1) / WARP;
}

/* The number of a band's first tile. No diagonal of the band before reaches less far than this band does, so that the entries of
   that one leave room for its tiles, and some numbers to spare: they need not be counted. */
static __device__ int64_t first_tile(const sides &a, int64_t band) {
    return band == 0 ? 0 : groups_of(a) + a.ptr[(band - 1) * TILE_SLOTS] / (WARP * TILE_SLOTS) + band;
}

/* Blocks that have a warp for each tile, and each number that is spared: one at least. */
static unsigned blocks_of_tiles(const sides &a) {
    return blocks_for(groups_of(a) + a.nnz / (WARP * TILE_SLOTS) + a.bands + 1, TILE_WARPS);
}

/* Where this lane is: a sorted position, which may be past the last, the tile's first diagonal, and what the tile has of the
   row. */
struct place {
    int64_t position, diagonal;
    tile_row row;
    tile_shape shape;
};

static __device__ tile_row row_at(const sides &a, int64_t position, int64_t diagonal) {
    if (position >= a.rows)
        return {0, 0};
    const int64_t i = a.perm[position];
    return tile_row_at(a.row_ptr[i], a.row_ptr[i + 1] - a.row_ptr[i], diagonal);
}

/* False, for the whole warp, past the last position. */
static __device__ bool find_place(const sides &a, place *at) {
    const int64_t tile = tile_number();
    const int64_t band = find_unit(a.bands, tile, [&](int64_t b) { return first_tile(a, b); }),
                  group = tile - first_tile(a, band), position = group * WARP + lane_number(),
                  diagonal = band * TILE_SLOTS;
    const tile_row row = row_at(a, position, diagonal);
    *at = {position, diagonal, row, tile_shape_for(row)};
    return group < groups_of(a);
}

template <class T>
static __device__ void lay_out_array(const sides &a, const place &at, const T *from, T *to, T *cell) {
    read_rows(from, at.row, at.shape, cell);
    for (int k = 0; k < at.row.count; k++)
        to[a.ptr[at.diagonal + k] + at.position] = cell[k * at.shape.pitch + lane_number()];
}

/* Fill values and, unless `idx` is null, columns from those of CSR, which are taken to begin so much earlier that their base
   fits. */
static __global__ void lay_out(sides a, const idx_t *idx, const val_t *val) {
    await_earlier();
    __shared__ tile_cells cells[TILE_WARPS];
    tile_cells &cell = cells[threadIdx.x / WARP];
    place at;
    if (!find_place(a, &at))
        return;
    if (idx)
        lay_out_array(a, at, idx, a.idx, cell.idx);
    lay_out_array(a, at, val, a.val, cell.val);
}

/* Whether CSR, whose columns `from` are, has each entry of the diagonals. It has no more, as there are as
   many. */
static __global__ void compare(sides a, const idx_t *from, unsigned long long *differs) {
    __shared__ idx_t cells[TILE_WARPS][TILE_CELLS];
    idx_t *cell = cells[threadIdx.x / WARP];
    place at;
    if (!find_place(a, &at))
        return;
    read_rows(from, at.row, at.shape, cell);
    bool same = true;
    for (int k = 0; k < TILE_SLOTS && at.diagonal + k < a.diagonals; k++)
        if (at.position < reach_of(a, at.diagonal + k))
            same &= k < at.row.count && cell[k * at.shape.pitch + lane_number()] - a.base ==
                                            a.idx[a.ptr[at.diagonal + k] + at.position];
    if (!same)
        *differs = 1;
}

template <class T>
static __device__ void collect_array(const sides &a, const place &at, const T *from, T *to, T *cell) {
    for (int k = 0; k < at.row.count; k++)
        cell[k * at.shape.pitch + lane_number()] = from[a.ptr[at.diagonal + k] + at.position];
    write_rows(to, at.row, at.shape, cell);
}

/* The way back, to the arrays of CSR. */
static __global__ void collect(sides a, idx_t *idx, val_t *val) {
    __shared__ tile_cells cells[TILE_WARPS];
    tile_cells &cell = cells[threadIdx.x / WARP];
    place at;
    if (!find_place(a, &at))
        return;
    collect_array(a, at, a.idx, idx, cell.idx);
    collect_array(a, at, a.val, val, cell.val);
}

/* ---- from CSR ---- */

/* Diagonal d has an entry of every row longer than d, which stand first: p of them, where the row at sorted position p is the
   first that is no longer. */
static __global__ void count_reach(int64_t rows, const idx_t *key, int64_t longest, ptr_t *reach) {
    await_earlier();
    const int64_t p = thread_number();
    int64_t begin = 0, end = 0;
    if (p <= rows) {
        begin = p == rows ? 0 : longest - key[p];
        end = p == 0 ? longest : longest - key[p - 1];
    }
    fill_runs(reach, begin, end, (ptr_t)p);
}

/* Rows that are all as long stay in their order. */
static __global__ void keep_order(int64_t rows, int64_t length, idx_t *perm, ptr_t *ptr) {
    const int64_t k = thread_number();
    if (k < rows)
        perm[k] = (idx_t)k;
    if (k <= length)
        ptr[k] = (ptr_t)(k * rows);
}

/* Permutation and diagonal pointers. */
static spry_status arrange(spry_context *context, const spry_matrix *csr, const spry_jds *jds) {
    const int64_t rows = csr->rows, longest = jds->diagonals;
    const cudaStream_t stream = context->device->stream;
    idx_t *perm = as<idx_t>(jds->perm);
    ptr_t *ptr = as<ptr_t>(jds->ptr);
    temporary keys(context);
    if (longest == known_shortest(csr)) {
        keep_order<<<blocks_for(std::max(rows, longest + 1), BLOCK), BLOCK, 0, stream>>>(rows, longest, perm,
                                                                                         ptr);
        return launched(context, "rows of one length for JDS");
    }
    spry_status status = keys.take(rows, sizeof(idx_t));
    idx_t *key = as<idx_t>(keys.pointer);
    if (!status)
        status = sort_rows_by_length(context, csr, longest, {key, perm});
    if (status)
        return status;
    launch_early(context, blocks_for(rows + 1, BLOCK), BLOCK, count_reach, rows, key, longest, ptr);
    status = launched(context, "lengths of diagonals");
    return status ? status : NAME(spry_cuda_scan)(context, ptr, longest);
}

/* Room for the permutation and the pointers. */
static spry_status make_order(spry_context *context, const spry_matrix *csr, spry_matrix *matrix) {
    spry_jds *jds = &matrix->jds;
    spry_status status = find_longest_row(context, csr, &jds->diagonals);
    if (!status)
        status = spry_check_longest(context, csr->index, jds->diagonals);
    if (!status)
        status = spry_matrix_array(context, matrix, matrix->rows, sizeof(idx_t), &jds->perm);
    return status ? status : spry_matrix_array(context, matrix, jds->diagonals + 1, sizeof(ptr_t), &jds->ptr);
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr, const spry_convert_options *,
                            spry_matrix *matrix) {
    spry_jds *jds = &matrix->jds;
    spry_status status = make_order(context, csr, matrix);
    if (!status)
        status = arrange(context, csr, jds);
    if (!status) /* while the device sorts */
        status = spry_matrix_entry_arrays(context, matrix, &jds->idx, &jds->val, matrix->nnz);
    if (status)
        return status;
    const sides a = sides_of(csr, matrix);
    launch_early(context, blocks_of_tiles(a), TILE_BLOCK, lay_out, a, as<idx_t>(csr->csr.idx),
                 as<val_t>(csr->csr.val));
    return launched(context, "CSR to JDS");
}

/* ---- to CSR ---- */

/* The row at a sorted position is as long as there are diagonals that reach past it. */
static __global__ void measure(sides a, ptr_t *length) {
    int64_t position = thread_number(), low = 0, high = a.diagonals;
    if (position >= a.rows)
        return;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (reach_of(a, middle) > position)
            low = middle + 1;
        else
            high = middle;
    }
    length[a.perm[position]] = (ptr_t)low;
}

static spry_status make_pointers(spry_context *context, const sides &a, ptr_t *ptr) {
    if (a.rows > 0)
        measure<<<blocks_for(a.rows, BLOCK), BLOCK, 0, context->device->stream>>>(a, ptr);
    spry_status status = launched(context, "row lengths of JDS to CSR");
    return status ? status : NAME(spry_cuda_scan)(context, ptr, a.rows);
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix, const spry_convert_options *,
                          spry_matrix *csr) {
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    const sides a = sides_of(csr, matrix);
    status = make_pointers(context, a, as<ptr_t>(csr->csr.ptr));
    if (status)
        return status;
    collect<<<blocks_of_tiles(a), TILE_BLOCK, 0, context->device->stream>>>(a, as<idx_t>(csr->csr.idx),
                                                                            as<val_t>(csr->csr.val));
    return launched(context, "JDS to CSR");
}

/* ---- new values ---- */

static spry_status compare_patterns(spry_context *context, const spry_matrix *csr, const sides &a) {
    counter differs(context);
    spry_status status = differs.start();
    if (status)
        return status;
    compare<<<blocks_of_tiles(a), TILE_BLOCK, 0, context->device->stream>>>(
        a, as<idx_t>(csr->csr.idx) - a.base, differs.place());
    status = launched(context, "comparing CSR with JDS");
    if (!status)
        status = differs.same_pattern();
    return status;
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const sides a = sides_of(csr, matrix);
    spry_status status = compare_patterns(context, csr, a);
    if (status)
        return status;
    launch_early(context, blocks_of_tiles(a), TILE_BLOCK, lay_out, a, nullptr,
                 as<val_t>(csr->csr.val) - a.base);
    return launched(context, "values of CSR to JDS");
}

extern "C" {
extern const struct spry_convert_code NAME(spry_jds_convert);
const struct spry_convert_code NAME(spry_jds_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
}

} // namespace convert_jds
