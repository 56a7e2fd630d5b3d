/* SPDX-License-Identifier: BSD-3-Clause */
/** @file context.h  Where work runs, with how many threads, and the message of the last error. */
#ifndef SPRY_CONTEXT_H
#define SPRY_CONTEXT_H

#include <stddef.h>

#include "sized.h"
#include "status.h"

/**
 * A context says where work runs: on CPU threads, or on a CUDA device in one stream. It is used by one host
 * thread at a time; threads that multiply at the same time each make their own and share the matrices, which
 * are immutable.
 *
 * Products, primitives and solves take less than 64 KiB of stack, in the calling thread and in those of OpenMP (see
 * OMP_STACKSIZE).
 *
 * With a CUDA context, matrices and vectors are in that device's memory, and products are put into the stream
 * and not waited for. All other calls have ended when they return. As with CUDA's own libraries, the context's
 * device must be the calling thread's current one.
 */
typedef struct spry_context spry_context;

/**
 * The caller's allocator; closed (see sized.h). `allocate` returns `bytes` bytes aligned to `alignment` (a power of two, at
 * least 64), or null; `release` gets back what it returned, with the same size. Both may be called from
 * the thread that called the library only.
 */
typedef struct spry_allocator {
    void *(*allocate)(void *user, size_t alignment, size_t bytes);
    void (*release)(void *user, void *pointer, size_t bytes);
    void *user; /**< handed to both functions */
} spry_allocator;

/** Most CPU threads of a context. (Parts of a product and their carries live on the caller's stack, so their number is
 *  bounded.) */
#define SPRY_MAX_THREADS 256

/** Choices for a new context. 0 stands for each default. */
typedef struct spry_context_options {
    SPRY_SIZE(spry_context_options); /**< sizeof(spry_context_options), see sized.h */
    /**
     * CPU threads, SPRY_MAX_THREADS at most; 0: all that this process may run on, up to that (OMP_NUM_THREADS is
     * respected).
     *
     * Matrices are split for that many. They are worked on by as many as the system lets start when the calling thread
     * first needs them, and in a child of fork by the thread that called it alone, if the parent had other threads then,
     * of this library or not: fewer threads give the same bits. OpenMP's runtime ends the process when threads that could be
     * started then cannot be later, because RLIMIT_NPROC, RLIMIT_AS or the limit of a container was lowered or reached by
     * others meanwhile; with 1 nothing is ever started. A child that is to have threads again takes them in a new thread of
     * its own, or is forked while the parent has none but the calling one. The library sees forks from when it is loaded:
     * loaded by the child of a thread that ran OpenMP loops, it is to be called from a new thread.
     */
    int threads;
    /** 1: products with matrices built with this context may add in any order, so that two runs may differ in the
     *  last bits. SPRY_CUDA: products that scatter (see spry_spmv) are then faster. */
    int nondeterministic;
    /**
     * Comma-separated names, without spaces, of CPU features ("avx512", "avx2", "neon"), kernels ("csr_many") and algorithms
     * ("gemm") not to be used, and "resident" for solves on a GPU's chip; null: none. Every build of the library knows the
     * features and "resident". Of kernels and algorithms each has those that were compiled into it, of a GPU only where it was
     * built with CUDA, in wider registers only those of its kind of CPU: spry_kernel_at and spry_algorithm_at go over them, and
     * a name that none of them has is refused. The environment variable SPRY_DISABLE adds to it; names in it that the build
     * does not know are ignored.
     */
    const char *disable;
    /** Comma-separated names of algorithms to take for their primitives instead of the fastest; see primitives.h. Null:
     *  none. One that this machine or this context does not run has no effect; a name that this build does not have is refused,
     *  as in `disable`. */
    const char *algorithms;
    /** A matrix with fewer entries and rows, counted together, is multiplied by one thread, so that small products do not
     *  wait for others; a larger one by all. The threshold grows by one grain for every 32 threads. 0: a default that suits
     *  most machines. */
    int64_t grain;
    /** Of host memory. Null: the C library's allocator, with huge pages for large arrays where the system has
     *  them. */
    const spry_allocator *allocator;
    spry_backend backend;
    /** SPRY_CUDA: number of the device, which becomes the calling thread's current one. */
    int device;
    /** SPRY_CUDA: the cudaStream_t to work in, which must outlive the context. Null: a stream of the context's
     *  own, which keeps the order of work in the default stream. In cudaStreamLegacy, where CUDA records nothing, solves launch
     *  each kernel by itself. */
    void *stream;
    /** SPRY_CUDA: of the memory of that device, which is used in the context's stream as soon as it is allocated,
     *  and no longer when it is released. Null: a pool of the context's own. */
    const spry_allocator *device_allocator;
    /** 1: arrays that are wrapped in this context are known to be good, and are not checked, as for a caller who wraps the
     *  same pattern at each time step. Products with arrays that are not good read and write anywhere. */
    int64_t trust_arrays;
} spry_context_options;

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Make a context. `options` may be null. On failure `*context` is null: there is no message then, and
 * the status alone tells: SPRY_ERROR_MEMORY; SPRY_ERROR_ARGUMENT for options without their size (see sized.h), a number of threads outside
 * 0 … SPRY_MAX_THREADS, a negative grain, an allocator without its functions, a backend that is none, a device
 * that does not exist, or a name in `disable` or `algorithms` that nothing in this build has, be it misspelt or of another
 * build; SPRY_ERROR_DEVICE where CUDA cannot be used, or that device is older than what the library was built for:
 * when there is none that can be used, spry_cuda_devices says why.
 */
