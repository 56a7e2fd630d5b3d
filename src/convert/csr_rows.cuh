/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of CSR, compared by offset and value: a lane a row, a warp 32 of them. Short rows pass through shared memory, a tile at a
   time; long ones are walked along by all lanes of a warp together. */
#ifndef SPRY_CSR_ROWS_CUH
#define SPRY_CSR_ROWS_CUH

#include "convert/tiles.cuh"
#include "formats/stencil.cuh"

extern "C" {
#include "analysis/features.h"
}

/* Values are compared by their bits. */
#if SPRY_TMPL_TYPE == 32
typedef uint32_t bits_t;
#else
typedef uint64_t bits_t;
#endif

/* Rows of more entries are walked along by all lanes of a warp together. */
static constexpr int LONGEST_ALONE = 64;

/* Entries are taken to begin so much earlier that the base fits. Where offsets alone count, there are no values and each is 0. */
struct csr_rows {
    int64_t count, longest;
    int base;
    const ptr_t *ptr;
    const idx_t *idx;
    const bits_t *val;
};

/* Where it is not known how long rows are, some may be long. */
static inline csr_rows csr_rows_of(const spry_matrix *csr, bool with_values) {
    const int base = csr->csr.base;
    return {csr->rows,
            csr->features ? csr->features->longest : LONGEST_ALONE + 1,
            base,
            as<ptr_t>(csr->csr.ptr),
            as<idx_t>(csr->csr.idx) - base,
            with_values ? as<bits_t>(csr->csr.val) - base : nullptr};
}

/* Groups of 32 rows, a warp each. */
static inline int64_t groups_of(int64_t rows) {
    return (rows + WARP - 1) / WARP;
}

/* A row; past the last one, one without entries. */
struct csr_row {
    int64_t row, begin, length;
};

static __device__ inline csr_row row_at(const csr_rows &a, int64_t row) {
    if (row >= a.count)
        return {row, 0, 0};
    return {row, a.ptr[row], a.ptr[row + 1] - a.ptr[row]};
}

/* This lane's row. */
static __device__ inline csr_row own_row(const csr_rows &a) {
    return row_at(a, tile_number() * WARP + lane_number());
}

static __device__ inline csr_row row_of_lane(const csr_row &own, int lane) {
    return {__shfl_sync(ALL_LANES, own.row, lane), __shfl_sync(ALL_LANES, own.begin, lane),
            __shfl_sync(ALL_LANES, own.length, lane)};
}

static __device__ inline idx_t offset_at(const csr_rows &a, const csr_row &row, int64_t k) {
    return (idx_t)(a.idx[row.begin + k] - a.base - row.row);
}

static __device__ inline bits_t value_at(const csr_rows &a, const csr_row &row, int64_t k) {
    return a.val ? a.val[row.begin + k] : 0;
}

/* Entries of 32 rows on their way between CSR and the lanes that the rows belong to. */
struct row_tile {
    idx_t column[TILE_CELLS];
    bits_t value[TILE_CELLS];
};

static __device__ inline bool is_long(const csr_row &row) {
    return row.length > LONGEST_ALONE;
}

/* Call each(k, offset, value, is_there) for the entries of the short rows that take part: in all lanes at once, for entry k of
   their rows, which some may not have. */
template <class Each>
static __device__ inline void walk_short(const csr_rows &a, const csr_row &own, bool takes_part,
                                         row_tile &tile, Each each) {
    const int64_t length = takes_part && !is_long(own) ? own.length : 0;
    for (int64_t skip = 0; __any_sync(ALL_LANES, skip < length); skip += TILE_SLOTS) {
        const tile_row part = tile_row_at(own.begin, length, skip);
        const tile_shape shape = tile_shape_for(part);
        __syncwarp();
        read_rows(a.idx, part, shape, tile.column);
        if (a.val)
            read_rows(a.val, part, shape, tile.value);
        for (int k = 0; k < shape.lanes; k++) {
            const int at = k * shape.pitch + lane_number();
            each(skip + k, (idx_t)(tile.column[at] - a.base - own.row), a.val ? tile.value[at] : 0,
                 k < part.count);
        }
    }
}

/* Call each(row, lane) in all lanes for each long row that takes part, and the lane that it belongs to. */
template <class Each>
static __device__ inline void each_long(const csr_row &own, bool takes_part, Each each) {
    for (unsigned left = __ballot_sync(ALL_LANES, takes_part && is_long(own)); left; left &= left - 1) {
        const int lane = __ffs(left) - 1;
        each(row_of_lane(own, lane), lane);
    }
}

/* Entries of a long row that a lane asks for before it waits for the first of them. */
static constexpr int LONG_BATCH = 8;
static constexpr int LONG_STEP = LONG_BATCH * WARP;

/* Blocks side by side in y share long rows: as many as the longest has use for, and hardly more blocks altogether than a device
   has use for. */
static inline dim3 blocks_for_rows(int64_t rows, int64_t longest) {
    const unsigned blocks = blocks_for(groups_of(rows), TILE_WARPS);
    const int64_t wanted = longest / (4 * LONG_STEP) + 1, most = (1 << 16) / ((int64_t)blocks + 1);
    return {blocks, (unsigned)(wanted < most ? wanted : most > 1 ? most : 1)};
}

/* The first of those sees to all but long rows. */
static __device__ inline bool is_first_part() {
    return blockIdx.y == 0;
}

/* Whether there is something for this warp. */
static __device__ inline bool has_work(const csr_row &own) {
    return is_first_part() || __any_sync(ALL_LANES, is_long(own));
}

/* Call each(k, offset, value) for this lane's entries of a row that all lanes of a warp in each part walk along: every 32nd of the
   part's. */
template <class Each>
static __device__ inline void walk_long(const csr_rows &a, const csr_row &row, Each each) {
    for (int64_t k = (int64_t)blockIdx.y * LONG_STEP + lane_number(); k < row.length;
         k += (int64_t)gridDim.y * LONG_STEP) {
        idx_t offset[LONG_BATCH];
        bits_t value[LONG_BATCH];
#pragma unroll
        for (int b = 0; b < LONG_BATCH; b++)
            if (k + b * WARP < row.length) {
                offset[b] = offset_at(a, row, k + b * WARP);
                value[b] = value_at(a, row, k + b * WARP);
            }
#pragma unroll
        for (int b = 0; b < LONG_BATCH; b++)
            if (k + b * WARP < row.length)
                each(k + b * WARP, offset[b], value[b]);
    }
}

#endif
