/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products with D₁ A D₂, whose factors stay apart: A keeps its repeated values, and the codes and layouts that live on them. No
 * kernel knows of it. What the product gathers from is scaled into workspace first, since kernels read it more than once, and in any
 * order; what it gives is scaled in place, or on the way to being added to y.
 */
#include <inttypes.h>

#include "core/sized.h"
#include "solve/diagonal.h"

enum side { LEFT, RIGHT, SIDE_COUNT };

struct factor {
    int64_t n;
    const void *diagonal; /* null: it is the identity */
    void *space;          /* n values for what it has scaled, or is to scale; null without a diagonal */
};

struct spry_scaled {
    const spry_matrix *matrix;
    struct factor factor[SIDE_COUNT];
    spry_value_type type; /* as the matrix has them, which may be gone before */
    spry_backend backend;
    spry_allocator allocator, arrays;
};

/* ---- making and releasing ---- */

static spry_status check(spry_context *context, const spry_matrix *matrix, const struct factor *factor) {
    if (!matrix)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_scaled_create: the matrix is null");
    for (int side = 0; side < SIDE_COUNT; side++)
        if (factor[side].diagonal && factor[side].n > 0 &&
            !context->code->reaches(context, factor[side].diagonal))
            return spry_fail(context, SPRY_ERROR_ARGUMENT,
                             "spry_scaled_create: the %s factor is in memory of the host, which %s device %d "
                             "does not reach",
                             side == LEFT ? "left" : "right", spry_backend_name(context->backend),
                             context->device_number);
    return spry_check_place(context, matrix, "spry_scaled_create");
}

static spry_status take_space(spry_context *context, spry_scaled *scaled) {
    spry_status status = SPRY_OK;
    for (int side = 0; side < SIDE_COUNT && !status; side++) {
        struct factor *factor = &scaled->factor[side];
        if (factor->diagonal)
            status = spry_allocate_array(context, (size_t)factor->n, spry_type_size(scaled->matrix->type),
                                         &factor->space);
    }
    return status ? status : spry_reserve(context, scaled->matrix, SPRY_N);
}

spry_status spry_scaled_create(spry_context *context, const spry_matrix *matrix, const void *left,
                               const void *right, spry_scaled **result) {
    void *pointer;
    if (!context || !result)
        return SPRY_ERROR_ARGUMENT;
    *result = NULL;
    const struct factor factor[SIDE_COUNT] = {{spry_matrix_rows(matrix), left, NULL},
                                              {spry_matrix_cols(matrix), right, NULL}};
    spry_status status = check(context, matrix, factor);
    if (!status)
        status = spry_allocate(context, 1, sizeof(spry_scaled), &pointer);
    if (status)
        return status;
    spry_scaled *scaled = pointer;
    *scaled = (spry_scaled){
        .matrix = matrix,
        .factor = {factor[LEFT], factor[RIGHT]},
        .type = matrix->type,
        .backend = context->backend,
        .allocator = context->allocator,
        .arrays = context->arrays,
    };
    status = take_space(context, scaled);
    if (status) {
        spry_scaled_destroy(scaled);
        return status;
    }
    *result = scaled;
    return SPRY_OK;
}

void spry_scaled_destroy(spry_scaled *scaled) {
    if (!scaled)
        return;
    spry_allocator allocator = scaled->allocator;
    spry_backend_code(scaled->backend)->synchronize_device();
    for (int side = 0; side < SIDE_COUNT; side++)
        spry_release(&scaled->arrays, scaled->factor[side].space, (size_t)scaled->factor[side].n,
                     spry_type_size(scaled->type));
    spry_release(&allocator, scaled, 1, sizeof *scaled);
}

/* ---- products ---- */

/* y = D x + beta y; y may be x. */
static spry_status apply(spry_context *context, const spry_matrix *matrix, const struct factor *factor,
                         const void *x, double beta, void *y) {
    return spry_diagonal_code_for(context, matrix->type, matrix->index)
        ->apply(context, factor->n, 1, factor->diagonal, x, beta, y);
}

static spry_status multiply(spry_context *context, spry_op op, double alpha, const spry_scaled *scaled,
                            const void *x, double beta, void *y) {
    const struct factor *in = &scaled->factor[op == SPRY_N ? RIGHT : LEFT],
                        *out = &scaled->factor[op == SPRY_N ? LEFT : RIGHT];
    spry_status status = SPRY_OK;
    if (in->diagonal) {
        status = apply(context, scaled->matrix, in, x, 0, in->space);
        x = in->space;
    }
    if (status || !out->diagonal)
        return status ? status : spry_spmv(context, op, alpha, scaled->matrix, x, beta, y);
    void *product = beta == 0 ? y : out->space;
    status = spry_spmv(context, op, alpha, scaled->matrix, x, 0, product);
    return status ? status : apply(context, scaled->matrix, out, product, beta, y);
}

spry_status spry_scaled_spmv(spry_context *context, spry_op op, double alpha, const spry_scaled *scaled,
                             const void *x, double beta, void *y) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (!scaled || (unsigned)op >= SPRY_OP_COUNT)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_scaled_spmv: the matrix is null, or %d is not an operation", (int)op);
    const int64_t rows = scaled->matrix->rows, cols = scaled->matrix->cols;
    spry_status status = spry_check_place(context, scaled->matrix, "spry_scaled_spmv");
    if (status)
        return status;
    /* Neither A nor x nor the factors are looked at then. */
    if (alpha == 0)
        return spry_spmv(context, op, 0, scaled->matrix, x, beta, y);
    if ((!x && (op == SPRY_N ? cols : rows) > 0) || (!y && (op == SPRY_N ? rows : cols) > 0))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_scaled_spmv: %s is null", x ? "y" : "x");
    return multiply(context, op, alpha, scaled, x, beta, y);
}

/* ---- as an operator ---- */

static spry_status apply_operator(spry_context *context, void *scaled, const void *x, void *y) {
    return spry_scaled_spmv(context, SPRY_N, 1, scaled, x, 0, y);
}

void spry_operator_set_scaled(const spry_scaled *scaled, spry_operator *made, size_t size) {
    spry_operator product = {.size = size, .n = -1};
    if (scaled)
        product = (spry_operator){
            .size = size,
            .n = scaled->matrix->rows == scaled->matrix->cols ? scaled->matrix->rows : -1,
            .type = scaled->matrix->type,
            .apply = apply_operator,
            .user = (void *)(uintptr_t)scaled,
            .capturable = 1,
        };
    spry_fill(&product, sizeof product, made, size);
}
