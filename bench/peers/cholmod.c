/* SPDX-License-Identifier: BSD-3-Clause */
/* CHOLMOD: cholmod_sdmult, which has no threads. Its matrices are stored by columns, so there are two ways:
   scatter the columns of A, or store Aᵀ (the very arrays of CSR) and gather its columns. */
#include "peers/peer.h"

#include <suitesparse/cholmod.h>
#include <stdlib.h>

struct product {
    cholmod_sparse *a;
    cholmod_dense x, y;
    int transpose;
};

static cholmod_common common;
static int users;

static void version(int v[3]) {
    cholmod_version(v);
}

/* Both ways share the library's one workspace. */
static int start(int threads) {
    (void)threads;
    return users++ == 0 && !cholmod_start(&common);
}

static void stop(void) {
    if (--users == 0)
        cholmod_finish(&common);
}

static cholmod_dense vector(int32_t length, const void *values) {
    return (cholmod_dense){
        .nrow = (size_t)length,
        .ncol = 1,
        .nzmax = (size_t)length,
        .d = (size_t)length,
        .x = (void *)values,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
    };
}

/* The arrays of CSR, seen as Aᵀ by columns. */
static cholmod_sparse transposed_view(const struct peer_problem *problem) {
    return (cholmod_sparse){
        .nrow = (size_t)problem->cols,
        .ncol = (size_t)problem->rows,
        .nzmax = (size_t)problem->ptr[problem->rows],
        .p = (void *)problem->ptr,
        .i = (void *)problem->idx,
        .x = (void *)problem->val,
        .itype = CHOLMOD_INT,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = 1,
        .packed = 1,
    };
}

static void destroy(void *product) {
    struct product *p = product;
    cholmod_free_sparse(&p->a, &common);
    free(p);
}

static void *create(const struct peer_problem *problem, int transpose) {
    const int with_values = 1;
    cholmod_sparse view = transposed_view(problem);
    struct product *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    p->transpose = transpose ^ (problem->product.op == SPRY_T);
    p->x = vector(peer_x_length(problem), problem->x);
    p->y = vector(peer_y_length(problem), problem->y);
    p->a = transpose ? cholmod_copy_sparse(&view, &common) : cholmod_transpose(&view, with_values, &common);
    if (!p->a) {
        destroy(p);
        return NULL;
    }
    return p;
}

static int multiply(void *product) {
    struct product *p = product;
    double one[2] = {1.0, 0.0}, zero[2] = {0.0, 0.0};
    return !cholmod_sdmult(p->a, p->transpose, one, zero, &p->x, &p->y, &common);
}

#define CHOLMOD_PEER(symbol, title, what, transposed)                                                        \
    const struct peer symbol = {                                                                             \
        .name = title,                                                                                       \
        .call = what,                                                                                        \
        .kind = PEER_OPEN,                                                                                   \
        .one_thread = 1,                                                                                     \
        .transposes = 1,                                                                                     \
        .variant = transposed,                                                                               \
        .version = version,                                                                                  \
        .start = start,                                                                                      \
        .stop = stop,                                                                                        \
        .create = create,                                                                                    \
        .multiply = multiply,                                                                                \
        .destroy = destroy,                                                                                  \
    }

CHOLMOD_PEER(peer_cholmod, "CHOLMOD", "cholmod_sdmult, columns of A", 0);
CHOLMOD_PEER(peer_cholmod_transposed, "CHOLMOD-T", "cholmod_sdmult, transpose of A' by columns", 1);
