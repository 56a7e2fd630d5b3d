/* SPDX-License-Identifier: BSD-3-Clause */
/* cuSPARSE's products by its generic interface, one row for each of its algorithms, and by its products with a plan. */
#include <stdio.h>
#include <stdlib.h>

#include "cusparse/cusparse_library.h"
#include "cusparse/peer_library.h"
#include "cusparse/sell.h"
#include "measuring/gpu.h"

/* place->library_own */
struct loaded {
    struct peer_library library;
    struct cusparse sparse;
};

struct product;

/* How a row multiplies. */
struct recipe {
    enum cusparse_use use;
    int algorithm; /* of the function that multiplies */
    spry_status (*describe)(struct product *product, const spry_matrix *csr);
    spry_status (*prepare)(struct product *product);
    spry_status (*multiply)(const struct product *product);
};

struct product {
    struct peer_product peer; /* first: see peer_library.h */
    const struct recipe *recipe;
    const struct cusparse *sparse;
    struct place *place;
    cusparseOperation_t op;
    cudaDataType type;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t x, y;
    union scalar {
        float f32;
        double f64;
    } one, zero;
    void *buffer; /* of cusparseSpMV */
    size_t buffer_bytes;
    struct spmv_op spmv_op;
    spry_matrix *coo; /* what the row's format is made of, where it is not CSR */
    struct sell sell;
};

static spry_status check(struct place *place, const struct cusparse *sparse, cusparseStatus_t status,
                         const char *call) {
    if (status == CUSPARSE_STATUS_SUCCESS)
        return SPRY_OK;
    snprintf(place->message, sizeof place->message, "%s: %s", call, sparse->GetErrorString(status));
    return status == CUSPARSE_STATUS_NOT_SUPPORTED ? SPRY_ERROR_UNSUPPORTED : SPRY_ERROR_DEVICE;
}

static cusparseIndexType_t integer(size_t size) {
    return size == sizeof(int32_t) ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;
}

/* ---- the matrix in each format ---- */

static spry_status describe_csr(struct product *product, const spry_matrix *csr) {
    const spry_csr *arrays = spry_matrix_csr(csr);
    spry_index_type index = spry_matrix_index(csr);
    product->peer = (struct peer_product){spry_matrix_bytes(csr), spry_matrix_slots(csr)};
    cusparseStatus_t status = product->sparse->CreateCsr(
        &product->matrix, spry_matrix_rows(csr), spry_matrix_cols(csr), spry_matrix_nnz(csr), arrays->ptr,
        arrays->idx, arrays->val, integer(spry_pointer_size(index)), integer(spry_index_size(index)),
        CUSPARSE_INDEX_BASE_ZERO, product->type);
    return check(product->place, product->sparse, status, "cusparseCreateCsr");
}

static spry_status describe_coo(struct product *product, const spry_matrix *csr) {
    spry_status status = spry_convert(product->place->context, csr, SPRY_COO, NULL, &product->coo);
    if (status != SPRY_OK)
        return status;
    const spry_coo *arrays = spry_matrix_coo(product->coo);
    product->peer = (struct peer_product){spry_matrix_bytes(product->coo), spry_matrix_slots(product->coo)};
    cusparseStatus_t created = product->sparse->CreateCoo(
        &product->matrix, spry_matrix_rows(csr), spry_matrix_cols(csr), spry_matrix_nnz(csr), arrays->row,
        arrays->col, arrays->val, integer(spry_index_size(spry_matrix_index(csr))), CUSPARSE_INDEX_BASE_ZERO,
        product->type);
    return check(product->place, product->sparse, created, "cusparseCreateCoo");
}

static spry_status describe_sell(struct product *product, const spry_matrix *csr) {
    struct sell *sell = &product->sell;
    spry_index_type index = spry_matrix_index(csr);
    spry_status status = sell_build(product->place, csr, sell);
    if (status != SPRY_OK)
        return status;
    product->peer =
        (struct peer_product){sell->offsets_bytes + sell->idx_bytes + sell->val_bytes, sell->slots};
    cusparseStatus_t created = product->sparse->CreateSlicedEll(
        &product->matrix, spry_matrix_rows(csr), spry_matrix_cols(csr), spry_matrix_nnz(csr), sell->slots,
        SELL_SLICE, sell->offsets, sell->idx, sell->val, integer(spry_pointer_size(index)),
        integer(spry_index_size(index)), CUSPARSE_INDEX_BASE_ZERO, product->type);
    return check(product->place, product->sparse, created, "cusparseCreateSlicedEll");
}

