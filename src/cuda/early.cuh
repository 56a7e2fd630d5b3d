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

static inline cudaLaunchAttribute attribute_early() {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    return attribute;
}

static inline cudaLaunchAttribute attribute_passing(const spry_passing &passing) {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeAccessPolicyWindow;
    cudaAccessPolicyWindow *window = &attribute.val.accessPolicyWindow;
    window->base_ptr = passing.array;
    window->num_bytes = passing.bytes;
    window->hitRatio = passing.share;
    window->hitProp = cudaAccessPropertyStreaming;
    window->missProp = cudaAccessPropertyNormal;
    return attribute;
}

/* With both attributes where they are wanted: what the two launches below share. */
template <class... Parameters, class... Arguments>
static void launch_passing(const spry_context *context, const spry_passing &passing, dim3 blocks,
                           dim3 threads, void (*kernel)(Parameters...), const Arguments &...arguments) {
    cudaLaunchAttribute attributes[2];
    cudaLaunchConfig_t launch = {};
    launch.gridDim = blocks;
    launch.blockDim = threads;
    launch.stream = context->device->stream;
    launch.attrs = attributes;
    if (context->device->starts_early)
        attributes[launch.numAttrs++] = attribute_early();
    if (passing.bytes > 0)
        attributes[launch.numAttrs++] = attribute_passing(passing);
    (void)cudaLaunchKernelEx(&launch, kernel, static_cast<Parameters>(arguments)...);
}

/* Launch a kernel that begins with await_earlier(). `launched` says whether it was accepted. */
template <class... Parameters, class... Arguments>
static void launch_early(const spry_context *context, dim3 blocks, dim3 threads,
                         void (*kernel)(Parameters...), const Arguments &...arguments) {
    launch_passing(context, {}, blocks, threads, kernel, arguments...);
}

/* The same of a kernel that goes along the arrays of a matrix. */
template <class... Parameters, class... Arguments>
static void launch_product(const spry_context *context, const spry_matrix *matrix, dim3 blocks, dim3 threads,
                           void (*kernel)(Parameters...), const Arguments &...arguments) {
    launch_passing(context, matrix->cuda.passing, blocks, threads, kernel, arguments...);
}

#endif
