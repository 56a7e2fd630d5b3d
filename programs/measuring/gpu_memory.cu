/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast the device's memory and cache are, and a cache without what was in it. */
#include <stdint.h>

extern "C" {
#include "measuring/gpu.h"
}

#define BLOCK 256
/* As many as a multiprocessor holds. */
#define BLOCKS_PER_MULTIPROCESSOR 8
/* Far more than any cache holds, so that what is measured is memory: half of it is copied to the other half. */
#define BUFFER_BYTES ((size_t)1 << 30)
/* Caches do not always throw out what was used least recently: three times their size leaves nothing. */
#define CACHES_TO_READ 3
/* Up to where a cache can matter; larger matrices are held against the memory. */
#define CACHES_TO_MEASURE 4
/* Time to spend on copying, and on reading each size: a few milliseconds all together. */
#define COPY_SECONDS 3e-3
#define READ_SECONDS 0.5e-3

/* Four accesses of 16 bytes a thread in flight. */
static __global__ void __launch_bounds__(BLOCK) copy(const uint4 *from, uint4 *to, size_t count) {
    size_t stride = (size_t)gridDim.x * BLOCK, i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    for (; i + 3 * stride < count; i += 4 * stride) {
        uint4 a = from[i], b = from[i + stride], c = from[i + 2 * stride], d = from[i + 3 * stride];
        to[i] = a;
        to[i + stride] = b;
        to[i + 2 * stride] = c;
        to[i + 3 * stride] = d;
    }
    for (; i < count; i += stride)
        to[i] = from[i];
}

static __device__ unsigned mix(uint4 a) {
    return a.x ^ a.y ^ a.z ^ a.w;
}

/* What is read is all zero, so nothing is ever written; the compiler cannot know. */
static __global__ void __launch_bounds__(BLOCK) read(uint4 *from, size_t count) {
    size_t stride = (size_t)gridDim.x * BLOCK, i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    unsigned all = 0;
    for (; i + 3 * stride < count; i += 4 * stride) {
        uint4 a = from[i], b = from[i + stride], c = from[i + 2 * stride], d = from[i + 3 * stride];
        all |= mix(a) | mix(b) | mix(c) | mix(d);
    }
    for (; i < count; i += stride)
        all |= mix(from[i]);
    if (all)
        from->x = all;
}

static unsigned grid_for(const struct gpu *gpu, size_t count) {
    size_t blocks = (count + BLOCK - 1) / BLOCK,
           most = (size_t)gpu->multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
    return (unsigned)(blocks < most ? blocks : most);
}

static cudaError_t read_bytes(const struct gpu *gpu, size_t bytes) {
    size_t count = bytes / sizeof(uint4);
    read<<<grid_for(gpu, count), BLOCK, 0, gpu->stream>>>((uint4 *)gpu->buffer, count);
    return cudaGetLastError();
}

cudaError_t gpu_empty_cache(const struct place *place) {
    const struct gpu *gpu = (const struct gpu *)place->own;
    size_t bytes = CACHES_TO_READ * place->cache_bytes;
    return read_bytes(gpu, bytes < gpu->bytes ? bytes : gpu->bytes);
}

/* ---- measured once ---- */

/* A call to be timed. */
struct pass {
    const struct gpu *gpu;
    size_t bytes;
};

static spry_status run_copy(void *user) {
    const struct gpu *gpu = ((const struct pass *)user)->gpu;
    size_t half = gpu->bytes / 2, count = half / sizeof(uint4);
    copy<<<grid_for(gpu, count), BLOCK, 0, gpu->stream>>>((const uint4 *)gpu->buffer,
                                                          (uint4 *)(gpu->buffer + half), count);
    return cudaGetLastError() == cudaSuccess ? SPRY_OK : SPRY_ERROR_DEVICE;
}

static spry_status run_read(void *user) {
    const struct pass *pass = (const struct pass *)user;
    return read_bytes(pass->gpu, pass->bytes) == cudaSuccess ? SPRY_OK : SPRY_ERROR_DEVICE;
}

/* As much as there is memory for, a fraction of what is free; whole 16-byte words in either half. */
static spry_status make_buffer(struct place *place) {
    struct gpu *gpu = (struct gpu *)place->own;
    size_t available = 0, total = 0;
    spry_status status = gpu_check(place, cudaMemGetInfo(&available, &total), "asking for free memory");
    size_t bytes = available / 4 < BUFFER_BYTES ? available / 4 : BUFFER_BYTES;
    gpu->bytes = bytes / (2 * GPU_FIRST_SIZE) * (2 * GPU_FIRST_SIZE);
    if (status == SPRY_OK)
        status = gpu_check(place, cudaMalloc((void **)&gpu->buffer, gpu->bytes),
                           "memory to measure bandwidth with");
    if (status == SPRY_OK)
        status =
            gpu_check(place, cudaMemsetAsync(gpu->buffer, 0, gpu->bytes, gpu->stream), "clearing memory");
    return status;
}

static spry_status measure_copy(struct place *place) {
    struct gpu *gpu = (struct gpu *)place->own;
    struct pass pass = {gpu, gpu->bytes};
    struct spread seconds;
    spry_status status = gpu_time_warm(place, run_copy, &pass, COPY_SECONDS, &seconds);
    if (status == SPRY_OK)
        place->memory_gbs = (double)(gpu->bytes / 2) * 2e-9 / seconds.min;
    return status;
}

static spry_status measure_reads(struct place *place) {
    struct gpu *gpu = (struct gpu *)place->own;
    spry_status status = SPRY_OK;
    size_t most = CACHES_TO_MEASURE * place->cache_bytes;
    most = most < gpu->bytes ? most : gpu->bytes;
    for (size_t bytes = GPU_FIRST_SIZE; bytes <= most && gpu->sizes < GPU_SIZES && status == SPRY_OK;
         bytes *= 2) {
        struct pass pass = {gpu, bytes};
        struct spread seconds;
        status = gpu_time_warm(place, run_read, &pass, READ_SECONDS, &seconds);
        if (status == SPRY_OK)
            gpu->read_seconds[gpu->sizes++] = seconds.min;
    }
    return status;
}

spry_status gpu_open_memory(struct place *place) {
    struct gpu *gpu = (struct gpu *)place->own;
    if (place->memory_gbs > 0)
        return SPRY_OK;
    spry_status status = gpu->buffer ? SPRY_OK : make_buffer(place);
    if (status == SPRY_OK)
        status = measure_copy(place);
    return status == SPRY_OK ? measure_reads(place) : status;
}

/* Between two sizes the time is taken to grow evenly; below the first it is the first's, a launch. */
double gpu_roof_gbs(const struct place *place, size_t bytes) {
    const struct gpu *gpu = (const struct gpu *)place->own;
    size_t size = GPU_FIRST_SIZE;
    int i = 0;
    while (i < gpu->sizes && size < bytes) {
        size *= 2;
        i++;
    }
    if (i == gpu->sizes)
        return place->memory_gbs;
    double seconds = gpu->read_seconds[i];
    if (i > 0) {
        double part = (double)(size - bytes) / (double)(size / 2);
        seconds -= part * (seconds - gpu->read_seconds[i - 1]);
    }
    return (double)bytes * 1e-9 / seconds;
}
