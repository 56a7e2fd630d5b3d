/* SPDX-License-Identifier: BSD-3-Clause */
/* The sample of blocks on a device: see analysis/blocks.h. */
#ifndef SPRY_BLOCKS_CUH
#define SPRY_BLOCKS_CUH

#include "analysis/atomic.cuh"

extern "C" {
#include "analysis/blocks.h"
}

/* Lanes that look at a sample together, each at a row around it, and samples that a block of threads looks at together. */
#define SPRY_BLOCK_TEAM 16
#define SPRY_BLOCK_TEAMS 4

/* Blocks of threads that have work to do. */
#define SPRY_BLOCK_GRID ((SPRY_BLOCK_WINDOWS * SPRY_BLOCK_KINDS + SPRY_BLOCK_TEAMS - 1) / SPRY_BLOCK_TEAMS)

/* Sample s of all, by a team of lanes, each of which looks at an entry of its window; all lanes of a warp take part. Of weight 0 where
   the window has none of its kind. */
static __device__ inline spry_block_sample spry_sample_of_team(const spry_rows &rows, int64_t s) {
    static_assert(SPRY_BLOCK_TEAM == SPRY_BLOCK_WINDOW && WARP == SPRY_BLOCK_KINDS * SPRY_BLOCK_TEAM);
    const int64_t w = s / SPRY_BLOCK_KINDS;
    const int lane = threadIdx.x % SPRY_BLOCK_TEAM, first = lane_number() - lane;
    const spry_block_window window = spry_block_window_of(&rows, w);
    const int64_t entry = window.begin + (lane < window.length ? lane : 0), row = spry_row_of(&rows, entry);
    const unsigned beside = __ballot_sync(ALL_LANES, spry_nearest_column(&rows, row, entry) == 1) >> first;
    const spry_block_choice choice =
        spry_block_chosen(w, spry_of_kind(&window, beside, (int)(s % SPRY_BLOCK_KINDS)));
    const int64_t chosen_row = __shfl_sync(ALL_LANES, row, first + choice.place);
    return spry_block_sampled(&rows, chosen_row, window.begin + choice.place, choice.weight);
}

/* A size of blocks in each thread: what `samples` samples say of it. */
static __device__ inline void spry_add_samples(const spry_block_sample *sample,
                                               const uint16_t (*around)[SPRY_BLOCK_TEAM], int samples,
                                               spry_block_counts *counts) {
    const int size = threadIdx.x, height = size / SPRY_BLOCK_MOST + 1, width = size % SPRY_BLOCK_MOST + 1;
    spry_block_count all = {0, 0};
    int64_t entries = 0;
    for (int s = 0; s < samples; s++) {
        entries += sample[s].weight;
        if (spry_is_alone(around[s]))
            continue;
        const int top = SPRY_BLOCK_REACH - (int)(sample[s].row % height),
                  left = SPRY_BLOCK_REACH - (int)(sample[s].column % width);
        int within = 0;
        for (int r = 0; r < height; r++)
            within += __popc(around[s][top + r] >> left & ((1u << width) - 1));
        all.saved += sample[s].weight * spry_block_saving(within);
        all.full += within == height * width ? sample[s].weight : 0;
    }
    add_to(&counts->of[size].saved, all.saved);
    add_to(&counts->of[size].full, all.full);
    if (size == 0)
        add_to(&counts->entries, entries);
}

/* What spry_look_at_blocks does, by all threads of a grid, in blocks of SPRY_BLOCK_SIZES or more, of which this is number `block`. `counts`
   is zero before. */
static __device__ inline void spry_count_samples(const spry_rows &rows, int64_t block,
                                                 spry_block_counts *counts) {
    __shared__ spry_block_sample sample[SPRY_BLOCK_TEAMS];
    __shared__ uint16_t around[SPRY_BLOCK_TEAMS][SPRY_BLOCK_TEAM];
    static_assert(SPRY_BLOCK_TEAM >= SPRY_BLOCK_AROUND &&
                  SPRY_BLOCK_TEAMS * SPRY_BLOCK_TEAM <= SPRY_BLOCK_SIZES);
    const int64_t samples = spry_block_windows(&rows) * SPRY_BLOCK_KINDS;
    for (int64_t first = block * SPRY_BLOCK_TEAMS; first < samples;
         first += (int64_t)gridDim.x * SPRY_BLOCK_TEAMS) {
        const int team = threadIdx.x / SPRY_BLOCK_TEAM, r = threadIdx.x % SPRY_BLOCK_TEAM,
                  here = (int)(samples - first < SPRY_BLOCK_TEAMS ? samples - first : SPRY_BLOCK_TEAMS);
        if (team < here) { /* whole warps, as the kinds of a window are side by side */
            const spry_block_sample mine = spry_sample_of_team(rows, first + team);
            const bool looks = mine.weight > 0 && r < SPRY_BLOCK_AROUND;
            around[team][r] = looks ? (uint16_t)spry_row_around(&rows, &mine, r) : 0;
            if (r == 0)
                sample[team] = mine;
        }
        __syncthreads();
        if (threadIdx.x < SPRY_BLOCK_SIZES)
            spry_add_samples(sample, around, here, counts);
        __syncthreads();
    }
}

#endif
