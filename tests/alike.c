/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of CSR that are as long as each other, by every kernel: the products, and that a row's sum is the same bits whether many such rows
   lie together or others lie between. */
#include <criterion/criterion.h>
#include <math.h>

#include "support/build.h"
#include "support/reference.h"
#include "support/vector.h"

#define COLUMNS 509
/* Rows that lie together at least: two registers of f64 or one of f32. */
#define TOGETHER 16

/* Row i of those that are alike. Some have products of zeros alone, one of which is below zero; their columns do not follow. */
static void add_alike(struct list *list, int64_t row, int64_t i, int64_t length) {
    for (int64_t k = 0; k < length; k++) {
        const double value = i % 5 == 3 ? -0.0 : 0.25 + (double)((7 * i + 3 * k) % 32) / 3;
        list_add(list, row, (37 * i + i * i % 11 + k * 31) % COLUMNS, value);
    }
}

static void add_other(struct list *list, int64_t row) {
    for (int64_t k = 0; k < 1 + row % 7; k++)
        list_add(list, row, (13 * row + k * 17) % COLUMNS, 1.5);
}

/* `count` alike rows; between TOGETHER of them each, `between` others. */
static struct list list_of(int64_t count, int64_t length, int64_t between) {
    struct list list = list_new(count + count / TOGETHER * between, COLUMNS);
    int64_t row = 0;
    for (int64_t i = 0; i < count; i++) {
        add_alike(&list, row++, i, length);
        for (int64_t b = 0; (i + 1) % TOGETHER == 0 && b < between; b++, row++)
            add_other(&list, row);
    }
    list_sort(&list);
    return list;
}

static struct vector multiply(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                              const struct vector *x) {
    struct vector y = vector_new(x->type, spry_matrix_rows(matrix), 7);
    vector_fill(&y, NAN);
    cr_assert_eq(spry_spmv_with(context, kernel, 1, matrix, x->data, 0, y.data), SPRY_OK, "%s",
                 spry_message(context));
    cr_expect(vector_guarded(&y));
    return y;
}

/* Of y, which has others between, the alike rows alone. */
static struct vector alike_of(const struct vector *y, int64_t count, int64_t between) {
    struct vector alike = vector_new(y->type, count, 7);
    for (int64_t i = 0; i < count; i++)
        vector_set(&alike, i, vector_get(y, i + i / TOGETHER * between));
    return alike;
}

/* By every kernel that multiplies along the rows of CSR, with one thread and with three. Threads that share the rows otherwise may add in
   another order. */
static void expect_same(int64_t count, int64_t length, int64_t between, spry_value_type type,
                        spry_index_type index) {
    struct list together = list_of(count, length, 0), apart = list_of(count, length, between);
    struct vector x = vector_new(type, COLUMNS, NAN);
    vector_random(&x, 5);
    struct reference reference = reference_new(&together, SPRY_N, &x);
    for (int threads = 1; threads <= 3; threads += 2) {
        spry_context *context = test_context(threads);
        struct built whole = built_of(context, &together, SPRY_CSR, type, index),
                     parts = built_of(context, &apart, SPRY_CSR, type, index);
        for (size_t k = 0; k < spry_kernel_count(); k++) {
            const spry_kernel *kernel = spry_kernel_at(k);
            const spry_kernel_info info = spry_kernel_describe(kernel);
            if (info.op != SPRY_N || !spry_kernel_takes(kernel, whole.matrix) ||
                !spry_kernel_runs(context, kernel))
                continue;
            struct vector y = multiply(context, kernel, whole.matrix, &x),
                          other = multiply(context, kernel, parts.matrix, &x),
                          alike = alike_of(&other, count, between);
            cr_expect_eq(reference_differs(&reference, 1, 0, &y, &y), -1, "%s, length %d", info.name,
                         (int)length);
            cr_expect(threads > 1 || vector_same_bits(&y, &alike), "%s, length %d", info.name, (int)length);
            vector_free(&y);
            vector_free(&other);
            vector_free(&alike);
        }
        built_free(&whole);
        built_free(&parts);
        spry_context_destroy(context);
    }
    reference_free(&reference);
    vector_free(&x);
    list_free(&together);
    list_free(&apart);
}

Test(alike, sums_do_not_depend_on_what_lies_between) {
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int index = 0; index < SPRY_INDEX_COUNT; index++)
            for (int64_t length = 1; length <= 10; length++)
                expect_same(240, length, 16, (spry_value_type)type, (spry_index_type)index);
}

/* Some rows are left at the end, or there are hardly enough. */
Test(alike, any_number_of_rows) {
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int64_t count = 1; count < 140; count += 9)
            for (int64_t length = 1; length <= 8; length++)
                expect_same(count, length, 32, (spry_value_type)type, SPRY_I32);
}
