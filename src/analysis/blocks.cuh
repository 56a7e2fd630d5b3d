/* SPDX-License-Identifier: BSD-3-Clause */
/* The sample of blocks on a device: see analysis/blocks.h. */
#ifndef SPRY_BLOCKS_CUH
#define SPRY_BLOCKS_CUH

#include "cuda/grid.cuh"

extern "C" {
#include "analysis/blocks.h"
}

/* Threads that have work to do. */
static inline int64_t spry_block_threads(int64_t rows) {
    return spry_block_samples(rows) * SPRY_BLOCK_CHOICES * SPRY_BLOCK_MOST;
}

static __device__ inline void spry_add_count(int64_t *total, int64_t more) {
    if (more > 0)
        atomicAdd(reinterpret_cast<unsigned long long *>(total), (unsigned long long)more);
}

/* What spry_look_at_blocks does, by all threads of a grid: a few lanes for each size and entry of the sample, of which each looks for
   a row of the block. `count` is zero before. */
static __device__ inline void spry_count_samples(const spry_rows &rows, spry_block_count *count) {
    const int64_t samples = spry_block_samples(rows.count), all = samples * SPRY_BLOCK_CHOICES,
                  at_once = (int64_t)gridDim.x * blockDim.x / SPRY_BLOCK_MOST;
    static_assert(WARP % SPRY_BLOCK_MOST == 0);
    for (int64_t first = thread_number() / WARP * (WARP / SPRY_BLOCK_MOST); first < all; first += at_once) {
        const int64_t mine = first + lane_number() / SPRY_BLOCK_MOST, k = mine < all ? mine : all - 1;
        const int r = lane_number() % SPRY_BLOCK_MOST, choice = (int)(k / samples),
                  side = spry_block_side(choice);
        const spry_block_sample sample = spry_block_sampled(&rows, k % samples);
        int entries = spry_sample_row(&rows, &sample, side, r);
        for (int step = SPRY_BLOCK_MOST / 2; step > 0; step /= 2)
            entries += __shfl_xor_sync(ALL_LANES, entries, step);
        if (mine < all && r == 0) {
            const spry_block_count more = spry_sample_counts(&sample, side, entries);
            spry_add_count(&count[choice].blocks, more.blocks);
            spry_add_count(&count[choice].full, more.full);
            spry_add_count(&count[choice].entries, more.entries);
        }
    }
}

#endif
