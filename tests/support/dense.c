/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"
#include "list.h"

const char *const layout_names[] = {"columns", "rows",     "padded columns", "padded rows",
                                    "spread",  "reversed", "repeated"};

static spry_view layout_view(enum layout layout, int64_t rows, int64_t cols) {
    switch (layout) {
    case COLUMNS:
        return (spry_view){NULL, 0, rows, cols, 1, rows};
    case ROWS:
        return (spry_view){NULL, 0, rows, cols, cols, 1};
    case PADDED_COLUMNS:
        return (spry_view){NULL, 3, rows, cols, 1, rows + 3};
    case PADDED_ROWS:
        return (spry_view){NULL, 5, rows, cols, cols + 2, 1};
    case SPREAD:
        return (spry_view){NULL, 1, rows, cols, 2, 2 * rows + 3};
    case REVERSED:
        return (spry_view){NULL, rows * (cols + 1), rows, cols, -(cols + 1), -1};
    default:
        return (spry_view){NULL, 2, rows, cols, 1, 0};
    }
}

static int64_t place(const spry_view *view, int64_t i, int64_t j) {
    return view->offset + i * view->row_stride + j * view->col_stride;
}

/* Values of an array that has all of the view, and one more. */
static int64_t extent(const spry_view *view) {
    int64_t last = 0;
    for (int corner = 0; corner < 4; corner++) {
        int64_t at = place(view, corner & 1 ? view->rows : 0, corner & 2 ? view->cols : 0);
        last = at > last ? at : last;
    }
    return last + 1;
}

struct dense dense_new(spry_context *context, spry_number type, int64_t rows, int64_t cols,
                       enum layout layout, uint64_t seed) {
    struct dense dense = {.view = layout_view(layout, rows, cols)};
    dense.numbers = numbers_new(context, type, extent(&dense.view), seed % 2 == 0);
    dense.view.data = dense.numbers.data;
    for (int64_t i = 0; i < dense.numbers.n; i++)
        number_set(&dense.numbers, i, NAN);
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < rows; i++)
            number_set(&dense.numbers, place(&dense.view, i, j), test_value(&seed));
    numbers_put(&dense.numbers);
    return dense;
}

void dense_free(struct dense *dense) {
    numbers_free(&dense->numbers);
}

void dense_fill(struct dense *dense, double value) {
    for (int64_t j = 0; j < dense->view.cols; j++)
        for (int64_t i = 0; i < dense->view.rows; i++)
            number_set(&dense->numbers, place(&dense->view, i, j), value);
    numbers_put(&dense->numbers);
}

spry_view dense_there(const struct dense *dense) {
    spry_view view = dense->view;
    view.data = numbers_there(&dense->numbers);
    return view;
}

double dense_get(const struct dense *dense, int64_t i, int64_t j) {
    return number_get(&dense->numbers, place(&dense->view, i, j));
}

/* The values along the depth next to each other: row after row of A, column after column of B. */
static double *gather(const struct dense *dense, bool by_rows) {
    int64_t outer = by_rows ? dense->view.rows : dense->view.cols,
            inner = by_rows ? dense->view.cols : dense->view.rows;
    double *values = test_malloc((size_t)(outer * inner) * sizeof *values);
    for (int64_t i = 0; i < outer; i++)
        for (int64_t k = 0; k < inner; k++)
            values[i * inner + k] = by_rows ? dense_get(dense, i, k) : dense_get(dense, k, i);
    return values;
}

/* Whether the two arrays have the same bits but for the values of the view. */
static bool same_around(const struct dense *before, const struct dense *after) {
    size_t size = spry_number_size(after->numbers.number), bytes = (size_t)after->numbers.n * size;
    char *one = test_malloc(bytes), *other = test_malloc(bytes);
    memcpy(one, before->numbers.data, bytes);
    memcpy(other, after->numbers.data, bytes);
    for (int64_t j = 0; j < after->view.cols; j++)
        for (int64_t i = 0; i < after->view.rows; i++) {
            size_t at = (size_t)place(&after->view, i, j) * size;
            memcpy(one + at, other + at, size);
        }
    bool same = memcmp(one, other, bytes) == 0;
    free(one);
    free(other);
    return same;
}

/* One value that is wrong, as text; null for none. */
static const char *wrong_value(double alpha, const double *a, const double *b, int64_t depth, double beta,
                               const struct dense *before, const struct dense *c) {
    static char text[200];
    double epsilon = c->numbers.number == SPRY_NUMBER_F32 ? FLT_EPSILON : DBL_EPSILON;
    for (int64_t j = 0; j < c->view.cols; j++)
        for (int64_t i = 0; i < c->view.rows; i++) {
            long double sum = 0, magnitude = 0;
            for (int64_t k = 0; alpha != 0 && k < depth; k++) {
                long double product = (long double)a[i * depth + k] * b[j * depth + k];
                sum += product;
                magnitude += fabsl(product);
            }
            long double old = beta == 0 ? 0 : (long double)beta * dense_get(before, i, j),
                        want = alpha * sum + old, got = dense_get(c, i, j);
            long double bound =
                4 * (long double)(depth + 2) * epsilon * (fabs(alpha) * magnitude + fabsl(old));
            if (!(fabsl(got - want) <= bound)) {
                snprintf(text, sizeof text, "C(%lld, %lld) is %.17Lg and should be %.17Lg", (long long)i,
                         (long long)j, got, want);
                return text;
            }
        }
    return NULL;
}

const char *dense_difference(double alpha, const struct dense *a, const struct dense *b, double beta,
                             const struct dense *before, struct dense *c) {
    numbers_get(&c->numbers);
    if (!numbers_guarded(&c->numbers) || !same_around(before, c))
        return "something was written beside C";
    double *rows = gather(a, true), *columns = gather(b, false);
    const char *text = wrong_value(alpha, rows, columns, a->view.cols, beta, before, c);
    free(rows);
    free(columns);
    return text;
}
