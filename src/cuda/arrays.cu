/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole arrays on the device: scaled, or cast to another type. Their types are known only when running. */
#include "cuda/grid.cuh"

extern "C" {
#include "cuda/arrays.h"
}

#define BLOCK 256

template <class T>
static __global__ void scale(int64_t n, T beta, T *y) {
    FOR_ALL(k, 0, n)
    y[k] = beta == 0 ? 0 : beta * y[k];
}

template <class From, class To>
static __global__ void cast(int64_t n, const From *from, To *to) {
    FOR_ALL(k, 0, n)
    to[k] = (To)from[k];
}

template <class T>
static __global__ void copy_strided(int64_t n, const T *from, int64_t from_step, T *to, int64_t to_step) {
    FOR_ALL(k, 0, n)
    to[k * to_step] = from[k * from_step];
}

extern "C" spry_status spry_cuda_copy_strided(spry_context *context, size_t size, int64_t n, const void *from,
                                              int64_t from_step, void *to, int64_t to_step) {
    cudaStream_t stream = context->device->stream;
    const unsigned blocks = blocks_at_once(context, n, BLOCK);
    if (n == 0)
        return SPRY_OK;
    if (size == sizeof(float))
        copy_strided<<<blocks, BLOCK, 0, stream>>>(n, static_cast<const float *>(from), from_step,
                                                   static_cast<float *>(to), to_step);
    else
        copy_strided<<<blocks, BLOCK, 0, stream>>>(n, static_cast<const double *>(from), from_step,
                                                   static_cast<double *>(to), to_step);
    return spry_cuda_check(context, cudaGetLastError(), "copying a vector with a stride");
}

template <class From, class To>
static spry_status launch_cast(spry_context *context, const void *from, void *to, int64_t n) {
    if (n == 0)
        return SPRY_OK;
    cast<<<blocks_at_once(context, n, BLOCK), BLOCK, 0, context->device->stream>>>(
        n, static_cast<const From *>(from), static_cast<To *>(to));
    return spry_cuda_check(context, cudaGetLastError(), "casting an array");
}

extern "C" spry_status spry_cuda_scale(spry_context *context, spry_value_type type, int64_t n, double beta,
                                       void *y) {
    cudaStream_t stream = context->device->stream;
    if (n == 0)
        return SPRY_OK;
    if (type == SPRY_F32)
        scale<<<blocks_at_once(context, n, BLOCK), BLOCK, 0, stream>>>(n, (float)beta,
                                                                       static_cast<float *>(y));
    else
        scale<<<blocks_at_once(context, n, BLOCK), BLOCK, 0, stream>>>(n, beta, static_cast<double *>(y));
    return spry_cuda_check(context, cudaGetLastError(), "scaling a vector");
}

extern "C" spry_status spry_cuda_cast_integers(spry_context *context, const void *from, size_t from_size,
                                               void *to, size_t to_size, int64_t n) {
    if (from_size == sizeof(int32_t))
        return to_size == sizeof(int32_t) ? launch_cast<int32_t, int32_t>(context, from, to, n)
                                          : launch_cast<int32_t, int64_t>(context, from, to, n);
    return to_size == sizeof(int32_t) ? launch_cast<int64_t, int32_t>(context, from, to, n)
                                      : launch_cast<int64_t, int64_t>(context, from, to, n);
}

extern "C" spry_status spry_cuda_cast_values(spry_context *context, const void *from,
                                             spry_value_type from_type, void *to, spry_value_type to_type,
                                             int64_t n) {
    if (from_type == SPRY_F32)
        return to_type == SPRY_F32 ? launch_cast<float, float>(context, from, to, n)
                                   : launch_cast<float, double>(context, from, to, n);
    return to_type == SPRY_F32 ? launch_cast<double, float>(context, from, to, n)
                               : launch_cast<double, double>(context, from, to, n);
}
