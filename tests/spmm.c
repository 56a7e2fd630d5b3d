/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with many columns, against products with each of them in long double. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/many.h"
#include "support/numbers.h"
#include "support/scenarios.h"
#include "support/vector.h"

/* How X and Y lie: rows or columns side by side, with or without something between them, and each value by itself. */
enum layout { ROWS, ROWS_APART, COLUMNS, COLUMNS_APART, SPREAD, LAYOUT_COUNT };

/* A view of a new array where the context works, and what it holds. */
struct dense {
    spry_view view;
    struct placed placed;
    double *host; /* rows by rows */
    spry_value_type type;
    int64_t count; /* of the array */
};

static spry_view view_of(enum layout layout, int64_t rows, int64_t cols) {
    switch (layout) {
    case ROWS:
        return spry_view_of_rows(NULL, rows, cols, cols);
    case ROWS_APART:
        return spry_view_of_rows(NULL, rows, cols, cols + 3);
    case COLUMNS:
        return spry_view_of_columns(NULL, rows, cols, rows);
    case COLUMNS_APART:
        return spry_view_of_columns(NULL, rows, cols, rows + 5);
    default:
        return (spry_view){
            .offset = 7, .rows = rows, .cols = cols, .row_stride = 2 * cols + 1, .col_stride = 2};
    }
}

static int64_t place_of(const spry_view *view, int64_t i, int64_t c) {
    return view->offset + i * view->row_stride + c * view->col_stride;
}

/* Values in the view are random, or NaN; all others are `between`. */
static struct dense dense_new(spry_context *context, spry_value_type type, enum layout layout, int64_t rows,
                              int64_t cols, bool random, double between) {
    struct dense dense = {.view = view_of(layout, rows, cols), .type = type};
    uint64_t state = 5 + (uint64_t)layout;
    dense.count = place_of(&dense.view, rows, cols) + 8;
    struct vector vector = vector_new(type, dense.count, 0);
    vector_fill(&vector, between);
    dense.host = calloc((size_t)(rows * cols) + 1, sizeof(double));
    cr_assert(dense.host);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < cols; c++) {
            double value = random ? (double)test_below(&state, 2001) / 1000 - 1 : NAN;
            vector_set(&vector, place_of(&dense.view, i, c), value);
            dense.host[i * cols + c] = vector_get(&vector, place_of(&dense.view, i, c));
        }
    dense.placed = placed_new(context, vector.data, (size_t)dense.count * spry_type_size(type), 0);
    dense.view.data = dense.placed.data;
    vector_free(&vector);
    return dense;
}

static void dense_free(struct dense *dense) {
    free(dense->host);
    placed_free(&dense->placed);
}

/* The array as it is now, in host memory. */
static struct vector fetched(const struct dense *dense) {
    struct vector vector = vector_new(dense->type, dense->count, 0);
    cr_assert_eq(spry_array_get(dense->placed.context, dense->placed.data, vector.data,
                                (size_t)dense->count * spry_type_size(dense->type)),
                 SPRY_OK);
    return vector;
}

