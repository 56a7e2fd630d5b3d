/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between host memory and a device. */
#include <string.h>

#include "core/team.h"
#include "cuda/device.h"

/* Copies between pageable host memory and the device go through pinned memory in pieces, so that the CPU fills
   one half while the device empties the other. Smaller ones are left to the driver, which copies them at once. */
#define STAGING_HALF ((size_t)8 << 20)
#define HOST_PIECE ((size_t)1 << 18)

static bool is_pageable(const void *pointer) {
    struct cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
        (void)cudaGetLastError();
        return true;
    }
    return attributes.type == cudaMemoryTypeUnregistered;
}

/* Memory of the host that CUDA does not know is out of reach, but for devices that share the host's page tables. */
bool spry_cuda_reaches(const spry_context *context, const void *array) {
    int shared = 0;
    if (!is_pageable(array))
        return true;
    if (cudaDeviceGetAttribute(&shared, cudaDevAttrPageableMemoryAccess, context->device_number) !=
        cudaSuccess)
        (void)cudaGetLastError();
    return shared != 0;
}

/* One core alone copies less than the device takes. */
static void copy_on_host(const spry_context *context, char *to, const char *from, size_t bytes) {
#pragma omp parallel for num_threads(spry_team(bytes > 4 * HOST_PIECE ? context->threads : 1))
    for (size_t at = 0; at < bytes; at += HOST_PIECE)
        memcpy(to + at, from + at, bytes - at < HOST_PIECE ? bytes - at : HOST_PIECE);
}

/* Host to device: each half is filled again when its event says that the device is done with it. */
static cudaError_t upload(const spry_context *context, char *to, const char *from, size_t bytes) {
    struct spry_device *device = context->device;
    cudaError_t error = cudaSuccess;
    for (size_t at = 0, half = 0; at < bytes && !error; at += STAGING_HALF, half ^= 1) {
        size_t count = bytes - at < STAGING_HALF ? bytes - at : STAGING_HALF;
        error = cudaEventSynchronize(device->half_free[half]);
        copy_on_host(context, device->staging[half], from + at, count);
        if (!error)
            error = cudaMemcpyAsync(to + at, device->staging[half], count, cudaMemcpyHostToDevice,
                                    device->stream);
        if (!error)
            error = cudaEventRecord(device->half_free[half], device->stream);
    }
    return error;
}

/* Ask for the piece at `at`, if there is one. */
static cudaError_t request(struct spry_device *device, const char *from, size_t at, size_t bytes) {
    size_t half = at / STAGING_HALF % 2;
    if (at >= bytes)
        return cudaSuccess;
    cudaError_t error = cudaMemcpyAsync(device->staging[half], from + at,
                                        bytes - at < STAGING_HALF ? bytes - at : STAGING_HALF,
                                        cudaMemcpyDeviceToHost, device->stream);
    return error ? error : cudaEventRecord(device->half_free[half], device->stream);
}

/* Device to host: one piece is on its way while the one before it is copied out. */
static cudaError_t download(const spry_context *context, char *to, const char *from, size_t bytes) {
    struct spry_device *device = context->device;
    cudaError_t error = request(device, from, 0, bytes);
    for (size_t at = 0; at < bytes && !error; at += STAGING_HALF) {
        size_t half = at / STAGING_HALF % 2, count = bytes - at < STAGING_HALF ? bytes - at : STAGING_HALF;
        error = request(device, from, at + STAGING_HALF, bytes);
        if (!error)
            error = cudaEventSynchronize(device->half_free[half]);
        if (!error)
            copy_on_host(context, to + at, device->staging[half], count);
    }
    return error;
}

static cudaError_t make_staging(struct spry_device *device) {
    cudaError_t error = cudaSuccess;
    for (int half = 0; half < 2 && !error; half++) {
        if (!device->staging[half])
            error = cudaMallocHost(&device->staging[half], STAGING_HALF);
        if (!error && !device->half_free[half])
            error = cudaEventCreateWithFlags(&device->half_free[half], cudaEventDisableTiming);
    }
    return error;
}

void spry_cuda_free_staging(struct spry_device *device) {
    for (int half = 0; half < 2; half++) {
        (void)cudaFreeHost(device->staging[half]);
        if (device->half_free[half])
            (void)cudaEventDestroy(device->half_free[half]);
    }
}

spry_status spry_cuda_copy(spry_context *context, void *to, const void *from, size_t bytes) {
    struct spry_device *device = context->device;
    if (bytes == 0)
        return SPRY_OK;
    if (!device) /* a context on the CPU that copies from a device */
        return spry_cuda_check(context, cudaMemcpy(to, from, bytes, cudaMemcpyDefault),
                               "copying from the device");
    bool from_host = is_pageable(from), to_host = is_pageable(to),
         staged = bytes > STAGING_HALF && from_host != to_host;
    cudaError_t error = staged ? make_staging(device) : cudaSuccess;
    if (error)
        return spry_cuda_check(context, error, "taking pinned memory");
    if (!staged)
        error = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, device->stream);
    else
        error = from_host ? upload(context, to, from, bytes) : download(context, to, from, bytes);
    if (!error)
        error = cudaStreamSynchronize(device->stream);
    return spry_cuda_check(context, error, "copying");
}

spry_status spry_cuda_fetch(spry_context *context, void *to, const void *from, size_t bytes) {
    struct spry_device *device = context->device;
    if (bytes > SPRY_FETCHED)
        return spry_cuda_copy(context, to, from, bytes);
    cudaError_t error = cudaMemcpyAsync(device->fetched, from, bytes, cudaMemcpyDeviceToHost, device->stream);
    if (!error)
        error = cudaStreamSynchronize(device->stream);
    if (!error)
        memcpy(to, device->fetched, bytes);
    return spry_cuda_check(context, error, "fetching a result");
}
