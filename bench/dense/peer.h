/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense products of another library, loaded when it is asked for: programs start where there is none. */
#ifndef SPRY_DENSE_PEER_H
#define SPRY_DENSE_PEER_H

#include <spry/spry.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* C = alpha op(A) op(B) + beta C as BLAS has it, column after column: C is m × n, op(A) m × k and op(B) k × n, and
   lda, ldb and ldc are from one column to the next of what is stored. Arrays are where the peer works. */
struct dense_product {
    spry_value_type type;
    bool transpose_a, transpose_b;
    int64_t m, n, k;
    double alpha;
    const void *a;
    int64_t lda;
    const void *b;
    int64_t ldb;
    double beta;
    void *c;
    int64_t ldc;
};

/* A library that was loaded. What it does on a device goes into a stream and is not waited for. */
struct dense_peer {
    const char *name; /* "OpenBLAS" */
    /* False where the library refuses. */
    bool (*gemm)(const struct dense_peer *peer, const struct dense_product *product);
    /* The same by its product of a matrix and a vector: n = 1, and B is not transposed. */
    bool (*gemv)(const struct dense_peer *peer, const struct dense_product *product);
    void (*close)(struct dense_peer *peer);
    void *own;
};

/* False where the library cannot be used; `message`, of `size` bytes, then says why, and there is nothing to close. */
bool dense_peer_open_openblas(struct dense_peer *peer, int threads, char *message, size_t size);
/* `stream` is the cudaStream_t to work in. In a program built without CUDA it is always false (no_cublas.c). */
bool dense_peer_open_cublas(struct dense_peer *peer, void *stream, char *message, size_t size);

#endif