/* Whether the view holds the product, and nothing else was written. */
static void check_result(const struct list *list, spry_op op, double alpha, const struct dense *x,
                         double beta, const struct dense *y, double between, const char *name) {
    const int64_t rows = y->view.rows, cols = y->view.cols;
    const double epsilon = y->type == SPRY_F32 ? FLT_EPSILON : DBL_EPSILON;
    long double *sum = calloc((size_t)(rows * cols) + 1, sizeof *sum),
                *size = calloc((size_t)(rows * cols) + 1, sizeof *size);
    int64_t *length = calloc((size_t)rows + 1, sizeof *length);
    cr_assert(sum && size && length);
    for (int64_t k = 0; k < list->nnz; k++) {
        int64_t to = op == SPRY_N ? list->row[k] : list->col[k],
                from = op == SPRY_N ? list->col[k] : list->row[k];
        length[to]++;
        for (int64_t c = 0; c < cols && alpha != 0; c++) {
            long double term = (long double)alpha * list->val[k] * x->host[from * cols + c];
            sum[to * cols + c] += term;
            size[to * cols + c] += fabsl(term);
        }
    }
    struct vector got = fetched(y);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < cols; c++) {
            int64_t at = i * cols + c;
            long double before = beta == 0 ? 0 : (long double)beta * y->host[at], want = sum[at] + before;
            long double most = 4 * (long double)(length[i] + 2) * epsilon * (size[at] + fabsl(before));
            double value = vector_get(&got, place_of(&y->view, i, c));
            cr_expect(fabsl(value - want) <= most, "%s, row %d, column %d: %g, not %Lg", name, (int)i, (int)c,
                      value, want);
            vector_set(&got, place_of(&y->view, i, c), between);
        }
    for (int64_t k = 0; k < got.count; k++)
        cr_assert_eq(vector_get(&got, k), between, "%s: written beside Y at %d", name, (int)k);
    vector_free(&got);
    free(sum);
    free(size);
    free(length);
}

static void check_product(spry_context *context, const struct list *list, const spry_matrix *matrix,
                          spry_op op, int64_t columns, enum layout x_layout, enum layout y_layout,
                          double alpha, double beta) {
    const double between = -77;
    int64_t inputs = op == SPRY_N ? list->cols : list->rows, outputs = op == SPRY_N ? list->rows : list->cols;
    spry_value_type type = spry_matrix_type(matrix);
    struct dense x = dense_new(context, type, x_layout, inputs, columns, alpha != 0, NAN);
    struct dense y = dense_new(context, type, y_layout, outputs, columns, beta != 0, between);
    char name[160];
    snprintf(name, sizeof name, "%s %s %s, op %d, %d columns, layouts %d %d, %g %g",
             spry_format_name(spry_matrix_format(matrix)), spry_type_name(type),
             spry_index_name(spry_matrix_index(matrix)), (int)op, (int)columns, (int)x_layout, (int)y_layout,
             alpha, beta);
    cr_assert_eq(spry_spmm(context, op, alpha, matrix, &x.view, beta, &y.view), SPRY_OK, "%s: %s", name,
                 spry_message(context));
    struct vector first = fetched(&y);
    check_result(list, op, alpha, &x, beta, &y, between, name);
    if (beta == 0) {
        cr_assert_eq(spry_spmm(context, op, alpha, matrix, &x.view, beta, &y.view), SPRY_OK);
        struct vector again = fetched(&y);
        cr_expect(vector_same_bits(&first, &again), "%s: other bits", name);
        vector_free(&again);
    }
    vector_free(&first);
    dense_free(&x);
    dense_free(&y);
}

/* X in each layout, and Y in another one or in the same. */
static void check_layouts(spry_context *context, const struct list *list, const spry_matrix *matrix,
                          spry_op op, int64_t columns) {
    for (int x = 0; x < LAYOUT_COUNT; x++) {
        enum layout other = (enum layout)((x + 2) % LAYOUT_COUNT);
        check_product(context, list, matrix, op, columns, (enum layout)x, other, 1, 0);
        check_product(context, list, matrix, op, columns, (enum layout)x, (enum layout)x, -0.5, 2);
    }
}

static void check_scenario(spry_context *context, const char *scenario, spry_value_type type,
                           spry_index_type index, enum origin origin) {
    static const int64_t columns[] = {0, 1, 2, 5, 8, 17, 67};
    struct list list = test_scenario(scenario)->make();
    list_round(&list, type);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        struct built built;
        if (!has_origin((spry_format)format, origin) ||
            build(context, &list, (spry_format)format, type, index, origin, &built) != SPRY_OK)
            continue;
        for (int op = 0; op < SPRY_OP_COUNT; op++)
            for (size_t c = 0; c < sizeof columns / sizeof *columns; c += test_has_few_cases() ? 5 : 1)
                check_layouts(context, &list, built.matrix, (spry_op)op, columns[c]);
        check_product(context, &list, built.matrix, SPRY_N, 5, ROWS, COLUMNS, 0, 2);
        check_product(context, &list, built.matrix, SPRY_N, 5, COLUMNS, SPREAD, 0, 0);
        built_free(&built);
    }
    list_free(&list);
}

