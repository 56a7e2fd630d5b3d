/* SPDX-License-Identifier: BSD-3-Clause */
/* cuBLAS as a peer of the dense product. */
#include <cublas_v2.h>
#include <stdio.h>
#include <stdlib.h>

#include "dense/peer.h"
#include "measuring/shared_library.h"

#define TEXT_(number) #number
#define TEXT(number) TEXT_(number)

/* By the version whose header this file was compiled with: another may have other functions by the same names. */
static const char *const library_name = "libcublas.so." TEXT(CUBLAS_VER_MAJOR);

/* The functions that are used, by the names that the header gives them. */
#define FUNCTIONS(X)                                                                                         \
    X(create, cublasCreate_v2)                                                                               \
    X(destroy, cublasDestroy_v2)                                                                             \
    X(set_stream, cublasSetStream_v2)                                                                        \
    X(set_math_mode, cublasSetMathMode)                                                                      \
    X(dgemm, cublasDgemm_v2_64)                                                                              \
    X(dgemv, cublasDgemv_v2_64)                                                                              \
    X(sgemm, cublasSgemm_v2_64)                                                                              \
    X(sgemv, cublasSgemv_v2_64)                                                                              \
    X(status_string, cublasGetStatusString)

struct cublas {
    cublasHandle_t handle;
#define MEMBER(member, name) __typeof__(name) *member;
    FUNCTIONS(MEMBER)
#undef MEMBER
};

static bool load(struct cublas *blas, char *message, size_t size) {
#define FUNCTION(member, name) {#name, (void **)&blas->member, false},
    const struct shared_function functions[] = {FUNCTIONS(FUNCTION){NULL, NULL, false}};
#undef FUNCTION
    return shared_library_load("cuBLAS", library_name, functions, message, size);
}

static bool gemm(const struct dense_peer *peer, const struct dense_product *p) {
    const struct cublas *blas = peer->own;
    cublasOperation_t op_a = p->transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N,
                      op_b = p->transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N;
    float alpha = (float)p->alpha, beta = (float)p->beta;
    cublasStatus_t status = p->type == SPRY_F64
                                ? blas->dgemm(blas->handle, op_a, op_b, p->m, p->n, p->k, &p->alpha, p->a,
                                              p->lda, p->b, p->ldb, &p->beta, p->c, p->ldc)
                                : blas->sgemm(blas->handle, op_a, op_b, p->m, p->n, p->k, &alpha, p->a,
                                              p->lda, p->b, p->ldb, &beta, p->c, p->ldc);
    return status == CUBLAS_STATUS_SUCCESS;
}

static bool gemv(const struct dense_peer *peer, const struct dense_product *p) {
    const struct cublas *blas = peer->own;
    cublasOperation_t op = p->transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
    int64_t rows = p->transpose_a ? p->k : p->m, cols = p->transpose_a ? p->m : p->k;
    float alpha = (float)p->alpha, beta = (float)p->beta;
    cublasStatus_t status =
        p->type == SPRY_F64
            ? blas->dgemv(blas->handle, op, rows, cols, &p->alpha, p->a, p->lda, p->b, 1, &p->beta, p->c, 1)
            : blas->sgemv(blas->handle, op, rows, cols, &alpha, p->a, p->lda, p->b, 1, &beta, p->c, 1);
    return status == CUBLAS_STATUS_SUCCESS;
}

static void close_peer(struct dense_peer *peer) {
    struct cublas *blas = peer->own;
    if (blas && blas->handle)
        (void)blas->destroy(blas->handle);
    free(blas);
    peer->own = NULL;
}

/* Without tensor cores for f32, whose TF32 has 10 bits of a fraction. */
static cublasStatus_t start(struct cublas *blas, cudaStream_t stream) {
    cublasStatus_t status = blas->create(&blas->handle);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = blas->set_stream(blas->handle, stream);
    return status == CUBLAS_STATUS_SUCCESS ? blas->set_math_mode(blas->handle, CUBLAS_DEFAULT_MATH) : status;
}

bool dense_peer_open_cublas(struct dense_peer *peer, void *stream, char *message, size_t size) {
    struct cublas *blas = calloc(1, sizeof *blas);
    *peer = (struct dense_peer){"cuBLAS", gemm, gemv, close_peer, blas};
    if (!blas)
        snprintf(message, size, "no memory for cuBLAS");
    if (!blas || !load(blas, message, size)) {
        close_peer(peer);
        return false;
    }
    cublasStatus_t status = start(blas, stream);
    if (status == CUBLAS_STATUS_SUCCESS)
        return true;
    snprintf(message, size, "cuBLAS does not start: %s", blas->status_string(status));
    close_peer(peer);
    return false;
}
