/* SPDX-License-Identifier: BSD-3-Clause */
#include "products.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "reference.h"
#include "vector.h"

void expect_product(spry_context *context, const spry_matrix *matrix, const struct list *list, spry_op op,
                    double alpha, double beta, bool infinite, const char *name) {
    spry_value_type type = spry_matrix_type(matrix);
    struct vector x = vector_new(type, op == SPRY_N ? list->cols : list->rows, NAN),
                  before = vector_new(type, op == SPRY_N ? list->rows : list->cols, -77),
                  y = vector_new(type, before.count, -77);
    vector_random(&x, 5);
    for (int64_t i = 0; i < x.count && infinite; i += 3)
        vector_set(&x, i, INFINITY);
    if (beta == 0)
        vector_fill(&before, NAN);
    else
        vector_random(&before, 6);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &before);
    cr_assert_eq(spry_spmv(context, op, alpha, matrix, x_there.data, beta, y_there.data), SPRY_OK, "%s: %s",
                 name, spry_message(context));
    cr_assert_eq(vector_fetch(&y, &y_there), SPRY_OK);
    struct reference reference = reference_new(list, op, &x);
    int64_t i = reference_differs(&reference, alpha, beta, &before, &y);
    cr_expect_eq(i, -1, "%s, op %d: y[%d] is %g, not %g", name, (int)op, (int)i,
                 i < 0 ? 0 : vector_get(&y, i),
                 i < 0 ? 0 : reference_value(&reference, alpha, beta, &before, i));
    cr_expect(vector_guarded(&y), "%s", name);
    reference_free(&reference);
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    vector_free(&before);
    vector_free(&y);
}

void expect_products(spry_context *context, const spry_matrix *matrix, const struct list *list,
                     const char *name) {
    for (int op = 0; op < SPRY_OP_COUNT; op++) {
        expect_product(context, matrix, list, (spry_op)op, 1, 0, false, name);
        expect_product(context, matrix, list, (spry_op)op, -2, 0.5, false, name);
        expect_product(context, matrix, list, (spry_op)op, 1, 0, true, name);
    }
}

void expect_wrapped(spry_context *context, const spry_matrix *matrix, const struct list *list, int64_t slots,
                    const char *name) {
    spry_matrix *copy = NULL;
    cr_expect_eq(spry_matrix_nnz(matrix), list->nnz, "%s", name);
    cr_expect_eq(spry_matrix_slots(matrix), slots, "%s", name);
    cr_expect(equals_list(context, matrix, list), "%s", name);
    expect_products(context, matrix, list, name);
    cr_assert_eq(spry_matrix_copy(context, matrix, &copy), SPRY_OK, "%s", name);
    cr_expect(equals_list(context, copy, list), "%s: copy", name);
    expect_products(context, copy, list, name);
    spry_matrix_destroy(copy);
}

void expect_product_with_a_sum(spry_context *context, const spry_matrix *matrix, const char *name) {
    struct vector x = vector_new(SPRY_F64, spry_matrix_cols(matrix), NAN),
                  w = vector_new(SPRY_F64, spry_matrix_rows(matrix), NAN),
                  y = vector_new(SPRY_F64, spry_matrix_rows(matrix), NAN);
    vector_random(&x, 1);
    vector_random(&w, 2);
    struct placed x_there = vector_place(context, &x), w_there = vector_place(context, &w),
                  y_there = vector_place(context, &y);
    double sum = NAN, expected = 0;
    void *there;
    cr_assert_eq(spry_array_new(context, sizeof sum, &there), SPRY_OK);
    cr_assert_eq(spry_spmv_dot(context, matrix, x_there.data, y_there.data, w_there.data, there), SPRY_OK,
                 "%s: %s", name, spry_message(context));
    cr_assert_eq(spry_array_get(context, there, &sum, sizeof sum), SPRY_OK);
    cr_assert_eq(vector_fetch(&y, &y_there), SPRY_OK);
    for (int64_t i = 0; i < y.count; i++)
        expected += vector_get(&w, i) * vector_get(&y, i);
    cr_expect_float_eq(sum, expected, 1e-9, "%s: %g, not %g", name, sum, expected);
    spry_array_free(context, there, sizeof sum);
    placed_free(&x_there);
    placed_free(&w_there);
    placed_free(&y_there);
    vector_free(&x);
    vector_free(&w);
    vector_free(&y);
}

void expect_storage(const spry_matrix *matrix, int64_t height, int64_t window, const char *name) {
    spry_storage storage;
    spry_matrix_storage(matrix, &storage);
    cr_expect_eq(storage.format, SPRY_SELL, "%s", name);
    cr_expect_eq(storage.parameter[0], height, "%s: height %d", name, (int)storage.parameter[0]);
    cr_expect_eq(storage.parameter[1], window, "%s: window %d", name, (int)storage.parameter[1]);
}

void expect_refused(spry_context *context, spry_status status, spry_status expected, const char *words) {
    cr_expect_eq(status, expected, "%s", words);
    cr_expect(strstr(spry_message(context), words), "%s, not %s", spry_message(context), words);
}

void expect_conversion_refused(spry_context *context, const spry_matrix *csr, spry_storage storage,
                               spry_status status, const char *words) {
    spry_matrix *matrix = (spry_matrix *)context; /* must be overwritten */
    char text[SPRY_STORAGE_TEXT];
    spry_storage_text(&storage, text, sizeof text);
    cr_expect_eq(spry_convert_to(context, csr, &storage, NULL, &matrix), status, "%s: %s", text, words);
    cr_expect_null(matrix, "%s: %s", text, words);
    cr_expect(strstr(spry_message(context), words), "%s: %s, not %s", text, spry_message(context), words);
}
