/* SPDX-License-Identifier: BSD-3-Clause */
/* Preconditioners without factors: the diagonal, blocks along it, Chebyshev's polynomials. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "support/preconds.h"

/* Saad's algorithm 12.1, in his own terms, with the diagonal as preconditioner. */
static void chebyshev(const struct list *a, int degree, double smallest, double largest, const double *b,
                      double *x) {
    int64_t n = a->rows;
    double theta = (largest + smallest) / 2, delta = (largest - smallest) / 2, sigma = theta / delta,
           rho = 1 / sigma;
    double *d = test_malloc((size_t)n * sizeof *d), *r = test_malloc((size_t)n * sizeof *r),
           *ad = test_malloc((size_t)n * sizeof *ad), *ones = test_malloc((size_t)n * sizeof *ones),
           *diagonal = test_malloc((size_t)n * sizeof *diagonal);
    for (int64_t i = 0; i < n; i++)
        ones[i] = 1;
    multiply_blocks(a, 1, ones, diagonal);
    for (int64_t i = 0; i < n; i++) {
        r[i] = b[i];
        x[i] = d[i] = b[i] / diagonal[i] / theta;
    }
    for (int k = 0; k < degree; k++) {
        double next = 1 / (2 * sigma - rho);
        multiply_blocks(a, n, d, ad);
        for (int64_t i = 0; i < n; i++) {
            r[i] -= ad[i];
            d[i] = next * rho * d[i] + 2 * next / delta * r[i] / diagonal[i];
            x[i] += d[i];
        }
        rho = next;
    }
    free(d), free(r), free(ad), free(ones), free(diagonal);
}

/* ---- every kind against its definition ---- */

static const spry_precond_options bounded = {
    .size = sizeof bounded, .kind = SPRY_CHEBYSHEV, .degree = 3, .smallest = 0.25, .largest = 1.75};

static void expect_polynomial(const struct list *list, const spry_precond_options *options,
                              const struct vector *x, const struct vector *y, const char *what) {
    size_t bytes = (size_t)list->rows * sizeof(double);
    double *host = test_malloc(bytes), *want = test_malloc(bytes);
    for (int64_t i = 0; i < list->rows; i++)
        host[i] = vector_get(x, i);
    chebyshev(list, options->degree, options->smallest, options->largest, host, want);
    for (int64_t i = 0; i < list->rows; i++)
        cr_expect(fabs(vector_get(y, i) - want[i]) <= made_tolerance(x->type),
                  "%s, degree %d, row %d: %g for %g", what, options->degree, (int)i, vector_get(y, i),
                  want[i]);
    free(host), free(want);
}

static void check(spry_context *context, const struct list *list, spry_format format, spry_value_type type,
                  spry_index_type index, enum origin origin, const spry_precond_options *options) {
    struct made made = made_in(context, list, format, type, index, origin, options);
    struct vector x = vector_new(type, list->rows, NAN), y = vector_new(type, list->rows, NAN);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    vector_random(&x, 17);
    made_apply(&made, &x, &y);
    if (options->kind == SPRY_CHEBYSHEV)
        expect_polynomial(list, options, &x, &y, spry_format_name(format));
    else
        expect_solves(list,
                      options->kind == SPRY_JACOBI ? 1
                      : options->block             ? options->block
                                                   : 8,
                      &x, &y, spry_format_name(format));
    made_free(&made);
    vector_free(&x);
    vector_free(&y);
}

static void check_kinds(spry_context *context, const struct list *list, spry_format format,
                        spry_value_type type, spry_index_type index, enum origin origin) {
    const spry_precond_options options[] = {{.size = sizeof *options, .kind = SPRY_JACOBI},
                                            {.size = sizeof *options, .kind = SPRY_BLOCK_JACOBI},
                                            bounded};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        check(context, list, format, type, index, origin, &options[i]);
}

Test(precond, every_format_and_type) {
    struct list list = definite(117);
    for (int threads = 1; threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < SPRY_INDEX_COUNT; index++)
                for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
                    check_kinds(context, &list, (spry_format)format, (spry_value_type)type,
                                (spry_index_type)index, CONVERTED);
        spry_context_destroy(context);
    }
    list_free(&list);
}

/* Wrapped matrices have unsorted rows and count from 0 or 1; and a place may have several entries. */
Test(precond, wrapped_with_duplicates) {
    spry_context *context = test_context(2);
    struct list list = definite(40);
    for (int64_t i = 0; i < 40; i += 3)
        list_add(&list, i, i, 2.5);
    static const spry_format formats[] = {SPRY_COO, SPRY_CSR, SPRY_CSC};
    for (int f = 0; f < 3; f++)
        for (int origin = WRAPPED_FROM_0; origin <= WRAPPED_FROM_1; origin++)
            check_kinds(context, &list, formats[f], SPRY_F64, SPRY_I32, (enum origin)origin);
    list_free(&list);
    spry_context_destroy(context);
}

