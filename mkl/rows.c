/* SPDX-License-Identifier: BSD-3-Clause */
/* Products and solves with rows as they lie in the caller's arrays; compiled for float and for double. */
#include <stdlib.h>

#include "sparse.h"

#if SPRY_MKL_BITS == 32
typedef float val_t;
#define NAME(f) f##_f32
#else
typedef double val_t;
#define NAME(f) f##_f64
#endif

/* beta y, where y is not read if beta is 0. */
static val_t times(val_t beta, const val_t *y) {
    return beta == 0 ? 0 : beta * *y;
}

/* Entries from which a team of threads pays; with fewer it takes longer to begin. */
#define WORTH_A_TEAM 50000

static void scale(const spry_view *y, val_t beta) {
    val_t *to = y->data;
    for (int64_t i = 0; i < y->rows; i++)
        for (int64_t c = 0; c < y->cols; c++) {
            val_t *at = to + i * y->row_stride + c * y->col_stride;
            *at = times(beta, at);
        }
}

/* Row i times x, of a matrix of which all entries count, and x without gaps. */
static val_t plain_row(const struct sparse *a, int64_t i, const val_t *x) {
    const val_t *val = a->val;
    const MKL_INT *idx = a->idx;
    const int64_t end = row_end(a, i), base = a->base;
    val_t sum = 0;
    for (int64_t k = row_begin(a, i); k < end; k++)
        sum += val[k] * x[idx[k] - base];
    return sum;
}

static val_t any_row(const struct sparse *a, int64_t i, const val_t *x, int64_t xs) {
    const val_t *val = a->val;
    val_t sum = has_ones(a) && i < a->cols ? x[i * xs] : 0;
    for (int64_t k = row_begin(a, i); k < row_end(a, i); k++) {
        const int64_t j = (int64_t)a->idx[k] - a->base;
        if (counts(a, i, j))
            sum += val[k] * x[j * xs];
    }
    return sum;
}

/* y[i] = alpha times row i times x + beta y[i]: rows apart from each other. */
static void gather(const spry_context *context, const struct sparse *a, val_t alpha, const val_t *x,
                   int64_t xs, val_t beta, val_t *y, int64_t ys) {
    const bool plain = a->kind == 'G' && xs == 1;
    const bool large = a->rows > 0 && row_end(a, a->rows - 1) > WORTH_A_TEAM;
#pragma omp parallel for schedule(guided) num_threads(large ? spry_context_team(context) : 1)
    for (int64_t i = 0; i < a->rows; i++)
        y[i * ys] = alpha * (plain ? plain_row(a, i, x) : any_row(a, i, x, xs)) + times(beta, &y[i * ys]);
}

/* y[j] += alpha a x[i] for all entries a at (i, j), or those off the diagonal. */
static void scatter(const struct sparse *a, val_t alpha, bool diagonal, const val_t *x, int64_t xs, val_t *y,
                    int64_t ys) {
    const val_t *val = a->val;
    for (int64_t i = 0; i < a->rows; i++) {
        const val_t xi = alpha * x[i * xs];
        for (int64_t k = row_begin(a, i); k < row_end(a, i); k++) {
            const int64_t j = (int64_t)a->idx[k] - a->base;
            if (counts(a, i, j) && (diagonal || i != j))
                y[j * ys] += val[k] * xi;
        }
        if (diagonal && has_ones(a) && i < a->cols)
            y[i * ys] += xi;
    }
}

void NAME(spry_mkl_rows)(const spry_context *context, const struct sparse *a, double alpha,
                         const spry_view *x, double beta, const spry_view *y) {
    const bool gathers = alpha != 0 && (mirrors(a) || !a->transposed);
    if (!gathers)
        scale(y, (val_t)beta);
    if (alpha == 0)
        return;
    const val_t skew = a->kind == 'A' ? -1 : 1, factor = (val_t)alpha * (a->transposed ? skew : 1);
    for (int64_t c = 0; c < y->cols; c++) {
        const val_t *from = (const val_t *)x->data + c * x->col_stride;
        val_t *to = (val_t *)y->data + c * y->col_stride;
        if (gathers)
            gather(context, a, factor, from, x->row_stride, (val_t)beta, to, y->row_stride);
        if (mirrors(a))
            scatter(a, skew * factor, false, from, x->row_stride, to, y->row_stride);
        else if (a->transposed)
            scatter(a, factor, true, from, x->row_stride, to, y->row_stride);
    }
}

