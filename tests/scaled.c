/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix between two diagonals that are kept apart from it: its products are those of the matrix that it stands for, in every
   layout with every code; methods solve with it; what cannot be is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/reference.h"
#include "support/scenarios.h"
#include "support/systems.h"

/* Powers of two, of both signs, so that the scaled matrix is exact. */
static double factor_at(int64_t i) {
    return ldexp(i % 3 == 1 ? -1 : 1, (int)(i * 7 % 5) - 2);
}

static struct vector factor_new(spry_value_type type, int64_t n) {
    struct vector factor = vector_new(type, n, NAN);
    for (int64_t i = 0; i < n; i++)
        vector_set(&factor, i, factor_at(i));
    return factor;
}

static struct list scaled_list(const struct list *list, bool left, bool right) {
    struct list scaled = list_copy(list);
    for (int64_t k = 0; k < scaled.nnz; k++)
        scaled.val[k] *= (left ? factor_at(scaled.row[k]) : 1) * (right ? factor_at(scaled.col[k]) : 1);
    return scaled;
}

/* ---- products ---- */

struct factors {
    struct vector left, right;
    struct placed left_there, right_there;
};

static struct factors factors_new(spry_context *context, spry_value_type type, const struct list *list) {
    struct factors factors = {.left = factor_new(type, list->rows), .right = factor_new(type, list->cols)};
    factors.left_there = vector_place(context, &factors.left);
    factors.right_there = vector_place(context, &factors.right);
    return factors;
}

static void factors_free(struct factors *factors) {
    placed_free(&factors->left_there);
    placed_free(&factors->right_there);
    vector_free(&factors->left);
    vector_free(&factors->right);
}

/* Against the list of the scaled matrix. */
static void check_product(spry_context *context, const spry_scaled *scaled, const struct list *list,
                          spry_value_type type, spry_op op, double alpha, double beta, const char *name) {
    const int64_t in = op == SPRY_N ? list->cols : list->rows, out = op == SPRY_N ? list->rows : list->cols;
    struct vector x = vector_new(type, in, NAN), before = vector_new(type, out, 7),
                  y = vector_new(type, out, 7);
    vector_random(&x, 3);
    vector_fill(&before, NAN);
    if (beta != 0)
        vector_random(&before, 4);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &before);
    struct reference reference = reference_new(list, op, &x);
    reference.flushed = test_backend() == SPRY_CUDA;
    cr_expect_eq(spry_scaled_spmv(context, op, alpha, scaled, x_there.data, beta, y_there.data), SPRY_OK,
                 "%s: %s", name, spry_message(context));
    cr_assert_eq(spry_synchronize(context), SPRY_OK);
    cr_assert_eq(vector_fetch(&y, &y_there), SPRY_OK);
    const int64_t i = reference_differs(&reference, alpha, beta, &before, &y);
    cr_expect(i < 0, "%s, operation %d, alpha %g, beta %g: y[%d] = %g", name, (int)op, alpha, beta, (int)i,
              i < 0 ? 0 : vector_get(&y, i));
    cr_expect(vector_guarded(&y), "%s: wrote beside y", name);
    reference_free(&reference);
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    vector_free(&before);
    vector_free(&y);
}

/* With either factor, both and none. */
static void check_matrix(spry_context *context, const spry_matrix *matrix, const struct list *list,
                         const char *name) {
    static const double alphas[] = {1, -1.5, 0, 1}, betas[] = {0, 0.75, 2, 1};
    const spry_value_type type = spry_matrix_type(matrix);
    struct factors factors = factors_new(context, type, list);
    for (int sides = 0; sides < 4; sides++) {
        spry_scaled *scaled;
        struct list whole = scaled_list(list, sides & 1, sides & 2);
        cr_assert_eq(spry_scaled_create(context, matrix, sides & 1 ? factors.left_there.data : NULL,
                                        sides & 2 ? factors.right_there.data : NULL, &scaled),
                     SPRY_OK, "%s: %s", name, spry_message(context));
        for (int i = 0; i < 4; i++)
            for (int op = 0; op < SPRY_OP_COUNT; op++)
                check_product(context, scaled, &whole, type, (spry_op)op, alphas[i], betas[i], name);
        spry_scaled_destroy(scaled);
        list_free(&whole);
    }
    factors_free(&factors);
}

/* Whether a kernel is for it. */
static bool is_known(const spry_storage *storage, spry_value_type type) {
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        if (info.format == storage->format && info.values == storage->values && info.type == type)
            return true;
    }
    return false;
}

static void check_storages(spry_context *context, const struct list *list, spry_value_type type) {
    struct built csr = built_of(context, list, SPRY_CSR, type, SPRY_I32);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int code = 0; code < SPRY_VALUE_CODE_COUNT; code++) {
            const spry_storage storage = {.format = (spry_format)format, .values = (spry_value_code)code};
            char text[SPRY_STORAGE_TEXT];
            spry_matrix *stored;
            if (!is_known(&storage, type))
                continue;
            spry_storage_text(&storage, text, sizeof text);
            cr_assert_eq(spry_convert_to(context, csr.matrix, &storage, &keep_duplicates, &stored), SPRY_OK,
                         "%s: %s", text, spry_message(context));
            check_matrix(context, stored, list, text);
            spry_matrix_destroy(stored);
        }
    built_free(&csr);
}

/* With one value, so that all codes keep it. */
Test(scaled, products) {
    static const char *const names[] = {"random", "empty rows", "one entry"};
    for (int threads = test_first_threads(3); threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        for (size_t s = 0; s < sizeof names / sizeof *names; s++) {
            struct list list = test_scenario(names[s])->make();
            for (int64_t k = 0; k < list.nnz; k++)
                list.val[k] = 1.5;
            for (int type = 0; type < SPRY_TYPE_COUNT; type++)
                check_storages(context, &list, (spry_value_type)type);
            list_free(&list);
        }
        spry_context_destroy(context);
    }
}

