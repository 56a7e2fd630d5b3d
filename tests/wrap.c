/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrapping the caller's arrays: nothing is copied, bad arguments are refused, facts are exact. */
#include <criterion/criterion.h>

#include "support/build.h"
#include "support/scenarios.h"

/* The arrays that are wrapped, where the context works. */
static spry_context *context;
static struct placed row_there, col_there, row_ptr_there, col_ptr_there, row_of_col_there, val_there;
static void *row, *col, *row_ptr, *val;
static spry_coo coo;
static spry_csr csr;
static spry_csc csc;

static void start(void) {
    static const int32_t rows[] = {0, 0, 1, 2}, cols[] = {0, 2, 1, 2}, row_ptrs[] = {0, 2, 3, 4};
    static const int32_t col_ptrs[] = {0, 1, 2, 4}, rows_of_cols[] = {0, 1, 0, 2};
    static const double vals[] = {1, 2, 3, 4};
    context = test_context(1);
    row_there = placed_new(context, rows, sizeof rows, 0);
    col_there = placed_new(context, cols, sizeof cols, 0);
    row_ptr_there = placed_new(context, row_ptrs, sizeof row_ptrs, 0);
    col_ptr_there = placed_new(context, col_ptrs, sizeof col_ptrs, 0);
    row_of_col_there = placed_new(context, rows_of_cols, sizeof rows_of_cols, 0);
    val_there = placed_new(context, vals, sizeof vals, 0);
    row = row_there.data;
    col = col_there.data;
    row_ptr = row_ptr_there.data;
    val = val_there.data;
    coo = (spry_coo){row, col, val, 0};
    csr = (spry_csr){row_ptr, col, val, 0};
    csc = (spry_csc){col_ptr_there.data, row_of_col_there.data, val, 0};
}

static void stop(void) {
    placed_free(&row_there);
    placed_free(&col_there);
    placed_free(&row_ptr_there);
    placed_free(&col_ptr_there);
    placed_free(&row_of_col_there);
    placed_free(&val_there);
    spry_context_destroy(context);
}

TestSuite(wrap, .init = start, .fini = stop);

/* The status of wrapping with these sizes; the matrix must be null when it fails. */
static spry_status wrap_coo(int64_t rows, int64_t cols, int64_t nnz, const spry_coo *arrays) {
    spry_matrix *matrix = (spry_matrix *)context; /* must be overwritten */
    spry_status status = spry_wrap_coo(context, SPRY_F64, SPRY_I32, rows, cols, nnz, arrays, &matrix);
    cr_expect((status == SPRY_OK) == (matrix != NULL));
    spry_matrix_destroy(matrix);
    return status;
}

static spry_status wrap_csr(int64_t rows, int64_t cols, const spry_csr *arrays) {
    spry_matrix *matrix = (spry_matrix *)context;
    spry_status status = spry_wrap_csr(context, SPRY_F64, SPRY_I32, rows, cols, arrays, &matrix);
    cr_expect((status == SPRY_OK) == (matrix != NULL));
    spry_matrix_destroy(matrix);
    return status;
}

static spry_status wrap_csc(int64_t rows, int64_t cols, const spry_csc *arrays) {
    spry_matrix *matrix = (spry_matrix *)context;
    spry_status status = spry_wrap_csc(context, SPRY_F64, SPRY_I32, rows, cols, arrays, &matrix);
    cr_expect((status == SPRY_OK) == (matrix != NULL));
    spry_matrix_destroy(matrix);
    return status;
}

