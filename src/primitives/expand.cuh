/* SPDX-License-Identifier: BSD-3-Clause */
/* The slice of each entry, found from where slices begin, for whatever is done with it: however long slices are and however many
   are empty. */
#ifndef SPRY_EXPAND_CUH
#define SPRY_EXPAND_CUH

#include "cuda/find.cuh"
#include "cuda/lanes.cuh"
#include "primitives/device.cuh"

static constexpr int EXPAND_BLOCK = 256;
/* Entries of a thread, and of a block. */
static constexpr int EXPAND_ITEMS = 8;
static constexpr int EXPAND_CHUNK = EXPAND_BLOCK * EXPAND_ITEMS;
static constexpr int EXPAND_WARPS = EXPAND_BLOCK / WARP;

/* What is atomic for an index of either width. */
#if SPRY_TMPL_IDX == 32
typedef int atomic_idx_t;
#else
typedef long long atomic_idx_t;
#endif

static __device__ inline idx_t larger_index(idx_t a, idx_t b) {
    return a > b ? a : b;
}

/* Make each of a thread's numbers the largest of the block up to it. No number is negative. */
static __device__ inline void largest_up_to(idx_t (&mine)[EXPAND_ITEMS]) {
    __shared__ idx_t of_warp[EXPAND_WARPS];
    for (int j = 1; j < EXPAND_ITEMS; j++)
        mine[j] = larger_index(mine[j - 1], mine[j]);
    const int warp = threadIdx.x / WARP;
    const idx_t up_to_lane = join_lanes_up_to(mine[EXPAND_ITEMS - 1], larger_index);
    if (lane_number() == WARP - 1)
        of_warp[warp] = up_to_lane;
    __syncthreads();
    idx_t before = __shfl_up_sync(ALL_LANES, up_to_lane, 1);
    if (lane_number() == 0)
        before = 0;
    for (int w = 0; w < warp; w++)
        before = larger_index(before, of_warp[w]);
    for (int j = 0; j < EXPAND_ITEMS; j++)
        mine[j] = larger_index(before, mine[j]);
}

/* Call each(k, slice) for n entries. Slices leave their number at their first entry, and the largest number up to an entry is its
   slice's. */
template <class Each>
static __global__ void __launch_bounds__(EXPAND_BLOCK)
    expand(const ptr_t *ptr, int base, int64_t slices, int64_t n, Each each) {
    __shared__ idx_t owner[EXPAND_CHUNK];
    __shared__ int64_t first;
    const int64_t begin = (int64_t)blockIdx.x * EXPAND_CHUNK,
                  end = begin + EXPAND_CHUNK < n ? begin + EXPAND_CHUNK : n;
    for (int at = threadIdx.x; at < EXPAND_CHUNK; at += EXPAND_BLOCK)
        owner[at] = 0;
    if (threadIdx.x < WARP) {
        const int64_t found = find_unit(slices, begin, [&](int64_t i) { return ptr[i] - base; });
        if (threadIdx.x == 0)
            first = found;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        owner[0] = (idx_t)first;
    __syncthreads();
    for (int64_t i = first + 1 + threadIdx.x; i < slices && ptr[i] - base < end; i += EXPAND_BLOCK)
        atomicMax((atomic_idx_t *)&owner[ptr[i] - base - begin], (atomic_idx_t)i);
    __syncthreads();
    idx_t mine[EXPAND_ITEMS];
    for (int j = 0; j < EXPAND_ITEMS; j++)
        mine[j] = owner[threadIdx.x * EXPAND_ITEMS + j];
    largest_up_to(mine);
    for (int j = 0; j < EXPAND_ITEMS; j++)
        owner[threadIdx.x * EXPAND_ITEMS + j] = mine[j];
    __syncthreads();
    for (int at = threadIdx.x; begin + at < end; at += EXPAND_BLOCK)
        each(begin + at, owner[at]);
}

/* Launch it, where there are entries. Pointers are counted from `base`, entries and slices from 0. */
template <class Each>
static spry_status expand_with(spry_context *context, const char *what, const ptr_t *ptr, int base,
                               int64_t slices, int64_t n, Each each) {
    if (n == 0)
        return SPRY_OK;
    expand<<<blocks_for(n, EXPAND_CHUNK), EXPAND_BLOCK, 0, context->device->stream>>>(ptr, base, slices, n,
                                                                                      each);
    return launched(context, what);
}

#endif
