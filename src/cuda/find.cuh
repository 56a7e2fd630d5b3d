/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches in which the lanes of a warp take part together. */
#ifndef SPRY_CUDA_FIND_CUH
#define SPRY_CUDA_FIND_CUH

#include "cuda/kernel.cuh"

/* One step of a search: of the `left` units from *unit on, a 32nd is left. */
template <class Begin>
static __device__ inline void narrow_units(int64_t k, int64_t *unit, int64_t *left, Begin begin) {
    const int64_t step = (*left + WARP - 1) / WARP, at = lane_number() * step;
    const int passed = __popc(__ballot_sync(ALL_LANES, at < *left && begin(*unit + at) <= k)) - 1;
    *unit += passed * step;
    *left = *left - passed * step < step ? *left - passed * step : step;
}

/* Of `count` units that begin at rising places, the last one that begins at or before k. begin(i) is asked for i < count. */
template <class Begin>
static __device__ inline int64_t find_unit(int64_t count, int64_t k, Begin begin) {
    int64_t unit = 0;
    for (int64_t left = count; left > 1;)
        narrow_units(k, &unit, &left, begin);
    return unit;
}

/* The same for k[0] and k[1] at once. */
template <class Begin>
static __device__ inline void find_units(int64_t count, const int64_t (&k)[2], int64_t (&unit)[2],
                                         Begin begin) {
    int64_t left[2] = {count, count};
    unit[0] = unit[1] = 0;
    while (left[0] > 1 || left[1] > 1) {
#pragma unroll
        for (int e = 0; e < 2; e++)
            narrow_units(k[e], &unit[e], &left[e], begin);
    }
}

#endif
