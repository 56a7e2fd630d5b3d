/* SPDX-License-Identifier: BSD-3-Clause */
/* Factorised sparse approximate inverses. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/dense_fsai.h"
#include "support/preconds.h"
#include "support/systems.h"

static spry_precond_options fsai(int power, int entries) {
    return (spry_precond_options){
        .size = sizeof(spry_precond_options), .kind = SPRY_FSAI, .power = power, .entries = entries};
}

/* ---- as it is defined ---- */

/* Whether y = Gᵀ G x. */
static void expect_products(const long double *g, const struct vector *x, const struct vector *y,
                            const char *what) {
    int64_t n = x->count;
    long double *between = test_malloc((size_t)n * sizeof *between);
    for (int64_t i = 0; i < n; i++) {
        between[i] = 0;
        for (int64_t j = 0; j < n; j++)
            between[i] += g[i * n + j] * (long double)vector_get(x, j);
    }
    for (int64_t j = 0; j < n; j++) {
        long double want = 0;
        for (int64_t i = 0; i < n; i++)
            want += g[i * n + j] * between[i];
        cr_expect(fabs(vector_get(y, j) - (double)want) <= made_tolerance(x->type), "%s, row %d: %g for %g",
                  what, (int)j, vector_get(y, j), (double)want);
    }
    free(between);
}

static void check_in(spry_context *context, const struct list *list, spry_format format, spry_value_type type,
                     spry_index_type index, const spry_precond_options *options) {
    struct list rounded = list_copy(list);
    list_round(&rounded, type);
    struct made made = made_in(context, list, format, type, index, CONVERTED, options);
    struct vector x = vector_new(type, list->rows, NAN), y = vector_new(type, list->rows, NAN);
    long double *g = dense_fsai(&rounded, options->power, options->shift);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    cr_expect_eq(spry_precond_shift(made.precond), options->shift);
    vector_random(&x, 17);
    made_apply(&made, &x, &y);
    expect_products(g, &x, &y, spry_format_name(format));
    free(g);
    made_free(&made);
    vector_free(&x);
    vector_free(&y);
    list_free(&rounded);
}

Test(precond, fsai_every_format_and_type) {
    struct list list = definite(97);
    for (int threads = 1; threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        for (int power = 1; power <= 2; power++) {
            const spry_precond_options options = fsai(power, 0);
            for (int type = 0; type < SPRY_TYPE_COUNT; type++)
                for (int index = 0; index < SPRY_INDEX_COUNT; index++)
                    check_in(context, &list, SPRY_CSR, (spry_value_type)type, (spry_index_type)index,
                             &options);
            for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
                check_in(context, &list, (spry_format)format, SPRY_F64, SPRY_I32, &options);
        }
        spry_context_destroy(context);
    }
    list_free(&list);
}

Test(precond, fsai_shift) {
    spry_context *context = test_context(2);
    struct list list = definite(60);
    spry_precond_options options = fsai(1, 0);
    options.shift = 0.25;
    check_in(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, &options);
    list_free(&list);
    spry_context_destroy(context);
}

/* All of a small matrix is in the pattern, so that G is the inverse of its Cholesky factor; up to the longest row that
   is allowed. */
Test(precond, fsai_exact) {
    spry_context *context = test_context(2);
    for (int64_t n = 1; n <= 64; n += 21) {
        struct list list = list_new(n, n);
        uint64_t seed = 3;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j <= i; j++) {
                double value = i == j ? (double)n + 4 : test_value(&seed);
                list_add(&list, i, j, value);
                if (i != j)
                    list_add(&list, j, i, value);
            }
        const spry_precond_options options = fsai(1, 64);
        struct made made = made_of(context, &list, &options);
        struct vector x = vector_new(SPRY_F64, n, NAN), y = vector_new(SPRY_F64, n, NAN);
        cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
        vector_random(&x, 5);
        made_apply(&made, &x, &y);
        expect_solves(&list, n, &x, &y, "fsai");
        made_free(&made);
        vector_free(&x);
        vector_free(&y);
        list_free(&list);
    }
    spry_context_destroy(context);
}