/* y = 2 y, with factors that are not finite and no x. */
static void check_nothing_is_read(spry_context *context, const struct list *list, double alpha,
                                  spry_format format) {
    struct built built = built_of(context, list, format, SPRY_F64, SPRY_I32);
    struct vector bad = vector_new(SPRY_F64, 25, 0), y = vector_new(SPRY_F64, 25, 0);
    vector_fill(&bad, NAN);
    vector_random(&y, 5);
    struct placed bad_there = vector_place(context, &bad), y_there = vector_place(context, &y);
    spry_scaled *scaled;
    cr_assert_eq(spry_scaled_create(context, built.matrix, bad_there.data, bad_there.data, &scaled), SPRY_OK);
    cr_expect_eq(spry_scaled_spmv(context, SPRY_N, alpha, scaled, NULL, 2, y_there.data), SPRY_OK);
    struct vector got = vector_new(SPRY_F64, 25, 0);
    cr_assert_eq(vector_fetch(&got, &y_there), SPRY_OK);
    for (int64_t i = 0; i < 25; i++)
        cr_expect_eq(vector_get(&got, i), 2 * vector_get(&y, i));
    spry_scaled_destroy(scaled);
    placed_free(&bad_there);
    placed_free(&y_there);
    vector_free(&bad);
    vector_free(&y);
    vector_free(&got);
    built_free(&built);
}

/* What is not asked for is not looked at, whether the kernel scales or not. */
Test(scaled, nothing_is_read_without_need) {
    spry_context *context = test_context(2);
    struct list grid = grid_list(5, 0, 0), empty = list_new(25, 25);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        check_nothing_is_read(context, &grid, 0, (spry_format)format);
        check_nothing_is_read(context, &empty, 1, (spry_format)format);
    }
    list_free(&grid);
    list_free(&empty);
    spry_context_destroy(context);
}

/* ---- solvers ---- */

/* The system of a scaled matrix, solved by way of the one whose values repeat. */
static void check_method(spry_context *context, spry_method method, spry_format format) {
    struct list plain = grid_list(12, wants_symmetric(method) ? 0 : 0.1, 0);
    struct factors factors = factors_new(context, SPRY_F64, &plain);
    struct system system = system_new(context, scaled_list(&plain, true, true), SPRY_CSR, SPRY_F64);
    spry_scaled *scaled;
    struct built a = built_of(context, &plain, format, SPRY_F64, SPRY_I32);
    cr_assert_eq(
        spry_scaled_create(context, a.matrix, factors.left_there.data, factors.right_there.data, &scaled),
        SPRY_OK);
    system.operator= spry_operator_of_scaled(scaled);
    cr_expect_eq(system.operator.n, 144);
    const spry_solver_options options = {
        .size = sizeof options, .method = method, .relative = 1e-11, .restart = 60};
    for (int time = 0; time < 2; time++) {
        spry_solve_result result = system_solve(&system, NULL, &options);
        cr_expect_eq(result.outcome, SPRY_CONVERGED, "%s: %s", spry_method_name(method),
                     spry_outcome_string(result.outcome));
        cr_expect(system_error(&system) < 1e-7, "%s: %g", spry_method_name(method), system_error(&system));
    }
    spry_scaled_destroy(scaled);
    built_free(&a);
    system_free(&system);
    factors_free(&factors);
    list_free(&plain);
}

Test(scaled, systems) {
    spry_context *context = test_context(3);
    FOR_METHODS(method)
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        check_method(context, method, (spry_format)format);
    spry_context_destroy(context);
}

/* ---- what is refused ---- */

static void expect_refused(const spry_context *context, spry_status status, const char *words) {
    cr_expect_eq(status, SPRY_ERROR_ARGUMENT, "%s", words);
    cr_expect_not_null(strstr(spry_message(context), words), "%s, not: %s", spry_message(context), words);
}

Test(scaled, refused) {
    spry_context *context = test_context(1);
    struct list list = list_new(3, 2);
    list_add(&list, 2, 1, 5);
    spry_scaled *scaled = (spry_scaled *)&list;
    double number = 0;
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    expect_refused(context, spry_scaled_create(context, NULL, NULL, NULL, &scaled), "the matrix is null");
    cr_expect_null(scaled);
    cr_assert_eq(spry_scaled_create(context, built.matrix, NULL, NULL, &scaled), SPRY_OK);
    expect_refused(context, spry_scaled_spmv(context, SPRY_N, 1, NULL, &number, 0, &number),
                   "the matrix is null");
    expect_refused(context, spry_scaled_spmv(context, SPRY_OP_COUNT, 1, scaled, &number, 0, &number),
                   "invalid operation 2");
    expect_refused(context, spry_scaled_spmv(context, SPRY_N, 1, scaled, NULL, 0, &number), "x is null");
    expect_refused(context, spry_scaled_spmv(context, SPRY_N, 1, scaled, &number, 0, NULL), "y is null");
    cr_expect_eq(spry_operator_of_scaled(scaled).n, -1, "it is not square");
    spry_scaled_destroy(scaled);
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

/* A matrix of nothing multiplies nothing. */
Test(scaled, empty) {
    spry_context *context = test_context(1);
    struct list list = list_new(0, 0);
    spry_scaled *scaled;
    double number = 0;
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_assert_eq(spry_scaled_create(context, built.matrix, &number, &number, &scaled), SPRY_OK, "%s",
                 spry_message(context));
    cr_expect_eq(spry_scaled_spmv(context, SPRY_N, 1, scaled, NULL, 1, NULL), SPRY_OK);
    spry_scaled_destroy(scaled);
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}
