/* SPDX-License-Identifier: BSD-3-Clause */
/* SuiteSparse:GraphBLAS: GrB_mxv over the usual plus and times. */
#include "peers/peer.h"

#include <GraphBLAS.h>
#include <stdlib.h>
#include <string.h>

struct product {
    GrB_Matrix a;
    GrB_Vector x, y;
    GrB_Descriptor op;
    GrB_Index length;
    double *result; /* the problem's y, `length` values */
};

static void version(int v[3]) {
    (void)GxB_Global_Option_get(GxB_LIBRARY_VERSION, v);
}

static int start(int threads) {
    return GrB_init(GrB_BLOCKING) || GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads);
}

static void stop(void) {
    (void)GrB_finalize();
}

static void destroy(void *product) {
    struct product *p = product;
    (void)GrB_Matrix_free(&p->a);
    (void)GrB_Vector_free(&p->x);
    (void)GrB_Vector_free(&p->y);
    free(p);
}

/* GraphBLAS has 64-bit indices alone. */
static GrB_Index *widen(const int32_t *narrow, GrB_Index count) {
    GrB_Index *wide = malloc((count + 1) * sizeof *wide);
    for (GrB_Index i = 0; wide && i < count; i++)
        wide[i] = (GrB_Index)narrow[i];
    return wide;
}

static int import_matrix(GrB_Matrix *a, const struct peer_problem *problem) {
    GrB_Index rows = (GrB_Index)problem->rows, cols = (GrB_Index)problem->cols;
    GrB_Index nnz = (GrB_Index)problem->ptr[rows];
    GrB_Index *ptr = widen(problem->ptr, rows + 1), *idx = widen(problem->idx, nnz);
    int failed = !ptr || !idx ||
                 GrB_Matrix_import_FP64(a, GrB_FP64, rows, cols, ptr, idx, problem->val, rows + 1, nnz, nnz,
                                        GrB_CSR_FORMAT) ||
                 GrB_Matrix_wait(*a, GrB_MATERIALIZE);
    free(ptr);
    free(idx);
    return failed;
}

/* A vector with an entry at every place, stored as a plain array. */
static int make_full(GrB_Vector *v, const double *values, int32_t length) {
    GrB_Index n = (GrB_Index)length, bytes = n * sizeof *values;
    if (GrB_Vector_new(v, GrB_FP64, n))
        return 1;
    void *copy = malloc(bytes + 1);
    if (!copy)
        return 1;
    memcpy(copy, values, bytes);
    if (GxB_Vector_pack_Full(*v, &copy, bytes, 0, NULL)) {
        free(copy);
        return 1;
    }
    return 0;
}

static void *create(const struct peer_problem *problem, int variant) {
    (void)variant;
    struct product *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->op = problem->product.op == SPRY_T ? GrB_DESC_T0 : GrB_NULL;
    p->length = (GrB_Index)peer_y_length(problem);
    p->result = problem->y;
    if (import_matrix(&p->a, problem) || make_full(&p->x, problem->x, peer_x_length(problem)) ||
        make_full(&p->y, problem->y, peer_y_length(problem))) {
        destroy(p);
        return NULL;
    }
    return p;
}

/* Adding to a full vector of zeros is GraphBLAS's fastest way: a plain product makes a new vector. */
static int multiply(void *product) {
    const struct product *p = product;
    return GrB_Vector_assign_FP64(p->y, NULL, NULL, 0.0, GrB_ALL, p->length, NULL) ||
           GrB_mxv(p->y, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, p->a, p->x, p->op);
}

static int fetch(void *product) {
    const struct product *p = product;
    GrB_Index entries = p->length;
    GrB_Index *at = malloc((p->length + 1) * sizeof *at);
    int failed = !at || GrB_Vector_extractTuples_FP64(at, p->result, &entries, p->y) || entries != p->length;
    free(at);
    return failed;
}

const struct peer peer_graphblas = {
    .name = "GraphBLAS",
    .call = "GrB_mxv added to a zeroed vector",
    .kind = PEER_OPEN,
    .transposes = 1,
    .version = version,
    .start = start,
    .stop = stop,
    .create = create,
    .multiply = multiply,
    .fetch = fetch,
    .destroy = destroy,
};
