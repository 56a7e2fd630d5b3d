/* SPDX-License-Identifier: BSD-3-Clause */
/* BSR on a device: what its kernel and its plan share. */
#ifndef SPRY_BSR_CUH
#define SPRY_BSR_CUH

#include "formats/formats.cuh"

/* Bytes of values that a lane asks for before it uses the first, about, were they plain; and from how many blocks, at most. */
#define SPRY_BSR_AHEAD_BYTES 64
#define SPRY_BSR_AHEAD_MOST 6

/* Rows of a block that a lane has: 1 to 4. */
static __host__ __device__ inline int spry_lane_rows(int height) {
    return height <= 4 ? height : (height + 1) / 2;
}

/* Lanes that share a block: one for each column, or two. */
static __host__ __device__ inline int spry_block_lanes(int height, int width) {
    return height <= 4 ? width : 2 * width;
}

/* Blocks that a warp has room for side by side. */
static __host__ __device__ inline int spry_blocks_of_warp(int height, int width) {
    return WARP / spry_block_lanes(height, width);
}

/* Blocks that a lane asks for at a time. */
static constexpr int spry_bsr_ahead(int rows) {
    const int bytes = rows * (int)sizeof(val_t), blocks = (SPRY_BSR_AHEAD_BYTES + bytes - 1) / bytes;
    return blocks < SPRY_BSR_AHEAD_MOST ? blocks : SPRY_BSR_AHEAD_MOST;
}

/* Blocks of a row that a team reads at once, of a matrix with so many rows of blocks: so many that a row is gone through in a few
   rounds, and all that a warp has room for where rows are few. */
extern "C" int NAME(spry_bsr_at_once)(const spry_context *context, int64_t rows, double blocks, int height,
                                      int width);

#endif