static void put(const spry_coo *to, int64_t at, int64_t row, int64_t col, val_t val) {
    ((MKL_INT *)to->row)[at] = (MKL_INT)row;
    ((MKL_INT *)to->col)[at] = (MKL_INT)col;
    ((val_t *)to->val)[at] = val;
}

/* The entries of op(A); counts them only if `to` is null. -1: a column is outside. */
static int64_t list(const struct sparse *a, const spry_coo *to) {
    const val_t *val = a->val;
    int64_t count = 0;
    for (int64_t i = 0; i < a->rows; i++) {
        if (has_ones(a) && i < a->cols) {
            if (to)
                put(to, count, i, i, 1);
            count++;
        }
        for (int64_t k = row_begin(a, i); k < row_end(a, i); k++) {
            const int64_t j = (int64_t)a->idx[k] - a->base;
            if (j < 0 || j >= a->cols)
                return -1;
            if (!counts(a, i, j))
                continue;
            const val_t mirrored = a->kind == 'A' ? -val[k] : val[k];
            const bool flip = a->transposed && a->kind != 'A';
            if (to)
                put(to, count, flip ? j : i, flip ? i : j,
                    a->transposed && a->kind == 'A' ? mirrored : val[k]);
            count++;
            if (!mirrors(a) || i == j)
                continue;
            if (to)
                put(to, count, flip ? i : j, flip ? j : i,
                    a->transposed && a->kind == 'A' ? val[k] : mirrored);
            count++;
        }
    }
    return count;
}

spry_status NAME(spry_mkl_expand)(spry_context *context, const struct sparse *a, spry_matrix **matrix) {
    const int64_t rows = a->transposed ? a->cols : a->rows, cols = a->transposed ? a->rows : a->cols;
    const int64_t count = list(a, NULL);
    *matrix = NULL;
    if (count < 0)
        return SPRY_ERROR_INVALID;
    const size_t room = (size_t)count + 1;
    spry_coo entries = {.row = calloc(room, sizeof(MKL_INT)),
                        .col = calloc(room, sizeof(MKL_INT)),
                        .val = calloc(room, sizeof(val_t))};
    spry_matrix *coo = NULL;
    spry_status status = entries.row && entries.col && entries.val ? SPRY_OK : SPRY_ERROR_MEMORY;
    if (!status) {
        list(a, &entries);
        status = spry_wrap_coo(context, a->type, sizeof(MKL_INT) == 8 ? SPRY_I64 : SPRY_I32, rows, cols,
                               count, &entries, &coo);
    }
    if (!status)
        status = spry_convert(context, coo, SPRY_AUTO, NULL, matrix);
    spry_matrix_destroy(coo);
    free(entries.row);
    free(entries.col);
    free(entries.val);
    return status;
}

/* Of row i: what the entries off the diagonal and in the triangle make with y, and the diagonal. */
static val_t row_times(const struct sparse *a, int64_t i, const val_t *y, val_t *diagonal) {
    const val_t *val = a->val;
    val_t sum = 0;
    *diagonal = a->unit ? 1 : 0;
    for (int64_t k = row_begin(a, i); k < row_end(a, i); k++) {
        const int64_t j = (int64_t)a->idx[k] - a->base;
        if (i == j && !a->unit)
            *diagonal += val[k];
        else if (i != j && counts(a, i, j))
            sum += val[k] * y[j];
    }
    return sum;
}

/* Take y[i] times row i from what the other unknowns have to make. */
static void take_row(const struct sparse *a, int64_t i, val_t *y) {
    const val_t *val = a->val;
    for (int64_t k = row_begin(a, i); k < row_end(a, i); k++) {
        const int64_t j = (int64_t)a->idx[k] - a->base;
        if (i != j && counts(a, i, j))
            y[j] -= val[k] * y[i];
    }
}

int64_t NAME(spry_mkl_solve)(const struct sparse *a, const val_t *x, val_t *y) {
    const bool forward = a->lower != a->transposed;
    int64_t singular = -1;
    for (int64_t i = 0; i < a->rows; i++)
        y[i] = x[i];
    for (int64_t step = 0; step < a->rows; step++) {
        const int64_t i = forward ? step : a->rows - 1 - step;
        val_t diagonal;
        const val_t sum = row_times(a, i, y, &diagonal);
        if (diagonal == 0 && singular < 0)
            singular = i;
        y[i] = (a->transposed ? y[i] : y[i] - sum) / diagonal;
        if (a->transposed)
            take_row(a, i, y);
    }
    return singular;
}
