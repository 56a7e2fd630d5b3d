/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuSPARSE, loaded when it is asked for: programs start where there is none. SPRY_CUSPARSE in the environment names the
 * library's file; without it, it is the one that a program finds which was linked with the header's version. Any from 11 on
 * to the header's major version will do: its functions take the same (compared: 11.7.5, 12.0.2, 12.6.3 and 12.9.4).
 */
#ifndef SPRY_CUSPARSE_CUSPARSE_LIBRARY_H
#define SPRY_CUSPARSE_CUSPARSE_LIBRARY_H

#include <cusparse.h>
#include <stdbool.h>
#include <stddef.h>

#include "cusparse/spmv_op.h"

/* What functions are for. Without those of USE_BASE the library cannot be used, without others that one thing cannot. */
enum cusparse_use {
    USE_BASE,
    USE_SPMV,
    USE_PREPROCESS,
    USE_CSC,
    USE_SELL,
    USE_SPMV_OP,
    USE_SPMM,
    USE_TO_CSC,
    USE_TO_CSR,
    CUSPARSE_USE_COUNT
};

/* The functions that the header declares: cusparse##name. */
#define CUSPARSE_FUNCTIONS(X)                                                                                \
    X(BASE, Create)                                                                                          \
    X(BASE, CreateCoo)                                                                                       \
    X(BASE, CreateCsr)                                                                                       \
    X(BASE, CreateDnVec)                                                                                     \
    X(BASE, Destroy)                                                                                         \
    X(BASE, DestroyDnVec)                                                                                    \
    X(BASE, DestroySpMat)                                                                                    \
    X(BASE, GetErrorString)                                                                                  \
    X(BASE, GetProperty)                                                                                     \
    X(BASE, SetStream)                                                                                       \
    X(SPMV, SpMV)                                                                                            \
    X(SPMV, SpMV_bufferSize)                                                                                 \
    X(PREPROCESS, SpMV_preprocess)                                                                           \
    X(CSC, CreateCsc)                                                                                        \
    X(SELL, CreateSlicedEll)                                                                                 \
    X(SPMM, CreateDnMat)                                                                                     \
    X(SPMM, DestroyDnMat)                                                                                    \
    X(SPMM, SpMM)                                                                                            \
    X(SPMM, SpMM_bufferSize)                                                                                 \
    X(SPMM, SpMM_preprocess)                                                                                 \
    X(TO_CSC, Csr2cscEx2)                                                                                    \
    X(TO_CSC, Csr2cscEx2_bufferSize)                                                                         \
    X(TO_CSR, CreateSpVec)                                                                                   \
    X(TO_CSR, DestroySpVec)                                                                                  \
    X(TO_CSR, Gather)                                                                                        \
    X(TO_CSR, Xcoo2csr)                                                                                      \
    X(TO_CSR, XcoosortByRow)                                                                                 \
    X(TO_CSR, Xcoosort_bufferSizeExt)

struct cusparse {
    cusparseHandle_t handle;
    char version[32]; /* "12.9.4" */
    /* A function that this wants and the library lacks; null: it has all. */
    const char *missing[CUSPARSE_USE_COUNT];
#define CUSPARSE_MEMBER(use, name) __typeof__(cusparse##name) *name;
    CUSPARSE_FUNCTIONS(CUSPARSE_MEMBER)
#undef CUSPARSE_MEMBER
    struct spmv_op_functions spmv_op;
};

/* Load the library and make a handle that works in a stream, which it keeps. On failure `message`, of `size`
   bytes, says why, and there is nothing to close. */
bool cusparse_open(struct cusparse *sparse, cudaStream_t stream, char *message, size_t size);
void cusparse_close(struct cusparse *sparse);

/* Whether the library has what this takes; if not, `message` says what it lacks. */
bool cusparse_can(const struct cusparse *sparse, enum cusparse_use use, char *message, size_t size);

#endif
