/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory on a device: a pool a context, and workspace that grows. */
#include <stdatomic.h>

#include "cuda/device.h"

/* Where a context's arrays are from. It lives until the context and all that was allocated from it have gone. */
struct spry_pool {
    cudaMemPool_t handle;
    cudaStream_t stream; /* the context's */
    /* Where memory is given back, since the context's may be gone by then. Not the default stream: other contexts would
       wait for it, and did so without end when one went while others were multiplying. */
    cudaStream_t returns;
    atomic_long users;
    spry_allocator allocator; /* of this struct */
};

void spry_cuda_pool_let_go(struct spry_pool *pool) {
    if (atomic_fetch_sub(&pool->users, 1) > 1)
        return;
    (void)cudaStreamSynchronize(pool->returns);
    (void)cudaMemPoolDestroy(pool->handle);
    (void)cudaStreamDestroy(pool->returns);
    spry_allocator allocator = pool->allocator;
    spry_release(&allocator, pool, 1, sizeof *pool);
}

static void *pool_allocate(void *user, size_t alignment, size_t bytes) {
    struct spry_pool *pool = user;
    void *pointer = NULL;
    (void)alignment; /* the pool's is 256 */
    if (cudaMallocFromPoolAsync(&pointer, bytes, pool->handle, pool->stream) != cudaSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    atomic_fetch_add(&pool->users, 1);
    return pointer;
}

/* Whatever used the memory has been waited for. */
static void pool_release(void *user, void *pointer, size_t bytes) {
    struct spry_pool *pool = user;
    (void)bytes;
    if (cudaFreeAsync(pointer, pool->returns) != cudaSuccess)
        (void)cudaGetLastError(); /* of work before this: the next call that waits has it too */
    spry_cuda_pool_let_go(pool);
}

static bool owns_pool(const spry_context *context) {
    return context->arrays.allocate == pool_allocate;
}

/* What is free, and what the context's pool keeps for the next to come. */
bool spry_cuda_memory_left(const spry_context *context, size_t *bytes) {
    size_t all;
    uint64_t reserved = 0, used = 0;
    cudaError_t error = cudaMemGetInfo(bytes, &all);
    if (!error && owns_pool(context)) {
        cudaMemPool_t pool = context->device->pool->handle;
        error = cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved);
        if (!error)
            error = cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
    }
    *bytes += (size_t)(reserved - used);
    if (error)
        (void)cudaGetLastError();
    return !error;
}

spry_status spry_cuda_temporary(spry_context *context, int64_t count, size_t size, void **pointer) {
    return spry_allocate_array(context, (size_t)count, size, pointer);
}

void spry_cuda_release(spry_context *context, void *pointer, int64_t count, size_t size) {
    if (!pointer)
        return;
    if (!owns_pool(context)) {
        (void)cudaStreamSynchronize(context->device->stream);
        spry_release(&context->arrays, pointer, (size_t)count, size);
        return;
    }
    if (cudaFreeAsync(pointer, context->device->stream) != cudaSuccess)
        (void)cudaGetLastError(); /* of work before this, as in pool_release */
    spry_cuda_pool_let_go(context->arrays.user);
}

/* ---- workspace ---- */

spry_status spry_cuda_grow(spry_context *context, struct spry_growing *growing, size_t bytes) {
    struct spry_device *device = context->device;
    size_t last = growing->count ? growing->bytes[growing->count - 1] : 0;
    if (bytes <= last)
        return SPRY_OK;
    enum cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    spry_status status = spry_cuda_check(context, cudaStreamIsCapturing(device->stream, &capture),
                                         "asking whether the stream is captured");
    if (status)
        return status;
    if (capture != cudaStreamCaptureStatusNone)
        return spry_fail(context, SPRY_ERROR_DEVICE,
                         "workspace would have to grow while the stream is captured: make this call once "
                         "before capturing it or, for spry_spmv, call spry_reserve");
    bytes = bytes < 2 * last ? 2 * last : bytes;
    void *block;
    status = spry_allocate_array(context, bytes, 1, &block);
    if (status)
        return status;
    /* Workspace that is not clear is of no use to the products that expect it so. */
    status = spry_cuda_check(context, cudaMemsetAsync(block, 0, bytes, device->stream), "clearing workspace");
    if (status) {
        spry_cuda_release(context, block, (int64_t)bytes, 1);
        return status;
    }
    growing->block[growing->count] = block;
    growing->bytes[growing->count++] = bytes;
    return SPRY_OK;
}

spry_status spry_cuda_scratch(spry_context *context, size_t bytes, void **scratch) {
    spry_status status = spry_cuda_grow(context, &context->device->scratch, bytes);
    *scratch = spry_workspace(&context->device->scratch);
    return status;
}

void spry_cuda_let_go(spry_context *context, struct spry_growing *growing) {
    for (int i = 0; i < growing->count; i++)
        spry_release(&context->arrays, growing->block[i], growing->bytes[i], 1);
    growing->count = 0;
}

/* ---- contexts ---- */

spry_status spry_cuda_make_pool(spry_context *context) {
    struct cudaMemPoolProps properties = {
        .allocType = cudaMemAllocationTypePinned,
        .location = {.type = cudaMemLocationTypeDevice, .id = context->device_number},
    };
    uint64_t keep = UINT64_MAX; /* what is freed will be wanted again */
    void *pointer;
    spry_status status = spry_allocate(context, 1, sizeof(struct spry_pool), &pointer);
    if (status)
        return status;
    struct spry_pool *pool = pointer;
    *pool = (struct spry_pool){.stream = context->device->stream, .allocator = context->allocator};
    atomic_init(&pool->users, 1);
    cudaError_t error = cudaStreamCreateWithFlags(&pool->returns, cudaStreamNonBlocking);
    if (!error)
        error = cudaMemPoolCreate(&pool->handle, &properties);
    if (error) {
        if (pool->returns)
            (void)cudaStreamDestroy(pool->returns);
        spry_release(&context->allocator, pool, 1, sizeof *pool);
        return spry_cuda_check(context, error, "making a pool of device memory");
    }
    context->device->pool = pool;
    context->arrays = (spry_allocator){pool_allocate, pool_release, pool};
    return spry_cuda_check(context,
                           cudaMemPoolSetAttribute(pool->handle, cudaMemPoolAttrReleaseThreshold, &keep),
                           "making a pool of device memory");
}
