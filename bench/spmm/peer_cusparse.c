/* SPDX-License-Identifier: BSD-3-Clause */
/* cuSPARSE: cusparseSpMM of a matrix in CSR or COO, by each of its algorithms for them. */
#include <stdio.h>
#include <stdlib.h>

#include "common/complain.h"
#include "cusparse/cusparse_library.h"
#include "peers/peer.h"

struct product {
    spry_context *context;
    spry_matrix *coo; /* what is multiplied by, where that is not CSR */
    cusparseSpMatDescr_t a;
    cusparseDnMatDescr_t x, y;
    cusparseSpMMAlg_t algorithm;
    void *buffer;
    size_t buffer_bytes;
};

static const double one = 1.0, zero = 0.0;

/* All algorithms share the library. */
static struct cusparse sparse;
static int users;

static void version(int v[3]) {
    (void)sscanf(sparse.version, "%d.%d.%d", &v[0], &v[1], &v[2]);
}

static int start(int threads) {
    char message[256];
    (void)threads;
    bool opened = users > 0 || cusparse_open(&sparse, NULL, message, sizeof message);
    if (opened && cusparse_can(&sparse, USE_SPMM, message, sizeof message)) {
        users++;
        return 0;
    }
    if (opened)
        cusparse_close(&sparse);
    complain("%s", message);
    return 1;
}

static void stop(void) {
    if (--users == 0)
        cusparse_close(&sparse);
}

static void destroy(void *product) {
    struct product *p = product;
    if (p->a)
        (void)sparse.DestroySpMat(p->a);
    if (p->x)
        (void)sparse.DestroyDnMat(p->x);
    if (p->y)
        (void)sparse.DestroyDnMat(p->y);
    spry_array_free(p->context, p->buffer, p->buffer_bytes);
    spry_matrix_destroy(p->coo);
    free(p);
}

static bool is_coo(cusparseSpMMAlg_t algorithm) {
    return algorithm == CUSPARSE_SPMM_COO_ALG1 || algorithm == CUSPARSE_SPMM_COO_ALG2 ||
           algorithm == CUSPARSE_SPMM_COO_ALG3 || algorithm == CUSPARSE_SPMM_COO_ALG4;
}

static cusparseStatus_t describe_coo(struct product *p, const struct peer_problem *problem) {
    if (spry_convert(p->context, problem->csr, SPRY_COO, NULL, &p->coo) != SPRY_OK)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    const spry_coo *arrays = spry_matrix_coo(p->coo);
    return sparse.CreateCoo(&p->a, problem->rows, problem->cols, spry_matrix_nnz(p->coo), arrays->row,
                            arrays->col, arrays->val, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                            CUDA_R_64F);
}

/* cuSPARSE takes pointers to values that it could change, and does not change them here. */
static cusparseStatus_t describe_csr(struct product *p, const struct peer_problem *problem) {
    return sparse.CreateCsr(&p->a, problem->rows, problem->cols, spry_matrix_nnz(problem->csr),
                            (void *)problem->ptr, (void *)problem->idx, (void *)problem->val,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
}

static cusparseStatus_t describe(struct product *p, const struct peer_problem *problem) {
    cusparseOrder_t order = problem->by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
    int64_t rows = problem->rows, cols = problem->cols, columns = problem->columns;
    cusparseStatus_t status = is_coo(p->algorithm) ? describe_coo(p, problem) : describe_csr(p, problem);
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = sparse.CreateDnMat(&p->x, cols, columns, problem->by_rows ? columns : cols,
                                    (void *)problem->x, CUDA_R_64F, order);
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = sparse.CreateDnMat(&p->y, rows, columns, problem->by_rows ? columns : rows, problem->y,
                                    CUDA_R_64F, order);
    return status;
}

/* The buffer, and what the algorithm looks up in advance. */
static bool prepare(struct product *p) {
    const cusparseOperation_t as_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
    return sparse.SetStream(sparse.handle, spry_context_stream(p->context)) == CUSPARSE_STATUS_SUCCESS &&
           sparse.SpMM_bufferSize(sparse.handle, as_is, as_is, &one, p->a, p->x, &zero, p->y, CUDA_R_64F,
                                  p->algorithm, &p->buffer_bytes) == CUSPARSE_STATUS_SUCCESS &&
           spry_array_new(p->context, p->buffer_bytes, &p->buffer) == SPRY_OK &&
           sparse.SpMM_preprocess(sparse.handle, as_is, as_is, &one, p->a, p->x, &zero, p->y, CUDA_R_64F,
                                  p->algorithm, p->buffer) == CUSPARSE_STATUS_SUCCESS &&
           spry_synchronize(p->context) == SPRY_OK;
}

static void *create(const struct peer_problem *problem, int algorithm) {
    struct product *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (struct product){.context = problem->context, .algorithm = (cusparseSpMMAlg_t)algorithm};
    if (describe(p, problem) == CUSPARSE_STATUS_SUCCESS && prepare(p))
        return p;
    destroy(p);
    return NULL;
}

static int multiply(void *product) {
    const struct product *p = product;
    return sparse.SpMM(sparse.handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE,
                       &one, p->a, p->x, &zero, p->y, CUDA_R_64F, p->algorithm,
                       p->buffer) != CUSPARSE_STATUS_SUCCESS;
}

#define WAY(title, which)                                                                                    \
    {                                                                                                        \
        .name = title, .call = "cusparseSpMM, " #which, .kind = PEER_CLOSED, .variant = which,               \
        .version = version, .start = start, .stop = stop, .create = create, .multiply = multiply,            \
        .destroy = destroy,                                                                                  \
    }

/* "csr" is what a program gets that asks for nothing. */
const struct peer peer_cusparse_spmm[] = {
    WAY("csr", CUSPARSE_SPMM_ALG_DEFAULT),
    WAY("csr_alg1", CUSPARSE_SPMM_CSR_ALG1),
    WAY("csr_alg2", CUSPARSE_SPMM_CSR_ALG2),
    WAY("csr_alg3", CUSPARSE_SPMM_CSR_ALG3),
    WAY("coo_alg1", CUSPARSE_SPMM_COO_ALG1),
    WAY("coo_alg2", CUSPARSE_SPMM_COO_ALG2),
    WAY("coo_alg3", CUSPARSE_SPMM_COO_ALG3),
    WAY("coo_alg4", CUSPARSE_SPMM_COO_ALG4),
    {.name = NULL},
};