Test(precond, every_block) {
    spry_context *context = test_context(3);
    for (int64_t n = 1; n <= 101; n += 20) {
        struct list list = definite(n);
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int block = 1; block <= 32; block += test_has_few_cases() ? 3 : 1) {
                const spry_precond_options options = {
                    .size = sizeof options, .kind = SPRY_BLOCK_JACOBI, .block = block};
                check(context, &list, SPRY_CSR, (spry_value_type)type, SPRY_I32, CONVERTED, &options);
            }
        list_free(&list);
    }
    spry_context_destroy(context);
}

/* Blocks that elimination breaks down on unless rows are exchanged: large entries only where a permutation has them,
   the same in each block. */
Test(precond, pivots) {
    spry_context *context = test_context(2);
    const int block = 19;
    const int64_t n = 3 * block;
    struct list list = list_new(n, n);
    uint64_t seed = 8;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i / block * block; j < (i / block + 1) * block; j++) {
            bool large = j % block == (7 * (i % block) + 3) % block;
            if (i != j || large)
                list_add(&list, i, j, (large ? 4 : 0.25) * test_value(&seed) + (large ? 8 : 0));
        }
    const spry_precond_options options = {.size = sizeof options, .kind = SPRY_BLOCK_JACOBI, .block = block};
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        check(context, &list, SPRY_CSR, (spry_value_type)type, SPRY_I32, CONVERTED, &options);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- what solvers rely on ---- */

static double inner(const struct vector *x, const struct vector *y) {
    double sum = 0;
    for (int64_t i = 0; i < x->count; i++)
        sum += vector_get(x, i) * vector_get(y, i);
    return sum;
}

/* x · M⁻¹ y = y · M⁻¹ x and x · M⁻¹ x > 0 for symmetric positive definite A; and the same bits each time. */
Test(precond, symmetric_and_reproducible) {
    spry_context *context = test_context(3);
    struct list list = definite(90);
    struct vector x = vector_new(SPRY_F64, 90, NAN), y = vector_new(SPRY_F64, 90, NAN),
                  mx = vector_new(SPRY_F64, 90, NAN), my = vector_new(SPRY_F64, 90, NAN),
                  again = vector_new(SPRY_F64, 90, NAN);
    vector_random(&x, 1);
    vector_random(&y, 2);
    for (size_t i = 0; i < MADE_CHOICES; i++) {
        struct made made = made_of(context, &list, &made_choices[i].options);
        cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
        made_apply(&made, &x, &mx);
        made_apply(&made, &y, &my);
        made_apply(&made, &x, &again);
        const double tolerance = made_choices[i].options.single ? 1e-6 : 1e-14;
        cr_expect_lt(fabs(inner(&x, &my) - inner(&y, &mx)), tolerance, "%s", made_choices[i].name);
        cr_expect_gt(inner(&x, &mx), 0, "%s", made_choices[i].name);
        cr_expect(vector_same_bits(&mx, &again), "%s", made_choices[i].name);
        made_free(&made);
    }
    struct vector *const vectors[] = {&x, &y, &mx, &my, &again};
    for (int i = 0; i < 5; i++)
        vector_free(vectors[i]);
    list_free(&list);
    spry_context_destroy(context);
}

/* Applied through `apply` and, where there is one, through its diagonal, an operator does what it was made of does. */
/* Symmetric and dominated by the diagonal, with all entries. */
static struct list full(int64_t n) {
    struct list list = list_new(n, n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            list_add(&list, i, j, i == j ? (double)n : 1 / (1 + fabs((double)(i - j))));
    return list;
}

/* What a zero stands for, as include/spry/solve.h says: the same bits. */
Test(precond, defaults) {
    static const struct {
        spry_precond_options given, usual;
    } cases[] = {
        {{.kind = SPRY_BLOCK_JACOBI}, {.kind = SPRY_BLOCK_JACOBI, .block = 8}},
        {{.kind = SPRY_SSOR}, {.kind = SPRY_SSOR, .omega = 1}},
        {{.kind = SPRY_CHEBYSHEV}, {.kind = SPRY_CHEBYSHEV, .degree = 4}},
        {{.kind = SPRY_FSAI}, {.kind = SPRY_FSAI, .power = 1, .entries = 32}},
    };
    spry_context *context = test_context(2);
    struct list lists[] = {definite(75), full(50)}; /* rows of fewer entries than 32, and of more */
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        const struct list *list = &lists[i % 2];
        spry_precond_options given = cases[i / 2].given, usual = cases[i / 2].usual;
        given.size = usual.size = sizeof given;
        struct made made = made_of(context, list, &given), want = made_of(context, list, &usual);
        struct vector x = vector_new(SPRY_F64, list->rows, NAN), y = vector_new(SPRY_F64, list->rows, NAN),
                      y_want = vector_new(SPRY_F64, list->rows, NAN);
        cr_assert(made.status == SPRY_OK && want.status == SPRY_OK, "%s", spry_message(context));
        vector_random(&x, 4);
        made_apply(&made, &x, &y);
        made_apply(&want, &x, &y_want);
        cr_expect(vector_same_bits(&y, &y_want), "%s", spry_precond_name(given.kind));
        vector_free(&x), vector_free(&y), vector_free(&y_want);
        made_free(&made), made_free(&want);
    }
    list_free(&lists[0]), list_free(&lists[1]);
    spry_context_destroy(context);
}

