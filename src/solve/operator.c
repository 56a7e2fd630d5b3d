/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators of what the library has itself. */
#include "solve/precond.h"

static spry_status multiply(spry_context *context, void *matrix, const void *x, void *y) {
    return spry_spmv(context, SPRY_N, 1, matrix, x, 0, y);
}

spry_operator spry_operator_of_matrix(const spry_matrix *matrix) {
    if (!matrix)
        return (spry_operator){.n = -1};
    return (spry_operator){
        .n = matrix->rows == matrix->cols ? matrix->rows : -1,
        .type = matrix->type,
        .apply = multiply,
        .user = (void *)(uintptr_t)matrix,
        .capturable = 1,
        .matrix = matrix,
    };
}

static spry_status precondition(spry_context *context, void *precond, const void *x, void *y) {
    return spry_precond_apply(context, precond, x, y);
}

spry_operator spry_operator_of_precond(const spry_precond *precond) {
    if (!precond)
        return (spry_operator){.n = -1};
    return (spry_operator){
        .n = precond->n,
        .type = precond->type,
        .apply = precondition,
        .user = (void *)(uintptr_t)precond,
        .capturable = 1,
        .diagonal = precond->diagonal,
    };
}
