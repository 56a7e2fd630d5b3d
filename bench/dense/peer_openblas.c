/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenBLAS as a peer of the dense product. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "dense/peer.h"
#include "measuring/shared_library.h"

/* The library whose integers are int, with Fortran's interface to BLAS. */
static const char *const library_name = "libopenblas.so.0";

#define GEMM(real)                                                                                           \
    (const char *transpose_a, const char *transpose_b, const int *m, const int *n, const int *k,             \
     const real *alpha, const void *a, const int *lda, const void *b, const int *ldb, const real *beta,      \
     void *c, const int *ldc)
#define GEMV(real)                                                                                           \
    (const char *transpose, const int *m, const int *n, const real *alpha, const void *a, const int *lda,    \
     const void *x, const int *x_step, const real *beta, void *y, const int *y_step)

struct openblas {
    void(*dgemm) GEMM(double);
    void(*sgemm) GEMM(float);
    void(*dgemv) GEMV(double);
    void(*sgemv) GEMV(float);
    void (*set_threads)(int threads);
};

static bool load(struct openblas *blas, char *message, size_t size) {
    const struct shared_function functions[] = {
        {"dgemm_", (void **)&blas->dgemm, false},
        {"sgemm_", (void **)&blas->sgemm, false},
        {"dgemv_", (void **)&blas->dgemv, false},
        {"sgemv_", (void **)&blas->sgemv, false},
        {"openblas_set_num_threads", (void **)&blas->set_threads, false},
        {NULL, NULL, false},
    };
    return shared_library_load("OpenBLAS", library_name, functions, message, size);
}

static bool fits(const struct dense_product *p) {
    return p->m <= INT_MAX && p->n <= INT_MAX && p->k <= INT_MAX && p->lda <= INT_MAX && p->ldb <= INT_MAX &&
           p->ldc <= INT_MAX;
}

static bool gemm(const struct dense_peer *peer, const struct dense_product *p) {
    const struct openblas *blas = peer->own;
    const char *transpose_a = p->transpose_a ? "T" : "N", *transpose_b = p->transpose_b ? "T" : "N";
    int m = (int)p->m, n = (int)p->n, k = (int)p->k, lda = (int)p->lda, ldb = (int)p->ldb, ldc = (int)p->ldc;
    float alpha = (float)p->alpha, beta = (float)p->beta;
    if (!fits(p))
        return false;
    if (p->type == SPRY_F64)
        blas->dgemm(transpose_a, transpose_b, &m, &n, &k, &p->alpha, p->a, &lda, p->b, &ldb, &p->beta, p->c,
                    &ldc);
    else
        blas->sgemm(transpose_a, transpose_b, &m, &n, &k, &alpha, p->a, &lda, p->b, &ldb, &beta, p->c, &ldc);
    return true;
}

static bool gemv(const struct dense_peer *peer, const struct dense_product *p) {
    const struct openblas *blas = peer->own;
    const char *transpose = p->transpose_a ? "T" : "N";
    int rows = (int)(p->transpose_a ? p->k : p->m), cols = (int)(p->transpose_a ? p->m : p->k),
        lda = (int)p->lda, one = 1;
    float alpha = (float)p->alpha, beta = (float)p->beta;
    if (!fits(p))
        return false;
    if (p->type == SPRY_F64)
        blas->dgemv(transpose, &rows, &cols, &p->alpha, p->a, &lda, p->b, &one, &p->beta, p->c, &one);
    else
        blas->sgemv(transpose, &rows, &cols, &alpha, p->a, &lda, p->b, &one, &beta, p->c, &one);
    return true;
}

static void close_peer(struct dense_peer *peer) {
    free(peer->own);
    peer->own = NULL;
}

bool dense_peer_open_openblas(struct dense_peer *peer, int threads, char *message, size_t size) {
    struct openblas *blas = calloc(1, sizeof *blas);
    *peer = (struct dense_peer){"OpenBLAS", gemm, gemv, close_peer, blas};
    if (!blas)
        snprintf(message, size, "no memory for OpenBLAS");
    if (!blas || !load(blas, message, size)) {
        close_peer(peer);
        return false;
    }
    blas->set_threads(threads);
    return true;
}
