/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products with D₁ A D₂, whose factors stay apart: A keeps its repeated values, and the codes and layouts that live on them. Kernels
 * that scale are given the factors, where that is faster. Others know nothing of them: what the product gathers from is scaled into
 * workspace first, since kernels read it more than once, and in any order; what it gives is scaled in place, or on the way to being
 * added to y.
 */
#include "core/round.h"
#include "solve/diagonal.h"
#include "solve/operator.h"
#include "spmv/scaled.h"

enum side { LEFT, RIGHT, SIDE_COUNT };

struct spry_scaled {
    const spry_matrix *matrix;
    const void *factor[SIDE_COUNT]; /* null: it is the identity */
    spry_allocator allocator;
};

/* ---- making and releasing ---- */

static int64_t length_of(const spry_matrix *matrix, enum side side) {
    return side == LEFT ? matrix->rows : matrix->cols;
}

static spry_status check(spry_context *context, const spry_matrix *matrix,
                         const void *const factor[SIDE_COUNT]) {
    if (!matrix)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_scaled_create: the matrix is null");
    for (int side = 0; side < SIDE_COUNT; side++)
        if (factor[side] && length_of(matrix, (enum side)side) > 0 &&
            !context->code->reaches(context, factor[side]))
            return spry_fail(context, SPRY_ERROR_ARGUMENT,
                             "spry_scaled_create: the %s factor is in memory of the host or of another "
                             "device, which %s device %d does not reach",
                             side == LEFT ? "left" : "right", spry_backend_name(context->backend),
                             context->device_number);
    return spry_check_place(context, matrix, "spry_scaled_create");
}

/* Entries a row, on average, up to which kernels are given the factors: they load and multiply one value more for each, where a pass
   moves three vectors. Measured on Zen 5 with a thread, f64, both factors: 160³ rows with 7 entries take 6.4 ms, and 9.7 in passes;
   130³ rows with 27 entries 7.8 and 5.8. */
#define FEW_ENTRIES 8

static bool takes_passes(const spry_matrix *matrix, spry_op op) {
    return !spry_spmv_scales(matrix, op) || matrix->nnz / FEW_ENTRIES > matrix->rows;
}

/* Workspace for what a factor scales in a pass. */
static size_t room_of(const spry_scaled *scaled, spry_op op, enum side side) {
    const size_t bytes =
        spry_multiply_sizes((size_t)length_of(scaled->matrix, side), spry_type_size(scaled->matrix->type));
    return scaled->factor[side] && takes_passes(scaled->matrix, op)
               ? spry_sum_sizes(bytes, -bytes % SPRY_ALIGNMENT)
               : 0;
}

/* What a product needs in this context: *room is for the factor on the left, and then for the other. */
static spry_status take_room(spry_context *context, const spry_scaled *scaled, spry_op op, void **room) {
    const size_t bytes = spry_sum_sizes(room_of(scaled, op, LEFT), room_of(scaled, op, RIGHT));
    return context->code->reserve(context, scaled->matrix, op, bytes, room);
}

spry_status spry_scaled_reserve(spry_context *context, const spry_scaled *scaled) {
    void *room;
    return take_room(context, scaled, SPRY_N, &room);
}

spry_status spry_scaled_create(spry_context *context, const spry_matrix *matrix, const void *left,
                               const void *right, spry_scaled **result) {
    const void *const factor[SIDE_COUNT] = {left, right};
    void *pointer;
    if (!context || !result)
        return spry_no_result(context, "spry_scaled_create");
    *result = NULL;
    spry_status status = check(context, matrix, factor);
    if (!status)
        status = spry_allocate(context, 1, sizeof(spry_scaled), &pointer);
    if (status)
        return status;
    spry_scaled *scaled = pointer;
    *scaled = (spry_scaled){matrix, {left, right}, context->allocator};
    status = spry_scaled_reserve(context, scaled);
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
    spry_release(&allocator, scaled, 1, sizeof *scaled);
}

const spry_matrix *spry_scaled_matrix(const spry_scaled *scaled) {
    return scaled->matrix;
}

/* ---- products ---- */

/* y = D x + beta y; y may be x. */
static spry_status apply(spry_context *context, const spry_scaled *scaled, enum side side, const void *x,
                         double beta, void *y) {
    const spry_matrix *matrix = scaled->matrix;
    return spry_diagonal_code_for(context, matrix->type, matrix->index)
        ->apply(context, length_of(matrix, side), 1, scaled->factor[side], x, beta, y);
}

static void *place_of(const spry_scaled *scaled, spry_op op, enum side side, void *room) {
    return side == LEFT ? room : (char *)room + room_of(scaled, op, LEFT);
}

static spry_status multiply_in_passes(spry_context *context, spry_op op, double alpha,
                                      const spry_scaled *scaled, const void *x, double beta, void *y) {
    const enum side in = op == SPRY_N ? RIGHT : LEFT, out = op == SPRY_N ? LEFT : RIGHT;
    void *room;
    spry_status status = take_room(context, scaled, op, &room);
    if (scaled->factor[in] && !status) {
        void *product = place_of(scaled, op, in, room);
        status = apply(context, scaled, in, x, 0, product);
        x = product;
    }
    if (status || !scaled->factor[out])
        return status ? status : spry_spmv(context, op, alpha, scaled->matrix, x, beta, y);
    void *product = beta == 0 ? y : place_of(scaled, op, out, room);
    status = spry_spmv(context, op, alpha, scaled->matrix, x, 0, product);
    return status ? status : apply(context, scaled, out, product, beta, y);
}

spry_status spry_scaled_spmv(spry_context *context, spry_op op, double alpha, const spry_scaled *scaled,
                             const void *x, double beta, void *y) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (!scaled || (unsigned)op >= SPRY_OP_COUNT)
        return spry_no_product(context, "spry_scaled_spmv", scaled, op);
    const spry_matrix *matrix = scaled->matrix;
    spry_status status = spry_check_place(context, matrix, "spry_scaled_spmv");
    if (status)
        return status;
    if (matrix->type == SPRY_F32)
        alpha = spry_rounded_to_f32(alpha);
    /* Neither A nor x nor the factors are looked at then. */
    if (alpha == 0 || matrix->nnz == 0)
        return spry_spmv(context, op, alpha, matrix, x, beta, y);
    if (!x || !y)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_scaled_spmv: %s is null", x ? "y" : "x");
    if (takes_passes(matrix, op))
        return multiply_in_passes(context, op, alpha, scaled, x, beta, y);
    const void *left = scaled->factor[LEFT], *right = scaled->factor[RIGHT];
    return spry_spmv_scaled(context, op, alpha, matrix, op == SPRY_N ? left : right,
                            op == SPRY_N ? right : left, x, beta, y);
}
