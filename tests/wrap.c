/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrapping the caller's arrays: nothing is copied, bad arguments are refused, facts are exact. */
#include <criterion/criterion.h>

#include "support/build.h"
#include "support/scenarios.h"

static int32_t row[] = {0, 0, 1, 2}, col[] = {0, 2, 1, 2}, row_ptr[] = {0, 2, 3, 4}, col_ptr[] = {0, 1, 2, 4};
static int32_t row_of_col[] = {0, 1, 0, 2};
static double val[] = {1, 2, 3, 4};

static const spry_coo coo = {row, col, val, 0};
static const spry_csr csr = {row_ptr, col, val, 0};
static const spry_csc csc = {col_ptr, row_of_col, val, 0};

/* The status of wrapping with these sizes; the matrix must be null when it fails. */
static spry_status wrap_coo(spry_context *context, int64_t rows, int64_t cols, int64_t nnz,
                            const spry_coo *arrays) {
    spry_matrix *matrix = (spry_matrix *)context; /* must be overwritten */
    spry_status status = spry_wrap_coo(context, SPRY_F64, SPRY_I32, rows, cols, nnz, arrays, &matrix);
    cr_expect((status == SPRY_OK) == (matrix != NULL));
    spry_matrix_destroy(matrix);
    return status;
}

static spry_status wrap_csr(spry_context *context, int64_t rows, int64_t cols, const spry_csr *arrays) {
    spry_matrix *matrix = (spry_matrix *)context;
    spry_status status = spry_wrap_csr(context, SPRY_F64, SPRY_I32, rows, cols, arrays, &matrix);
    cr_expect((status == SPRY_OK) == (matrix != NULL));
    spry_matrix_destroy(matrix);
    return status;
}

static spry_status wrap_csc(spry_context *context, int64_t rows, int64_t cols, const spry_csc *arrays) {
    spry_matrix *matrix = (spry_matrix *)context;
    spry_status status = spry_wrap_csc(context, SPRY_F64, SPRY_I32, rows, cols, arrays, &matrix);
    cr_expect((status == SPRY_OK) == (matrix != NULL));
    spry_matrix_destroy(matrix);
    return status;
}

Test(wrap, sizes) {
    spry_context *context = test_context(1);
    cr_expect_eq(wrap_coo(context, 3, 3, 4, &coo), SPRY_OK);
    cr_expect_eq(wrap_coo(context, -1, 3, 4, &coo), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(context, 3, -3, 4, &coo), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(context, 3, 3, -4, &coo), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(context, 3, 3, INT64_MIN, &coo), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(context, INT64_MAX, 3, 4, &coo), SPRY_ERROR_OVERFLOW);
    cr_expect_eq(wrap_coo(context, 3, (int64_t)INT32_MAX + 1, 4, &coo), SPRY_ERROR_OVERFLOW);
    cr_expect_eq(wrap_coo(context, 3, 3, (int64_t)INT32_MAX + 1, &coo), SPRY_ERROR_OVERFLOW);
    cr_expect_eq(wrap_coo(context, 2, 3, 4, &coo), SPRY_ERROR_INVALID);
    cr_expect_eq(wrap_coo(context, 3, 2, 4, &coo), SPRY_ERROR_INVALID);
    cr_expect_eq(wrap_coo(context, 0, 0, 4, &coo), SPRY_ERROR_INVALID);

    cr_expect_eq(wrap_csr(context, 3, 3, &csr), SPRY_OK);
    cr_expect_eq(wrap_csr(context, -3, 3, &csr), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(context, 3, INT64_MIN, &csr), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(context, 3, (int64_t)INT32_MAX + 1, &csr), SPRY_ERROR_OVERFLOW);
    cr_expect_eq(wrap_csr(context, 3, 2, &csr), SPRY_ERROR_INVALID);
    cr_expect_eq(wrap_csc(context, 3, 3, &csc), SPRY_OK);
    cr_expect_eq(wrap_csc(context, 3, -1, &csc), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csc(context, (int64_t)INT32_MAX + 1, 3, &csc), SPRY_ERROR_OVERFLOW);
    cr_expect_eq(wrap_csc(context, 2, 3, &csc), SPRY_ERROR_INVALID);
    spry_context_destroy(context);
}

