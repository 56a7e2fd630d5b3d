/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel MKL, inspector-executor: mkl_sparse_?_mv and mkl_sparse_d_mm on a matrix that it was allowed to rearrange. */
#include "peers/peer.h"

#include <mkl.h>
#include <stdlib.h>

struct product {
    sparse_matrix_t a;
    spry_value_type type;
    sparse_operation_t op;
    const void *x;
    void *y;
    /* Of many vectors. */
    sparse_layout_t layout;
    MKL_INT columns, x_stride, y_stride;
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

static int prepare(const struct product *p) {
    const MKL_INT many_products = 1000000;
    sparse_status_t status =
        p->columns > 0 ? mkl_sparse_set_mm_hint(p->a, p->op, general, p->layout, p->columns, many_products)
                       : mkl_sparse_set_mv_hint(p->a, p->op, general, many_products);
    return status || mkl_sparse_set_memory_hint(p->a, SPARSE_MEMORY_AGGRESSIVE) || mkl_sparse_optimize(p->a);
}

/* MKL takes pointers to values that it could change, and does not change them here. */
static sparse_status_t wrap(const struct peer_problem *problem, sparse_matrix_t *a) {
    MKL_INT *ptr = (MKL_INT *)problem->ptr, *idx = (MKL_INT *)problem->idx;
    const MKL_INT rows = problem->rows, cols = problem->cols;
    return problem->product.type == SPRY_F32
               ? mkl_sparse_s_create_csr(a, SPARSE_INDEX_BASE_ZERO, rows, cols, ptr, ptr + 1, idx,
                                         (float *)problem->val)
               : mkl_sparse_d_create_csr(a, SPARSE_INDEX_BASE_ZERO, rows, cols, ptr, ptr + 1, idx,
                                         (double *)problem->val);
}

static void *create(const struct peer_problem *problem, int variant) {
    (void)variant;
    struct product *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (struct product){
        .type = problem->product.type,
        .op = problem->product.op == SPRY_T ? SPARSE_OPERATION_TRANSPOSE : SPARSE_OPERATION_NON_TRANSPOSE,
        .x = problem->x,
        .y = problem->y,
        .layout = problem->by_rows ? SPARSE_LAYOUT_ROW_MAJOR : SPARSE_LAYOUT_COLUMN_MAJOR,
        .columns = problem->columns,
        .x_stride = problem->by_rows ? problem->columns : problem->cols,
        .y_stride = problem->by_rows ? problem->columns : problem->rows,
    };
    if (wrap(problem, &p->a) || prepare(p)) {
        destroy(p);
        return NULL;
    }
    return p;
}

static int multiply(void *product) {
    const struct product *p = product;
    const sparse_status_t status = p->type == SPRY_F32
                                       ? mkl_sparse_s_mv(p->op, 1.0f, p->a, general, p->x, 0.0f, p->y)
                                       : mkl_sparse_d_mv(p->op, 1.0, p->a, general, p->x, 0.0, p->y);
    return status != SPARSE_STATUS_SUCCESS;
}

static int multiply_many(void *product) {
    const struct product *p = product;
    return mkl_sparse_d_mm(SPARSE_OPERATION_NON_TRANSPOSE, 1.0, p->a, general, p->layout, p->x, p->columns,
                           p->x_stride, 0.0, p->y, p->y_stride) != SPARSE_STATUS_SUCCESS;
}

const struct peer peer_mkl_spmm = {
    .name = "MKL",
    .call = "mkl_sparse_d_mm after mkl_sparse_optimize",
    .kind = PEER_CLOSED,
    .version = version,
    .start = start,
    .create = create,
    .multiply = multiply_many,
    .destroy = destroy,
};

const struct peer peer_mkl = {
    .name = "MKL",
    .call = "mkl_sparse_?_mv after mkl_sparse_optimize",
    .kind = PEER_CLOSED,
    .f32 = 1,
    .transposes = 1,
    .version = version,
    .start = start,
    .create = create,
    .multiply = multiply,
    .destroy = destroy,
};
