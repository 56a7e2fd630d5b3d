/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices and options that no preconditioner without factors is made for. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/preconds.h"

static struct list diagonal_list(int64_t n, const double *value) {
    struct list list = list_new(n, n);
    for (int64_t i = 0; i < n; i++)
        list_add(&list, i, i, value[i]);
    return list;
}

/* `words` begin the message. */
static void expect_fault(spry_context *context, const struct list *list, spry_value_type type,
                         const spry_precond_options *options, spry_status status, const char *words) {
    struct made made = made_in(context, list, SPRY_CSR, type, SPRY_I32, CONVERTED, options);
    cr_expect_eq(made.status, status, "%s: %s", words, spry_message(context));
    cr_expect_eq(strncmp(spry_message(context), words, strlen(words)), 0, "\"%s\", expected \"%s\"",
                 spry_message(context), words);
    made_free(&made);
}

Test(precond, faults_of_the_diagonal) {
    spry_context *context = test_context(3);
    double value[50];
    const spry_precond_options jacobi = {.size = sizeof jacobi, .kind = SPRY_JACOBI},
                               chebyshev_ = {.size = sizeof chebyshev_, .kind = SPRY_CHEBYSHEV};
    for (int i = 0; i < 50; i++)
        value[i] = i == 41 ? -2 : 3;
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        struct list list = diagonal_list(50, value);
        expect_fault(context, &list, (spry_value_type)type, &chebyshev_, SPRY_ERROR_INVALID,
                     "row 42 (counted from 1): the entry on the diagonal is -2, expected a positive number");
        list.val[44] = INFINITY;
        expect_fault(context, &list, (spry_value_type)type, &jacobi, SPRY_ERROR_INVALID,
                     "row 45 (counted from 1): the entry on the diagonal is inf");
        list.val[31] = NAN;
        expect_fault(context, &list, (spry_value_type)type, &jacobi, SPRY_ERROR_INVALID,
                     "row 32 (counted from 1): the entry on the diagonal is");
        list.col[29] = 2;
        list.col[48] = 2;
        expect_fault(context, &list, (spry_value_type)type, &jacobi, SPRY_ERROR_INVALID,
                     "row 30 (counted from 1): there is no entry on the diagonal");
        list.val[7] = 0;
        expect_fault(context, &list, (spry_value_type)type, &jacobi, SPRY_ERROR_INVALID,
                     "row 8 (counted from 1): there is no entry on the diagonal, or it is zero");
        list_free(&list);
    }
    spry_context_destroy(context);
}

Test(precond, faults_of_blocks) {
    spry_context *context = test_context(3);
    const spry_precond_options eight = {.size = sizeof eight, .kind = SPRY_BLOCK_JACOBI},
                               five = {.size = sizeof five, .kind = SPRY_BLOCK_JACOBI, .block = 5};
    struct list list = definite(52);
    for (int64_t k = 0; k < list.nnz; k++) /* row 22 has nothing in columns 20 to 24 */
        if (list.row[k] == 22 && list.col[k] >= 20 && list.col[k] < 25)
            list.val[k] = 0;
    list_add(&list, 22, 16, 5);
    expect_fault(context, &list, SPRY_F64, &five, SPRY_ERROR_INVALID,
                 "row 21 (counted from 1): the block of 5 rows that begins here is singular");
    struct made made = made_of(context, &list, &eight); /* row 22 has something there */
    cr_expect_eq(made.status, SPRY_OK, "%s", spry_message(context));
    made_free(&made);
    for (int64_t k = 0; k < list.nnz; k++) /* the last block, of two rows */
        if (list.row[k] == 51)
            list.val[k] = 0;
    expect_fault(
        context, &list, SPRY_F32,
        &(spry_precond_options){.size = sizeof(spry_precond_options), .kind = SPRY_BLOCK_JACOBI, .block = 10},
        SPRY_ERROR_INVALID, "row 51 (counted from 1): the block of 2 rows that begins here is singular");
    for (int64_t k = 0; k < list.nnz; k++)
        if (list.row[k] == 13 && list.col[k] == 13)
            list.val[k] = INFINITY;
    expect_fault(context, &list, SPRY_F64, &eight, SPRY_ERROR_INVALID,
                 "row 9 (counted from 1): the block of 8");
    list_free(&list);
    spry_context_destroy(context);
}

