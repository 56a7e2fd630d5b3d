/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast formats are made on the GPU, beside cuSPARSE where it has that conversion, and beside a plain copy of as
   many bytes as the result has: convert_speed [--f32] FILE... (files or generated matrices, as for spbench). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "common/complain.h"
#include "common/failure.h"
#include "common/source.h"
#include "cusparse/cusparse_library.h"
#include "measuring/timing.h"

#define MEASURE_SECONDS 0.2
/* Buffers and results of one of cuSPARSE's conversions, at most. */
#define MOST_ARRAYS 8

/* What is converted, and what it takes. */
struct run {
    spry_context *context; /* CUDA */
    cudaStream_t stream;
    const struct cusparse *sparse; /* null: it could not be loaded */
    const spry_matrix *coo, *csr;  /* on the device; coordinates as they were read */
    spry_format to;
    void *order; /* 0, 1, … nnz - 1, on the device */
    char *copy_from, *copy_to;
    size_t copy_bytes;
    void *array[MOST_ARRAYS];
    size_t array_bytes[MOST_ARRAYS];
    int array_count;
};

/* One conversion. All are asked to end before they return, with all that they allocate. */
struct conversion {
    const char *name;
    spry_format from, to;
    timed_call *peer;      /* null: cuSPARSE has none */
    enum cusparse_use use; /* what that takes */
};

/* ---- Spry, and a copy ---- */

static const spry_matrix *source_of(const struct run *run, spry_format from) {
    return from == SPRY_COO ? run->coo : run->csr;
}

static spry_status convert_from(struct run *run, spry_format from) {
    spry_matrix *result;
    spry_status status = spry_convert(run->context, source_of(run, from), run->to, NULL, &result);
    spry_matrix_destroy(result);
    return status;
}

static spry_status convert_coo(void *run) {
    return convert_from(run, SPRY_COO);
}

static spry_status convert_csr(void *run) {
    return convert_from(run, SPRY_CSR);
}

static spry_status check_cuda(cudaError_t error) {
    return error == cudaSuccess ? SPRY_OK : SPRY_ERROR_DEVICE;
}

static spry_status copy_result(void *user) {
    const struct run *run = user;
    spry_status status = check_cuda(cudaMemcpyAsync(run->copy_to, run->copy_from, run->copy_bytes,
                                                    cudaMemcpyDeviceToDevice, run->stream));
    return status == SPRY_OK ? spry_synchronize(run->context) : status;
}

/* ---- cuSPARSE ---- */

static spry_status check(cusparseStatus_t status) {
    return status == CUSPARSE_STATUS_SUCCESS ? SPRY_OK : SPRY_ERROR_DEVICE;
}

/* An array for the time of one conversion; null when there is no memory, which the next call refuses. */
static void *take(struct run *run, size_t bytes) {
    int i = run->array_count++;
    run->array_bytes[i] = bytes;
    return spry_array_new(run->context, bytes, &run->array[i]) == SPRY_OK ? run->array[i] : NULL;
}

static void let_go(struct run *run) {
    for (int i = 0; i < run->array_count; i++)
        spry_array_free(run->context, run->array[i], run->array_bytes[i]);
    run->array_count = 0;
}

static cudaDataType value_type(const struct run *run) {
    return spry_matrix_type(run->csr) == SPRY_F32 ? CUDA_R_32F : CUDA_R_64F;
}

static spry_status peer_csc(void *user) {
    struct run *run = user;
    const struct cusparse *sparse = run->sparse;
    const spry_csr *csr = spry_matrix_csr(run->csr);
    int rows = (int)spry_matrix_rows(run->csr), cols = (int)spry_matrix_cols(run->csr),
        nnz = (int)spry_matrix_nnz(run->csr);
    void *ptr = take(run, ((size_t)cols + 1) * sizeof(int)), *idx = take(run, (size_t)nnz * sizeof(int)),
         *val = take(run, (size_t)nnz * spry_type_size(spry_matrix_type(run->csr)));
    size_t bytes = 0;
    cusparseStatus_t status = sparse->Csr2cscEx2_bufferSize(
        sparse->handle, rows, cols, nnz, csr->val, csr->ptr, csr->idx, val, ptr, idx, value_type(run),
        CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG_DEFAULT, &bytes);
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = sparse->Csr2cscEx2(sparse->handle, rows, cols, nnz, csr->val, csr->ptr, csr->idx, val, ptr,
                                    idx, value_type(run), CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                                    CUSPARSE_CSR2CSC_ALG_DEFAULT, take(run, bytes));
    spry_status done = spry_synchronize(run->context);
    let_go(run);
    return status == CUSPARSE_STATUS_SUCCESS ? done : check(status);
}

