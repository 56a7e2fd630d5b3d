/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches in which the lanes of a warp take part together. */
#ifndef SPRY_CUDA_FIND_CUH
#define SPRY_CUDA_FIND_CUH

#include "cuda/kernel.cuh"

/* Of `count` units that begin at rising places, the last ones that begin at or before k[0] and k[1]: a 32nd of the range is left
   after each step. begin(i) is asked for i < count. */
template <class Begin>
static __device__ inline void find_units(int64_t count, const int64_t (&k)[2], int64_t (&unit)[2],
                                         Begin begin) {
    int64_t left[2] = {count, count};
    unit[0] = unit[1] = 0;
    while (left[0] > 1 || left[1] > 1) {
#pragma unroll
        for (int e = 0; e < 2; e++) {
            int64_t step = (left[e] + WARP - 1) / WARP, at = lane_number() * step;
            int passed = __popc(__ballot_sync(ALL_LANES, at < left[e] && begin(unit[e] + at) <= k[e])) - 1;
            unit[e] += passed * step;
            left[e] = left[e] - passed * step < step ? left[e] - passed * step : step;
        }
    }
}

#endif
