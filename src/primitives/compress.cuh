/* SPDX-License-Identifier: BSD-3-Clause */
/* Where slices begin, found from the slice of each entry. */
#ifndef SPRY_COMPRESS_CUH
#define SPRY_COMPRESS_CUH

#include "cuda/kernel.cuh"
#include "cuda/lanes.cuh"

/* Empty slices in a row that a lane sees to by itself. */
static constexpr int COMPRESS_FEW = 8;

/* ptr[i] = k for the slices that end before entry k and after the one before it: with a thread for each k from 0 to n, all slices'.
   slice[k], counted from `base`, never falls. All lanes of the warp take part, also past n. */
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
    fill_runs(ptr, from, count > COMPRESS_FEW ? from + count : from, (ptr_t)k);
}

#endif
