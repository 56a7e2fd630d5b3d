/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts on a CUDA device: stream, memory, copies. Nothing here runs on the device itself. */
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/team.h"
#include "cuda/device.h"
#include "cuda/arrays.h"
#include "cuda/graph.h"
#include "cuda/oldest.h"
#include "solve/sweep_device.h"
#include "primitives/reduction.h"

extern const struct spry_instance spry_instance_cuda_f32_i32, spry_instance_cuda_f32_i32p64,
    spry_instance_cuda_f32_i64, spry_instance_cuda_f64_i32, spry_instance_cuda_f64_i32p64,
    spry_instance_cuda_f64_i64;

extern const struct spry_number_instance spry_number_instance_cuda_f32, spry_number_instance_cuda_f64,
    spry_number_instance_cuda_i32, spry_number_instance_cuda_i64;

/* Copies between pageable host memory and the device go through pinned memory in pieces, so that the CPU fills
   one half while the device empties the other. Smaller ones are left to the driver, which copies them at once. */
#define STAGING_HALF ((size_t)8 << 20)
#define HOST_PIECE ((size_t)1 << 18)

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

/* ---- memory ---- */

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

static void pool_let_go(struct spry_pool *pool) {
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
    pool_let_go(pool);
}

/* As cudaFree does, this waits for the whole device. */
static void settle(void) {
    if (cudaDeviceSynchronize() != cudaSuccess)
        (void)cudaGetLastError();
}

static bool owns_pool(const spry_context *context) {
    return context->arrays.allocate == pool_allocate;
}

spry_status spry_cuda_temporary(spry_context *context, int64_t count, size_t size, void **pointer) {
    return spry_allocate_array(context, (size_t)count, size, pointer);
}

void spry_cuda_release(spry_context *context, void *pointer, int64_t count, size_t size) {
    if (!owns_pool(context)) {
        (void)cudaStreamSynchronize(context->device->stream);
        spry_release(&context->arrays, pointer, (size_t)count, size);
    } else if (pointer) {
        (void)cudaFreeAsync(pointer, context->device->stream);
        pool_let_go(context->arrays.user);
    }
}

static spry_status grow(spry_context *context, struct spry_growing *growing, size_t bytes) {
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
        return spry_fail(
            context, SPRY_ERROR_DEVICE,
            "workspace would have to grow while the stream is captured: call spry_reserve before");
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
    spry_status status = grow(context, &context->device->scratch, bytes);
    *scratch = spry_workspace(&context->device->scratch);
    return status;
}

static void let_go(spry_context *context, struct spry_growing *growing) {
    for (int i = 0; i < growing->count; i++)
        spry_release(&context->arrays, growing->block[i], growing->bytes[i], 1);
    growing->count = 0;
}

static size_t scratch_of(const spry_matrix *matrix, spry_op op) {
    size_t gather = matrix->cuda.partial, scatter = matrix->cuda.scratch[op];
    return gather > scatter ? gather : scatter;
}

/* The product's own comes first. */
static spry_status reserve(spry_context *context, const spry_matrix *matrix, spry_op op, size_t bytes,
                           void **beside) {
    size_t own = scratch_of(matrix, op);
    void *scratch;
    spry_status status = grow(context, &context->device->mail, matrix->cuda.mail);
    if (!status)
        status = spry_cuda_scratch(context, spry_workspace_bytes(own, bytes), &scratch);
    if (!status && bytes > 0)
        *beside = spry_beside(scratch, own);
    return status;
}

static spry_status synchronize(spry_context *context) {
    return spry_cuda_check(context, cudaStreamSynchronize(context->device->stream), "waiting for the device");
}

/* The workspace of products that scatter is as large as their vectors several times over, and most matrices never
   see one: it is left to the first. */
static spry_status finish(spry_context *context, const spry_matrix *matrix) {
    spry_status status = grow(context, &context->device->mail, matrix->cuda.mail);
    if (!status)
        status = grow(context, &context->device->scratch, matrix->cuda.partial);
    return status ? status : synchronize(context);
}

/* ---- copies ---- */

static bool is_pageable(const void *pointer) {
    struct cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
        (void)cudaGetLastError();
        return true;
    }
    return attributes.type == cudaMemoryTypeUnregistered;
}