SPRY_API spry_status spry_context_create(spry_context **context, const spry_context_options *options);

/** Wait for the context's products and release it. Matrices made with it stay valid, and go on using its
 *  allocators. Null is allowed. */
SPRY_API void spry_context_destroy(spry_context *context);

/**
 * What went wrong in the last call that failed with this context: file, line and token, or the sizes
 * that did not match. Empty before the first failure, and for a null context. Valid until the next call with this
 * context. One line of at most 1023 bytes: what is longer, for the path that it names, has "…" in place of its middle, and control
 * characters of a path are '?'.
 */
SPRY_API const char *spry_message(const spry_context *context);

/** Number of threads that matrices built with this context are split for. 0 for null. */
SPRY_API int spry_context_threads(const spry_context *context);

/**
 * How many threads a parallel region that the calling thread begins now may have, for the num_threads of OpenMP loops beside the
 * library's: spry_context_threads, or fewer. One within another parallel region, and for the thread that called fork, in the
 * child, if the parent had other threads then: GCC's runtime would wait for ever for those of its loops. Those that could be
 * started, where the system refuses some, for which a runtime ends the process. 1 for null.
 */
SPRY_API int spry_context_team(const spry_context *context);

/** Where this context works. SPRY_CPU for null. */
SPRY_API spry_backend spry_context_backend(const spry_context *context);

/** The cudaStream_t that a CUDA context works in, to be waited for or captured; null for the CPU, or for null. */
SPRY_API void *spry_context_stream(const spry_context *context);

/** Wait until all that was put into the context's stream is done; on the CPU there is nothing to wait for.
 *  SPRY_ERROR_DEVICE when a product failed on the device after its call had returned. */
SPRY_API spry_status spry_synchronize(spry_context *context);

/**
 * Number of CUDA devices, if a context can be made for one of them, else 0. When it is 0, `reason` (may be null)
 * becomes a sentence that says why: the library was built without CUDA, there is no driver, no device, or only devices
 * that are older than what the library was built for.
 */
SPRY_API int spry_cuda_devices(char *reason, size_t size);

/**
 * Memory of at least `bytes` bytes where this context works, for vectors: programs that have another way to get
 * device memory need not use it. Aligned to 64 bytes, not cleared; *array is null after a failure.
 *
 * @return SPRY_ERROR_MEMORY; SPRY_ERROR_OVERFLOW for more bytes than there are addresses; SPRY_ERROR_DEVICE
 */
SPRY_API spry_status spry_array_new(spry_context *context, size_t bytes, void **array);
/** Release what spry_array_new gave, with the same context and size. Null is allowed. On a device this waits for all
 *  work there first. */
SPRY_API void spry_array_free(spry_context *context, void *array, size_t bytes);
/** Copy from host memory to an array where the context works, after what is in its stream. SPRY_ERROR_ARGUMENT where one is
 *  null and there are bytes to copy; SPRY_ERROR_DEVICE, also when a product failed there before. */
SPRY_API spry_status spry_array_put(spry_context *context, void *array, const void *host, size_t bytes);
/** Copy from an array where the context works to host memory, after what is in its stream. Errors as of spry_array_put. */
SPRY_API spry_status spry_array_get(spry_context *context, const void *array, void *host, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
