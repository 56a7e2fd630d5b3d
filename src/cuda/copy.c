/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between host memory and a device. */
#include <string.h>

#include "core/team.h"
#include "cuda/device.h"
#include "cuda/graph.h"

/* Copies between pageable host memory and the device go through pinned memory in pieces, so that the CPU fills or empties some
   while the device is at others. To fill the first and to empty the last hides behind nothing, so that small copies go in small
   pieces, and large ones in halves, which cost less a byte. What is smaller still is left to the driver, which copies it at
   once. */
#define STAGING_HALF ((size_t)8 << 20)
#define LEAST ((size_t)1 << 20)
#define LARGE (4 * STAGING_HALF)

struct pieces {
    size_t bytes, grain; /* of a piece, and of what a thread of the host copies at a time */
    size_t count;
};

static struct pieces pieces_for(size_t bytes) {
    return bytes < LARGE ? (struct pieces){(size_t)1 << 19, (size_t)1 << 14, SPRY_STAGED}
                         : (struct pieces){STAGING_HALF, (size_t)1 << 18, 2};
}

static struct cudaPointerAttributes attributes_of(const void *pointer) {
    struct cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
        (void)cudaGetLastError();
        attributes.type = cudaMemoryTypeUnregistered;
    }
    return attributes;
}

static bool is_pageable(const void *pointer) {
    return attributes_of(pointer).type == cudaMemoryTypeUnregistered;
}

/* Memory of another device is within reach where it has an address for this one: where access to that one is
   enabled. Memory of the host that CUDA does not know is out of reach, but for devices that share the host's page
   tables. */
bool spry_cuda_reaches(const spry_context *context, const void *array) {
    const struct cudaPointerAttributes attributes = attributes_of(array);
    int shared = 0;
    if (attributes.type == cudaMemoryTypeDevice)
        return attributes.device == context->device_number || attributes.devicePointer;
    if (attributes.type != cudaMemoryTypeUnregistered)
        return true;
    if (cudaDeviceGetAttribute(&shared, cudaDevAttrPageableMemoryAccess, context->device_number) !=
        cudaSuccess)
        (void)cudaGetLastError();
    return shared != 0;
}

/* One core alone copies less than the device takes. */
static void copy_on_host(const spry_context *context, char *to, const char *from, size_t bytes,
                         size_t grain) {
#pragma omp parallel for num_threads(spry_team(bytes > 4 * grain ? context->threads : 1))
    for (size_t at = 0; at < bytes; at += grain)
        memcpy(to + at, from + at, bytes - at < grain ? bytes - at : grain);
}

/* The piece of a copy that begins at `at`: where it is on its way, how long it is, and when the device has done with it. */
struct piece {
    char *memory;
    size_t bytes;
    cudaEvent_t free;
};

static struct piece piece_at(const struct spry_device *device, struct pieces pieces, size_t at,
                             size_t bytes) {
    const size_t number = at / pieces.bytes % pieces.count, place = number * pieces.bytes;
    return (struct piece){(char *)device->staging[place / STAGING_HALF] + place % STAGING_HALF,
                          bytes - at < pieces.bytes ? bytes - at : pieces.bytes, device->piece_free[number]};
}

/* Host to device: memory of a piece is filled again when its event says that the device is done with it. */
static cudaError_t upload(const spry_context *context, char *to, const char *from, size_t bytes) {
    struct spry_device *device = context->device;
    const struct pieces pieces = pieces_for(bytes);
    cudaError_t error = cudaSuccess;
    for (size_t at = 0; at < bytes && !error; at += pieces.bytes) {
        const struct piece piece = piece_at(device, pieces, at, bytes);
        error = cudaEventSynchronize(piece.free);
        copy_on_host(context, piece.memory, from + at, piece.bytes, pieces.grain);
        if (!error)
            error =
                cudaMemcpyAsync(to + at, piece.memory, piece.bytes, cudaMemcpyHostToDevice, device->stream);
        if (!error)
            error = cudaEventRecord(piece.free, device->stream);
    }
    return error;
}

/* Device to host: other pieces are on their way while one is copied out. */
static cudaError_t download(const spry_context *context, char *to, const char *from, size_t bytes) {
    struct spry_device *device = context->device;
    const struct pieces pieces = pieces_for(bytes);
    cudaError_t error = cudaSuccess;
    for (size_t at = 0, asked = 0; at < bytes && !error; at += pieces.bytes) {
        for (; asked < bytes && asked < at + pieces.count * pieces.bytes && !error; asked += pieces.bytes) {
            const struct piece piece = piece_at(device, pieces, asked, bytes);
            error = cudaMemcpyAsync(piece.memory, from + asked, piece.bytes, cudaMemcpyDeviceToHost,
                                    device->stream);
            if (!error)
                error = cudaEventRecord(piece.free, device->stream);
        }
        const struct piece piece = piece_at(device, pieces, at, bytes);
        if (!error)
            error = cudaEventSynchronize(piece.free);
        if (!error)
            copy_on_host(context, to + at, piece.memory, piece.bytes, pieces.grain);
    }
    return error;
}

/* The second half is for large copies alone. Where pinned memory is refused, the driver copies by itself. */
static bool make_staging(struct spry_device *device, size_t bytes) {
    cudaError_t error = cudaSuccess;
    for (int half = 0; half < (bytes < LARGE ? 1 : 2) && !error; half++)
        if (!device->staging[half])
            error = cudaMallocHost(&device->staging[half], STAGING_HALF);
    for (int piece = 0; piece < SPRY_STAGED && !error; piece++)
        if (!device->piece_free[piece])
            error = cudaEventCreateWithFlags(&device->piece_free[piece], cudaEventDisableTiming);
    if (error)
        (void)cudaGetLastError();
    return !error;
}

void spry_cuda_free_staging(struct spry_device *device) {
    for (int half = 0; half < 2; half++)
        (void)cudaFreeHost(device->staging[half]);
    for (int piece = 0; piece < SPRY_STAGED; piece++)
        if (device->piece_free[piece])
            (void)cudaEventDestroy(device->piece_free[piece]);
}

/* For a context on the CPU: in the default stream, behind what the caller may have put there. */
static cudaError_t copy_without_stream(void *to, const void *from, size_t bytes) {
    int current = 0;
    cudaError_t error = cudaGetDevice(&current);
    if (error)
        return error;
    spry_cuda_pause_recordings(current);
    error = cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
    spry_cuda_resume_recordings(current);
    return error;
}

spry_status spry_cuda_copy(spry_context *context, void *to, const void *from, size_t bytes) {
    struct spry_device *device = context->device;
    if (bytes == 0)
        return SPRY_OK;
    if (!device)
        return spry_cuda_check(context, copy_without_stream(to, from, bytes), "copying from the device");
    const bool from_host = is_pageable(from), to_host = is_pageable(to),
               staged = bytes >= LEAST && from_host != to_host && make_staging(device, bytes);
    cudaError_t error;
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