Test(wrap, sizes) {
    cr_expect_eq(wrap_coo(3, 3, 4, &coo), SPRY_OK);
    cr_expect_eq(wrap_coo(-1, 3, 4, &coo), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(3, -3, 4, &coo), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(3, 3, -4, &coo), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(3, 3, INT64_MIN, &coo), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(INT64_MAX, 3, 4, &coo), SPRY_ERROR_OVERFLOW);
    cr_expect_eq(wrap_coo(3, (int64_t)INT32_MAX + 1, 4, &coo), SPRY_ERROR_OVERFLOW);
    cr_expect_eq(wrap_coo(3, 3, (int64_t)INT32_MAX + 1, &coo), SPRY_ERROR_OVERFLOW);
    cr_expect_eq(wrap_coo(2, 3, 4, &coo), SPRY_ERROR_INVALID);
    cr_expect_eq(wrap_coo(3, 2, 4, &coo), SPRY_ERROR_INVALID);
    cr_expect_eq(wrap_coo(0, 0, 4, &coo), SPRY_ERROR_INVALID);

    cr_expect_eq(wrap_csr(3, 3, &csr), SPRY_OK);
    cr_expect_eq(wrap_csr(-3, 3, &csr), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(3, INT64_MIN, &csr), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(3, (int64_t)INT32_MAX + 1, &csr), SPRY_ERROR_OVERFLOW);
    cr_expect_eq(wrap_csr(3, 2, &csr), SPRY_ERROR_INVALID);
    cr_expect_eq(wrap_csc(3, 3, &csc), SPRY_OK);
    cr_expect_eq(wrap_csc(3, -1, &csc), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csc((int64_t)INT32_MAX + 1, 3, &csc), SPRY_ERROR_OVERFLOW);
    cr_expect_eq(wrap_csc(2, 3, &csc), SPRY_ERROR_INVALID);
}

/* As many columns as there may be, and entries in the first and the last, so that each part of the transposed product
   goes over all of them: what they have together does not fit an integer. */
#define MOST (INT64_MAX / 2)

static spry_status wrap_wide(spry_context *with, spry_format format, int64_t length, spry_matrix **matrix) {
    static const int64_t ptrs[] = {0, 2, 4, 6}, majors[] = {0, 0, 1, 1, 2, 2},
                         ends[] = {0, MOST - 1, 0, MOST - 1, 0, MOST - 1};
    static const float ones[] = {1, 1, 1, 1, 1, 1};
    struct placed major = placed_new(with, format == SPRY_COO ? majors : ptrs,
                                     format == SPRY_COO ? sizeof majors : sizeof ptrs, 0),
                  minor = placed_new(with, ends, sizeof ends, 0),
                  one = placed_new(with, ones, sizeof ones, 0);
    spry_status status;
    if (format == SPRY_CSC)
        status = spry_wrap_csc(with, SPRY_F32, SPRY_I64, length, 3,
                               &(spry_csc){major.data, minor.data, one.data, 0}, matrix);
    else if (format == SPRY_CSR)
        status = spry_wrap_csr(with, SPRY_F32, SPRY_I64, 3, length,
                               &(spry_csr){major.data, minor.data, one.data, 0}, matrix);
    else
        status = spry_wrap_coo(with, SPRY_F32, SPRY_I64, 3, length, 6,
                               &(spry_coo){major.data, minor.data, one.data, 0}, matrix);
    spry_matrix *copy = NULL;
    if (!status)
        status = spry_matrix_copy(with, *matrix, &copy);
    spry_matrix_destroy(*matrix);
    *matrix = copy;
    placed_free(&major);
    placed_free(&minor);
    placed_free(&one);
    return status;
}

Test(wrap, largest_sizes) {
    static const spry_format formats[] = {SPRY_COO, SPRY_CSR, SPRY_CSC};
    for (int threads = 1; threads <= test_threads(9); threads++) {
        spry_context *with = test_context(threads);
        for (int f = 0; f < 3; f++) {
            spry_matrix *matrix = NULL, *other = NULL;
            cr_expect_eq(wrap_wide(with, formats[f], MOST, &matrix), SPRY_OK, "%s, %d threads: %s",
                         spry_format_name(formats[f]), threads, spry_message(with));
            for (int to = 0; to < SPRY_FORMAT_COUNT && matrix && formats[f] != SPRY_CSC; to++) {
                /* CSC would have a pointer for each column. */
                spry_status status = spry_convert(with, matrix, (spry_format)to, NULL, &other);
                cr_expect(to == SPRY_CSC ? status == SPRY_ERROR_OVERFLOW : status == SPRY_OK,
                          "%s to %s, %d threads: %s", spry_format_name(formats[f]),
                          spry_format_name((spry_format)to), threads, spry_message(with));
                spry_matrix_destroy(other);
            }
            spry_matrix_destroy(matrix);
            cr_expect_eq(wrap_wide(with, formats[f], MOST + 1, &matrix), SPRY_ERROR_OVERFLOW);
            cr_expect_eq(wrap_wide(with, formats[f], INT64_MAX, &matrix), SPRY_ERROR_OVERFLOW);
        }
        spry_context_destroy(with);
    }
}

