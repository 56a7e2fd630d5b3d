/* SPDX-License-Identifier: BSD-3-Clause */
/* The product: arguments are checked, then the kernel runs. */
#include "core/backend.h"
#include "core/round.h"
#include "spmv/adding.h"
#include "spmv/dot.h"
#include "spmv/scaled.h"

/* What is said of the product is alpha, beta, the vectors and the diagonals; messages name the call. */
static spry_status multiply(spry_context *context, const char *call, const spry_kernel *kernel,
                            const spry_matrix *matrix, struct spry_product *product) {
    spry_status status = spry_check_place(context, matrix, call);
    if (status)
        return status;
    bool transposed = kernel->op == SPRY_T;
    int64_t inputs = transposed ? matrix->rows : matrix->cols,
            outputs = transposed ? matrix->cols : matrix->rows;
    if (outputs == 0)
        return SPRY_OK;
    if (!product->y)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: y is null", call);
    if (matrix->type == SPRY_F32) {
        product->alpha = spry_rounded_to_f32(product->alpha);
        product->beta = spry_rounded_to_f32(product->beta);
    }
    /* Neither the arrays nor x are looked at then. */
    if (product->alpha == 0 || matrix->nnz == 0)
        return context->code->scale(context, matrix->type, outputs, product->beta, product->y);
    if (!product->x && inputs > 0)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: x is null", call);
    status = context->code->reserve(context, matrix, kernel->op, 0, NULL);
    product->columns = product->x_step = product->y_step = 1;
    return status ? status : kernel->run(context, kernel, matrix, product);
}

int64_t spry_dot_partials(const spry_matrix *matrix) {
    const spry_kernel *kernel = matrix->kernel[SPRY_N];
    return kernel && kernel->partials && matrix->nnz > 0 ? kernel->partials(matrix) : 0;
}

static spry_status run_partials(spry_context *context, const spry_matrix *matrix, const void *x, void *y,
                                const void *w, double *partial) {
    const spry_kernel *kernel = matrix->kernel[SPRY_N];
    return kernel->run(
        context, kernel, matrix,
        &(struct spry_product){
            .alpha = 1, .x = x, .y = y, .columns = 1, .x_step = 1, .y_step = 1, .w = w, .partial = partial});
}

spry_status spry_spmv_partials(spry_context *context, const spry_matrix *matrix, const void *x, void *y,
                               const void *w, double *partial) {
    spry_status status = context->code->reserve(context, matrix, SPRY_N, 0, NULL);
    return status ? status : run_partials(context, matrix, x, y, w, partial);
}

/* Into workspace beside that of the product, and what is there added up. */
static spry_status add_up_partials(spry_context *context, const spry_matrix *matrix, const void *x, void *y,
                                   const void *w, int64_t count, void *result) {
    void *partial;
    spry_status status =
        context->code->reserve(context, matrix, SPRY_N, (size_t)count * sizeof(double), &partial);
    if (!status)
        status = run_partials(context, matrix, x, y, w, partial);
    return status ? status : spry_sum(context, SPRY_NUMBER_F64, count, partial, result);
}

spry_status spry_spmv_dot(spry_context *context, const spry_matrix *matrix, const void *x, void *y,
                          const void *w, void *result) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (!matrix)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_spmv_dot: the matrix is null");
    spry_status status = spry_check_place(context, matrix, "spry_spmv_dot");
    if (status)
        return status;
    int64_t count = spry_dot_partials(matrix);
    if (!result || (matrix->rows > 0 && (!y || !w || (!x && matrix->cols > 0))))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_spmv_dot: a vector or the result is null");
    if (count > 0)
        return add_up_partials(context, matrix, x, y, w, count, result);
    status = spry_spmv(context, SPRY_N, 1, matrix, x, 0, y);
    return status ? status : spry_dot(context, (spry_number)matrix->type, matrix->rows, w, y, result);
}

spry_status spry_reserve(spry_context *context, const spry_matrix *matrix, spry_op op) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (!matrix || (unsigned)op >= SPRY_OP_COUNT)
        return spry_no_product(context, "spry_reserve", matrix, op);
    spry_status status = spry_check_place(context, matrix, "spry_reserve");
    if (status)
        return status;
    void *partial;
    int64_t count = op == SPRY_N ? spry_dot_partials(matrix) : 0;
    return context->code->reserve(context, matrix, op, (size_t)count * sizeof(double), &partial);
}

spry_status spry_spmv(spry_context *context, spry_op op, double alpha, const spry_matrix *matrix,
                      const void *x, double beta, void *y) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (!matrix || (unsigned)op >= SPRY_OP_COUNT)
        return spry_no_product(context, "spry_spmv", matrix, op);
    spry_status status = spry_check_kernel(context, matrix, op);
    return status ? status
                  : multiply(context, "spry_spmv", matrix->kernel[op], matrix,
                             &(struct spry_product){.alpha = alpha, .beta = beta, .x = x, .y = y});
}

bool spry_spmv_scales(const spry_matrix *matrix, spry_op op) {
    const spry_kernel *kernel = matrix->kernel[op];
    return kernel && kernel->scales;
}

spry_status spry_spmv_scaled(spry_context *context, spry_op op, double alpha, const spry_matrix *matrix,
                             const void *left, const void *right, const void *x, double beta, void *y) {
    return multiply(
        context, "spry_scaled_spmv", matrix->kernel[op], matrix,
        &(struct spry_product){.alpha = alpha, .beta = beta, .x = x, .y = y, .left = left, .right = right});
}

/* A product without entries leaves nothing to a kernel that could add. */
bool spry_spmv_adds(const spry_matrix *matrix) {
    const spry_kernel *kernel = matrix->kernel[SPRY_N];
    return kernel && kernel->adds && matrix->nnz > 0;
}

spry_status spry_spmv_adding(spry_context *context, double alpha, const spry_matrix *matrix, const void *x,
                             double beta, void *y, const struct spry_addition *addition) {
    return multiply(
        context, "spry_precond_apply", matrix->kernel[SPRY_N], matrix,
        &(struct spry_product){.alpha = alpha, .beta = beta, .x = x, .y = y, .addition = *addition});
}

spry_status spry_spmv_with(spry_context *context, const spry_kernel *kernel, double alpha,
                           const spry_matrix *matrix, const void *x, double beta, void *y) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (!matrix || !kernel)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_spmv_with: the matrix or the kernel is null");
    const bool takes = spry_kernel_takes(kernel, matrix);
    if (!takes || !spry_kernel_runs(context, kernel))
        return spry_fail(context, SPRY_ERROR_UNSUPPORTED, "spry_spmv_with: the kernel %s %s %s %s",
                         kernel->name, spry_type_name(kernel->type), spry_index_name(kernel->index),
                         takes ? "does not run on this machine, or was disabled in this context"
                               : "cannot multiply by this matrix");
    return multiply(context, "spry_spmv_with", kernel, matrix,
                    &(struct spry_product){.alpha = alpha, .beta = beta, .x = x, .y = y});
}