Test(precond, operators) {
    spry_context *context = test_context(2);
    struct list list = definite(33);
    struct vector x = vector_new(SPRY_F64, 33, 0), y = vector_new(SPRY_F64, 33, 0),
                  want = vector_new(SPRY_F64, 33, 0), diagonal = vector_new(SPRY_F64, 33, 0);
    vector_random(&x, 4);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y);
    for (size_t i = 0; i < MADE_CHOICES; i++) {
        struct made made = made_of(context, &list, &made_choices[i].options);
        spry_operator operator= spry_operator_of_precond(made.precond);
        made_apply(&made, &x, &want);
        cr_expect(operator.n == 33 && operator.type == SPRY_F64 && operator.capturable && !operator.matrix);
        cr_expect_eq(operator.apply(context, operator.user, x_there.data, y_there.data), SPRY_OK);
        cr_expect_eq(vector_fetch(&y, &y_there), SPRY_OK);
        cr_expect(vector_same_bits(&y, &want));
        cr_expect_eq(operator.diagonal != NULL, made_choices[i].options.kind == SPRY_JACOBI);
        if (operator.diagonal) {
            cr_expect_eq(spry_array_get(context, operator.diagonal, diagonal.data, 33 * sizeof(double)),
                         SPRY_OK);
            for (int64_t j = 0; j < 33; j++)
                cr_expect_eq(vector_get(&diagonal, j) * vector_get(&x, j), vector_get(&want, j));
        }
        operator= spry_operator_of_matrix(made.built.matrix);
        cr_expect(operator.n == 33 && operator.type == SPRY_F64 && operator.capturable && !operator.diagonal);
        cr_expect_eq(operator.matrix, made.built.matrix);
        cr_expect_eq(operator.apply(context, operator.user, x_there.data, y_there.data), SPRY_OK);
        cr_expect_eq(vector_fetch(&y, &y_there), SPRY_OK);
        expect_solves(&list, 33, &y, &x, "product");
        made_free(&made);
    }
    placed_free(&x_there);
    placed_free(&y_there);
    struct vector *const vectors[] = {&x, &y, &want, &diagonal};
    for (int i = 0; i < 4; i++)
        vector_free(vectors[i]);
    list_free(&list);
    spry_context_destroy(context);
}

Test(precond, names) {
    for (int kind = 0; kind < SPRY_PRECOND_COUNT; kind++)
        cr_expect_eq(spry_precond_by_name(spry_precond_name((spry_precond_kind)kind)),
                     (spry_precond_kind)kind);
    cr_expect_str_eq(spry_precond_name(SPRY_JACOBI), "jacobi");
    cr_expect_str_eq(spry_precond_name(SPRY_BLOCK_JACOBI), "block-jacobi");
    cr_expect_str_eq(spry_precond_name(SPRY_CHEBYSHEV), "chebyshev");
    cr_expect_str_eq(spry_precond_name(SPRY_PRECOND_COUNT), "?");
    cr_expect_eq(spry_precond_by_name("Jacobi"), SPRY_JACOBI);
    cr_expect_eq(spry_precond_by_name("jacob"), SPRY_NO_PRECOND);
    cr_expect_eq(spry_precond_by_name(NULL), SPRY_NO_PRECOND);
}

Test(precond, no_rows) {
    spry_context *context = test_context(2);
    struct list list = list_new(0, 0);
    double nothing = 0;
    for (size_t i = 0; i < MADE_CHOICES; i++) {
        struct made made = made_of(context, &list, &made_choices[i].options);
        cr_expect_eq(made.status, SPRY_OK, "%s", spry_message(context));
        cr_expect_eq(spry_precond_apply(context, made.precond, &nothing, &nothing), SPRY_OK);
        cr_expect_eq(spry_precond_apply(context, made.precond, NULL, NULL), SPRY_OK);
        cr_expect_eq(spry_precond_shift(made.precond), 0);
        made_free(&made);
    }
    list_free(&list);
    spry_context_destroy(context);
}
