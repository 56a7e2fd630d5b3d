/* SPDX-License-Identifier: BSD-3-Clause */
/* cuSPARSE, loaded when it is asked for: programs start where there is none. */
#ifndef SPRY_CUSPARSE_CUSPARSE_LIBRARY_H
#define SPRY_CUSPARSE_CUSPARSE_LIBRARY_H

#include <cusparse.h>
#include <stdbool.h>
#include <stddef.h>

/* The functions that are used: cusparse##name. */
#define CUSPARSE_FUNCTIONS(X)                                                                                \
    X(Create)                                                                                                \
    X(CreateCoo)                                                                                             \
    X(CreateCsr)                                                                                             \
    X(CreateDnMat)                                                                                           \
    X(CreateDnVec)                                                                                           \
    X(CreateSlicedEll)                                                                                       \
    X(CreateSpVec)                                                                                           \
    X(Csr2cscEx2)                                                                                            \
    X(Csr2cscEx2_bufferSize)                                                                                 \
    X(Destroy)                                                                                               \
    X(DestroyDnMat)                                                                                          \
    X(DestroyDnVec)                                                                                          \
    X(DestroySpMat)                                                                                          \
    X(DestroySpVec)                                                                                          \
    X(Gather)                                                                                                \
    X(GetErrorString)                                                                                        \
    X(SetStream)                                                                                             \
    X(SpMM)                                                                                                  \
    X(SpMM_bufferSize)                                                                                       \
    X(SpMM_preprocess)                                                                                       \
    X(SpMV)                                                                                                  \
    X(SpMV_bufferSize)                                                                                       \
    X(SpMV_preprocess)                                                                                       \
    X(Xcoo2csr)                                                                                              \
    X(XcoosortByRow)                                                                                         \
    X(Xcoosort_bufferSizeExt)

struct cusparse {
    cusparseHandle_t handle;
#define CUSPARSE_MEMBER(name) __typeof__(cusparse##name) *name;
    CUSPARSE_FUNCTIONS(CUSPARSE_MEMBER)
#undef CUSPARSE_MEMBER
};

/* Load the library and make a handle that works in a stream, which it keeps. On failure `message`, of `size`
   bytes, says why, and there is nothing to close. */
bool cusparse_open(struct cusparse *sparse, cudaStream_t stream, char *message, size_t size);
void cusparse_close(struct cusparse *sparse);

#endif
