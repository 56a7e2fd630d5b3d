/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that are readied early: while the last blocks of the grid before it in the stream still run, the next one's wait
 * at their first statement for all that it has written ("programmatic dependent launch" of the CUDA Programming Guide). Between
 * one short product and the next that saves a good part of what a launch takes. Earlier grids do not say that they are nearly
 * done: blocks that wait would take the places of some that work.
 */
#ifndef SPRY_CUDA_EARLY_CUH
#define SPRY_CUDA_EARLY_CUH

#include "cuda/grid.cuh"

/* The first statement, in all threads, of every kernel that is launched by launch_early: before it, nothing that the stream has
   put into memory may be read, and nothing written. */
static __device__ inline void await_earlier() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Launch a kernel that begins with await_earlier(). `launched` says whether it was accepted. */
template <class... Parameters, class... Arguments>
static void launch_early(const spry_context *context, dim3 blocks, dim3 threads,
                         void (*kernel)(Parameters...), const Arguments &...arguments) {
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t launch = {};
    launch.gridDim = blocks;
    launch.blockDim = threads;
    launch.stream = context->device->stream;
    launch.attrs = &early;
    launch.numAttrs = context->device->starts_early ? 1 : 0;
    (void)cudaLaunchKernelEx(&launch, kernel, static_cast<Parameters>(arguments)...);
}

#endif