/* G as M⁻¹ shows it: the diagonal of G A Gᵀ is that of the unit matrix, with rows cut off too. */
static void expect_unit_diagonal(spry_context *context, const struct list *list, int power, int entries) {
    int64_t n = list->rows;
    const spry_precond_options options = fsai(power, entries);
    struct made made = made_of(context, list, &options);
    struct vector x = vector_new(SPRY_F64, n, NAN), y = vector_new(SPRY_F64, n, NAN);
    long double *w = test_malloc((size_t)(n * n) * sizeof *w), *a = dense_list(list);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    for (int64_t j = 0; j < n; j++) {
        vector_fill(&x, 0);
        vector_set(&x, j, 1);
        made_apply(&made, &x, &y);
        for (int64_t i = 0; i < n; i++)
            w[i * n + j] = (long double)vector_get(&y, i);
    }
    long double *g = dense_fsai_of(w, n);
    for (int64_t i = 0; i < n; i++) {
        long double sum = 0;
        int filled = 0;
        for (int64_t j = 0; j <= i; j++) {
            filled += fabsl(g[i * n + j]) > 1e-10L;
            for (int64_t k = 0; k <= i; k++)
                sum += g[i * n + j] * a[j * n + k] * g[i * n + k];
        }
        cr_expect(fabsl(sum - 1) < 1e-12L, "power %d, %d entries, row %d: %g", power, entries, (int)i,
                  (double)sum);
        cr_expect(filled <= entries, "power %d, row %d has %d entries, %d are allowed", power, (int)i, filled,
                  entries);
    }
    free(w), free(a), free(g);
    vector_free(&x);
    vector_free(&y);
    made_free(&made);
}

