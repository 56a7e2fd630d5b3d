/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the lanes of a warp. */
#ifndef SPRY_CUDA_LANES_CUH
#define SPRY_CUDA_LANES_CUH

#include "cuda/grid.cuh"

/* The sum over each group of `lanes` neighbouring lanes, a power of two up to a warp, for all of them and in a fixed order. All
   lanes of the warp take part. */
template <int lanes, class Value>
static __device__ inline Value sum_lanes(Value sum) {
    static_assert(lanes <= WARP);
#pragma unroll
    for (int d = lanes / 2; d > 0; d /= 2)
        sum += __shfl_xor_sync(ALL_LANES, sum, d);
    return sum;
}

#endif
