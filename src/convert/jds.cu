/* SPDX-License-Identifier: BSD-3-Clause */
/* JDS (Saad, "Krylov subspace methods on supercomputers", SIAM J. Sci. Stat. Comput. 10, 1989): rows are
   sorted by falling length, then transposed into diagonals in tiles of 32 sorted positions × 16 diagonals. */
#include "convert/tiles.cuh"
#include "primitives/device.cuh"
extern "C" {
#include "convert/fill_limit.h"
}

#define BLOCK 256

/* Both sides of a conversion, and the tiles that have entries: a band is 16 diagonals, and its tiles go as
   far as its first diagonal does. start[b] tiles are in the bands before band b. */
struct sides {
    int64_t rows, diagonals, bands, nnz;
    const ptr_t *row_ptr, *ptr;
    ptr_t *start;
    int base;
    const idx_t *perm;
    idx_t *idx;
    val_t *val;
};

/* `start` is not there yet. */
static sides sides_of(const spry_matrix *csr, const spry_matrix *matrix) {
    const spry_jds *jds = &matrix->jds;
    int64_t bands = (jds->diagonals + TILE_SLOTS - 1) / TILE_SLOTS;
    return {matrix->rows,        jds->diagonals, bands,         matrix->nnz,          as<ptr_t>(csr->csr.ptr),
            as<ptr_t>(jds->ptr), nullptr,        csr->csr.base, as<idx_t>(jds->perm), as<idx_t>(jds->idx),
            as<val_t>(jds->val)};
}

/* Sorted positions that diagonal d reaches. */
static __device__ int64_t reach_of(const sides &a, int64_t d) {
    return a.ptr[d + 1] - a.ptr[d];
}

/* ---- tiles ---- */

static __global__ void count_tiles(sides a) {
    int64_t band = thread_number();
    if (band < a.bands)
        a.start[band] = (ptr_t)((reach_of(a, band * TILE_SLOTS) + WARP - 1) / WARP);
}

/* Number the tiles of a matrix whose permutation and diagonal pointers are complete. `start` is the memory
   for it. */
static spry_status open_tiles(spry_context *context, const spry_matrix *csr, const spry_matrix *matrix,
                              temporary *start, sides *a) {
    *a = sides_of(csr, matrix);
    spry_status status = start->take(a->bands + 1, sizeof(ptr_t));
    if (status)
        return status;
    a->start = as<ptr_t>(start->pointer);
    if (a->bands > 0)
        count_tiles<<<blocks_for(a->bands, BLOCK), BLOCK, 0, context->device->stream>>>(*a);
    status = launched(context, "counting tiles of JDS");
    return status ? status : NAME(spry_cuda_scan)(context, a->start, a->bands);
}

/* Blocks that have a warp for each tile. How many tiles there are is known to the device alone, but each band
   after the first is no wider than any diagonal of the band before: so they are no more than this. */
static unsigned blocks_of_tiles(const sides &a) {
    return blocks_for(a.bands + (a.rows + a.nnz / TILE_SLOTS) / WARP + 1, TILE_WARPS);
}

/* Where this lane is: a sorted position, which may be past the last, and the tile's first diagonal. */
struct place {
    int64_t position, diagonal;
};

/* False, for the whole warp, past the last tile. */
static __device__ bool find_place(const sides &a, place *at) {
    int64_t tile = tile_number(), low = 0, high = a.bands;
    if (tile >= a.start[a.bands])
        return false;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (a.start[middle] <= tile)
            low = middle;
        else
            high = middle;
    }
    *at = {(tile - a.start[low]) * WARP + lane_number(), low * TILE_SLOTS};
    return true;
}

static __device__ tile_row row_at(const sides &a, place at) {
    if (at.position >= a.rows)
        return {0, 0};
    int64_t i = a.perm[at.position];
    return tile_row_at(a.row_ptr[i], a.row_ptr[i + 1] - a.row_ptr[i], at.diagonal);
}

/* Fill one array from that of CSR, which is taken to begin so much earlier that its base fits. */
template <class T>
static __global__ void lay_out(sides a, const T *from, T *to) {
    __shared__ T cells[TILE_WARPS][TILE_CELLS];
    T *cell = cells[threadIdx.x / WARP];
    place at;
    if (!find_place(a, &at))
        return;
    tile_row row = row_at(a, at);
    tile_shape shape = tile_shape_for(row);
    read_rows(from, row, shape, cell);
    for (int k = 0; k < row.count; k++)
        to[a.ptr[at.diagonal + k] + at.position] = cell[k * shape.pitch + lane_number()];
}

/* Whether CSR, whose columns `from` are, has each entry of the diagonals. It has no more, as there are as
   many. */
static __global__ void compare(sides a, const idx_t *from, unsigned long long *differs) {
    __shared__ idx_t cells[TILE_WARPS][TILE_CELLS];
    idx_t *cell = cells[threadIdx.x / WARP];
    place at;
    if (!find_place(a, &at))
        return;
    tile_row row = row_at(a, at);
    tile_shape shape = tile_shape_for(row);
    read_rows(from, row, shape, cell);
    bool same = true;
    for (int k = 0; k < TILE_SLOTS && at.diagonal + k < a.diagonals; k++)
        if (at.position < reach_of(a, at.diagonal + k))
            same &= k < row.count && cell[k * shape.pitch + lane_number()] - a.base ==
                                         a.idx[a.ptr[at.diagonal + k] + at.position];
    if (!same)
        *differs = 1;
}