/* Values in their new order. */
static spry_status gather(const struct run *run, int64_t nnz, void *from, void *order, void *to) {
    const struct cusparse *sparse = run->sparse;
    cusparseDnVecDescr_t dense = NULL;
    cusparseSpVecDescr_t sorted = NULL;
    cusparseStatus_t status = sparse->CreateDnVec(&dense, nnz, from, value_type(run));
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = sparse->CreateSpVec(&sorted, nnz, nnz, order, to, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_BASE_ZERO, value_type(run));
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = sparse->Gather(sparse->handle, dense, sorted);
    if (sorted)
        (void)sparse->DestroySpVec(sorted);
    if (dense)
        (void)sparse->DestroyDnVec(dense);
    return check(status);
}

static spry_status copy_here(const struct run *run, void *to, const void *from, size_t bytes) {
    return check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, run->stream));
}

/* Sorting is in place, so that it needs copies; duplicates stay as they are. */
static spry_status sort_coo(struct run *run) {
    const struct cusparse *sparse = run->sparse;
    const spry_coo *coo = spry_matrix_coo(run->coo);
    int rows = (int)spry_matrix_rows(run->coo), cols = (int)spry_matrix_cols(run->coo),
        nnz = (int)spry_matrix_nnz(run->coo);
    size_t bytes = 0, integers = (size_t)nnz * sizeof(int);
    int *row = take(run, integers), *col = take(run, integers), *order = take(run, integers),
        *ptr = take(run, ((size_t)rows + 1) * sizeof(int));
    void *val = take(run, (size_t)nnz * spry_type_size(spry_matrix_type(run->coo)));
    spry_status status = copy_here(run, row, coo->row, integers);
    if (status == SPRY_OK)
        status = copy_here(run, col, coo->col, integers);
    if (status == SPRY_OK)
        status = copy_here(run, order, run->order, integers);
    if (status == SPRY_OK)
        status = check(sparse->Xcoosort_bufferSizeExt(sparse->handle, rows, cols, nnz, row, col, &bytes));
    if (status == SPRY_OK)
        status =
            check(sparse->XcoosortByRow(sparse->handle, rows, cols, nnz, row, col, order, take(run, bytes)));
    if (status == SPRY_OK)
        status = gather(run, nnz, coo->val, order, val);
    if (status == SPRY_OK)
        status = check(sparse->Xcoo2csr(sparse->handle, row, nnz, rows, ptr, CUSPARSE_INDEX_BASE_ZERO));
    return status;
}

static spry_status peer_csr(void *user) {
    struct run *run = user;
    spry_status status = sort_coo(run), done = spry_synchronize(run->context);
    let_go(run);
    return status == SPRY_OK ? done : status;
}

/* ---- the table ---- */

static const struct conversion conversions[] = {
    {"coo to csr", SPRY_COO, SPRY_CSR, peer_csr, USE_TO_CSR},
    {"csr to coo", SPRY_CSR, SPRY_COO, NULL, USE_BASE},
    {"csr to csc", SPRY_CSR, SPRY_CSC, peer_csc, USE_TO_CSC},
    {"csr to ell", SPRY_CSR, SPRY_ELL, NULL, USE_BASE},
    {"csr to hyb", SPRY_CSR, SPRY_HYB, NULL, USE_BASE},
    {"csr to jds", SPRY_CSR, SPRY_JDS, NULL, USE_BASE},
    {"csr to sell", SPRY_CSR, SPRY_SELL, NULL, USE_BASE},
};
#define CONVERSION_COUNT (sizeof conversions / sizeof *conversions)

static spry_status time_call(timed_call *call, void *user, double *median) {
    struct spread spread;
    spry_status status = timing_measure(call, user, MEASURE_SECONDS, &spread);
    if (status == SPRY_OK)
        *median = spread.median;
    return status;
}

static spry_status time_copy(struct run *run, size_t bytes, double *seconds) {
    void *from = take(run, bytes), *to = take(run, bytes);
    run->copy_from = from;
    run->copy_to = to;
    run->copy_bytes = bytes;
    spry_status status = from && to ? time_call(copy_result, run, seconds) : SPRY_ERROR_MEMORY;
    let_go(run);
    return status;
}

static void print_figures(const struct conversion *conversion, double spry, double copy, double peer) {
    printf("  %-12s %10.1f us", conversion->name, spry * 1e6);
    printf("   copy %8.1f us (%5.1f x)", copy * 1e6, spry / copy);
    if (peer > 0.0)
        printf("   cusparse %10.1f us (%5.2f x the speed)", peer * 1e6, peer / spry);
    putchar('\n');
}

static bool has_peer(const struct run *run, const struct conversion *conversion) {
    char message[256];
    return run->sparse && conversion->peer &&
           cusparse_can(run->sparse, conversion->use, message, sizeof message);
}

