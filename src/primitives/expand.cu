/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers and the slices of entries are two sides of one thing, and either is found from the other in one pass,
   however long slices are and however many are empty. */
#include <cub/block/block_scan.cuh>

#include "primitives/device.cuh"

#define BLOCK 256
/* Entries of a thread, and of a block. */
#define ITEMS 8
#define CHUNK (BLOCK * ITEMS)
/* Empty slices in a row that a lane sees to by itself. */
#define FEW 8

/* What is atomic for an index of either width. */
#if SPRY_TMPL_IDX == 32
typedef int atomic_idx_t;
#else
typedef long long atomic_idx_t;
#endif

/* The last slice that begins at entry k or before it. A warp looks at 32 places at a time. */
static __device__ int64_t slice_at(const ptr_t *ptr, int base, int64_t slices, int64_t k) {
    int64_t low = 0, high = slices;
    while (high - low > 1) {
        int64_t step = (high - low + WARP - 1) / WARP, place = low + lane_number() * step;
        unsigned before = __ballot_sync(ALL_LANES, place < high && ptr[place] - base <= k);
        low += (WARP - 1 - __clz(before)) * step;
        high = low + step < high ? low + step : high;
    }
    return low;
}

struct larger {
    __device__ idx_t operator()(idx_t a, idx_t b) const {
        return a > b ? a : b;
    }
};

/* Slices leave their number at their first entry, and the largest number up to an entry is its slice's. */
static __global__ void __launch_bounds__(BLOCK)
    expand(const ptr_t *ptr, int base, int64_t slices, int64_t n, idx_t *slice) {
    typedef cub::BlockScan<idx_t, BLOCK> scan;
    __shared__ typename scan::TempStorage storage;
    __shared__ idx_t owner[CHUNK];
    __shared__ int64_t first;
    const int64_t begin = (int64_t)blockIdx.x * CHUNK, end = begin + CHUNK < n ? begin + CHUNK : n;
    for (int at = threadIdx.x; at < CHUNK; at += BLOCK)
        owner[at] = 0;
    if (threadIdx.x < WARP) {
        int64_t found = slice_at(ptr, base, slices, begin);
        if (threadIdx.x == 0)
            first = found;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        owner[0] = (idx_t)first;
    __syncthreads();
    for (int64_t i = first + 1 + threadIdx.x; i < slices && ptr[i] - base < end; i += BLOCK)
        atomicMax((atomic_idx_t *)&owner[ptr[i] - base - begin], (atomic_idx_t)i);
    __syncthreads();
    idx_t mine[ITEMS];
    for (int j = 0; j < ITEMS; j++)
        mine[j] = owner[threadIdx.x * ITEMS + j];
    scan(storage).InclusiveScan(mine, mine, larger());
    for (int j = 0; j < ITEMS; j++)
        owner[threadIdx.x * ITEMS + j] = mine[j];
    __syncthreads();
    for (int at = threadIdx.x; begin + at < end; at += BLOCK)
        slice[begin + at] = owner[at] + (idx_t)base;
}

/* ptr[i] = k for the slices that end before entry k and after the one before it. */
static __global__ void compress(const idx_t *slice, int base, int64_t n, int64_t slices, ptr_t *ptr) {
    const int64_t k = thread_number();
    int64_t from = 0, count = 0;
    if (k <= n) {
        from = k == 0 ? 0 : (int64_t)slice[k - 1] - base + 1;
        count = (k == n ? slices : (int64_t)slice[k] - base) + 1 - from;
    }
    if (count <= FEW)
        for (int64_t i = from; i < from + count; i++)
            ptr[i] = (ptr_t)k;
    /* The lanes share a long gap. */
    for (unsigned many = __ballot_sync(ALL_LANES, count > FEW); many; many &= many - 1) {
        int lane = __ffs(many) - 1;
        int64_t first = __shfl_sync(ALL_LANES, from, lane), end = first + __shfl_sync(ALL_LANES, count, lane);
        for (int64_t i = first + lane_number(); i < end; i += WARP)
            ptr[i] = (ptr_t)(k - lane_number() + lane);
    }
}

spry_status NAME(spry_cuda_expand)(spry_context *context, const ptr_t *ptr, int base, int64_t slices,
                                   int64_t n, idx_t *slice) {
    if (n == 0)
        return SPRY_OK;
    expand<<<blocks_for(n, CHUNK), BLOCK, 0, context->device->stream>>>(ptr, base, slices, n, slice);
    return launched(context, "expanding pointers");
}

spry_status NAME(spry_cuda_compress)(spry_context *context, const idx_t *slice, int base, int64_t n,
                                     int64_t slices, ptr_t *ptr) {
    compress<<<blocks_for(n + 1, BLOCK), BLOCK, 0, context->device->stream>>>(slice, base, n, slices, ptr);
    return launched(context, "finding pointers");
}
