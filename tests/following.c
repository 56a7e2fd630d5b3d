/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that follow the one before them, in CSR and as columns of CSC: which they are, and the products of all kernels. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/following.h"
#include "core/internal.h"
#include "support/build.h"
#include "support/reference.h"
#include "support/vector.h"

#define ROWS 231

/* Rows of `length` entries `step` columns apart, from the diagonal on; but rows from..to - 1 of each hundred have one entry fewer. */
static struct list list_of(int64_t length, int64_t step, int64_t from, int64_t to) {
    struct list list = list_new(ROWS, ROWS + length * step);
    for (int64_t i = 0; i < list.rows; i++) {
        const int64_t fewer = i % 100 >= from && i % 100 < to;
        for (int64_t k = fewer; k < length; k++)
            list_add(&list, i, i + step * k, 0.25 + (double)((3 * i + k) % 16));
    }
    return list;
}

/* The same, where the last entry of row `other` is one column further on. */
static struct list list_but_for(int64_t other) {
    struct list list = list_of(5, 7, 100, 100);
    list.col[5 * other + 4]++;
    return list;
}

static bool follows(const struct list *list, const int64_t *begin, int64_t i) {
    const int64_t length = begin[i + 1] - begin[i];
    bool same = i > 0 && begin[i] - begin[i - 1] == length;
    for (int64_t k = begin[i]; same && k < begin[i + 1]; k++)
        same = list->col[k] == list->col[k - length] + 1;
    return same;
}

/* Where each row of a sorted list begins. */
static int64_t *begins_of(const struct list *list) {
    int64_t *begin = test_malloc((size_t)(list->rows + 1) * sizeof *begin), k = 0;
    for (int64_t i = 0; i <= list->rows; i++) {
        while (k < list->nnz && list->row[k] < i)
            k++;
        begin[i] = k;
    }
    return begin;
}

static void expect_bits(const struct list *list, const spry_matrix *matrix, const char *name) {
    int64_t *begin = begins_of(list);
    cr_assert_not_null(matrix->plan.following, "%s", name);
    for (int64_t i = 0; i < list->rows; i++) {
        const uint64_t word = matrix->plan.following[i / SPRY_FOLLOWING_ROWS];
        cr_expect_eq(word >> i % SPRY_FOLLOWING_ROWS & 1, follows(list, begin, i), "%s, row %d", name,
                     (int)i);
        int64_t end = i + 1;
        while (end < list->rows && follows(list, begin, end))
            end++;
        cr_expect_eq(spry_following_end(matrix->plan.following, i, list->rows), end, "%s, row %d", name,
                     (int)i);
        cr_expect_eq(spry_following_end(matrix->plan.following, i, i + 1), i + 1, "%s, row %d", name, (int)i);
    }
    free(begin);
}

/* The product along the rows of `list` by every kernel that takes this matrix; op says which that is. */
static void expect_products_of(spry_context *context, const struct list *list, const spry_matrix *matrix,
                               spry_op op, const char *name) {
    const spry_value_type type = spry_matrix_type(matrix);
    struct vector x = vector_new(type, list->cols, NAN), y = vector_new(type, list->rows, 7);
    vector_random(&x, 5);
    struct reference reference = reference_new(list, SPRY_N, &x);
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        if (spry_kernel_describe(kernel).op != op || !spry_kernel_takes(kernel, matrix) ||
            !spry_kernel_runs(context, kernel))
            continue;
        struct vector before = vector_new(type, list->rows, 7);
        vector_random(&y, 9);
        vector_copy(&before, &y);
        cr_expect_eq(spry_spmv_with(context, kernel, 1.5, matrix, x.data, 0.75, y.data), SPRY_OK, "%s",
                     spry_message(context));
        cr_expect_eq(reference_differs(&reference, 1.5, 0.75, &before, &y), -1, "%s, %s", name,
                     spry_kernel_describe(kernel).name);
        vector_free(&before);
    }
    reference_free(&reference);
    vector_free(&x);
    vector_free(&y);
}

/* In each storage, from each base, with one thread and three. */
static void expect_following(struct list list, const char *name) {
    static const char *const storages[] = {"csr", "csr+dict8", "csr+narrow", "csr+narrow+dict8",
                                           "csc", "csc+narrow"};
    list_sort(&list);
    struct list turned = list_transposed(&list);
    list_sort(&turned);
    for (int threads = 1; threads <= 3; threads += 2) {
        spry_context *context = test_context(threads);
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
                for (size_t s = 0; s < sizeof storages / sizeof *storages; s++) {
                    const spry_storage storage = storage_of(storages[s]);
                    const bool by_rows = storage.format == SPRY_CSR;
                    spry_matrix *matrix = stored_of(context, by_rows ? &list : &turned, storage,
                                                    (spry_value_type)type, (spry_index_type)index);
                    expect_bits(&list, matrix, name);
                    expect_products_of(context, &list, matrix, by_rows ? SPRY_N : SPRY_T, name);
                    spry_matrix_destroy(matrix);
                }
                for (int from = WRAPPED_FROM_0; from <= WRAPPED_FROM_1; from++) {
                    struct built built;
                    cr_assert_eq(build(context, &list, SPRY_CSR, (spry_value_type)type,
                                       (spry_index_type)index, (enum origin)from, &built),
                                 SPRY_OK, "%s", spry_message(context));
                    expect_bits(&list, built.matrix, name);
                    expect_products_of(context, &list, built.matrix, SPRY_N, name);
                    built_free(&built);
                }
            }
        spry_context_destroy(context);
    }
    list_free(&list);
    list_free(&turned);
}

Test(following, rows_of_a_band) {
    expect_following(list_of(5, 1, 100, 100), "five");
    expect_following(list_of(4, 9, 100, 100), "four");
    expect_following(list_of(70, 1, 100, 100), "seventy");
    expect_following(list_of(129, 1, 100, 100), "longer than are summed side by side");
}

Test(following, rows_without_entries) {
    expect_following(list_of(1, 1, 10, 90), "one and none");
}

Test(following, lines_of_a_grid) {
    expect_following(list_of(5, 7, 40, 41), "one row that is shorter");
    expect_following(list_of(6, 7, 16, 33), "some that are");
}

Test(following, one_column_of_one_row) {
    for (int64_t other = 63; other < 66; other++)
        expect_following(list_but_for(other), "one column");
    expect_following(list_but_for(0), "the first row");
    expect_following(list_but_for(ROWS - 1), "the last row");
}

/* Rows that follow each other by twos gain nothing, and to look at all would take as long as a part of a product. */
Test(following, few_rows) {
    struct list list = list_new(ROWS, 3 * ROWS);
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t k = 0; k < 4; k++)
            list_add(&list, i, i + i / 2 + 5 * k, 1 + (double)k);
    spry_context *context = test_context(2);
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_null(csr.matrix->plan.following);
    expect_products_of(context, &list, csr.matrix, SPRY_N, "twos");
    built_free(&csr);
    spry_context_destroy(context);
    list_free(&list);
}