static void measure(struct run *run, const struct conversion *conversion) {
    double spry = 0.0, copy = 0.0, peer = 0.0;
    spry_matrix *result;
    run->to = conversion->to;
    spry_status status =
        spry_convert(run->context, source_of(run, conversion->from), conversion->to, NULL, &result);
    size_t bytes = status == SPRY_OK ? spry_matrix_bytes(result) : 0;
    if (status == SPRY_OK)
        spry_matrix_destroy(result);
    if (status == SPRY_OK)
        status = time_call(conversion->from == SPRY_COO ? convert_coo : convert_csr, run, &spry);
    if (status == SPRY_OK)
        status = time_copy(run, bytes, &copy);
    if (status != SPRY_OK) {
        printf("  %-12s %s\n", conversion->name, failure_text(run->context, status));
        return;
    }
    if (has_peer(run, conversion) && time_call(conversion->peer, run, &peer) != SPRY_OK)
        printf("  %-12s cusparse failed\n", conversion->name);
    print_figures(conversion, spry, copy, peer);
}

/* ---- inputs ---- */

static spry_status make_order(struct run *run, int64_t nnz) {
    size_t bytes = (size_t)nnz * sizeof(int);
    int *order = malloc(bytes + 1);
    if (!order)
        return SPRY_ERROR_MEMORY;
    for (int64_t k = 0; k < nnz; k++)
        order[k] = (int)k;
    spry_status status = spry_array_new(run->context, bytes, &run->order);
    if (status == SPRY_OK)
        status = spry_array_put(run->context, run->order, order, bytes);
    free(order);
    return status;
}

static spry_status measure_all(struct run *run, const spry_matrix *read) {
    spry_matrix *coo = NULL, *csr = NULL;
    int64_t nnz = spry_matrix_nnz(read);
    spry_status status = spry_matrix_copy(run->context, read, &coo);
    if (status == SPRY_OK)
        status = spry_convert(run->context, coo, SPRY_CSR, NULL, &csr);
    if (status == SPRY_OK)
        status = make_order(run, nnz);
    run->coo = coo;
    run->csr = csr;
    for (size_t i = 0; status == SPRY_OK && i < CONVERSION_COUNT; i++)
        measure(run, &conversions[i]);
    spry_array_free(run->context, run->order, (size_t)nnz * sizeof(int));
    run->order = NULL;
    spry_matrix_destroy(csr);
    spry_matrix_destroy(coo);
    return status;
}

static bool measure_input(struct run *run, spry_context *host, const char *input, spry_value_type type) {
    const struct source_options options = {.type = type, .index_set = true, .index = SPRY_I32};
    struct source source;
    char message[1024];
    if (source_open(host, input, &options, &source, message, sizeof message) != SPRY_OK)
        return complain("%s", message);
    printf("%s: %lld nonzeros, %s\n", source.name, (long long)spry_matrix_nnz(source.matrix),
           spry_type_name(type));
    spry_status status = measure_all(run, source.matrix);
    if (status != SPRY_OK)
        complain("%s: %s", input, failure_text(run->context, status));
    spry_matrix_destroy(source.matrix);
    return status == SPRY_OK;
}

/* Which cuSPARSE it is, and what it lacks. */
static void introduce(const struct cusparse *sparse) {
    char message[256];
    printf("beside cuSPARSE %s\n", sparse->version);
    for (size_t i = 0; i < CONVERSION_COUNT; i++)
        if (conversions[i].peer && !cusparse_can(sparse, conversions[i].use, message, sizeof message))
            complain("%s without a peer: %s", conversions[i].name, message);
}

static bool measure_inputs(struct run *run, char **inputs, int count, spry_value_type type) {
    spry_context *host;
    struct cusparse sparse;
    char message[256];
    bool good = true;
    if (spry_context_create(&host, NULL) != SPRY_OK)
        return false;
    run->stream = spry_context_stream(run->context);
    if (cusparse_open(&sparse, run->stream, message, sizeof message)) {
        run->sparse = &sparse;
        introduce(&sparse);
    } else {
        complain("%s", message);
    }
    for (int i = 0; i < count; i++)
        good &= measure_input(run, host, inputs[i], type);
    cusparse_close(&sparse);
    spry_context_destroy(host);
    return good;
}

int main(int count, char **arguments) {
    struct run run = {0};
    char message[256];
    int first = count > 1 && strcmp(arguments[1], "--f32") == 0 ? 2 : 1;
    if (count <= first) {
        fprintf(stderr, "usage: convert_speed [--f32] FILE...\n");
        return 2;
    }
    if (!spry_cuda_devices(message, sizeof message)) {
        complain("%s", message);
        return 1;
    }
    spry_status status = spry_context_create(
        &run.context, &(spry_context_options){.size = sizeof(spry_context_options), .backend = SPRY_CUDA});
    if (status != SPRY_OK) {
        complain("%s", spry_status_string(status));
        return 1;
    }
    bool good = measure_inputs(&run, arguments + first, count - first, first == 2 ? SPRY_F32 : SPRY_F64);
    spry_context_destroy(run.context);
    return good ? 0 : 1;
}