/* ---- cusparseSpMV ---- */

static spry_status describe_vectors(struct product *product, const struct peer_task *task) {
    int64_t rows = spry_matrix_rows(task->csr), cols = spry_matrix_cols(task->csr);
    bool transposed = task->op == SPRY_T;
    cusparseStatus_t status =
        product->sparse->CreateDnVec(&product->x, transposed ? rows : cols, task->x, product->type);
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = product->sparse->CreateDnVec(&product->y, transposed ? cols : rows, task->y, product->type);
    return check(task->place, product->sparse, status, "cusparseCreateDnVec");
}

static spry_status make_buffer(struct product *product) {
    const struct cusparse *sparse = product->sparse;
    size_t bytes = 0;
    cusparseStatus_t status = sparse->SpMV_bufferSize(
        sparse->handle, product->op, &product->one, product->matrix, product->x, &product->zero, product->y,
        product->type, (cusparseSpMVAlg_t)product->recipe->algorithm, &bytes);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return check(product->place, sparse, status, "cusparseSpMV_bufferSize");
    product->buffer_bytes = bytes;
    return spry_array_new(product->place->context, bytes, &product->buffer);
}

static spry_status preprocess(struct product *product) {
    const struct cusparse *sparse = product->sparse;
    spry_status made = make_buffer(product);
    if (made != SPRY_OK)
        return made;
    cusparseStatus_t status = sparse->SpMV_preprocess(
        sparse->handle, product->op, &product->one, product->matrix, product->x, &product->zero, product->y,
        product->type, (cusparseSpMVAlg_t)product->recipe->algorithm, product->buffer);
    return check(product->place, sparse, status, "cusparseSpMV_preprocess");
}

static spry_status spmv(const struct product *product) {
    const struct cusparse *sparse = product->sparse;
    cusparseStatus_t status = sparse->SpMV(sparse->handle, product->op, &product->one, product->matrix,
                                           product->x, &product->zero, product->y, product->type,
                                           (cusparseSpMVAlg_t)product->recipe->algorithm, product->buffer);
    return check(product->place, sparse, status, "cusparseSpMV");
}

/* ---- cusparseSpMVOp ---- */

static spry_status make_plan(struct product *product) {
    cusparseStatus_t status =
        spmv_op_create(product->sparse, product->place->context, product->op, product->matrix, product->x,
                       product->y, product->type, (unsigned)product->recipe->algorithm, &product->spmv_op);
    return check(product->place, product->sparse, status, "preparing cusparseSpMVOp");
}

static spry_status run_plan(const struct product *product) {
    cusparseStatus_t status =
        spmv_op_run(&product->spmv_op, &product->one, &product->zero, product->x, product->y);
    return check(product->place, product->sparse, status, "cusparseSpMVOp");
}

/* ---- the rows ---- */

enum { CSR, CSR_ALG1, CSR_ALG2, COO_ALG1, COO_ALG2, SELL, SPMVOP_ALG1, SPMVOP_ALG2, WAY_COUNT };

/* "csr" is what a program gets that asks for nothing. */
static const struct peer_way ways[WAY_COUNT] = {
    [CSR] = {"csr", "csr"},
    [CSR_ALG1] = {"csr_alg1", "csr"},
    [CSR_ALG2] = {"csr_alg2", "csr"},
    [COO_ALG1] = {"coo_alg1", "coo"},
    [COO_ALG2] = {"coo_alg2", "coo"},
    [SELL] = {"sell", "sell"},
    [SPMVOP_ALG1] = {"spmvop_alg1", "csr"},
    [SPMVOP_ALG2] = {"spmvop_alg2", "csr"},
};

