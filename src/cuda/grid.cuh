/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks, warps and threads: what all device code counts with, whatever the types of its arrays. */
#ifndef SPRY_CUDA_GRID_CUH
#define SPRY_CUDA_GRID_CUH

extern "C" {
#include "cuda/device.h"
}

static constexpr int WARP = 32;
static constexpr unsigned ALL_LANES = 0xffffffffu;

/* Blocks of `size` for n items. A number too large for the type stays larger than any grid, so that the launch is
   refused. */
static inline unsigned blocks_for(int64_t n, int64_t size) {
    int64_t blocks = (n + size - 1) / size;
    return blocks < UINT32_MAX ? (unsigned)blocks : UINT32_MAX;
}

/* Whether the launches before this were accepted. */
static inline spry_status launched(spry_context *context, const char *kernel) {
    return spry_cuda_check(context, cudaGetLastError(), kernel);
}

/* Let blocks of a kernel have so many bytes of shared memory, which may be more than what they have unasked. */
template <class Kernel>
static inline spry_status allow_shared(spry_context *context, Kernel *kernel, int bytes) {
    return spry_cuda_check(context,
                           cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                           "asking for shared memory");
}

/* Number of this thread in the grid. */
static __device__ inline int64_t thread_number() {
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ inline int lane_number() {
    return threadIdx.x % WARP;
}

/* Blocks of `size` threads for n items, n > 0, no more than run at once: each thread takes several in turn. */
static inline unsigned blocks_at_once(const spry_context *context, int64_t n, int size) {
    const struct spry_device *device = context->device;
    int64_t most = (int64_t)device->multiprocessors * (device->threads / size), all = (n + size - 1) / size;
    return (unsigned)(all < most ? all : most);
}

/* In kernels launched so: k from 0 (or what the second argument says) to n - 1, by all threads together. */
#define FOR_ALL(k, first, n)                                                                                 \
    for (int64_t k = (first) + thread_number(); k < (n); k += (int64_t)gridDim.x * blockDim.x)

#endif
