/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that call CUDA share. */
#ifndef SPRY_MEASURING_GPU_H
#define SPRY_MEASURING_GPU_H

#include <cuda_runtime_api.h>

#include "measuring/place.h"

/* Replays of a graph, or products with an empty cache, whose median is taken: 21 as on the CPU, fewer when they
   are long. */
#define GPU_SAMPLES 21
#define GPU_LEAST_SAMPLES 5

/* Sizes of which the rate of reading is measured: from 16 kB, each twice the one before. */
#define GPU_SIZES 20
#define GPU_FIRST_SIZE ((size_t)16 << 10)

/* place->own of a GPU. */
struct gpu {
    cudaStream_t stream; /* of the context */
    cudaEvent_t event[2 * GPU_SAMPLES];
    int multiprocessors;
    char *buffer; /* all zero; to be copied from half to half, and to be read */
    size_t bytes;
    double read_seconds[GPU_SIZES]; /* of the first GPU_FIRST_SIZE << i bytes of the buffer */
    int sizes;
};

/* SPRY_OK, or SPRY_ERROR_DEVICE with what was tried and CUDA's words in place->message. */
spry_status gpu_check(struct place *place, cudaError_t error, const char *tried);

/* ---- gpu_timing.c ---- */

/* place->time, and the warm part of it. */
spry_status gpu_time(struct place *place, timed_call *call, void *user, double min_time, struct spread *warm,
                     struct spread *cold);
spry_status gpu_time_warm(struct place *place, timed_call *call, void *user, double min_time,
                          struct spread *warm);

/* ---- gpu_memory.cu ---- */

/* place->open_memory and place->roof_gbs. */
spry_status gpu_open_memory(struct place *place);
double gpu_roof_gbs(const struct place *place, size_t bytes);
/* Put into the stream: read so much else that the cache holds nothing of what was there before. */
cudaError_t gpu_empty_cache(const struct place *place);

#endif
