/* SPDX-License-Identifier: BSD-3-Clause */
/* Which devices there are, and taking one. */
#include "cuda/device.h"

#include <limits.h>
#include <stdio.h>

#include "cuda/graph.h"
#include "cuda/oldest.h"

/* What of the last-level cache lasts from one product to the next. It is of two parts, each of which has copies of its own of what its
   multiprocessors read. Of products of 34 matrices in all formats on an H200, those that read up to six tenths of it were fastest with
   nothing told to leave it first (docs/cuda.md). */
#define LASTING_TENTHS 6

spry_status spry_cuda_check(spry_context *context, cudaError_t error, const char *tried) {
    if (error == cudaSuccess)
        return SPRY_OK;
    (void)cudaGetLastError(); /* reported here, so not again by the next call that looks */
    return spry_fail(context, error == cudaErrorMemoryAllocation ? SPRY_ERROR_MEMORY : SPRY_ERROR_DEVICE,
                     "%s: %s", tried, cudaGetErrorString(error));
}

/* As architectures are numbered: 90 for compute capability 9.0. Above all that there are where CUDA does not say: then
   what is tried next fails, with CUDA's words. */
static int architecture(int device) {
    int major = 0, minor = 0;
    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) {
        (void)cudaGetLastError();
        return INT_MAX;
    }
    return 10 * major + minor;
}

/* There is machine code or PTX for every architecture from the oldest on. */
static bool has_code_for(int device) {
    return architecture(device) >= SPRY_OLDEST_ARCHITECTURE;
}

int spry_cuda_devices(char *reason, size_t size) {
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    (void)cudaGetLastError();
    for (int device = 0; device < count && !error; device++)
        if (has_code_for(device))
            return count;
    if (!reason || size == 0)
        return 0;
    if (error || count == 0)
        snprintf(reason, size, "CUDA finds no device: %s",
                 cudaGetErrorString(error ? error : cudaErrorNoDevice));
    else
        snprintf(reason, size,
                 "the GPU's compute capability is %d.%d, and this library was built for %d.%d and later",
                 architecture(0) / 10, architecture(0) % 10, SPRY_OLDEST_ARCHITECTURE / 10,
                 SPRY_OLDEST_ARCHITECTURE % 10);
    return 0;
}

spry_status spry_cuda_ask(spry_context *context, enum cudaDeviceAttr attribute, const char *asking,
                          int *value) {
    return spry_cuda_check(context, cudaDeviceGetAttribute(value, attribute, context->device_number), asking);
}

static spry_status ask_for_processors(spry_context *context) {
    struct spry_device *device = context->device;
    spry_status status = spry_cuda_ask(context, cudaDevAttrMultiProcessorCount,
                                       "asking how many multiprocessors there are", &device->multiprocessors);
    if (!status)
        status = spry_cuda_ask(context, cudaDevAttrMaxThreadsPerMultiProcessor,
                               "asking how many threads a multiprocessor has", &device->threads);
    return status ? status
                  : spry_cuda_ask(context, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                  "asking how much shared memory a block may have", &device->shared_bytes);
}

/* The first-level cache and shared memory are one. */
static spry_status ask_for_caches(spry_context *context) {
    int last = 0, inner = 0, window = 0;
    spry_status status =
        spry_cuda_ask(context, cudaDevAttrL2CacheSize, "asking how large its cache is", &last);
    if (!status)
        status = spry_cuda_ask(context, cudaDevAttrMaxSharedMemoryPerMultiprocessor,
                               "asking how large a multiprocessor's cache is", &inner);
    if (!status)
        status = spry_cuda_ask(context, cudaDevAttrMaxAccessPolicyWindowSize,
                               "asking how much can be told to pass through its cache", &window);
    context->cache_bytes = (size_t)last;
    context->lasting_bytes = context->cache_bytes / 10 * LASTING_TENTHS;
    context->inner_bytes = (size_t)inner;
    context->device->window_bytes = (size_t)window;
    return status;
}

spry_status spry_cuda_take_device(spry_context *context, void *stream) {
    struct spry_device *device = context->device;
    const int number = context->device_number;
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        (void)cudaGetLastError();
        return SPRY_ERROR_DEVICE;
    }
    if (number < 0 || number >= count)
        return SPRY_ERROR_ARGUMENT;
    if (!has_code_for(number))
        return SPRY_ERROR_DEVICE;
    spry_status status = spry_cuda_check(context, cudaSetDevice(number), "taking the device");
    if (status)
        return status;
    status = ask_for_processors(context);
    if (!status)
        status = ask_for_caches(context);
    if (!status)
        status =
            spry_cuda_check(context, cudaMallocHost(&device->fetched, SPRY_FETCHED), "taking pinned memory");
    if (status)
        return status;
    device->starts_early = spry_cuda_starts_early();
    device->stream = stream;
    if (stream)
        return SPRY_OK;
    status = spry_cuda_check(context, cudaStreamCreate(&device->stream), "making a stream");
    device->owns_stream = !status;
    return status;
}

void spry_cuda_wait_for_device(int number) {
    int current = number;
    cudaError_t error = cudaGetDevice(&current);
    if (!error && current != number)
        error = cudaSetDevice(number);
    spry_cuda_pause_recordings(number);
    if (!error)
        error = cudaDeviceSynchronize();
    spry_cuda_resume_recordings(number);
    if (current != number)
        (void)cudaSetDevice(current);
    if (error)
        (void)cudaGetLastError();
}

void *spry_context_stream(const spry_context *context) {
    return context && context->device ? context->device->stream : NULL;
}