Test(precond, fsai_unit_diagonal) {
    spry_context *context = test_context(2);
    struct list list = definite(70);
    for (int power = 1; power <= 2; power++)
        for (int entries = 1; entries <= 64; entries *= 4)
            expect_unit_diagonal(context, &list, power, entries);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- what is left out ---- */

static void expect_same(spry_context *context, const struct list *a, const spry_precond_options *with,
                        const struct list *b, const spry_precond_options *other, const char *what) {
    struct made one = made_of(context, a, with), two = made_of(context, b, other);
    struct vector x = vector_new(SPRY_F64, a->rows, NAN), y = vector_new(SPRY_F64, a->rows, NAN),
                  want = vector_new(SPRY_F64, a->rows, NAN);
    cr_assert(one.status == SPRY_OK && two.status == SPRY_OK, "%s: %s", what, spry_message(context));
    vector_random(&x, 6);
    made_apply(&one, &x, &y);
    made_apply(&two, &x, &want);
    for (int64_t i = 0; i < a->rows; i++)
        cr_expect(fabs(vector_get(&y, i) - vector_get(&want, i)) <= 1e-14, "%s, row %d: %g for %g", what,
                  (int)i, vector_get(&y, i), vector_get(&want, i));
    vector_free(&x);
    vector_free(&y);
    vector_free(&want);
    made_free(&one);
    made_free(&two);
}

/* The last row and column are full; the entries of the columns that `keeps` names are all that is kept of them, or
   those of all. What is strong is so by a_ij / sqrt(a_ii a_jj), not by a_ij. */
static struct list arrow(int64_t n, bool (*keeps)(int64_t j)) {
    struct list list = list_new(n, n);
    for (int64_t j = 0; j < n; j++) {
        double diagonal = j == n - 1 ? 10 * (double)n : j % 10 == 7 ? 1 : 100, value = j % 3 ? 0.5 : -0.5;
        list_add(&list, j, j, diagonal);
        if (j == n - 1 || (keeps && !keeps(j)))
            continue;
        list_add(&list, n - 1, j, value);
        list_add(&list, j, n - 1, value);
    }
    return list;
}

static bool is_light(int64_t j) {
    return j % 10 == 7;
}

/* Of columns that are as strong, the nearest. */
static bool is_near(int64_t j) {
    return is_light(j) && j >= 60;
}

Test(precond, fsai_keeps_the_strongest) {
    spry_context *context = test_context(3);
    struct list all = arrow(101, NULL), light = arrow(101, is_light), near = arrow(101, is_near);
    const spry_precond_options eleven = fsai(1, 11), five = fsai(1, 5), any = fsai(1, 64);
    expect_same(context, &all, &eleven, &light, &any, "11 entries");
    expect_same(context, &all, &five, &near, &any, "5 entries");
    list_free(&all);
    list_free(&light);
    list_free(&near);
    spry_context_destroy(context);
}

/* However long a row is, what it takes is bounded: paths of two steps lead from everywhere to everywhere. */
Test(precond, fsai_long_rows) {
    spry_context *context = test_context(2);
    struct list list = arrow(4001, NULL);
    const spry_precond_options options = fsai(2, 64);
    struct made made = made_of(context, &list, &options);
    struct vector x = vector_new(SPRY_F64, 4001, NAN), y = vector_new(SPRY_F64, 4001, NAN);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    vector_random(&x, 6);
    made_apply(&made, &x, &y);
    for (int64_t i = 0; i < 4001; i++)
        cr_expect(isfinite(vector_get(&y, i)));
    vector_free(&x);
    vector_free(&y);
    made_free(&made);
    list_free(&list);
    spry_context_destroy(context);
}

/* A function that adds an entry in another way, as several or none. */
typedef void tell_entry(struct list *told, int64_t row, int64_t col, double value);

/* The matrix of `list`, with its entries told by `tell`, has a G of the pattern and the values of `same`. */
static void expect_told(const struct list *list, tell_entry *tell, enum origin origin,
                        const spry_precond_options *options, const struct list *same, const char *what) {
    spry_context *context = test_context(2);
    const int64_t n = list->rows;
    struct list told = list_new(n, n);
    for (int64_t k = 0; k < list->nnz; k++)
        tell(&told, list->row[k], list->col[k], list->val[k]);
    struct made made = made_in(context, &told, SPRY_CSR, SPRY_F64, SPRY_I32, origin, options);
    struct vector x = vector_new(SPRY_F64, n, NAN), y = vector_new(SPRY_F64, n, NAN);
    long double *g = dense_fsai(same, options->power, 0);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    vector_random(&x, 8);
    made_apply(&made, &x, &y);
    expect_products(g, &x, &y, what);
    free(g);
    vector_free(&x);
    vector_free(&y);
    made_free(&made);
    list_free(&told);
    spry_context_destroy(context);
}

static void check_told(tell_entry *tell, enum origin origin, const char *what) {
    struct list list = definite(50);
    for (int power = 1; power <= 2; power++) {
        const spry_precond_options options = fsai(power, 0);
        expect_told(&list, tell, origin, &options, &list, what);
    }
    list_free(&list);
}

static void without_upper(struct list *told, int64_t row, int64_t col, double value) {
    list_add(told, row, col, col > row ? NAN : value);
}

static void in_halves(struct list *told, int64_t row, int64_t col, double value) {
    list_add(told, row, col, value / 2);
    list_add(told, row, col, value / 2);
}

Test(precond, fsai_reads_the_lower_triangle) {
    check_told(without_upper, CONVERTED, "lower triangle");
}

Test(precond, fsai_adds_up_duplicates) {
    check_told(in_halves, WRAPPED_FROM_1, "duplicates");
}

/* Each of the two is stronger than any entry that is one. */
static void heavy_as_difference(struct list *told, int64_t row, int64_t col, double value) {
    if (row == col || is_light(row) || is_light(col)) {
        list_add(told, row, col, value);
        return;
    }
    list_add(told, row, col, value + 100);
    list_add(told, row, col, -100);
}

Test(precond, fsai_weighs_sums_of_duplicates) {
    struct list all = arrow(101, NULL), light = arrow(101, is_light);
    const spry_precond_options options = fsai(1, 11);
    expect_told(&all, heavy_as_difference, WRAPPED_FROM_1, &options, &light, "weights of duplicates");
    list_free(&all);
    list_free(&light);
}

/* ---- where it cannot be as defined ---- */

/* Pairs of rows whose systems have no Cholesky factor become Jacobi; pairs that have one are as they are elsewhere. */
Test(precond, fsai_of_an_indefinite_matrix) {
    static const double beside[] = {2, 1, -1, 0.5};
    spry_context *context = test_context(2);
    struct list list = list_new(80, 80), want = list_new(80, 80);
    for (int64_t i = 0; i < 80; i += 2) {
        double value = beside[i / 2 % 4];
        for (int side = 0; side < 2; side++) {
            list_add(&list, i + side, i + side, 1);
            list_add(&list, i + side, i + !side, value);
            list_add(&want, i + side, i + side, 1);
            if (fabs(value) < 1)
                list_add(&want, i + side, i + !side, value);
        }
    }
    const spry_precond_options options = fsai(1, 0);
    expect_same(context, &list, &options, &want, &options, "indefinite");
    list_free(&list);
    list_free(&want);
    spry_context_destroy(context);
}

static void expect_fault(spry_context *context, const struct list *list, spry_value_type type,
                         const char *words) {
    const spry_precond_options options = fsai(1, 0);
    struct made made = made_in(context, list, SPRY_CSR, type, SPRY_I32, CONVERTED, &options);
    cr_expect_eq(made.status, SPRY_ERROR_INVALID, "%s", words);
    cr_expect_eq(strncmp(spry_message(context), words, strlen(words)), 0, "\"%s\", expected \"%s\"",
                 spry_message(context), words);
    made_free(&made);
}

Test(precond, fsai_faults_of_the_diagonal) {
    spry_context *context = test_context(2);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        struct list list = laplacian(50);
        for (int64_t k = 0; k < list.nnz; k++)
            if (list.row[k] == 41 && list.col[k] == 41)
                list.val[k] = -2;
        expect_fault(context, &list, (spry_value_type)type,
                     "row 42 (counted from 1): the entry on the diagonal is -2, expected a positive number");
        for (int64_t k = 0; k < list.nnz; k++)
            if (list.row[k] == 20 && list.col[k] == 20)
                list.col[k] = 30;
        expect_fault(context, &list, (spry_value_type)type,
                     "row 21 (counted from 1): there is no entry on the diagonal, or it is zero");
        list_free(&list);
    }
    spry_context_destroy(context);
}

