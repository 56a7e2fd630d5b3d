/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of SELL with many columns on the CPU: each column has the bits that it has alone. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/build.h"
#include "support/many.h"
#include "support/scenarios.h"
#include "support/vector.h"

/* A full register of each size, and some more. */
#define COLUMNS 19

/* Column c of values that lie by rows, by columns or in neither way. */
static spry_view layout_view(int layout, void *data, int64_t rows) {
    switch (layout) {
    case 0:
        return spry_view_of_rows(data, rows, COLUMNS, COLUMNS);
    case 1:
        return spry_view_of_columns(data, rows, COLUMNS, rows);
    default:
        return (spry_view){data, .rows = rows, .cols = COLUMNS, .row_stride = 2 * COLUMNS, .col_stride = 2};
    }
}

static struct vector view_column(const struct vector *values, const spry_view *view, int64_t c) {
    struct vector column = vector_new(values->type, view->rows, NAN);
    for (int64_t i = 0; i < view->rows; i++)
        vector_set(&column, i, vector_get(values, i * view->row_stride + c * view->col_stride));
    return column;
}

/* Y = -0.3 A X + beta Y, column by column as spry_spmv has it. */
static void check_columns(spry_context *context, const spry_matrix *matrix, int x_layout, int y_layout,
                          double beta, const char *name) {
    const spry_value_type type = spry_matrix_type(matrix);
    const int64_t rows = spry_matrix_rows(matrix), cols = spry_matrix_cols(matrix);
    struct vector x = vector_new(type, 2 * cols * COLUMNS, NAN),
                  y = vector_new(type, 2 * rows * COLUMNS, NAN), before = vector_new(type, y.count, NAN);
    vector_random(&x, 3);
    vector_random(&before, 4);
    vector_copy(&y, &before);
    spry_view from = layout_view(x_layout, x.data, cols), to = layout_view(y_layout, y.data, rows);
    cr_assert_eq(spry_spmm(context, SPRY_N, -0.3, matrix, &from, beta, &to), SPRY_OK, "%s: %s", name,
                 spry_message(context));
    for (int64_t c = 0; c < COLUMNS; c++) {
        struct vector one = view_column(&x, &from, c), want = view_column(&before, &to, c),
                      got = view_column(&y, &to, c);
        cr_assert_eq(spry_spmv(context, SPRY_N, -0.3, matrix, one.data, beta, want.data), SPRY_OK);
        cr_expect(vector_same_bits(&got, &want), "%s, layouts %d %d, beta %g: other bits in column %d", name,
                  x_layout, y_layout, beta, (int)c);
        vector_free(&one);
        vector_free(&want);
        vector_free(&got);
    }
    vector_free(&x);
    vector_free(&y);
    vector_free(&before);
}

/* Values that are not looked at may be anything; columns too, where the library did not make them: `all`. */
static void spoil_padding(const spry_matrix *matrix, bool all) {
    const spry_sell *sell = spry_matrix_sell(matrix);
    const spry_index_type index = spry_matrix_index(matrix);
    const size_t idx = index == SPRY_I32 || index == SPRY_I32P64 ? 4 : 8, ptr = index == SPRY_I32 ? 4 : 8;
    for (int64_t p = 0; p < spry_matrix_rows(matrix); p++) {
        const int64_t slice = p / sell->height;
        const int64_t end = get_integer(sell->ptr, ptr, slice + 1) * sell->unit;
        int64_t slot = get_integer(sell->ptr, ptr, slice) * sell->unit + p % sell->height;
        for (int64_t k = 0; slot < end; k++, slot += sell->height)
            if (k >= get_integer(sell->len, idx, p)) {
                if (all)
                    set_integer(sell->idx, idx, slot, k % 2 ? -1 : INT32_MAX);
                set_value(sell->val, spry_matrix_type(matrix), slot, NAN);
            }
    }
}

/* However X and Y lie; for a team, and where cases are few, alike. */
static void check_layouts(spry_context *context, const spry_matrix *sell, const char *name) {
    const int step = test_has_few_cases() || spry_context_threads(context) > 1 ? 4 : 1;
    for (int layouts = 0; layouts < 9; layouts += step)
        for (int beta = 0; beta <= 2; beta += 2)
            check_columns(context, sell, layouts / 3, layouts % 3, beta, name);
}

/* The same arrays as a caller's own, whose rows are not sorted. */
static void check_wrapped(spry_context *context, const spry_matrix *sell, const char *name) {
    spry_matrix *wrapped;
    if (spry_matrix_sell(sell)->window > 1)
        return;
    spoil_padding(sell, true);
    cr_assert_eq(spry_wrap_sell(context, spry_matrix_type(sell), spry_matrix_index(sell),
                                spry_matrix_rows(sell), spry_matrix_cols(sell), spry_matrix_sell(sell),
                                &wrapped),
                 SPRY_OK, "%s: %s", name, spry_message(context));
    check_layouts(context, wrapped, name);
    spry_matrix_destroy(wrapped);
}

static void check_storage(spry_context *context, const struct list *list, spry_value_type type,
                          spry_index_type index, const char *text) {
    const spry_storage storage = storage_of(text);
    spry_matrix *sell = NULL;
    char name[120];
    snprintf(name, sizeof name, "%s %s %s", text, spry_type_name(type), spry_index_name(index));
    struct built csr = built_of(context, list, SPRY_CSR, type, index);
    cr_assert_eq(spry_convert_to(context, csr.matrix, &storage, NULL, &sell), SPRY_OK, "%s: %s", name,
                 spry_message(context));
    spoil_padding(sell, false);
    check_layouts(context, sell, name);
    check_wrapped(context, sell, name);
    spry_matrix_destroy(sell);
    built_free(&csr);
}

/* With whatever instruction set, number of threads, height and window. In brief, with half of the heights and windows for each pair of
   types. */
Test(spmm, sell_has_the_bits_of_single_columns) {
    static const char *const texts[] = {"sell:16:512", "sell:32:1", "sell:4:32", "sell:6:18", "sell:6:1"};
    if (test_backend() != SPRY_CPU)
        cr_skip_test("on a device, several threads may share a row of a product with one vector");
    struct list list = test_scenario("power law")->make();
    for (int w = 0; w < TEST_CHOICES; w++)
        for (int threads = test_is_brief() ? 3 : 1; threads <= 3; threads += 2) {
            spry_context *context = test_context_without(threads, test_without(w));
            for (int type = 0; type < SPRY_TYPE_COUNT; type++)
                for (int index = 0; index < SPRY_INDEX_COUNT; index++)
                    for (size_t t = test_is_brief() ? (size_t)(type + index + w) % 2 : 0;
                         t < sizeof texts / sizeof *texts && test_index_has_turn(index, (size_t)(type + w));
                         t += test_is_brief() ? 2 : 1)
                        check_storage(context, &list, (spry_value_type)type, (spry_index_type)index,
                                      texts[t]);
            spry_context_destroy(context);
        }
    list_free(&list);
}
