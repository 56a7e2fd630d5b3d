/* SPDX-License-Identifier: BSD-3-Clause */
/** @file primitives.h  Reductions, scans, histograms and dense products of arrays where a context works. */
#ifndef SPRY_PRIMITIVES_H
#define SPRY_PRIMITIVES_H

#include "context.h"
#include "view.h"

/*
 * All arrays are where the context works: in host memory, or on its device. With a CUDA context every call here is put
 * into the context's stream and not waited for, and its result is on the device too, so nothing has to come to the
 * host between two calls. Workspace is the context's, and grows where a call is the first to need so much; a
 * stream that is being captured must have seen a call of the same size before.
 *
 * The same arrays, algorithm and number of threads, or model of device, give the same bits, in floating point too.
 *
 * All of them return SPRY_OK; SPRY_ERROR_ARGUMENT for null pointers, negative sizes and a number type that the call
 * does not take; SPRY_ERROR_MEMORY when workspace could not grow; SPRY_ERROR_UNSUPPORTED when every algorithm was
 * disabled; SPRY_ERROR_DEVICE when CUDA refuses.
 */

/** A primitive that the library has one or several algorithms for. */
typedef enum spry_primitive {
    SPRY_REDUCE,
    SPRY_SCAN,
    SPRY_HISTOGRAM,
    SPRY_AXPBY,
    SPRY_GEMM,
    SPRY_PRIMITIVE_COUNT,
    SPRY_NO_PRIMITIVE = -1
} spry_primitive;

/**
 * A row of the table of algorithms. The simplest of a primitive comes first and the one that is taken last, if this
 * machine runs it; the others are there to be read, compared and, by options.algorithms of a context, taken.
 */
typedef struct spry_algorithm spry_algorithm;

/** What a row of the table of algorithms says. Later versions may have more members at its end. */
typedef struct spry_algorithm_info {
    const char *name; /**< "scan_brent_kung": the primitive, then what the algorithm is or needs */
    spry_primitive primitive;
    spry_backend backend;
    spry_number number;
    const char *needs; /**< the CPU feature that it is written for, or "cuda"; "" for plain C */
} spry_algorithm_info;

/** What a scan has at place i: the sum of what is before it, or that and x[i] too. */
typedef enum spry_scan_kind { SPRY_EXCLUSIVE, SPRY_INCLUSIVE, SPRY_SCAN_KIND_COUNT } spry_scan_kind;

#ifdef __cplusplus
extern "C" {
#endif

/**
 * *result = Σ x[i]. For floating point the result is a double and all sums are in double; for integers it is an
 * int64_t. It is where the context works.
 */
SPRY_API spry_status spry_sum(spry_context *context, spry_number number, int64_t n, const void *x,
                              void *result);
/** *result = Σ x[i] y[i], as spry_sum. x and y may be the same. */
SPRY_API spry_status spry_dot(spry_context *context, spry_number number, int64_t n, const void *x,
                              const void *y, void *result);
/** *result = √Σ x[i]², a double, for floating point. Neither overflows nor underflows on the way: the result is
 *  finite wherever the norm is (Blue, “A portable Fortran program to find the Euclidean norm of a vector”, ACM
 *  Transactions on Mathematical Software 4, 1978). */
SPRY_API spry_status spry_norm2(spry_context *context, spry_number number, int64_t n, const void *x,
                                void *result);
/** *result = max |x[i]|, 0 for n = 0; NaN where one of the x is. A double, or an int64_t for integers: INT64_MAX for
 *  that of INT64_MIN, which it has no room for. */
SPRY_API spry_status spry_max_abs(spry_context *context, spry_number number, int64_t n, const void *x,
                                  void *result);

/**
 * y[i] = Σ x[j] over j < i (SPRY_EXCLUSIVE) or j ≤ i (SPRY_INCLUSIVE), in the type of the numbers; integers wrap
 * around. y may be x; otherwise they must not overlap.
 */
SPRY_API spry_status spry_scan(spry_context *context, spry_scan_kind kind, spry_number number, int64_t n,
                               const void *x, void *y);

/** count[b] = how many of the n integers x are b, for b from 0 to bins - 1. Other values are not counted. `count` has
 *  int64_t. */
SPRY_API spry_status spry_histogram(spry_context *context, spry_number number, int64_t n, const void *x,
                                    int64_t bins, int64_t *count);

/** y = alpha x + beta y, for floating point, to whose type alpha and beta are rounded first. With beta = 0, y is not read; x and y
 *  may be the same. */
SPRY_API spry_status spry_axpby(spry_context *context, spry_number number, int64_t n, double alpha,
                                const void *x, double beta, void *y);
/** The same, and *result = Σ w[i] y[i] with the new y, in one pass. w may be x or y; the result is a double. */
SPRY_API spry_status spry_axpby_dot(spry_context *context, spry_number number, int64_t n, double alpha,
                                    const void *x, double beta, void *y, const void *w, void *result);

/**
 * C = alpha A B + beta C for dense matrices, to whose type alpha and beta are rounded first. With beta = 0, C is not read;
 * with alpha = 0, A and B are not, and their arrays may be null. C has strides that are not zero, no two of its values are
 * at one place, and it overlaps neither A nor B. Products with few columns (Vᵀ W and V H with no more than 64 columns in V)
 * have code of their own.
 */
SPRY_API spry_status spry_gemm(spry_context *context, spry_value_type type, double alpha, const spry_view *a,
                               const spry_view *b, double beta, const spry_view *c);

/** Number of rows of the table of algorithms. */
SPRY_API size_t spry_algorithm_count(void);
/** Row i of the table, i < spry_algorithm_count(); null past the end. */
SPRY_API const spry_algorithm *spry_algorithm_at(size_t i);
/** Fill the `size` bytes of a description: what spry_algorithm_describe does with the size that the caller was compiled
 *  with. What the library does not know of is 0. Nothing is done where `info` is null. */
SPRY_API void spry_algorithm_get_info(const spry_algorithm *algorithm, spry_algorithm_info *info,
                                      size_t size);
/** What an algorithm is. Null is none: names are empty, and the rest is the SPRY_NO_… of its type. */
static inline spry_algorithm_info spry_algorithm_describe(const spry_algorithm *algorithm) {
    spry_algorithm_info info;
    spry_algorithm_get_info(algorithm, &info, sizeof info);
    return info;
}
/** Whether this machine, with this context's choices, runs the algorithm: 1 or 0. 0 where one is null. */
SPRY_API int spry_algorithm_runs(const spry_context *context, const spry_algorithm *algorithm);
/** The algorithm that a context takes. Null when there is none, or for null. */
SPRY_API const spry_algorithm *spry_algorithm_for(const spry_context *context, spry_primitive primitive,
                                                  spry_number number);

#ifdef __cplusplus
}
#endif

#endif