Test(wrap, nulls) {
    cr_expect_eq(wrap_coo(3, 3, 4, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(3, 3, 4, &(spry_coo){NULL, col, val, 0}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(3, 3, 4, &(spry_coo){row, NULL, val, 0}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(3, 3, 4, &(spry_coo){row, col, NULL, 0}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(3, 3, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(3, 3, &(spry_csr){NULL, col, val, 0}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(3, 3, &(spry_csr){row_ptr, NULL, val, 0}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(3, 3, &(spry_csr){row_ptr, col, NULL, 0}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csc(3, 3, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csc(3, 3, &(spry_csc){csc.ptr, NULL, val, 0}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_wrap_csr(context, SPRY_F64, SPRY_I32, 3, 3, &csr, NULL), SPRY_ERROR_ARGUMENT);
    spry_matrix *matrix;
    cr_expect_eq(spry_wrap_csr(NULL, SPRY_F64, SPRY_I32, 3, 3, &csr, &matrix), SPRY_ERROR_ARGUMENT);
    spry_matrix_destroy(NULL);
    spry_context_destroy(NULL);
}

/* Without entries there is nothing to point to. */
Test(wrap, nulls_without_entries) {
    static const int32_t none[4];
    struct placed zeros_there = placed_new(context, none, sizeof none, 0);
    void *zeros = zeros_there.data;
    cr_expect_eq(wrap_coo(3, 3, 0, &(spry_coo){NULL, NULL, NULL, 0}), SPRY_OK);
    cr_expect_eq(wrap_csr(3, 5, &(spry_csr){zeros, NULL, NULL, 0}), SPRY_OK);
    cr_expect_eq(wrap_csc(5, 3, &(spry_csc){zeros, NULL, NULL, 0}), SPRY_OK);
    placed_free(&zeros_there);
}

Test(wrap, types_and_base) {
    spry_matrix *matrix = NULL;
    cr_expect_eq(spry_wrap_csr(context, SPRY_TYPE_COUNT, SPRY_I32, 3, 3, &csr, &matrix), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_wrap_csr(context, SPRY_F64, SPRY_INDEX_COUNT, 3, 3, &csr, &matrix),
                 SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_coo(3, 3, 4, &(spry_coo){row, col, val, 2}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(3, 3, &(spry_csr){row_ptr, col, val, -1}), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(wrap_csr(3, 3, &(spry_csr){row_ptr, col, val, 1}), SPRY_ERROR_INVALID);
}

Test(wrap, pointers_that_claim_too_much) {
    static const int32_t wrong[][4] = {{0, 2, 3, -4}, {0, 2, 4, 3}};
    for (int i = 0; i < 2; i++) {
        struct placed pointers = placed_new(context, wrong[i], sizeof wrong[i], 0);
        cr_expect_eq(wrap_csr(3, 3, &(spry_csr){pointers.data, col, val, 0}), SPRY_ERROR_INVALID);
        placed_free(&pointers);
    }
}

/* The arrays in the handle are the caller's, and a new value counts in the next product. */
Test(wrap, shares_the_arrays) {
    double x[] = {1, 10, 100}, y[3] = {0}, five = 5;
    struct placed x_there = placed_new(context, x, sizeof x, 0),
                  y_there = placed_new(context, y, sizeof y, 0);
    spry_matrix *matrix;
    cr_assert_eq(spry_wrap_csr(context, SPRY_F64, SPRY_I32, 3, 3, &csr, &matrix), SPRY_OK);
    cr_expect_eq(spry_matrix_csr(matrix)->ptr, row_ptr);
    cr_expect_eq(spry_matrix_csr(matrix)->idx, col);
    cr_expect_eq(spry_matrix_csr(matrix)->val, val);
    cr_expect_null(spry_matrix_csc(matrix));
    cr_expect_eq(spry_array_put(context, (double *)val + 1, &five, sizeof five), SPRY_OK);
    cr_expect_eq(spry_spmv(context, SPRY_N, 1, matrix, x_there.data, 0, y_there.data), SPRY_OK);
    cr_expect_eq(spry_array_get(context, y_there.data, y, sizeof y), SPRY_OK);
    cr_expect(y[0] == 501 && y[1] == 30 && y[2] == 400);
    spry_matrix_destroy(matrix);
    placed_free(&x_there);
    placed_free(&y_there);
}

Test(wrap, facts) {
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

/* Of the formats that pad rows with columns and values. */
static size_t padding_of(const spry_matrix *matrix) {
    size_t index = spry_index_size(spry_matrix_index(matrix)),
           value = spry_type_size(spry_matrix_type(matrix));
    return (size_t)(spry_matrix_slots(matrix) - spry_matrix_nnz(matrix)) * (index + value);
}

static bool pads(const spry_matrix *matrix) {
    return spry_matrix_ell(matrix) || spry_matrix_hyb(matrix) || spry_matrix_sell(matrix);
}

Test(wrap, bytes_are_exact) {
    struct list list = test_scenario("power law")->make();
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
                struct built built = built_of(context, &list, (spry_format)format, (spry_value_type)type,
                                              (spry_index_type)index);
                cr_expect_eq(spry_matrix_bytes(built.matrix), bytes_of(built.matrix), "%s",
                             spry_format_name((spry_format)format));
                cr_expect_eq(spry_matrix_nnz(built.matrix), list.nnz);
                if (pads(built.matrix) || spry_matrix_slots(built.matrix) == list.nnz)
                    cr_expect_eq(spry_matrix_padding(built.matrix), padding_of(built.matrix), "%s",
                                 spry_format_name((spry_format)format));
                built_free(&built);
            }
    list_free(&list);
}

/* One slot to a row: lengths of rows and their numbers of shapes are as many, and products read them all. */
Test(wrap, lengths_are_no_padding) {
    static const struct {
        const char *storage;
        size_t slot;
    } cases[] = {{"ell", sizeof(int32_t) + sizeof(double)},
                 {"sell:32:1", sizeof(int32_t) + sizeof(double)},
                 {"shape:32", sizeof(double)}};
    struct list list = list_new(32, 32);
    for (int64_t i = 0; i < 32; i += 2)
        list_add(&list, i, i, 1);
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const spry_storage storage = storage_of(cases[c].storage);
        spry_matrix *matrix;
        cr_assert_eq(spry_convert_to(context, built.matrix, &storage, NULL, &matrix), SPRY_OK);
        cr_expect_eq(spry_matrix_slots(matrix), 32, "%s", cases[c].storage);
        cr_expect_eq(spry_matrix_padding(matrix), 16 * cases[c].slot, "%s", cases[c].storage);
        spry_matrix_destroy(matrix);
    }
    built_free(&built);
    list_free(&list);
}

/* A caller who vouches for arrays is taken at his word; a check on request still finds the fault. */
Test(wrap, trusted_arrays_are_not_checked) {
    spry_context_options options = test_options();
    options.trust_arrays = 1;
    spry_context *trusting = test_context_with(&options);
    spry_matrix *matrix;
    /* Column 2 of three does not exist where there are two. */
    cr_expect_eq(spry_wrap_csr(context, SPRY_F64, SPRY_I32, 3, 2, &csr, &matrix), SPRY_ERROR_INVALID);
    cr_assert_eq(spry_wrap_csr(trusting, SPRY_F64, SPRY_I32, 3, 2, &csr, &matrix), SPRY_OK);
    cr_expect_eq(spry_matrix_nnz(matrix), 4);
    cr_expect_eq(spry_validate(trusting, matrix, 0), SPRY_ERROR_INVALID);
    spry_matrix_destroy(matrix);
    spry_context_destroy(trusting);
}