/* ---- new values ---- */

/* A context that multiplies by stencils and shapes alone, so that factors are kept as stencils where they may be. */
static spry_context *stencil_context(void) {
    char names[16384] = ",";
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel_info kernel = spry_kernel_describe(spry_kernel_at(k));
        char name[128];
        snprintf(name, sizeof name, ",%s,", kernel.name);
        if (kernel.backend != test_backend() || kernel.format == SPRY_STENCIL ||
            kernel.format == SPRY_SHAPE || strstr(names, name))
            continue;
        cr_assert_lt(strlen(names) + strlen(name), sizeof names);
        strcat(names, name + 1);
    }
    return test_context_without(0, names);
}

/* In which format a factor with the rows of G, or of its transpose, is kept where values do not change. */
static spry_format factor_format(spry_context *context, int64_t n, bool transposed) {
    struct list g = list_new(n, n);
    for (int64_t i = 0; i < n; i++) {
        if (i > 0)
            list_add(&g, i, i - 1, 0.4);
        list_add(&g, i, i, i > 0 ? 0.8 : 0.7);
    }
    struct list list = transposed ? list_transposed(&g) : list_copy(&g);
    spry_matrix *kept;
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_assert_eq(spry_convert(context, built.matrix, SPRY_AUTO, NULL, &kept), SPRY_OK, "%s",
                 spry_message(context));
    const spry_format format = spry_matrix_format(kept);
    spry_matrix_destroy(kept);
    built_free(&built);
    list_free(&list);
    list_free(&g);
    return format;
}

/* Many rows alike get values that are all different, or others that are alike. Factors that are kept as stencils, which
   is left to the machine's prices, refuse the former; any other layout takes them. */