/* In brief, and for a team, matrices of each pair of types come from one scenario. */
Test(spmm, every_layout) {
    static const struct {
        const char *name;
        enum origin origin;
    } scenarios[] = {{"one entry", CONVERTED}, {"arrow", WRAPPED_FROM_1}, {"empty rows", CONVERTED}};
    for (int threads = test_first_threads(3); threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        for (int i = 0; i < SPRY_TYPE_COUNT * SPRY_INDEX_COUNT * 3; i++)
            if ((threads == 1 && !test_is_brief()) || i % 3 == i / 3 % 3)
                check_scenario(context, scenarios[i % 3].name, (spry_value_type)(i / 3 / SPRY_INDEX_COUNT),
                               (spry_index_type)(i / 3 % SPRY_INDEX_COUNT), scenarios[i % 3].origin);
        spry_context_destroy(context);
    }
}

/* ---- each kernel for many columns ---- */

/* Columns side by side in any number that registers hold, and in every layout; where cases are few, in few numbers,
   and layouts are the business of the test before. */
static void check_kernels(spry_context *context, const struct list *list, const spry_matrix *matrix) {
    for (int op = 0; op < SPRY_OP_COUNT; op++) {
        for (int64_t columns = 2; columns < 36; columns += test_has_few_cases() ? 17
                                                           : test_is_brief()    ? 7
                                                                                : 1)
            check_product(context, list, matrix, (spry_op)op, columns, ROWS, ROWS, -0.5, 2);
        if (!test_has_few_cases())
            check_layouts(context, list, matrix, (spry_op)op, 11);
    }
}

static void check_formats(spry_context *context, const struct list *list, bool *seen) {
    static const spry_format formats[] = {SPRY_COO, SPRY_CSR, SPRY_CSC, SPRY_SELL};
    for (int i = 0; i < SPRY_TYPE_COUNT * SPRY_INDEX_COUNT * 4; i++) {
        struct built built =
            built_of(context, list, formats[i % 4], (spry_value_type)(i / 4 % SPRY_TYPE_COUNT),
                     (spry_index_type)(i / 4 / SPRY_TYPE_COUNT));
        many_note(context, built.matrix, seen);
        check_kernels(context, list, built.matrix);
        built_free(&built);
    }
}

Test(spmm, every_kernel) {
    static const char *const scenarios[] = {"one entry", "arrow"}; /* in brief, the second */
    bool *seen = calloc(spry_kernel_count(), sizeof *seen);
    cr_assert(seen);
    for (int w = 0; w < TEST_CHOICES; w++) {
        spry_context *context = test_context_without(0, test_without(w));
        for (size_t s = test_is_brief(); s < sizeof scenarios / sizeof *scenarios; s++) {
            struct list list = test_scenario(scenarios[s])->make();
            check_formats(context, &list, seen);
            list_free(&list);
        }
        spry_context_destroy(context);
    }
    spry_context *all = test_context(1);
    const char *missed = many_missed(all, true, seen);
    cr_expect_null(missed, "%s was not run", missed);
    spry_context_destroy(all);
    free(seen);
}

/* So many rows that a device gives each slice of SELL a warp of its own. */
Test(spmm, many_slices) {
    enum { ROW_COUNT = 100003 };
    spry_context *context = test_context(2);
    struct list list = list_new(ROW_COUNT, ROW_COUNT);
    for (int64_t i = 0; i < ROW_COUNT; i++)
        for (int64_t k = 0; k < i % 5; k++)
            list_add(&list, i, (i + 17 * k) % ROW_COUNT, 1 + (double)((i + k) % 7) / 8);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        struct built built = built_of(context, &list, SPRY_SELL, (spry_value_type)type, SPRY_I32);
        for (int64_t columns = 2; columns < 12; columns += 3) {
            check_product(context, &list, built.matrix, SPRY_N, columns, ROWS, COLUMNS_APART, 1, 0);
            check_product(context, &list, built.matrix, SPRY_N, columns, COLUMNS, SPREAD, -0.5, 2);
        }
        built_free(&built);
    }
    list_free(&list);
    spry_context_destroy(context);
}