/* The way back for one array. */
template <class T>
static __global__ void collect(sides a, const T *from, T *to) {
    __shared__ T cells[TILE_WARPS][TILE_CELLS];
    T *cell = cells[threadIdx.x / WARP];
    place at;
    if (!find_place(a, &at))
        return;
    tile_row row = row_at(a, at);
    tile_shape shape = tile_shape_for(row);
    for (int k = 0; k < row.count; k++)
        cell[k * shape.pitch + lane_number()] = from[a.ptr[at.diagonal + k] + at.position];
    write_rows(to, row, shape, cell);
}

static spry_status take_values(spry_context *context, const spry_matrix *csr, const sides &a) {
    lay_out<<<blocks_of_tiles(a), TILE_BLOCK, 0, context->device->stream>>>(
        a, as<val_t>(csr->csr.val) - a.base, a.val);
    return launched(context, "values of CSR to JDS");
}

/* ---- from CSR ---- */

/* Keys by which rows are sorted, and the rows themselves. */
static __global__ void list_rows(int64_t rows, const ptr_t *ptr, int64_t longest, idx_t *falling,
                                 idx_t *row) {
    int64_t i = thread_number();
    if (i >= rows)
        return;
    falling[i] = (idx_t)(longest - (ptr[i + 1] - ptr[i]));
    row[i] = (idx_t)i;
}

/* Diagonal d has an entry of every row longer than d: those with falling < longest - d, which stand first. */
static __global__ void count_reach(int64_t rows, const idx_t *falling, int64_t longest, ptr_t *reach) {
    int64_t d = thread_number(), low = 0, high = rows;
    if (d >= longest)
        return;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (falling[middle] < longest - d)
            low = middle + 1;
        else
            high = middle;
    }
    reach[d] = (ptr_t)low;
}

/* Permutation and diagonal pointers. */
static spry_status arrange(spry_context *context, const spry_matrix *csr, const spry_jds *jds) {
    int64_t rows = csr->rows, longest = jds->diagonals;
    cudaStream_t stream = context->device->stream;
    temporary work(context);
    spry_status status = work.take(3 * rows, sizeof(idx_t));
    if (status)
        return status;
    idx_t *falling = as<idx_t>(work.pointer), *sorted = falling + rows, *row = sorted + rows;
    if (rows > 0)
        list_rows<<<blocks_for(rows, BLOCK), BLOCK, 0, stream>>>(rows, as<ptr_t>(csr->csr.ptr), longest,
                                                                 falling, row);
    status = launched(context, "row lengths for JDS");
    if (!status)
        status = NAME(spry_cuda_sort)(context, falling, sorted, row, as<idx_t>(jds->perm), rows, longest + 1);
    if (status)
        return status;
    if (longest > 0)
        count_reach<<<blocks_for(longest, BLOCK), BLOCK, 0, stream>>>(rows, sorted, longest,
                                                                      as<ptr_t>(jds->ptr));
    status = launched(context, "lengths of diagonals");
    return status ? status : NAME(spry_cuda_scan)(context, as<ptr_t>(jds->ptr), longest);
}

static spry_status make_arrays(spry_context *context, const spry_matrix *csr, spry_matrix *matrix) {
    spry_jds *jds = &matrix->jds;
    spry_status status =
        NAME(spry_cuda_longest)(context, as<ptr_t>(csr->csr.ptr), csr->rows, &jds->diagonals);
    if (!status)
        status = spry_check_longest(context, csr->index, jds->diagonals);
    if (!status)
        status = spry_matrix_array(context, matrix, matrix->rows, sizeof(idx_t), &jds->perm);
    if (!status)
        status = spry_matrix_array(context, matrix, jds->diagonals + 1, sizeof(ptr_t), &jds->ptr);
    return status ? status : spry_matrix_entry_arrays(context, matrix, &jds->idx, &jds->val, matrix->nnz);
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr, const spry_convert_options *,
                            spry_matrix *matrix) {
    temporary start(context);
    sides a;
    spry_status status = make_arrays(context, csr, matrix);
    if (!status)
        status = arrange(context, csr, &matrix->jds);
    if (!status)
        status = open_tiles(context, csr, matrix, &start, &a);
    if (status)
        return status;
    lay_out<<<blocks_of_tiles(a), TILE_BLOCK, 0, context->device->stream>>>(a, as<idx_t>(csr->csr.idx),
                                                                            a.idx);
    status = launched(context, "columns of CSR to JDS");
    return status ? status : take_values(context, csr, a);
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
    temporary start(context);
    sides a;
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (!status)
        status = make_pointers(context, sides_of(csr, matrix), as<ptr_t>(csr->csr.ptr));
    if (!status)
        status = open_tiles(context, csr, matrix, &start, &a);
    if (status)
        return status;
    cudaStream_t stream = context->device->stream;
    collect<<<blocks_of_tiles(a), TILE_BLOCK, 0, stream>>>(a, a.idx, as<idx_t>(csr->csr.idx));
    collect<<<blocks_of_tiles(a), TILE_BLOCK, 0, stream>>>(a, a.val, as<val_t>(csr->csr.val));
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
    temporary start(context);
    sides a;
    spry_status status = open_tiles(context, csr, matrix, &start, &a);
    if (!status)
        status = compare_patterns(context, csr, a);
    return status ? status : take_values(context, csr, a);
}

extern "C" {
extern const struct spry_convert_code NAME(spry_jds_convert);
const struct spry_convert_code NAME(spry_jds_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
}
