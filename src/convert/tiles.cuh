/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of CSR transposed into columns of slots and back, a tile of 32 rows × 16 slots a warp. A tile passes
   through shared memory, so that both sides are read and written in runs: rows by lanes side by side, columns
   by a lane a row. */
#ifndef SPRY_TILES_CUH
#define SPRY_TILES_CUH

#include "cuda/kernel.cuh"

static constexpr int TILE_SLOTS = 16;
static constexpr int TILE_CELLS = WARP * (TILE_SLOTS + 1);
static constexpr int TILE_WARPS = 4;
static constexpr int TILE_BLOCK = TILE_WARPS * WARP;

/* What a tile has of this lane's row: entries of CSR from `first` on, TILE_SLOTS at most. */
struct tile_row {
    int64_t first;
    int count;
};

/* `lanes` lanes go along a row, a power of two and no more than the longest of the 32 rows needs. Entry k of
   row r is in cell k * pitch + r; the pitch keeps the lanes of both directions in different banks. */
struct tile_shape {
    int lanes, pitch;
};

/* A warp's cells, which one array after the other passes through. */
union tile_cells {
    idx_t idx[TILE_CELLS];
    val_t val[TILE_CELLS];
};

/* Number of this warp in the grid. */
static __device__ inline int64_t tile_number() {
    return (int64_t)blockIdx.x * TILE_WARPS + threadIdx.x / WARP;
}

/* The part of a row that is in the TILE_SLOTS slots past `skip`. */
static __device__ inline tile_row tile_row_at(int64_t begin, int64_t length, int64_t skip) {
    int64_t left = length - skip;
    return {begin + skip, (int)(left < 0 ? 0 : left < TILE_SLOTS ? left : TILE_SLOTS)};
}

static __device__ inline tile_shape tile_shape_for(tile_row row) {
    int most = __reduce_max_sync(ALL_LANES, row.count);
    int lanes = most <= 1 ? 1 : 1 << (WARP - __clz(most - 1));
    return {lanes, WARP + WARP / lanes};
}

/* Rows that a lane asks for before it waits for the first of them. */
static constexpr int TILE_BATCH = 8;

/* Fill the cells, which this warp has done with, from the rows of an array of CSR. The whole warp calls it. */
template <class T>
static __device__ inline void read_rows(const T *from, tile_row row, tile_shape shape, T *cell) {
    int k = lane_number() % shape.lanes, step = WARP / shape.lanes;
    __syncwarp();
    for (int r = lane_number() / shape.lanes; r < WARP; r += TILE_BATCH * step) {
        T value[TILE_BATCH];
        for (int b = 0; b < TILE_BATCH; b++) {
            int64_t first = __shfl_sync(ALL_LANES, row.first, r + b * step);
            int count = __shfl_sync(ALL_LANES, row.count, r + b * step);
            value[b] = r + b * step < WARP && k < count ? from[first + k] : 0;
        }
        for (int b = 0; b < TILE_BATCH && r + b * step < WARP; b++)
            cell[k * shape.pitch + r + b * step] = value[b];
    }
    __syncwarp();
}

/* Write the cells, which this warp has filled, to the rows of an array of CSR. The whole warp calls it. */
template <class T>
static __device__ inline void write_rows(T *to, tile_row row, tile_shape shape, const T *cell) {
    int k = lane_number() % shape.lanes, step = WARP / shape.lanes;
    __syncwarp();
    for (int r = lane_number() / shape.lanes; r < WARP; r += step) {
        int64_t first = __shfl_sync(ALL_LANES, row.first, r);
        int count = __shfl_sync(ALL_LANES, row.count, r);
        if (k < count)
            to[first + k] = cell[k * shape.pitch + r];
    }
    __syncwarp();
}

#endif
