/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows on a device as they would be, sorted by length within windows. */
#ifndef SPRY_WINDOWS_CUH
#define SPRY_WINDOWS_CUH

#include "analysis/survey.cuh"
#include "cuda/lanes.cuh"
#include "primitives/reduce.cuh"

/* Count the rows of a window by length, of which each thread has one; -1: none. */
static __device__ inline void count_window(int bin, int *count) {
    for (int b = threadIdx.x; b < SPRY_LENGTH_COUNTERS; b += SURVEYORS)
        count[b] = 0;
    __syncthreads();
    const bool alike = __all_sync(ALL_LANES, bin == __shfl_sync(ALL_LANES, bin, 0));
    if (bin >= 0 && (!alike || lane_number() == 0))
        atomicAdd(&count[bin], alike ? WARP : 1);
    __syncthreads();
}

/* A block a window, from the first block on: what spry_look_at_windows does, with a thread for each row, then for each length, the
   longest first. */
template <class Pointer, class Index>
static __device__ inline void look_at_sorted(const featured<Pointer, Index> &a, spry_features *features) {
    __shared__ int count[SPRY_LENGTH_COUNTERS];
    for (int64_t window = blockIdx.x; window < a.windows.count; window += gridDim.x) {
        const int64_t begin = spry_window_begin(a.windows, window), left = a.rows - begin,
                      i = begin + threadIdx.x;
        const bool is_here = threadIdx.x < (left < SPRY_WINDOW_ROWS ? left : SPRY_WINDOW_ROWS);
        count_window(is_here ? spry_length_bin(a.ptr[i + 1] - a.ptr[i]) : -1, count);
        const int bin = SPRY_LENGTH_COUNTERS - 1 - (int)threadIdx.x, rows = bin > 0 ? count[bin] : 0;
        const int64_t least = bin > 0 ? spry_bin_least(bin) : 0,
                      rank = sum_threads_before<SURVEYORS>(rows).before, end = rank + rows;
        int64_t sums[4] = {rows * least, spry_groups_begun(rank, end, SPRY_FEATURES_EIGHT) * least,
                           spry_groups_begun(rank, end, SPRY_FEATURES_SIXTEEN) * least,
                           spry_groups_begun(rank, end, SPRY_FEATURES_WARP) * least};
        if (rows > 0 && rank == 0)
            raise_to(&features->window_longest, least);
        block_join<SURVEYORS>(sums); /* all have read what was counted */
        if (threadIdx.x == 0) {
            add_to(&features->window_entries, sums[0]);
            add_to(&features->sorted_eight, sums[1]);
            add_to(&features->sorted_sixteen, sums[2]);
            add_to(&features->sorted_warp, sums[3]);
        }
    }
}

#endif