Test(precond, faults_of_spectra) {
    spry_context *context = test_context(2);
    struct list list = laplacian(40);
    for (int64_t k = 0; k < list.nnz; k++)
        list.val[k] = list.row[k] == list.col[k] ? 1 : 2;
    expect_fault(context, &list, SPRY_F64,
                 &(spry_precond_options){.size = sizeof(spry_precond_options), .kind = SPRY_CHEBYSHEV},
                 SPRY_ERROR_INVALID, "the matrix is not positive definite");
    expect_fault(context, &list, SPRY_F64,
                 &(spry_precond_options){.size = sizeof(spry_precond_options),
                                         .kind = SPRY_CHEBYSHEV,
                                         .inner = SPRY_BLOCK_JACOBI,
                                         .block = 2},
                 SPRY_ERROR_INVALID, "the preconditioner is not positive definite");
    for (int infinite = 0; infinite < 2; infinite++) {
        for (int64_t k = 0; k < list.nnz; k++)
            if (list.row[k] + list.col[k] == 41) /* beside the diagonal */
                list.val[k] = infinite ? INFINITY : NAN;
        expect_fault(context, &list, SPRY_F64,
                     &(spry_precond_options){.size = sizeof(spry_precond_options), .kind = SPRY_CHEBYSHEV},
                     SPRY_ERROR_INVALID, "values of the matrix are not finite, or too large: p · A p is");
    }
    list_free(&list);
    spry_context_destroy(context);
}

Test(precond, bad_options) {
    static const struct {
        spry_precond_options options;
        const char *words;
    } row[] = {
        {{.kind = SPRY_PRECOND_COUNT}, "invalid kind of preconditioner 7"},
        {{.kind = (spry_precond_kind)-1}, "invalid kind of preconditioner -1"},
        {{.block = -1}, "block is -1, expected 1 to 32, or 0 for 8"},
        {{.block = 33}, "block is 33"},
        {{.degree = -1}, "degree is -1, expected 1 to 100, or 0 for 4"},
        {{.degree = 101}, "degree is 101"},
        {{.power = -1}, "power is -1, expected 1 or 2, or 0 for 1"},
        {{.power = 3}, "power is 3"},
        {{.entries = -1}, "entries is -1, expected 1 to 64, or 0 for 32"},
        {{.entries = 65}, "entries is 65"},
        {{.omega = 2}, "omega is 2, expected over 0 to under 2, or 0 for 1"},
        {{.omega = -0.5}, "omega is -0.5"},
        {{.omega = NAN}, "omega is"},
        {{.shift = -1}, "shift is -1, expected 0 or more"},
        {{.shift = INFINITY}, "shift is inf"},
        {{.smallest = -1, .largest = 1},
         "smallest is -1 and largest 1, expected positive numbers in this order"},
        {{.largest = NAN}, "smallest is 0 and largest"},
        {{.smallest = 2, .largest = 1}, "smallest is 2 and largest 1"},
        {{.smallest = 0.5}, "smallest is 0.5 and largest 0"},
        {{.largest = INFINITY}, "smallest is 0 and largest inf"},
        {{.sweeps = -1}, "sweeps is -1, expected 1 to 100, or 0 for triangular solves"},
        {{.sweeps = 101}, "sweeps is 101"},
        {{.inner = SPRY_CHEBYSHEV}, "inner is chebyshev, expected another kind of preconditioner"},
        {{.inner = SPRY_PRECOND_COUNT}, "inner is 7, expected a kind of preconditioner"},
        {{.inner = (spry_precond_kind)-1}, "inner is -1"},
    };
    spry_context *context = test_context(1);
    struct list list = definite(5);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        spry_precond_options options = row[i].options;
        options.size = sizeof options;
        char words[100];
        snprintf(words, sizeof words, "spry_precond_create: %s", row[i].words);
        expect_fault(context, &list, SPRY_F64, &options, SPRY_ERROR_ARGUMENT, words);
    }
    list_free(&list);
    spry_context_destroy(context);
}

Test(precond, bad_arguments) {
    spry_context *context = test_context(1);
    struct list list = definite(5), tall = list_new(6, 5);
    struct made made = made_of(context, &list, NULL);
    spry_precond *none;
    double x[5] = {0}, y[5];
    cr_expect_eq(made.status, SPRY_OK);
    cr_expect_not_null(spry_operator_of_precond(made.precond).diagonal); /* without options it is Jacobi */
    expect_fault(context, &tall, SPRY_F64, NULL, SPRY_ERROR_ARGUMENT,
                 "spry_precond_create: the matrix is 6 × 5, expected a square one");
    cr_expect_eq(spry_precond_create(NULL, made.built.matrix, NULL, &none), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_precond_create(context, made.built.matrix, NULL, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_precond_create(context, NULL, NULL, &none), SPRY_ERROR_ARGUMENT);
    cr_expect_null(none);
    cr_expect_eq(spry_precond_apply(NULL, made.precond, x, y), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_precond_apply(context, NULL, x, y), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_precond_apply(context, made.precond, NULL, y), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_precond_apply(context, made.precond, x, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_precond_shift(NULL), 0);
    struct built rectangular = built_of(context, &tall, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_operator_of_matrix(rectangular.matrix).n, -1);
    cr_expect_eq(spry_operator_of_matrix(NULL).n, -1);
    cr_expect_eq(spry_operator_of_precond(NULL).n, -1);
    spry_precond_destroy(NULL);
    built_free(&rectangular);
    made_free(&made);
    list_free(&list);
    list_free(&tall);
    spry_context_destroy(context);
}
