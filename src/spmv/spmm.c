/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with many columns: by a kernel for them, or one column after the other. */
#include <inttypes.h>

#include "core/backend.h"
#include "core/round.h"
#include "core/view.h"

/* A product with views whose sizes match. */
struct multiplication {
    spry_context *context;
    const spry_matrix *matrix;
    spry_op op;
    double alpha, beta;
    spry_view x, y;
};

static spry_status check_size(spry_context *context, const char *name, const spry_view *view, bool looks_into,
                              int64_t rows) {
    spry_status status = spry_check_view(context, "spry_spmm", name, view, looks_into);
    if (!status && view->rows != rows)
        status = spry_fail(context, SPRY_ERROR_ARGUMENT,
                           "spry_spmm: %s is %" PRId64 " × %" PRId64 ", expected %" PRId64 " rows", name,
                           view->rows, view->cols, rows);
    return status;
}

static spry_status check(spry_context *context, spry_op op, double alpha, const spry_matrix *matrix,
                         const spry_view *x, const spry_view *y) {
    if (!matrix || (unsigned)op >= SPRY_OP_COUNT)
        return spry_no_product(context, "spry_spmm", matrix, op);
    spry_status status = spry_check_place(context, matrix, "spry_spmm");
    if (!status)
        status = check_size(context, "X", x, alpha != 0, op == SPRY_N ? matrix->cols : matrix->rows);
    if (!status)
        status = check_size(context, "Y", y, true, op == SPRY_N ? matrix->rows : matrix->cols);
    if (status)
        return status;
    if (x->cols != y->cols)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_spmm: X has %" PRId64 " columns and Y %" PRId64,
                         x->cols, y->cols);
    if (y->rows > 0 && y->cols > 0 &&
        ((y->rows > 1 && y->row_stride == 0) || (y->cols > 1 && y->col_stride == 0)))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_spmm: a stride of Y is zero");
    return spry_check_kernel(context, matrix, op);
}

/* The begin of a column; of one without rows, or not looked into, which may have no array either, just a pointer. */
static void *value_at(const struct multiplication *m, const spry_view *view, int64_t column) {
    if (view->rows == 0 || !view->data)
        return view->data;
    return (char *)view->data +
           (view->offset + column * view->col_stride) * (int64_t)spry_type_size(m->matrix->type);
}

static bool is_contiguous(const spry_view *view) {
    return view->row_stride == 1 || view->rows <= 1;
}

/* ---- column by column ---- */

/* Bytes that a column takes beside the workspace of the product, where it has to be brought together. */
static size_t room_of(const struct multiplication *m, const spry_view *view) {
    if (is_contiguous(view))
        return 0;
    size_t bytes = spry_multiply_sizes((size_t)view->rows, spry_type_size(m->matrix->type));
    return spry_sum_sizes(bytes, -bytes % SPRY_ALIGNMENT);
}

/* One column, of vectors that are contiguous. */
static spry_status multiply_vector(const struct multiplication *m, const void *x, void *y) {
    const spry_kernel *kernel = m->matrix->kernel[m->op];
    if (m->alpha == 0 || m->matrix->nnz == 0)
        return m->context->code->scale(m->context, m->matrix->type, m->y.rows, m->beta, y);
    return kernel->run(
        m->context, kernel, m->matrix,
        &(struct spry_product){
            .alpha = m->alpha, .beta = m->beta, .x = x, .y = y, .columns = 1, .x_step = 1, .y_step = 1});
}

/* With `room` for x and y, where they are not contiguous. */
static spry_status multiply_column(const struct multiplication *m, int64_t column, char *room) {
    const struct spry_backend_code *code = m->context->code;
    const size_t size = spry_type_size(m->matrix->type);
    const bool x_here = is_contiguous(&m->x), y_here = is_contiguous(&m->y);
    void *x_there = value_at(m, &m->x, column), *y_there = value_at(m, &m->y, column);
    void *x = x_here ? x_there : room, *y = y_here ? y_there : room + room_of(m, &m->x);
    spry_status status = SPRY_OK;
    if (!x_here && m->alpha != 0)
        status = code->copy_strided(m->context, size, m->x.rows, x_there, m->x.row_stride, x, 1);
    if (!y_here && m->beta != 0 && !status)
        status = code->copy_strided(m->context, size, m->y.rows, y_there, m->y.row_stride, y, 1);
    if (!status)
        status = multiply_vector(m, x, y);
    if (!y_here && !status)
        status = code->copy_strided(m->context, size, m->y.rows, y, 1, y_there, m->y.row_stride);
    return status;
}

static spry_status multiply_columns(const struct multiplication *m) {
    void *room = NULL;
    size_t bytes = spry_sum_sizes(room_of(m, &m->x), room_of(m, &m->y));
    spry_status status = m->context->code->reserve(m->context, m->matrix, m->op, bytes, &room);
    for (int64_t column = 0; column < m->y.cols && !status; column++)
        status = multiply_column(m, column, room);
    return status;
}

/* ---- at once ---- */

/* Columns that a kernel is given at once, at most: their workspace is bounded, and what is read of the matrix is shared by
   enough of them. */
#define COLUMNS_MOST 256

static spry_status multiply_some(const struct multiplication *m, const spry_kernel *kernel, int64_t first) {
    const int64_t left = m->y.cols - first;
    const struct spry_product product = {
        .alpha = m->alpha,
        .beta = m->beta,
        .x = value_at(m, &m->x, first),
        .y = value_at(m, &m->y, first),
        .columns = left < COLUMNS_MOST ? left : COLUMNS_MOST,
        .x_step = m->x.row_stride,
        .x_next = m->x.col_stride,
        .y_step = m->y.row_stride,
        .y_next = m->y.col_stride,
    };
    return kernel->run(m->context, kernel, m->matrix, &product);
}

static spry_status multiply_at_once(const struct multiplication *m, const spry_kernel *kernel) {
    spry_status status = m->context->code->reserve(m->context, m->matrix, m->op, 0, NULL);
    for (int64_t first = 0; first < m->y.cols && !status; first += COLUMNS_MOST)
        status = multiply_some(m, kernel, first);
    return status;
}

spry_status spry_spmm(spry_context *context, spry_op op, double alpha, const spry_matrix *matrix,
                      const spry_view *x, double beta, const spry_view *y) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (matrix && matrix->type == SPRY_F32) {
        alpha = spry_rounded_to_f32(alpha);
        beta = spry_rounded_to_f32(beta);
    }
    spry_status status = check(context, op, alpha, matrix, x, y);
    if (status || y->rows == 0 || y->cols == 0)
        return status;
    struct multiplication m = {context, matrix, op, alpha, beta, *x, *y};
    const spry_kernel *kernel = matrix->many[op];
    if (kernel && y->cols > 1 && alpha != 0 && matrix->nnz > 0)
        return multiply_at_once(&m, kernel);
    return multiply_columns(&m);
}