static void check_update(spry_context *context, bool values_change, bool alike) {
    struct list list = laplacian(3000), fresh = list_copy(&list);
    uint64_t seed = 9;
    for (int64_t k = 0; k < fresh.nnz; k++)
        fresh.val[k] *= alike ? 3 : 4 + test_value(&seed);
    spry_precond_options options = fsai(1, 0);
    options.values_change = values_change;
    struct made made = made_of(context, &list, &options), anew = made_of(context, &fresh, &options);
    struct vector x = vector_new(SPRY_F64, list.rows, NAN), y = vector_new(SPRY_F64, list.rows, NAN),
                  want = vector_new(SPRY_F64, list.rows, NAN);
    cr_assert(made.status == SPRY_OK && anew.status == SPRY_OK, "%s", spry_message(context));
    spry_status status = spry_precond_update(context, made.precond, anew.built.matrix);
    const bool refuses = !values_change && !alike &&
                         (factor_format(context, list.rows, false) == SPRY_STENCIL ||
                          factor_format(context, list.rows, true) == SPRY_STENCIL);
    cr_expect_eq(status, refuses ? SPRY_ERROR_UNSUPPORTED : SPRY_OK, "%d: %s", status, spry_message(context));
    if (!status) {
        vector_random(&x, 9);
        made_apply(&made, &x, &y);
        made_apply(&anew, &x, &want);
        for (int64_t i = 0; i < list.rows; i++)
            cr_assert(fabs(vector_get(&y, i) - vector_get(&want, i)) <= 1e-14, "row %d: %g for %g", (int)i,
                      vector_get(&y, i), vector_get(&want, i));
    }
    vector_free(&x);
    vector_free(&y);
    vector_free(&want);
    made_free(&made);
    made_free(&anew);
    list_free(&list);
    list_free(&fresh);
}

/* Where the device has prices for stencils and shapes; else any context. */
static spry_context *context_for_updates(void) {
    spry_context *context = stencil_context();
    struct list list = laplacian(30);
    const spry_precond_options options = fsai(1, 0);
    struct made made = made_of(context, &list, &options);
    const bool has_layouts = made.status == SPRY_OK;
    made_free(&made);
    list_free(&list);
    if (has_layouts)
        return context;
    spry_context_destroy(context);
    return test_context(2);
}

Test(precond, fsai_update) {
    spry_context *context = context_for_updates();
    for (int change = 0; change < 2; change++)
        for (int alike = 0; alike < 2; alike++)
            check_update(context, change, alike);
    spry_context_destroy(context);
}

/* ---- what it is for ---- */

static int64_t iterations(struct system *system, const spry_precond_options *how) {
    const spry_solver_options options = {.size = sizeof options, .method = SPRY_CG};
    spry_precond *precond;
    cr_assert_eq(spry_precond_create(system->context, system->a.matrix, how, &precond), SPRY_OK, "%s",
                 spry_message(system->context));
    const spry_operator operator= spry_operator_of_precond(precond);
    spry_solve_result result = system_solve(system, &operator, & options);
    cr_expect_eq(result.outcome, SPRY_CONVERGED, "%s", spry_outcome_string(result.outcome));
    cr_expect_lt(system_error(system), 1e-5);
    spry_precond_destroy(precond);
    return result.iterations;
}

/* On a grid, the pattern of A takes a quarter of the iterations away, that of its square a fifth of the rest. */
Test(precond, fsai_takes_fewer_iterations) {
    spry_context *context = test_context(2);
    struct system system = system_new(context, grid_list(60, 0, 0), SPRY_CSR, SPRY_F64);
    const spry_precond_options jacobi = {.size = sizeof jacobi}, one = fsai(1, 0), two = fsai(2, 0),
                               three = fsai(2, 3);
    int64_t by_jacobi = iterations(&system, &jacobi), by_one = iterations(&system, &one),
            by_two = iterations(&system, &two), by_three = iterations(&system, &three);
    cr_expect(4 * by_one < 3 * by_jacobi, "%d for %d", (int)by_one, (int)by_jacobi);
    cr_expect(5 * by_two < 4 * by_one, "%d for %d", (int)by_two, (int)by_one);
    cr_expect(by_three > by_two && by_three < by_jacobi, "%d", (int)by_three);
    system_free(&system);
    spry_context_destroy(context);
}
