/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers and the slices of entries are two sides of one thing, and either is found from the other in one pass,
   however long slices are and however many are empty. */
#include "primitives/expand.cuh"

namespace primitives_expand {

static constexpr int BLOCK = 256;
/* Empty slices in a row that a lane sees to by itself. */
static constexpr int FEW = 8;

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

struct write_slice {
    int base;
    idx_t *slice;
    __device__ void operator()(int64_t k, idx_t i) const {
        slice[k] = i + (idx_t)base;
    }
};

extern "C" spry_status NAME(spry_cuda_expand)(spry_context *context, const ptr_t *ptr, int base,
                                              int64_t slices, int64_t n, idx_t *slice) {
    return expand_with(context, "expanding pointers", ptr, base, slices, n, write_slice{base, slice});
}

extern "C" spry_status NAME(spry_cuda_compress)(spry_context *context, const idx_t *slice, int base,
                                                int64_t n, int64_t slices, ptr_t *ptr) {
    compress<<<blocks_for(n + 1, BLOCK), BLOCK, 0, context->device->stream>>>(slice, base, n, slices, ptr);
    return launched(context, "finding pointers");
}

} // namespace primitives_expand
