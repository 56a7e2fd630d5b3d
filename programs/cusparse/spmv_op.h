/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cusparseSpMVOp, cuSPARSE's product with a plan: z = op(A) x times alpha and y times beta, and an epilogue where there is
 * one. It is experimental: headers declare it from 12.7.3 on, under CUSPARSE_ENABLE_EXPERIMENTAL_API, and since 12.8.1 with
 * an algorithm, as here. What it takes is declared here, so that a program that was compiled with an older header has it from
 * a newer library.
 */
#ifndef SPRY_CUSPARSE_SPMV_OP_H
#define SPRY_CUSPARSE_SPMV_OP_H

#include <cusparse.h>
#include <spry/spry.h>
#include <stddef.h>

struct cusparse;
struct cusparseSpMVOpDescr;
struct cusparseSpMVOpPlan;

/* The values of cusparseSpMVOpAlg_t. */
enum { SPMV_OP_ALG1 = 1, SPMV_OP_ALG2 = 2 };

struct spmv_op_functions {
    cusparseStatus_t (*buffer_size)(cusparseHandle_t handle, cusparseOperation_t op,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                    cusparseDnVecDescr_t y, cusparseDnVecDescr_t z, cudaDataType type,
                                    unsigned algorithm, size_t *bytes);
    cusparseStatus_t (*create_descr)(cusparseHandle_t handle, struct cusparseSpMVOpDescr **descr,
                                     cusparseOperation_t op, cusparseConstSpMatDescr_t a,
                                     cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                     cusparseDnVecDescr_t z, cudaDataType type, unsigned algorithm,
                                     void *buffer);
    cusparseStatus_t (*destroy_descr)(struct cusparseSpMVOpDescr *descr);
    cusparseStatus_t (*create_plan)(cusparseHandle_t handle, struct cusparseSpMVOpDescr *descr,
                                    struct cusparseSpMVOpPlan **plan, const void *code, size_t code_size);
    cusparseStatus_t (*destroy_plan)(struct cusparseSpMVOpPlan *plan);
    cusparseStatus_t (*run)(cusparseHandle_t handle, struct cusparseSpMVOpPlan *plan, const void *alpha,
                            const void *beta, cusparseConstDnVecDescr_t x, cusparseConstDnVecDescr_t y,
                            cusparseDnVecDescr_t z);
};

/* A product that is prepared. */
struct spmv_op {
    const struct cusparse *sparse;
    spry_context *context;
    struct cusparseSpMVOpDescr *descr;
    struct cusparseSpMVOpPlan *plan;
    void *buffer;
    size_t buffer_bytes;
};

/* Prepare y = op(A) x, in a library that has USE_SPMV_OP; `op` is released by spmv_op_destroy whatever comes of it. A, x and y
   outlive it. CUSPARSE_STATUS_NOT_SUPPORTED for transposed products. */
cusparseStatus_t spmv_op_create(const struct cusparse *sparse, spry_context *context,
                                cusparseOperation_t operation, cusparseConstSpMatDescr_t a,
                                cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType type,
                                unsigned algorithm, struct spmv_op *op);
/* y = alpha op(A) x + beta y, put into the handle's stream. */
cusparseStatus_t spmv_op_run(const struct spmv_op *op, const void *alpha, const void *beta,
                             cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y);
/* All zero is nothing to release. */
void spmv_op_destroy(struct spmv_op *op);

#endif
