/* SPDX-License-Identifier: BSD-3-Clause */
/* Where slices begin, found from the slice of each entry. */
#ifndef SPRY_COMPRESS_CUH
#define SPRY_COMPRESS_CUH

#include "cuda/kernel.cuh"

/* Empty slices in a row that a lane sees to by itself. */
static constexpr int COMPRESS_FEW = 8;

/* ptr[i] = k for the slices that end before entry k and after the one before it: with a thread for each k from 0 to n, all slices'.
   slice[k], counted from `base`, never falls. All lanes of the warp take part, one after the other and one k further on each, also past
   n. */
static __device__ inline void put_pointers(int64_t k, const idx_t *slice, int base, int64_t n, int64_t slices,
                                           ptr_t *ptr) {
    int64_t from = 0, count = 0;
    if (k <= n) {
        from = k == 0 ? 0 : (int64_t)slice[k - 1] - base + 1;
        count = (k == n ? slices : (int64_t)slice[k] - base) + 1 - from;
    }
    if (count <= COMPRESS_FEW)
        for (int64_t i = from; i < from + count; i++)
            ptr[i] = (ptr_t)k;
    /* The lanes share a long gap. */
    for (unsigned many = __ballot_sync(ALL_LANES, count > COMPRESS_FEW); many; many &= many - 1) {
        int lane = __ffs(many) - 1;
        int64_t first = __shfl_sync(ALL_LANES, from, lane), end = first + __shfl_sync(ALL_LANES, count, lane);
        for (int64_t i = first + lane_number(); i < end; i += WARP)
            ptr[i] = (ptr_t)(k - lane_number() + lane);
    }
}

#endif