/* Memory of the host that CUDA does not know is out of reach, but for devices that share the host's page tables. */
static bool reaches(const spry_context *context, const void *array) {
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

static void free_staging(struct spry_device *device) {
    for (int half = 0; half < 2; half++) {
        (void)cudaFreeHost(device->staging[half]);
        if (device->half_free[half])
            (void)cudaEventDestroy(device->half_free[half]);
    }
}

static spry_status copy(spry_context *context, void *to, const void *from, size_t bytes) {
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
        return copy(context, to, from, bytes);
    cudaError_t error = cudaMemcpyAsync(device->fetched, from, bytes, cudaMemcpyDeviceToHost, device->stream);
    if (!error)
        error = cudaStreamSynchronize(device->stream);
    if (!error)
        memcpy(to, device->fetched, bytes);
    return spry_cuda_check(context, error, "fetching a result");
}

/* ---- contexts ---- */

static spry_status make_pool(spry_context *context) {
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

static spry_status take_device(spry_context *context, int number, void *stream) {
    struct spry_device *device = context->device;
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
    status = spry_cuda_check(
        context, cudaDeviceGetAttribute(&device->multiprocessors, cudaDevAttrMultiProcessorCount, number),
        "asking how many multiprocessors there are");
    int cache = 0;
    if (!status)
        status = spry_cuda_check(context, cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, number),
                                 "asking how large its cache is");
    context->cache_bytes = (size_t)cache;
    /* The first-level cache and shared memory are one. */
    if (!status)
        status = spry_cuda_check(
            context, cudaDeviceGetAttribute(&cache, cudaDevAttrMaxSharedMemoryPerMultiprocessor, number),
            "asking how large a multiprocessor's cache is");
    context->inner_bytes = (size_t)cache;
    if (!status)
        status =
            spry_cuda_check(context, cudaMallocHost(&device->fetched, SPRY_FETCHED), "taking pinned memory");
    if (status)
        return status;
    device->stream = stream;
    if (stream)
        return SPRY_OK;
    status = spry_cuda_check(context, cudaStreamCreate(&device->stream), "making a stream");
    device->owns_stream = !status;
    return status;
}

static spry_status take_allocator(spry_context *context, const spry_allocator *allocator) {
    if (!allocator->allocate || !allocator->release)
        return SPRY_ERROR_ARGUMENT;
    context->arrays = *allocator;
    return SPRY_OK;
}

static spry_status make_reduction_space(spry_context *context) {
    void *space;
    spry_status status = spry_allocate_array(context, 1, sizeof(struct spry_reduction_space), &space);
    if (status)
        return status;
    context->device->reduction = space;
    return spry_cuda_check(
        context, cudaMemsetAsync(space, 0, sizeof(struct spry_reduction_space), context->device->stream),
        "clearing workspace");
}

static spry_status open(spry_context *context, const spry_context_options *options) {
    void *pointer;
    spry_status status = spry_allocate(context, 1, sizeof *context->device, &pointer);
    if (status)
        return status;
    context->device = memset(pointer, 0, sizeof *context->device);
    context->device_number = options->device;
    status = take_device(context, options->device, options->stream);
    if (!status)
        status = options->device_allocator ? take_allocator(context, options->device_allocator)
                                           : make_pool(context);
    return status ? status : make_reduction_space(context);
}

static void close(spry_context *context) {
    struct spry_device *device = context->device;
    if (!device)
        return;
    settle();
    let_go(context, &device->scratch);
    let_go(context, &device->mail);
    spry_release(&context->arrays, device->reduction, 1, sizeof *device->reduction);
    free_staging(device);
    (void)cudaFreeHost(device->fetched);
    if (device->owns_stream)
        (void)cudaStreamDestroy(device->stream);
    if (device->pool)
        pool_let_go(device->pool);
    spry_release(&context->allocator, device, 1, sizeof *device);
}

void *spry_context_stream(const spry_context *context) {
    return context && context->device ? context->device->stream : NULL;
}

static spry_status sweep(spry_context *context, spry_type type, enum spry_sweep which,
                         const struct spry_vectors *vectors, struct spry_state *state) {
    spry_sweep_function *run = type == SPRY_F32 ? spry_sweep_cuda_f32 : spry_sweep_cuda_f64;
    return run(context, which, vectors, state);
}

static int machine(const spry_context *context, char *name, size_t size) {
    struct cudaDeviceProp properties;
    bool known = cudaGetDeviceProperties(&properties, context->device_number) == cudaSuccess;
    snprintf(name, size, "%s", known ? properties.name : "unknown GPU");
    return context->device->multiprocessors;
}

/* As its maker states it: two transfers a clock. */
static spry_status memory_gbs(spry_context *context, double *gbs) {
    int kilohertz = 0, bits = 0, number = context->device_number;
    spry_status status =
        spry_cuda_check(context, cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, number),
                        "asking for its memory's clock");
    if (!status)
        status =
            spry_cuda_check(context, cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, number),
                            "asking how wide its memory's bus is");
    *gbs = 2e3 * kilohertz * bits / 8 * 1e-9;
    return status;
}

static const struct spry_backend_code code = {
    .instance = {[SPRY_F32] = {&spry_instance_cuda_f32_i32, &spry_instance_cuda_f32_i32p64,
                               &spry_instance_cuda_f32_i64},
                 [SPRY_F64] = {&spry_instance_cuda_f64_i32, &spry_instance_cuda_f64_i32p64,
                               &spry_instance_cuda_f64_i64}},
    .numbers = {&spry_number_instance_cuda_f32, &spry_number_instance_cuda_f64,
                &spry_number_instance_cuda_i32, &spry_number_instance_cuda_i64},
    .open = open,
    .close = close,
    .finish = finish,
    .reserve = reserve,
    .synchronize = synchronize,
    .settle = settle,
    .copy = copy,
    .reaches = reaches,
    .sweep = sweep,
    .record = spry_cuda_record,
    .replay = spry_cuda_replay,
    .forget = spry_cuda_forget,
    .scale = spry_cuda_scale,
    .cast_integers = spry_cuda_cast_integers,
    .cast_values = spry_cuda_cast_values,
    .machine = machine,
    .memory_gbs = memory_gbs,
    .survey = spry_cuda_survey,
    .length_at_rank = spry_cuda_length_at_rank,
};

const struct spry_backend_code *spry_cuda_backend(void) {
    return &code;
}
