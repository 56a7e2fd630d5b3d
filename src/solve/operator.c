/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators of what the library has itself. */
#include "solve/operator.h"

#include "core/backend.h"
#include "core/sized.h"
#include "solve/precond.h"

static spry_status multiply(spry_context *context, void *matrix, const void *x, void *y) {
    return spry_spmv(context, SPRY_N, 1, matrix, x, 0, y);
}

typedef spry_status apply_function(spry_context *context, void *user, const void *x, void *y);

/* The operator, of a caller's `size`, of products with a matrix by a function of `user`. */
static spry_operator product_with(const spry_matrix *matrix, apply_function *apply, const void *user,
                                  size_t size) {
    return (spry_operator){
        .size = size,
        .n = matrix->rows == matrix->cols ? matrix->rows : -1,
        .type = matrix->type,
        .apply = apply,
        .user = (void *)(uintptr_t)user,
        .capturable = 1,
    };
}

void spry_operator_set_matrix(const spry_matrix *matrix, spry_operator *made, size_t size) {
    spry_operator product = {.size = size, .n = -1};
    if (matrix) {
        product = product_with(matrix, multiply, matrix, size);
        product.matrix = matrix;
    }
    spry_fill(&product, sizeof product, made, size);
}

static spry_status precondition(spry_context *context, void *precond, const void *x, void *y) {
    return spry_precond_apply(context, precond, x, y);
}

void spry_operator_set_precond(const spry_precond *precond, spry_operator *made, size_t size) {
    spry_operator application = {.size = size, .n = -1};
    if (precond)
        application = (spry_operator){
            .size = size,
            .n = precond->n,
            .type = precond->type,
            .apply = precondition,
            .user = (void *)(uintptr_t)precond,
            .capturable = 1,
            .diagonal = precond->diagonal,
        };
    spry_fill(&application, sizeof application, made, size);
}

static spry_status multiply_scaled(spry_context *context, void *scaled, const void *x, void *y) {
    return spry_scaled_spmv(context, SPRY_N, 1, scaled, x, 0, y);
}

void spry_operator_set_scaled(const spry_scaled *scaled, spry_operator *made, size_t size) {
    spry_operator product = {.size = size, .n = -1};
    if (scaled)
        product = product_with(spry_scaled_matrix(scaled), multiply_scaled, scaled, size);
    spry_fill(&product, sizeof product, made, size);
}

/* What it multiplies by, or null. */
static const spry_matrix *matrix_of(const spry_operator *applied) {
    return applied->apply == multiply_scaled ? spry_scaled_matrix(applied->user) : applied->matrix;
}

/* A diagonal stays where it is. What else a preconditioner has may move with any update. */
unsigned spry_operator_moves(const spry_operator *applied) {
    const spry_matrix *matrix = matrix_of(applied);
    if (applied->apply == precondition)
        return applied->diagonal ? 0 : ((const spry_precond *)applied->user)->updates;
    return matrix ? matrix->moves : 0;
}

spry_status spry_operator_check_place(spry_context *context, const spry_operator *applied, const char *call) {
    const spry_matrix *matrix = matrix_of(applied);
    spry_status status = SPRY_OK;
    if (applied->apply == precondition)
        status = spry_precond_check_place(context, applied->user, call);
    if (!status && matrix)
        status = spry_check_place(context, matrix, call);
    if (status || !applied->diagonal || applied->n == 0 || context->code->reaches(context, applied->diagonal))
        return status;
    return spry_fail(
        context, SPRY_ERROR_ARGUMENT,
        "%s: a diagonal is in memory of the host or of another device, which %s device %d does not "
        "reach",
        call, spry_backend_name(context->backend), context->device_number);
}

spry_status spry_operator_reserve(spry_context *context, const spry_operator *applied) {
    if (applied->apply == precondition)
        return spry_precond_reserve(context, applied->user);
    if (applied->apply == multiply_scaled)
        return spry_scaled_reserve(context, applied->user);
    return applied->matrix ? context->code->reserve(context, applied->matrix, SPRY_N, 0, NULL) : SPRY_OK;
}
