/* SPDX-License-Identifier: BSD-3-Clause */
/** @file status.h  Errors are values: what every call returns. */
#ifndef SPRY_STATUS_H
#define SPRY_STATUS_H

#include "types.h"

/*
 * No call crashes for a null pointer. Those that return a spry_status answer SPRY_ERROR_ARGUMENT, unless they say that it
 * may be null; others say what they return for it, and what releases something passes over null.
 */

/** Outcome of a call. The context's message (spry_message) has the particulars. */
typedef enum spry_status {
    SPRY_OK = 0,
    SPRY_ERROR_ARGUMENT,  /**< an argument is null, out of range or contradicts another */
    SPRY_ERROR_MEMORY,    /**< the allocator gave nothing */
    SPRY_ERROR_OVERFLOW,  /**< a size or index does not fit its type */
    SPRY_ERROR_TOO_LARGE, /**< a format would need far more memory than CSR, or a file unpacks to too much */
    SPRY_ERROR_UNSUPPORTED, /**< no kernel or no code for this combination */
    SPRY_ERROR_INVALID,     /**< the arrays of a matrix contradict themselves or its size */
    SPRY_ERROR_DUPLICATE,   /**< the same row and column twice, and the caller asked to refuse that */
    SPRY_ERROR_PATTERN,     /**< values were to be replaced, but the patterns differ */
    SPRY_ERROR_IO,          /**< a file could not be opened, read or written */
    SPRY_ERROR_SYNTAX,      /**< a file is not what its format prescribes */
    SPRY_ERROR_DEVICE,      /**< the GPU, its driver or CUDA refused, or there is none */
    SPRY_ERROR_RANKS,       /**< of ranks that solve together another one failed, or the way to it */
    SPRY_STATUS_COUNT
} spry_status;

#ifdef __cplusplus
extern "C" {
#endif

/** A few words for a status ("out of memory"); never null. Static storage. */
SPRY_API const char *spry_status_string(spry_status status);

#ifdef __cplusplus
}
#endif

#endif