/* A row so much longer than the others that a device cuts before it where it would have cut within it: its first block has no
   entry then. What lies before the arrays would be a column far outside. */
Test(spmm, first_row_is_long) {
    enum { LONG = 330, ROW_COUNT = 100 };
    spry_context *context = test_context(2);
    struct list list = list_new(ROW_COUNT, 400);
    for (int64_t k = 0; k < LONG; k++)
        list_add(&list, 0, k, 1 + (double)(k % 7) / 8);
    for (int64_t i = 1; i < ROW_COUNT; i++)
        for (int64_t k = 0; k < 5; k++)
            list_add(&list, i, i + 17 * k, 1 + (double)((i + k) % 7) / 8);
    struct arrays host = arrays_new(&list, SPRY_COO, SPRY_F64, SPRY_I32, 0);
    const size_t bytes = (size_t)list.nnz * sizeof(int32_t);
    int32_t *columns = malloc(sizeof *columns + bytes);
    cr_assert_not_null(columns);
    columns[0] = INT32_MAX / 2;
    memcpy(columns + 1, host.minor, bytes);
    struct placed row = placed_new(context, host.major, bytes, 0),
                  col = placed_new(context, columns, sizeof *columns + bytes, 0),
                  val = placed_new(context, host.val, (size_t)list.nnz * sizeof(double), 0);
    const spry_coo coo = {.row = row.data, .col = (int32_t *)col.data + 1, .val = val.data};
    spry_matrix *matrix;
    cr_assert_eq(spry_wrap_coo(context, SPRY_F64, SPRY_I32, list.rows, list.cols, list.nnz, &coo, &matrix),
                 SPRY_OK, "%s", spry_message(context));
    for (int64_t count = 2; count < 36; count += 11)
        check_product(context, &list, matrix, SPRY_N, count, ROWS, ROWS, 1, 0);
    spry_matrix_destroy(matrix);
    placed_free(&row);
    placed_free(&col);
    placed_free(&val);
    arrays_free(&host);
    free(columns);
    list_free(&list);
    spry_context_destroy(context);
}

/* So many entries that a warp of a device has several tiles of them, in short rows and a long one. */
Test(spmm, several_tiles) {
    const int64_t rows = test_backend() == SPRY_CPU ? 500 : 60000;
    spry_context *context = test_context(2);
    struct list list = list_new(rows, rows);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < (i == rows / 2 ? rows : i % 40); k++)
            list_add(&list, i, (i + 17 * k) % rows, 1 + (double)((i + k) % 7) / 8);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        struct built coo = built_of(context, &list, SPRY_COO, (spry_value_type)type, SPRY_I32);
        for (int64_t columns = 2; columns < 36; columns += 11) {
            check_product(context, &list, coo.matrix, SPRY_N, columns, ROWS, ROWS, 1, 0);
            check_product(context, &list, coo.matrix, SPRY_N, columns, COLUMNS, ROWS, 1, 0);
        }
        built_free(&coo);
    }
    list_free(&list);
    spry_context_destroy(context);
}

