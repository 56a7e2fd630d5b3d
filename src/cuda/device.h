/* SPDX-License-Identifier: BSD-3-Clause */
/* What a CUDA context has of its own. */
#ifndef SPRY_CUDA_DEVICE_H
#define SPRY_CUDA_DEVICE_H

#include <cuda_runtime_api.h>

#include "core/backend.h"

/* Device memory that only ever grows: what a captured graph or a product in flight may hold stays where it is
   until the context goes. Blocks at least double, so all of them together are no more than twice the last. */
struct spry_growing {
    void *block[48];
    size_t bytes[48];
    int count;
};

/* Bytes that are fetched by way of pinned memory that is always there. */
#define SPRY_FETCHED 65536

/* Pieces of a copy from or to pageable memory that are on their way at once, at most. */
#define SPRY_STAGED 8

struct spry_pool;
struct spry_reduction_space;

struct spry_device {
    cudaStream_t stream;
    bool owns_stream;
    struct spry_pool *pool; /* of the context's arrays, unless the caller has an allocator */
    int multiprocessors;
    int threads;           /* that each of them has at once */
    int shared_bytes;      /* of shared memory that a block may have, at most */
    size_t window_bytes;   /* of an array that can pass through the cache, at most */
    bool starts_early;     /* kernels may be launched by launch_early: see early.cuh */
    uint8_t scans_allowed; /* bits: see primitives/scan_lookback.cuh */
    struct spry_growing scratch, carry;
    struct spry_reduction_space *reduction; /* on the device: see primitives/reduce.cuh */
    void *fetched;                          /* pinned: what spry_cuda_fetch brings */
    void *staging[2];                       /* pinned: pieces of a copy on their way */
    cudaEvent_t piece_free[SPRY_STAGED];    /* when the device has done with that piece */
};

/* ---- device.c ---- */

/* SPRY_OK, or SPRY_ERROR_DEVICE (SPRY_ERROR_MEMORY when it is that) with what was tried and CUDA's words. */
spry_status spry_cuda_check(spry_context *context, cudaError_t error, const char *tried);

/* What CUDA says of the context's device. `asking` is for errors. */
spry_status spry_cuda_ask(spry_context *context, enum cudaDeviceAttr attribute, const char *asking,
                          int *value);

/* Take the context's device, and a stream that the caller brings, or a new one. Its `device` is cleared. */
spry_status spry_cuda_take_device(spry_context *context, void *stream);

/* Wait for all work on a device, as cudaFree does, whichever is the current one. */
void spry_cuda_wait_for_device(int number);

/* ---- early.cu ---- */

/* Whether the device at hand, its driver and the code that it runs can let kernels wait for those before them. */
bool spry_cuda_starts_early(void);

/* ---- memory.c ---- */

/* Let a context's arrays come from a pool of its own, which lives as long as any of them. */
spry_status spry_cuda_make_pool(spry_context *context);
void spry_cuda_pool_let_go(struct spry_pool *pool);

/* See backend.h. */
bool spry_cuda_memory_left(const spry_context *context, size_t *bytes);

/* Have `bytes` bytes of workspace, cleared when they are new. Not while the stream is captured. */
spry_status spry_cuda_grow(spry_context *context, struct spry_growing *growing, size_t bytes);
void spry_cuda_let_go(spry_context *context, struct spry_growing *growing);

/* Workspace of the product at hand, as large as its matrix's plan says. */
static inline void *spry_workspace(const struct spry_growing *growing) {
    return growing->count ? growing->block[growing->count - 1] : NULL;
}

/* Workspace of at least so many bytes, for one call: the next one in the stream may use the same. Not cleared. */
spry_status spry_cuda_scratch(spry_context *context, size_t bytes, void **scratch);

/* Temporary device memory, which is released in the order of the stream. */
spry_status spry_cuda_temporary(spry_context *context, int64_t count, size_t size, void **pointer);
void spry_cuda_release(spry_context *context, void *pointer, int64_t count, size_t size);

/* ---- copy.c ---- */

/* See backend.h. */
spry_status spry_cuda_copy(spry_context *context, void *to, const void *from, size_t bytes);
bool spry_cuda_reaches(const spry_context *context, const void *array);
void spry_cuda_free_staging(struct spry_device *device);

/* Wait, and copy a few bytes from the device. */
spry_status spry_cuda_fetch(spry_context *context, void *to, const void *from, size_t bytes);

/* ---- passing.c ---- */

/* What is to pass through the cache in products with a matrix that is complete. */
struct spry_passing spry_cuda_passing(const spry_context *context, const spry_matrix *matrix);

/* ---- validate.c ---- */

/* Bring a matrix to the host and check it there: for the words of a fault that the device has found, and for
   what is checked too seldom to have code for the device. */
spry_status spry_cuda_validate_on_host(spry_context *context, const spry_matrix *matrix, unsigned flags);

#endif