Test(wrap, nulls) {
    spry_context *context = test_context(1);
    cr_expect_eq(wrap_coo(context, 3, 3, 4, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(context, 3, 3, 4, &(spry_coo){NULL, col, val, 0}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(context, 3, 3, 4, &(spry_coo){row, NULL, val, 0}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(context, 3, 3, 4, &(spry_coo){row, col, NULL, 0}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(context, 3, 3, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(context, 3, 3, &(spry_csr){NULL, col, val, 0}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(context, 3, 3, &(spry_csr){row_ptr, NULL, val, 0}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(context, 3, 3, &(spry_csr){row_ptr, col, NULL, 0}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csc(context, 3, 3, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csc(context, 3, 3, &(spry_csc){col_ptr, NULL, val, 0}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_wrap_csr(context, SPRY_F64, SPRY_I32, 3, 3, &csr, NULL), SPRY_ERROR_ARGUMENT);
    spry_matrix *matrix;
    cr_expect_eq(spry_wrap_csr(NULL, SPRY_F64, SPRY_I32, 3, 3, &csr, &matrix), SPRY_ERROR_ARGUMENT);
    spry_matrix_destroy(NULL);
    spry_context_destroy(NULL);
    spry_context_destroy(context);
}

/* Without entries there is nothing to point to. */
Test(wrap, nulls_without_entries) {
    static int32_t zeros[4];
    spry_context *context = test_context(1);
    cr_expect_eq(wrap_coo(context, 3, 3, 0, &(spry_coo){NULL, NULL, NULL, 0}), SPRY_OK);
    cr_expect_eq(wrap_csr(context, 3, 5, &(spry_csr){zeros, NULL, NULL, 0}), SPRY_OK);
    cr_expect_eq(wrap_csc(context, 5, 3, &(spry_csc){zeros, NULL, NULL, 0}), SPRY_OK);
    spry_context_destroy(context);
}

Test(wrap, types_and_base) {
    spry_context *context = test_context(1);
    spry_matrix *matrix = NULL;
    cr_expect_eq(spry_wrap_csr(context, SPRY_TYPE_COUNT, SPRY_I32, 3, 3, &csr, &matrix), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_wrap_csr(context, SPRY_F64, SPRY_INDEX_COUNT, 3, 3, &csr, &matrix),
                 SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(context, 3, 3, 4, &(spry_coo){row, col, val, 2}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(context, 3, 3, &(spry_csr){row_ptr, col, val, -1}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(context, 3, 3, &(spry_csr){row_ptr, col, val, 1}), SPRY_ERROR_INVALID);
    spry_context_destroy(context);
}

Test(wrap, pointers_that_claim_too_much) {
    static int32_t negative[] = {0, 2, 3, -4}, falls_at_the_end[] = {0, 2, 4, 3};
    spry_context *context = test_context(1);
    cr_expect_eq(wrap_csr(context, 3, 3, &(spry_csr){negative, col, val, 0}), SPRY_ERROR_INVALID);
    cr_expect_eq(wrap_csr(context, 3, 3, &(spry_csr){falls_at_the_end, col, val, 0}), SPRY_ERROR_INVALID);
    spry_context_destroy(context);
}

/* The arrays in the handle are the caller's, and a new value counts in the next product. */
Test(wrap, shares_the_arrays) {
    double values[] = {1, 2, 3, 4}, x[] = {1, 10, 100}, y[3];
    spry_context *context = test_context(1);
    spry_csr arrays = {row_ptr, col, values, 0};
    spry_matrix *matrix;
    cr_assert_eq(spry_wrap_csr(context, SPRY_F64, SPRY_I32, 3, 3, &arrays, &matrix), SPRY_OK);
    cr_expect_eq(spry_matrix_csr(matrix)->ptr, row_ptr);
    cr_expect_eq(spry_matrix_csr(matrix)->idx, col);
    cr_expect_eq(spry_matrix_csr(matrix)->val, values);
    cr_expect_null(spry_matrix_csc(matrix));
    values[1] = 5;
    cr_expect_eq(spry_spmv(context, SPRY_N, 1, matrix, x, 0, y), SPRY_OK);
    cr_expect(y[0] == 501 && y[1] == 30 && y[2] == 400);
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
}

Test(wrap, facts) {
    spry_context *context = test_context(1);
    spry_matrix *matrix;
    cr_assert_eq(spry_wrap_csc(context, SPRY_F64, SPRY_I32, 3, 3, &csc, &matrix), SPRY_OK);
    cr_expect_eq(spry_matrix_format(matrix), SPRY_CSC);
    cr_expect_eq(spry_matrix_type(matrix), SPRY_F64);
    cr_expect_eq(spry_matrix_index(matrix), SPRY_I32);
    cr_expect_eq(spry_matrix_rows(matrix), 3);
    cr_expect_eq(spry_matrix_cols(matrix), 3);
    cr_expect_eq(spry_matrix_nnz(matrix), 4);
    cr_expect_eq(spry_matrix_slots(matrix), 4);
    cr_expect_eq(spry_matrix_bytes(matrix), 4 * sizeof(int32_t) + 4 * (sizeof(int32_t) + sizeof(double)));
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
}

/* Bytes of each format, counted from its open arrays. */
static size_t bytes_of(const spry_matrix *matrix) {
    size_t index = spry_index_size(spry_matrix_index(matrix)),
           pointer = spry_pointer_size(spry_matrix_index(matrix));
    size_t value = spry_type_size(spry_matrix_type(matrix)), nnz = (size_t)spry_matrix_nnz(matrix);
    size_t rows = (size_t)spry_matrix_rows(matrix), cols = (size_t)spry_matrix_cols(matrix);
    const spry_ell *ell = spry_matrix_ell(matrix);
    const spry_hyb *hyb = spry_matrix_hyb(matrix);
    const spry_jds *jds = spry_matrix_jds(matrix);
    if (ell)
        return (size_t)ell->stride * (index + (size_t)ell->width * (index + value));
    if (hyb)
        return bytes_of(hyb->ell) + bytes_of(hyb->coo);
    if (jds)
        return rows * index + (size_t)(jds->diagonals + 1) * pointer + nnz * (index + value);
    if (spry_matrix_coo(matrix))
        return nnz * (2 * index + value);
    if (spry_matrix_csr(matrix) || spry_matrix_csc(matrix))
        return ((spry_matrix_csr(matrix) ? rows : cols) + 1) * pointer + nnz * (index + value);
    return spry_matrix_bytes(matrix); /* a format whose arrays this test does not know */
}

Test(wrap, bytes_are_exact) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("power law")->make();
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
                struct built built;
                cr_assert_eq(build(context, &list, (spry_format)format, (spry_type)type, (spry_index)index,
                                   CONVERTED, &built),
                             SPRY_OK);
                cr_expect_eq(spry_matrix_bytes(built.matrix), bytes_of(built.matrix), "%s",
                             spry_format_name((spry_format)format));
                cr_expect_eq(spry_matrix_nnz(built.matrix), list.nnz);
                built_free(&built);
            }
    list_free(&list);
    spry_context_destroy(context);
}