static const struct recipe recipes[WAY_COUNT] = {
    [CSR] = {USE_SPMV, CUSPARSE_SPMV_ALG_DEFAULT, describe_csr, make_buffer, spmv},
    [CSR_ALG1] = {USE_PREPROCESS, CUSPARSE_SPMV_CSR_ALG1, describe_csr, preprocess, spmv},
    [CSR_ALG2] = {USE_PREPROCESS, CUSPARSE_SPMV_CSR_ALG2, describe_csr, preprocess, spmv},
    [COO_ALG1] = {USE_SPMV, CUSPARSE_SPMV_COO_ALG1, describe_coo, make_buffer, spmv},
    [COO_ALG2] = {USE_SPMV, CUSPARSE_SPMV_COO_ALG2, describe_coo, make_buffer, spmv},
    [SELL] = {USE_SELL, CUSPARSE_SPMV_SELL_ALG1, describe_sell, make_buffer, spmv},
    [SPMVOP_ALG1] = {USE_SPMV_OP, SPMV_OP_ALG1, describe_csr, make_plan, run_plan},
    [SPMVOP_ALG2] = {USE_SPMV_OP, SPMV_OP_ALG2, describe_csr, make_plan, run_plan},
};

static spry_status prepare(const struct peer_task *task, int way, struct peer_product **result) {
    const struct cusparse *sparse = &((struct loaded *)task->place->library_own)->sparse;
    const struct recipe *recipe = &recipes[way];
    *result = NULL;
    if (!cusparse_can(sparse, recipe->use, task->place->message, sizeof task->place->message))
        return SPRY_ERROR_UNSUPPORTED;
    struct product *product = calloc(1, sizeof *product);
    *result = (struct peer_product *)product;
    if (!product)
        return SPRY_ERROR_MEMORY;
    bool single = spry_matrix_type(task->csr) == SPRY_F32;
    product->recipe = recipe;
    product->sparse = sparse;
    product->place = task->place;
    product->op = task->op == SPRY_T ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
    product->type = single ? CUDA_R_32F : CUDA_R_64F;
    product->one = single ? (union scalar){.f32 = 1} : (union scalar){.f64 = 1};
    spry_status status = recipe->describe(product, task->csr);
    if (status == SPRY_OK)
        status = describe_vectors(product, task);
    if (status == SPRY_OK)
        status = recipe->prepare(product);
    return status == SPRY_OK ? spry_synchronize(task->place->context) : status;
}

static spry_status multiply(void *user) {
    const struct product *product = user;
    return product->recipe->multiply(product);
}

static void release(struct peer_product *peer) {
    struct product *product = (struct product *)peer;
    if (!product)
        return;
    spmv_op_destroy(&product->spmv_op);
    if (product->matrix)
        (void)product->sparse->DestroySpMat(product->matrix);
    if (product->x)
        (void)product->sparse->DestroyDnVec(product->x);
    if (product->y)
        (void)product->sparse->DestroyDnVec(product->y);
    spry_array_free(product->place->context, product->buffer, product->buffer_bytes);
    spry_matrix_destroy(product->coo);
    sell_free(product->place, &product->sell);
    free(product);
}

/* ---- the library ---- */

static void close_library(struct place *place) {
    struct loaded *loaded = place->library_own;
    cusparse_close(&loaded->sparse);
    free(loaded);
}

const struct peer_library *peer_library_open(struct place *place) {
    const struct gpu *gpu = place->own;
    struct loaded *loaded = malloc(sizeof *loaded);
    if (!loaded)
        snprintf(place->message, sizeof place->message, "out of memory");
    if (!loaded || !cusparse_open(&loaded->sparse, gpu->stream, place->message, sizeof place->message)) {
        free(loaded);
        return NULL;
    }
    loaded->library = (struct peer_library){
        .name = "cusparse",
        .version = loaded->sparse.version,
        .ways = ways,
        .way_count = WAY_COUNT,
        .prepare = prepare,
        .multiply = multiply,
        .release = release,
        .close = close_library,
    };
    place->library_own = loaded;
    return &loaded->library;
}
