/* SPDX-License-Identifier: BSD-3-Clause */
#include "spmm/operands.h"

#include <math.h>
#include <stdlib.h>

#include "common/vector.h"

/* Column j is x times 2 to the -(j modulo this): neighbours differ, and nothing underflows. */
#define SCALES 32

spry_status reference_open(const spry_context *context, const spry_matrix *csr, struct reference *reference) {
    *reference = (struct reference){.rows = spry_matrix_rows(csr), .cols = spry_matrix_cols(csr)};
    reference->x = vector_new(SPRY_F64, reference->cols, context);
    if (!reference->x)
        return SPRY_ERROR_MEMORY;
    vector_randomise(SPRY_F64, reference->x, reference->cols);
    return exact_product(context, csr, SPRY_N, reference->x, &reference->exact);
}

void reference_close(struct reference *reference) {
    exact_free(&reference->exact);
    free(reference->x);
}

/* Where value j of row i is. */
static int64_t position(enum order order, int64_t rows, int64_t columns, int64_t i, int64_t j) {
    return order == BY_ROWS ? i * columns + j : j * rows + i;
}

static double scale(int64_t column) {
    return ldexp(1.0, -(int)(column % SCALES));
}

static spry_status put_x(struct operands *operands, double *host) {
    const struct reference *reference = operands->reference;
    int64_t cols = reference->cols, columns = operands->columns;
    size_t bytes = (size_t)(cols * columns) * sizeof *host;
    spry_status status = SPRY_OK;
    for (int order = 0; order < ORDERS && status == SPRY_OK; order++) {
        for (int64_t j = 0; j < columns; j++)
            for (int64_t i = 0; i < cols; i++)
                host[position((enum order)order, cols, columns, i, j)] = scale(j) * reference->x[i];
        status = spry_array_put(operands->place->context, operands->x[order], host, bytes);
    }
    return status;
}

spry_status operands_open(struct place *place, const struct reference *reference, int columns,
                          struct operands *operands) {
    *operands = (struct operands){.place = place, .reference = reference, .columns = columns};
    double *host = malloc((size_t)(reference->cols * columns) * sizeof *host + 1);
    spry_status status = host ? SPRY_OK : SPRY_ERROR_MEMORY;
    for (int order = 0; order < ORDERS && status == SPRY_OK; order++) {
        status = place_vector_new(place, SPRY_F64, reference->cols * columns, &operands->x[order]);
        if (status == SPRY_OK)
            status = place_vector_new(place, SPRY_F64, reference->rows * columns, &operands->y[order]);
    }
    if (status == SPRY_OK)
        status = put_x(operands, host);
    free(host);
    return status;
}

void operands_close(struct operands *operands) {
    const struct reference *reference = operands->reference;
    for (int order = 0; order < ORDERS; order++) {
        place_vector_free(operands->place, SPRY_F64, reference->cols * operands->columns, operands->x[order]);
        place_vector_free(operands->place, SPRY_F64, reference->rows * operands->columns, operands->y[order]);
    }
}

static spry_view view(void *values, enum order order, int64_t rows, int64_t columns) {
    return order == BY_ROWS ? spry_view_of_rows(values, rows, columns, columns)
                            : spry_view_of_columns(values, rows, columns, rows);
}

spry_view operands_x(const struct operands *operands, enum order order) {
    return view(operands->x[order], order, operands->reference->cols, operands->columns);
}

spry_view operands_y(const struct operands *operands, enum order order) {
    return view(operands->y[order], order, operands->reference->rows, operands->columns);
}

/* ---- checking ---- */

/* Scaling by a power of two rounds nothing, so that each column has the exact product's bound. */
static bool is_right(const struct operands *operands, enum order order, const double *y, double *column) {
    const struct reference *reference = operands->reference;
    bool right = true;
    for (int64_t j = 0; j < operands->columns; j++) {
        for (int64_t i = 0; i < reference->rows; i++)
            column[i] = y[position(order, reference->rows, operands->columns, i, j)] / scale(j);
        right &= exact_error(&reference->exact, column) <= exact_tolerance(&reference->exact);
    }
    return right;
}

spry_status operands_check(const struct operands *operands, enum order order, timed_call *call, void *user,
                           bool *right) {
    spry_context *context = operands->place->context;
    int64_t rows = operands->reference->rows, values = rows * operands->columns;
    size_t bytes = (size_t)values * sizeof(double);
    double *y = malloc(bytes + 1), *column = malloc((size_t)rows * sizeof *column + 1);
    spry_status status = y && column ? SPRY_OK : SPRY_ERROR_MEMORY;
    if (status == SPRY_OK) {
        vector_poison(SPRY_F64, y, values);
        status = spry_array_put(context, operands->y[order], y, bytes);
    }
    if (status == SPRY_OK)
        status = call(user);
    if (status == SPRY_OK)
        status = spry_array_get(context, operands->y[order], y, bytes);
    *right = status == SPRY_OK && is_right(operands, order, y, column);
    free(y);
    free(column);
    return status;
}
