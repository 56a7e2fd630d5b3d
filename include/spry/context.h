/* SPDX-License-Identifier: BSD-3-Clause */
/** @file context.h  Where work runs, with how many threads, and the message of the last error. */
#ifndef SPRY_CONTEXT_H
#define SPRY_CONTEXT_H

#include "status.h"

/**
 * A context says where work runs. It is used by one host thread at a time; threads that multiply at
 * the same time each make their own and share the matrices, which are immutable.
 */
typedef struct spry_context spry_context;

/**
 * The caller's allocator. `allocate` returns `bytes` bytes aligned to `alignment` (a power of two, at
 * least 64), or null; `release` gets back what it returned, with the same size. Both may be called from
 * the thread that called the library only.
 */
typedef struct spry_allocator {
    void *(*allocate)(void *user, size_t alignment, size_t bytes);
    void (*release)(void *user, void *pointer, size_t bytes);
    void *user; /**< handed to both functions */
} spry_allocator;

/** Choices for a new context. Zero-initialise it, then set what you need. */
typedef struct spry_context_options {
    /** CPU threads, 256 at most; 0: all that this process may run on, up to that (OMP_NUM_THREADS is respected). */
    int threads;
    /**
     * Comma-separated names, without spaces, of CPU features ("avx512", "avx2") and kernels ("csr_avx2") not to be used;
     * null: none. The environment variable SPRY_DISABLE adds to it; unknown names in it are ignored.
     */
    const char *disable;
    /** Fewest entries of a matrix worth a thread of their own, so that small products do not wait for
     *  threads to start; 0: a default that suits most machines. */
    int64_t grain;
    /** Null: the C library's allocator, with huge pages for large arrays where the system has them. */
    const spry_allocator *allocator;
} spry_context_options;

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Make a context. `options` may be null. On failure `*context` is null: there is no message then, and
 * the status alone tells: SPRY_ERROR_MEMORY, or SPRY_ERROR_ARGUMENT for a number of threads outside 0 … 256, a
 * negative grain, an allocator without its functions, or a name in `disable` that is neither a feature nor a
 * kernel.
 */
SPRY_API spry_status spry_context_create(spry_context **context, const spry_context_options *options);

/** Release a context. Matrices made with it stay valid. Null is allowed. */
SPRY_API void spry_context_destroy(spry_context *context);

/**
 * What went wrong in the last call that failed with this context: file, line and token, or the sizes
 * that did not match. Empty before the first failure. Valid until the next call with this context.
 */
SPRY_API const char *spry_message(const spry_context *context);

/** Number of threads that matrices built with this context are split for. */
SPRY_API int spry_context_threads(const spry_context *context);

#ifdef __cplusplus
}
#endif

#endif
