/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers and the slices of entries are two sides of one thing, and either is found from the other in one pass,
   however long slices are and however many are empty. */
#include "primitives/compress.cuh"
#include "primitives/expand.cuh"

namespace primitives_expand {

static constexpr int BLOCK = 256;

static __global__ void compress(const idx_t *slice, int base, int64_t n, int64_t slices, ptr_t *ptr) {
    put_pointers(thread_number(), slice, base, n, slices, ptr);
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