/* On the CPU, a column that lies beside others has the same bits in whatever company. */
Test(spmm, company_does_not_matter) {
    if (test_backend() != SPRY_CPU)
        cr_skip_test("on a device, how many share a row depends on the number of columns");
    spry_context *context = test_context(2);
    struct list list = test_scenario("power law")->make();
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    struct dense x = dense_new(context, SPRY_F64, ROWS, list.cols, 40, true, 0),
                 many = dense_new(context, SPRY_F64, ROWS, list.rows, 40, true, 0),
                 few = dense_new(context, SPRY_F64, ROWS, list.rows, 2, true, 0);
    spry_view part = spry_view_part(x.view, 0, 31, list.cols, 2);
    cr_assert_eq(spry_spmm(context, SPRY_N, 1, built.matrix, &x.view, 0, &many.view), SPRY_OK);
    cr_assert_eq(spry_spmm(context, SPRY_N, 1, built.matrix, &part, 0, &few.view), SPRY_OK);
    struct vector all = fetched(&many), some = fetched(&few);
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t c = 0; c < 2; c++)
            cr_assert_eq(vector_get(&all, i * 40 + 31 + c), vector_get(&some, i * 2 + c));
    vector_free(&all);
    vector_free(&some);
    dense_free(&x);
    dense_free(&many);
    dense_free(&few);
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

static void expect_refused(spry_context *context, spry_status status, const char *words) {
    cr_expect_eq(status, SPRY_ERROR_ARGUMENT, "%s: %s", words, spry_status_string(status));
    cr_expect(strstr(spry_message(context), words), "%s: %s", words, spry_message(context));
}

Test(spmm, arguments) {
    spry_context *context = test_context(1);
    struct list list = list_new(2, 3);
    list_add(&list, 1, 2, 4);
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    struct dense dense = dense_new(context, SPRY_F64, ROWS, 3, 4, true, 0);
    spry_view x = dense.view, y = spry_view_part(dense.view, 0, 0, 2, 4), other = x;
    cr_expect_eq(spry_spmm(NULL, SPRY_N, 1, built.matrix, &x, 0, &y), SPRY_ERROR_ARGUMENT);
    expect_refused(context, spry_spmm(context, SPRY_N, 1, NULL, &x, 0, &y), "the matrix is null");
    expect_refused(context, spry_spmm(context, (spry_op)9, 1, built.matrix, &x, 0, &y),
                   "invalid operation 9");
    expect_refused(context, spry_spmm(context, SPRY_N, 1, built.matrix, NULL, 0, &y), "X is null");
    expect_refused(context, spry_spmm(context, SPRY_N, 1, built.matrix, &x, 0, NULL), "Y is null");
    expect_refused(context, spry_spmm(context, SPRY_T, 1, built.matrix, &x, 0, &y),
                   "X is 3 × 4, expected 2 rows");
    expect_refused(context, spry_spmm(context, SPRY_N, 1, built.matrix, &x, 0, &x),
                   "Y is 3 × 4, expected 2 rows");
    other.cols = 3;
    expect_refused(context, spry_spmm(context, SPRY_N, 1, built.matrix, &other, 0, &y),
                   "X has 3 columns and Y 4");
    other.cols = -1;
    expect_refused(context, spry_spmm(context, SPRY_N, 1, built.matrix, &other, 0, &y), "X is 3 × -1");
    other = x;
    other.data = NULL;
    expect_refused(context, spry_spmm(context, SPRY_N, 1, built.matrix, &other, 0, &y),
                   "the array of X is null");
    other = y;
    other.row_stride = 0;
    expect_refused(context, spry_spmm(context, SPRY_N, 1, built.matrix, &x, 0, &other),
                   "a stride of Y is zero");
    other = x;
    other.offset = INT64_MAX;
    expect_refused(context, spry_spmm(context, SPRY_N, 1, built.matrix, &other, 0, &y),
                   "X lies outside all memory: offset 9223372036854775807");
    other.offset = INT64_MIN;
    expect_refused(context, spry_spmm(context, SPRY_N, 1, built.matrix, &other, 0, &y),
                   "X lies outside all memory");
    other = y;
    other.col_stride = INT64_MAX / 3;
    expect_refused(context, spry_spmm(context, SPRY_N, 1, built.matrix, &x, 0, &other),
                   "Y lies outside all memory");
    other.col_stride = INT64_MIN;
    expect_refused(context, spry_spmm(context, SPRY_N, 1, built.matrix, &x, 0, &other),
                   "Y lies outside all memory");
    dense_free(&dense);
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

/* With alpha zero, or rounded to zero, X needs no array. */
Test(spmm, x_without_an_array) {
    spry_context *context = test_context(1);
    struct list list = list_new(3, 4);
    list_add(&list, 1, 2, 4);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int layout = 0; layout < LAYOUT_COUNT; layout++) {
            struct built built = built_of(context, &list, SPRY_CSR, (spry_value_type)type, SPRY_I32);
            struct dense y = dense_new(context, (spry_value_type)type, ROWS, 3, 2, true, 0);
            const struct dense x = {.view = view_of((enum layout)layout, 4, 2)};
            const double alpha = type == SPRY_F32 ? 1e-60 : 0;
            cr_expect_eq(spry_spmm(context, SPRY_N, alpha, built.matrix, &x.view, 2, &y.view), SPRY_OK, "%s",
                         spry_message(context));
            check_result(&list, SPRY_N, 0, &x, 2, &y, 0, "no array");
            dense_free(&y);
            built_free(&built);
        }
    list_free(&list);
    spry_context_destroy(context);
}

