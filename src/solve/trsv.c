/* SPDX-License-Identifier: BSD-3-Clause */
/* Triangular solves as they are called. */
#include <inttypes.h>

#include "convert/convert.h"
#include "solve/triangle.h"

struct spry_trsv {
    int device; /* CUDA: its number */
    struct spry_substitution substitution;
    spry_allocator allocator; /* of this struct */
};

static spry_status check_create(spry_context *context, const spry_matrix *matrix, spry_triangle triangle,
                                spry_op op) {
    if (!matrix)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_trsv_create: the matrix is null");
    if ((unsigned)triangle >= SPRY_TRIANGLE_COUNT || (unsigned)op >= SPRY_OP_COUNT)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_trsv_create: invalid triangle %d or operation %d", (int)triangle, (int)op);
    if (matrix->rows != matrix->cols)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_trsv_create: the matrix is %" PRId64 " × %" PRId64 ", expected a square one",
                         matrix->rows, matrix->cols);
    return spry_check_place(context, matrix, "spry_trsv_create");
}

/* From a matrix as the hub wants it. */
static spry_status prepare(spry_context *context, const spry_matrix *csr, spry_triangle triangle, bool unit,
                           struct spry_substitution *substitution) {
    static const struct spry_scaling divided = {.weight = 1, .inverse = 1}, undivided = {.weight = 1};
    struct spry_square square;
    struct spry_square_faults faults;
    spry_status status = spry_square_open(context, csr, &square, &faults);
    if (!status && !unit)
        status = spry_square_check_diagonal(context, &faults);
    struct spry_pattern pattern = {0};
    if (!status)
        status = spry_pattern_open(context, &square, &pattern);
    if (!status)
        status = spry_substitution_create(context, &square, &pattern, triangle, NULL, substitution);
    if (!status)
        status = spry_substitution_fill(context, &square, unit ? &undivided : &divided, substitution);
    spry_pattern_close(context, &pattern);
    context->code->synchronize_device(context->device_number);
    spry_square_close(&context->arrays, &square);
    return status;
}

/* The lower triangle of the transpose is the upper one transposed. */
static spry_status prepare_transposed(spry_context *context, const spry_matrix *csr, spry_triangle triangle,
                                      bool unit, struct spry_substitution *substitution) {
    spry_matrix *transposed;
    spry_status status = spry_transpose(context, csr, &transposed);
    if (status)
        return status;
    status =
        prepare(context, transposed, triangle == SPRY_LOWER ? SPRY_UPPER : SPRY_LOWER, unit, substitution);
    spry_matrix_destroy(transposed);
    return status;
}

static spry_status prepare_any(spry_context *context, const spry_matrix *matrix, spry_triangle triangle,
                               spry_op op, bool unit, struct spry_substitution *substitution) {
    static const spry_convert_options options;
    struct spry_hub hub;
    spry_status status = spry_hub_open(context, matrix, &options, &hub);
    if (status)
        return status;
    status = (op == SPRY_N ? prepare : prepare_transposed)(context, hub.csr, triangle, unit, substitution);
    spry_hub_close(&hub);
    return status;
}

spry_status spry_trsv_create(spry_context *context, const spry_matrix *matrix, spry_triangle triangle,
                             spry_op op, int unit, spry_trsv **trsv) {
    if (!context || !trsv)
        return spry_no_result(context, "spry_trsv_create");
    *trsv = NULL;
    void *pointer;
    spry_status status = check_create(context, matrix, triangle, op);
    if (!status)
        status = spry_allocate(context, 1, sizeof **trsv, &pointer);
    if (status)
        return status;
    *trsv = pointer;
    **trsv = (spry_trsv){.device = context->device_number, .allocator = context->allocator};
    status = prepare_any(context, matrix, triangle, op, unit != 0, &(*trsv)->substitution);
    if (status) {
        spry_trsv_destroy(*trsv);
        *trsv = NULL;
    }
    return status;
}

void spry_trsv_destroy(spry_trsv *trsv) {
    if (!trsv)
        return;
    spry_substitution_release(&trsv->substitution);
    spry_allocator allocator = trsv->allocator;
    spry_release(&allocator, trsv, 1, sizeof *trsv);
}

spry_status spry_trsv_solve(spry_context *context, const spry_trsv *trsv, const void *b, void *x) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (!trsv)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_trsv_solve: the triangle is null");
    const struct spry_substitution *substitution = &trsv->substitution;
    spry_status status = spry_check_device(context, substitution->backend, trsv->device, "spry_trsv_solve",
                                           "the triangle", "");
    if (status)
        return status;
    if (substitution->order.n > 0 && (!b || !x))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_trsv_solve: a vector is null");
    return spry_triangle_code(context, substitution->type, substitution->index)
        ->solve(context, substitution, b, x);
}

int64_t spry_trsv_levels(const spry_trsv *trsv) {
    return trsv ? trsv->substitution.order.levels : 0;
}
