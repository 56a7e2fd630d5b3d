/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel MKL, inspector-executor: mkl_sparse_d_mv on a matrix that it was allowed to rearrange. */
#include "peers/peer.h"

#include <mkl.h>
#include <stdlib.h>

struct product {
    sparse_matrix_t a;
    const double *x;
    double *y;
};

static const struct matrix_descr general = {.type = SPARSE_MATRIX_TYPE_GENERAL};

static void version(int v[3]) {
    MKLVersion mkl;
    mkl_get_version(&mkl);
    v[0] = mkl.MajorVersion;
    v[1] = mkl.MinorVersion;
    v[2] = mkl.UpdateVersion;
}

static int start(int threads) {
    mkl_set_dynamic(0);
    mkl_set_num_threads(threads);
    return 0;
}

static void destroy(void *product) {
    struct product *p = product;
    mkl_sparse_destroy(p->a);
    free(p);
}

static int prepare(sparse_matrix_t a) {
    const MKL_INT many_products = 1000000;
    return mkl_sparse_set_mv_hint(a, SPARSE_OPERATION_NON_TRANSPOSE, general, many_products) ||
           mkl_sparse_set_memory_hint(a, SPARSE_MEMORY_AGGRESSIVE) || mkl_sparse_optimize(a);
}

static void *create(const struct peer_problem *problem, int variant) {
    (void)variant;
    /* MKL takes pointers to values that it could change, and does not change them here. */
    MKL_INT *ptr = (MKL_INT *)problem->ptr, *idx = (MKL_INT *)problem->idx;
    struct product *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (struct product){.x = problem->x, .y = problem->y};
    if (mkl_sparse_d_create_csr(&p->a, SPARSE_INDEX_BASE_ZERO, problem->rows, problem->cols, ptr, ptr + 1,
                                idx, (double *)problem->val) ||
        prepare(p->a)) {
        destroy(p);
        return NULL;
    }
    return p;
}

static int multiply(void *product) {
    const struct product *p = product;
    return mkl_sparse_d_mv(SPARSE_OPERATION_NON_TRANSPOSE, 1.0, p->a, general, p->x, 0.0, p->y) !=
           SPARSE_STATUS_SUCCESS;
}

const struct peer peer_mkl = {
    .name = "MKL",
    .call = "mkl_sparse_d_mv after mkl_sparse_optimize",
    .kind = PEER_CLOSED,
    .version = version,
    .start = start,
    .create = create,
    .multiply = multiply,
    .destroy = destroy,
};