/* A matrix without columns, and an X that has no array: what it says of places is not followed. */
Test(spmm, x_without_rows) {
    spry_context *context = test_context(1);
    struct list list = list_new(3, 0);
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    struct dense y = dense_new(context, SPRY_F64, ROWS, 3, 2, true, 0);
    const struct dense x = {
        .view = {.offset = 5, .cols = 2, .row_stride = INT64_MIN, .col_stride = INT64_MAX}};
    cr_expect_eq(spry_spmm(context, SPRY_N, 1, built.matrix, &x.view, 2, &y.view), SPRY_OK);
    check_result(&list, SPRY_N, 1, &x, 2, &y, 0, "no columns");
    dense_free(&y);
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

/* Rows of X may be as far apart as they like where there is one: no pointer leads there, whatever CSR counts from. */
Test(spmm, one_row_of_any_stride) {
    spry_context *context = test_context(1);
    struct list list = list_new(1, 1);
    list_add(&list, 0, 0, 2);
    for (enum origin origin = WRAPPED_FROM_0; origin <= WRAPPED_FROM_1; origin++) {
        struct built built;
        cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, origin, &built), SPRY_OK);
        struct vector x = vector_new(SPRY_F64, 2, 0), y = vector_new(SPRY_F64, 2, 0);
        vector_set(&x, 0, 3);
        vector_set(&x, 1, 4);
        struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y);
        const spry_view from = spry_view_of_rows(x_there.data, 1, 2, INT64_C(1) << 59),
                        to = spry_view_of_rows(y_there.data, 1, 2, 2);
        cr_expect_eq(spry_spmm(context, SPRY_N, 1, built.matrix, &from, 0, &to), SPRY_OK, "%s",
                     spry_message(context));
        cr_assert_eq(vector_fetch(&y, &y_there), SPRY_OK);
        cr_expect_eq(vector_get(&y, 0), 6);
        cr_expect_eq(vector_get(&y, 1), 8);
        placed_free(&x_there);
        placed_free(&y_there);
        vector_free(&x);
        vector_free(&y);
        built_free(&built);
    }
    list_free(&list);
    spry_context_destroy(context);
}

Test(spmm, without_kernels) {
    if (test_backend() != SPRY_CPU)
        cr_skip_test("kernels of a device have other names");
    spry_context *context = test_context_without(0, "csr,avx2,avx512,neon");
    struct list list = list_new(2, 2);
    list_add(&list, 1, 1, 4);
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    struct dense x = dense_new(context, SPRY_F64, ROWS, 2, 2, true, 0),
                 y = dense_new(context, SPRY_F64, ROWS, 2, 2, true, 0);
    cr_expect_eq(spry_spmm(context, SPRY_N, 1, built.matrix, &x.view, 0, &y.view), SPRY_ERROR_UNSUPPORTED);
    cr_expect(strstr(spry_message(context), "csr"), "%s", spry_message(context));
    dense_free(&x);
    dense_free(&y);
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}
