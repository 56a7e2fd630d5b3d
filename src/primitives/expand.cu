/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers and the slices of entries are two sides of one thing: each is found by counting, for 0, 1, 2 … in
   turn, how many items of the other are smaller. It makes no difference how long slices are, or how many are
   empty. */
#include "primitives/device.cuh"

#define BLOCK 256
/* Numbers a lane: a warp searches all of the array only twice for so many, then between those two places. */
#define NUMBERS 16
#define CHUNK (WARP * NUMBERS)

/* How many of a rising array are smaller than q, known to be `low` at least and `high` at most. */
template <class In>
static __device__ int64_t rank(const In *array, int64_t low, int64_t high, int64_t q) {
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (array[middle] < q)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* out[q] = how many of the n in the array are smaller than q + more, less `less`; for q < count. */
template <class In, class Out>
static __global__ void ranks(const In *array, int64_t n, int64_t count, int more, int less, Out *out) {
    int64_t begin = thread_number() / WARP * CHUNK,
            last = begin + CHUNK < count ? begin + CHUNK - 1 : count - 1;
    if (begin >= count)
        return;
    /* Odd lanes look for the last of the chunk, even ones for the first. */
    int lane = lane_number();
    int64_t edge = rank(array, 0, n, (lane % 2 ? last : begin) + more);
    int64_t low = __shfl_sync(ALL_LANES, edge, 0), high = __shfl_sync(ALL_LANES, edge, 1);
    for (int64_t q = begin + lane; q <= last; q += WARP) {
        low = rank(array, low, high, q + more);
        out[q] = (Out)(low - less);
    }
}

spry_status NAME(spry_cuda_expand)(spry_context *context, const ptr_t *ptr, int base, int64_t slices,
                                   int64_t n, idx_t *slice) {
    if (n == 0)
        return SPRY_OK;
    ranks<<<blocks_for(n, BLOCK * NUMBERS), BLOCK, 0, context->device->stream>>>(ptr, slices + 1, n, base + 1,
                                                                                 1 - base, slice);
    return launched(context, "expanding pointers");
}

spry_status NAME(spry_cuda_compress)(spry_context *context, const idx_t *slice, int base, int64_t n,
                                     int64_t slices, ptr_t *ptr) {
    ranks<<<blocks_for(slices + 1, BLOCK * NUMBERS), BLOCK, 0, context->device->stream>>>(
        slice, n, slices + 1, base, 0, ptr);
    return launched(context, "finding pointers");
}
