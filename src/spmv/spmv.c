/* SPDX-License-Identifier: BSD-3-Clause */
/* The product: arguments are checked, then the kernel runs. */
#include "core/backend.h"

static spry_status multiply(spry_context *context, const spry_kernel *kernel, double alpha,
                            const spry_matrix *matrix, const void *x, double beta, void *y) {
    spry_status status = spry_check_place(context, matrix, "spry_spmv");
    if (status)
        return status;
    bool transposed = kernel->op == SPRY_T;
    int64_t inputs = transposed ? matrix->rows : matrix->cols,
            outputs = transposed ? matrix->cols : matrix->rows;
    if (outputs == 0)
        return SPRY_OK;
    if (!y)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_spmv: y is null");
    if (matrix->type == SPRY_F32) {
        alpha = (float)alpha;
        beta = (float)beta;
    }
    /* Neither the arrays nor x are looked at then. */
    if (alpha == 0 || matrix->nnz == 0)
        return context->code->scale(context, matrix->type, outputs, beta, y);
    if (!x && inputs > 0)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_spmv: x is null");
    status = context->code->reserve(context, matrix, kernel->op);
    return status ? status : kernel->run(context, kernel, matrix, alpha, x, beta, y);
}

spry_status spry_reserve(spry_context *context, const spry_matrix *matrix, spry_op op) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (!matrix || (unsigned)op >= SPRY_OP_COUNT)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_reserve: the matrix is null, or %d is no operation", (int)op);
    spry_status status = spry_check_place(context, matrix, "spry_reserve");
    return status ? status : context->code->reserve(context, matrix, op);
}

spry_status spry_spmv(spry_context *context, spry_op op, double alpha, const spry_matrix *matrix,
                      const void *x, double beta, void *y) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (!matrix || (unsigned)op >= SPRY_OP_COUNT)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_spmv: the matrix is null, or %d is no operation",
                         (int)op);
    const spry_kernel *kernel = matrix->kernel[op];
    if (!kernel)
        return spry_fail(context, SPRY_ERROR_UNSUPPORTED, "every kernel for %s %s %s%s was disabled",
                         spry_format_name(matrix->format), spry_type_name(matrix->type),
                         spry_index_name(matrix->index), op == SPRY_T ? " transposed" : "");
    return multiply(context, kernel, alpha, matrix, x, beta, y);
}

spry_status spry_spmv_with(spry_context *context, const spry_kernel *kernel, double alpha,
                           const spry_matrix *matrix, const void *x, double beta, void *y) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (!matrix || !kernel)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_spmv_with: the matrix or the kernel is null");
    if (!spry_kernel_takes(kernel, matrix) || !spry_kernel_runs(context, kernel))
        return spry_fail(context, SPRY_ERROR_UNSUPPORTED, "kernel %s %s %s %s this matrix", kernel->name,
                         spry_type_name(kernel->type), spry_index_name(kernel->index),
                         spry_kernel_takes(kernel, matrix) ? "is not run by this machine or context for"
                                                           : "does not take");
    return multiply(context, kernel, alpha, matrix, x, beta, y);
}
