/* SPDX-License-Identifier: BSD-3-Clause */
#include "cusparse/spmv_op.h"

#include "cusparse/cusparse_library.h"

cusparseStatus_t spmv_op_create(const struct cusparse *sparse, spry_context *context,
                                cusparseOperation_t operation, cusparseConstSpMatDescr_t a,
                                cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType type,
                                unsigned algorithm, struct spmv_op *op) {
    const struct spmv_op_functions *functions = &sparse->spmv_op;
    size_t bytes = 0;
    *op = (struct spmv_op){.sparse = sparse, .context = context};
    /* Up to 12.9.4 it multiplies by A alone, and prints a line for all that asks for more. */
    if (operation != CUSPARSE_OPERATION_NON_TRANSPOSE)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    cusparseStatus_t status =
        functions->buffer_size(sparse->handle, operation, a, x, y, y, type, algorithm, &bytes);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (spry_array_new(context, bytes, &op->buffer) != SPRY_OK)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    op->buffer_bytes = bytes;
    status = functions->create_descr(sparse->handle, &op->descr, operation, a, x, y, y, type, algorithm,
                                     op->buffer);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    return functions->create_plan(sparse->handle, op->descr, &op->plan, NULL, 0);
}

cusparseStatus_t spmv_op_run(const struct spmv_op *op, const void *alpha, const void *beta,
                             cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y) {
    return op->sparse->spmv_op.run(op->sparse->handle, op->plan, alpha, beta, x, y, y);
}

void spmv_op_destroy(struct spmv_op *op) {
    if (op->plan)
        (void)op->sparse->spmv_op.destroy_plan(op->plan);
    if (op->descr)
        (void)op->sparse->spmv_op.destroy_descr(op->descr);
    spry_array_free(op->context, op->buffer, op->buffer_bytes);
    *op = (struct spmv_op){0};
}
