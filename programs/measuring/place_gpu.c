/* SPDX-License-Identifier: BSD-3-Clause */
/* Products on a GPU, timed by its events. */
#include <stdio.h>
#include <stdlib.h>

#include "measuring/gpu.h"

spry_status gpu_check(struct place *place, cudaError_t error, const char *tried) {
    if (error == cudaSuccess)
        return SPRY_OK;
    (void)cudaGetLastError(); /* reported here, so not again by the next call that looks */
    snprintf(place->message, sizeof place->message, "%s: %s", tried, cudaGetErrorString(error));
    return SPRY_ERROR_DEVICE;
}

static void close_gpu(struct place *place) {
    struct gpu *gpu = place->own;
    (void)cudaFree(gpu->buffer);
    for (int i = 0; i < 2 * GPU_SAMPLES; i++)
        if (gpu->event[i])
            (void)cudaEventDestroy(gpu->event[i]);
    free(gpu);
    spry_context_destroy(place->context);
}

static spry_status make_events(struct place *place) {
    struct gpu *gpu = place->own;
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < 2 * GPU_SAMPLES && error == cudaSuccess; i++)
        error = cudaEventCreate(&gpu->event[i]);
    return gpu_check(place, error, "making events");
}

static spry_status describe(struct place *place) {
    struct gpu *gpu = place->own;
    struct cudaDeviceProp properties;
    int device = 0;
    spry_status status = gpu_check(place, cudaGetDevice(&device), "asking for the device");
    if (status == SPRY_OK)
        status = gpu_check(place, cudaGetDeviceProperties(&properties, device), "asking for the device");
    if (status != SPRY_OK)
        return status;
    snprintf(place->processor, sizeof place->processor, "%s", properties.name);
    place->cache_bytes = (size_t)properties.l2CacheSize;
    gpu->multiprocessors = properties.multiProcessorCount;
    return SPRY_OK;
}

static spry_status open_context(struct place *place, int threads) {
    spry_context_options choices = {.size = sizeof choices, .backend = SPRY_CUDA, .threads = threads};
    spry_status status = spry_context_create(&place->context, &choices);
    if (status != SPRY_OK)
        snprintf(place->message, sizeof place->message, "the GPU cannot be used: %s",
                 spry_status_string(status));
    return status;
}

bool place_open_gpu(struct place *place, int threads) {
    struct gpu *gpu = calloc(1, sizeof *gpu);
    *place = (struct place){
        .backend = SPRY_CUDA,
        .own = gpu,
        .open_memory = gpu_open_memory,
        .time = gpu_time,
        .roof_gbs = gpu_roof_gbs,
        .close = close_gpu,
        .message = "out of memory",
    };
    if (!gpu)
        return false;
    bool good = spry_cuda_devices(place->message, sizeof place->message) > 0 &&
                open_context(place, threads) == SPRY_OK && describe(place) == SPRY_OK &&
                make_events(place) == SPRY_OK;
    if (!good) {
        close_gpu(place);
        return false;
    }
    place->message[0] = '\0';
    gpu->stream = spry_context_stream(place->context);
    return true;
}
