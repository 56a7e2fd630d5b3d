/* SPDX-License-Identifier: BSD-3-Clause */
/* Preconditioners without factors: the diagonal, blocks along it, Chebyshev's polynomials. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/counting.h"
#include "support/vector.h"

#define PI 3.14159265358979323846

static const spry_precond_kind kinds[] = {SPRY_JACOBI, SPRY_BLOCK_JACOBI, SPRY_CHEBYSHEV};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* ---- matrices ---- */

/* Symmetric and positive definite: diagonally dominant, with entries near and far. */
static struct list definite(int64_t n) {
    static const int64_t offset[] = {1, 2, 7, 31};
    struct list list = list_new(n, n);
    uint64_t seed = 5;
    for (int64_t i = 0; i < n; i++) {
        list_add(&list, i, i, 8 + (double)test_below(&seed, 16) / 4);
        for (int k = 0; k < 4; k++) {
            double value = test_value(&seed);
            if (i + offset[k] >= n)
                continue;
            list_add(&list, i, i + offset[k], value);
            list_add(&list, i + offset[k], i, value);
        }
    }
    list_shuffle(&list, 3);
    return list;
}

static struct list diagonal_list(int64_t n, const double *value) {
    struct list list = list_new(n, n);
    for (int64_t i = 0; i < n; i++)
        list_add(&list, i, i, value[i]);
    return list;
}

/* 2 on the diagonal and -1 beside it. */
static struct list laplacian(int64_t n) {
    struct list list = list_new(n, n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++)
            list_add(&list, i, j, i == j ? 2 : -1);
    return list;
}

/* ---- calls ---- */

/* Makes a preconditioner of a list, and applies it. The list is not needed any more, the matrix may be. */
struct made {
    spry_context *context;
    struct built built;
    spry_precond *precond;
    spry_status status;
};

static struct made make_in(spry_context *context, const struct list *list, spry_format format,
                           spry_value_type type, spry_index_type index, enum origin origin,
                           const spry_precond_options *options) {
    struct made made = {.context = context};
    cr_assert_eq(build(context, list, format, type, index, origin, &made.built), SPRY_OK);
    made.status = spry_precond_create(context, made.built.matrix, options, &made.precond);
    cr_expect_eq(made.status == SPRY_OK, made.precond != NULL);
    return made;
}

static struct made make(spry_context *context, const struct list *list, const spry_precond_options *options) {
    return make_in(context, list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, options);
}

static void made_free(struct made *made) {
    spry_precond_destroy(made->precond);
    built_free(&made->built);
}

/* y = M⁻¹ x, of vectors on the host. */
static void apply(const struct made *made, const struct vector *x, struct vector *y) {
    vector_fill(y, NAN);
    struct placed x_there = vector_place(made->context, x), y_there = vector_place(made->context, y);
    cr_assert_eq(spry_precond_apply(made->context, made->precond, x_there.data, y_there.data), SPRY_OK, "%s",
                 spry_message(made->context));
    cr_assert_eq(vector_fetch(y, &y_there), SPRY_OK);
    cr_expect(vector_guarded(y));
    placed_free(&x_there);
    placed_free(&y_there);
}

static double tolerance(spry_value_type type) {
    return type == SPRY_F32 ? 2e-5 : 1e-13;
}

/* ---- references ---- */

/* y = A x, of the entries in blocks of so many rows along the diagonal alone. */
static void multiply(const struct list *a, int64_t block, const double *x, double *y) {
    memset(y, 0, (size_t)a->rows * sizeof *y);
    for (int64_t k = 0; k < a->nnz; k++)
        if (a->row[k] / block == a->col[k] / block)
            y[a->row[k]] += a->val[k] * x[a->col[k]];
}

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
    multiply(a, 1, ones, diagonal);
    for (int64_t i = 0; i < n; i++) {
        r[i] = b[i];
        x[i] = d[i] = b[i] / diagonal[i] / theta;
    }
    for (int k = 0; k < degree; k++) {
        double next = 1 / (2 * sigma - rho);
        multiply(a, n, d, ad);
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
    .kind = SPRY_CHEBYSHEV, .degree = 3, .smallest = 0.25, .largest = 1.75};

/* Whether M y = x, up to rounding, where M is what lies in blocks. */
static void expect_solves(const struct list *list, int64_t block, const struct vector *x,
                          const struct vector *y, const char *what) {
    size_t bytes = (size_t)list->rows * sizeof(double);
    double *host = test_malloc(bytes), *back = test_malloc(bytes);
    for (int64_t i = 0; i < list->rows; i++)
        host[i] = vector_get(y, i);
    multiply(list, block, host, back);
    for (int64_t i = 0; i < list->rows; i++)
        cr_expect(fabs(back[i] - vector_get(x, i)) <= tolerance(x->type), "%s, block %d, row %d: %g for %g",
                  what, (int)block, (int)i, back[i], vector_get(x, i));
    free(host), free(back);
}

static void expect_polynomial(const struct list *list, const spry_precond_options *options,
                              const struct vector *x, const struct vector *y, const char *what) {
    size_t bytes = (size_t)list->rows * sizeof(double);
    double *host = test_malloc(bytes), *want = test_malloc(bytes);
    for (int64_t i = 0; i < list->rows; i++)
        host[i] = vector_get(x, i);
    chebyshev(list, options->degree, options->smallest, options->largest, host, want);
    for (int64_t i = 0; i < list->rows; i++)
        cr_expect(fabs(vector_get(y, i) - want[i]) <= tolerance(x->type), "%s, degree %d, row %d: %g for %g",
                  what, options->degree, (int)i, vector_get(y, i), want[i]);
    free(host), free(want);
}

static void check(spry_context *context, const struct list *list, spry_format format, spry_value_type type,
                  spry_index_type index, enum origin origin, const spry_precond_options *options) {
    struct made made = make_in(context, list, format, type, index, origin, options);
    struct vector x = vector_new(type, list->rows, NAN), y = vector_new(type, list->rows, NAN);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    vector_random(&x, 17);
    apply(&made, &x, &y);
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
    const spry_precond_options options[] = {{.kind = SPRY_JACOBI}, {.kind = SPRY_BLOCK_JACOBI}, bounded};
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
            for (int block = 1; block <= 32; block++) {
                const spry_precond_options options = {.kind = SPRY_BLOCK_JACOBI, .block = block};
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
    const spry_precond_options options = {.kind = SPRY_BLOCK_JACOBI, .block = block};
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        check(context, &list, SPRY_CSR, (spry_value_type)type, SPRY_I32, CONVERTED, &options);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- polynomials ---- */

/* Chebyshev's polynomial of the first kind. */
static double first_kind(int m, double x) {
    double before = 1, here = x;
    for (int k = 1; k < m; k++) {
        double next = 2 * x * here - before;
        before = here;
        here = next;
    }
    return here;
}

static double residual(int degree, double smallest, double largest, double lambda) {
    double width = largest - smallest, sum = largest + smallest;
    if (width == 0)
        return pow(1 - lambda / largest, degree + 1);
    return first_kind(degree + 1, (sum - 2 * lambda) / width) / first_kind(degree + 1, sum / width);
}

/* Blocks of two rows (s, sc; sc, s): the eigenvalues of D⁻¹ A are 1 + c and 1 - c for the vectors (1, 1) and
   (1, -1). */
static void check_eigenvalues(spry_context *context, spry_value_type type,
                              const spry_precond_options *options) {
    const int64_t pairs = 20;
    struct list list = list_new(2 * pairs, 2 * pairs);
    struct vector x = vector_new(type, 2 * pairs, NAN), y = vector_new(type, 2 * pairs, NAN);
    for (int64_t p = 0; p < pairs; p++)
        for (int64_t k = 0; k < 4; k++)
            list_add(&list, 2 * p + k / 2, 2 * p + k % 2,
                     ldexp(k == 0 || k == 3 ? 1 : ldexp((double)p, -4) / 1.3125, (int)p % 3));
    list_round(&list, type);
    struct made made = make_in(context, &list, SPRY_CSR, type, SPRY_I32, CONVERTED, options);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int64_t i = 0; i < 2 * pairs; i++)
            vector_set(&x, i, i % 2 ? sign : 1);
        apply(&made, &x, &y);
        for (int64_t i = 0; i < 2 * pairs; i++) {
            double s = list.val[4 * (i / 2)], lambda = 1 + sign * list.val[4 * (i / 2) + 1] / s;
            double share = 1 - residual(options->degree, options->smallest, options->largest, lambda),
                   want = share / lambda / s * vector_get(&x, i);
            cr_expect(fabs(vector_get(&y, i) - want) <= 30 * tolerance(type), "degree %d, λ = %g: %g for %g",
                      options->degree, lambda, vector_get(&y, i), want);
        }
    }
    made_free(&made);
    list_free(&list);
    vector_free(&x);
    vector_free(&y);
}

Test(precond, chebyshev_on_each_eigenvalue) {
    static const double bounds[][2] = {{0.25, 1.9}, {0.0625, 2}, {1, 1}};
    spry_context *context = test_context(2);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int degree = 1; degree <= 17; degree += degree < 5 ? 1 : 6)
            for (int b = 0; b < 3; b++) {
                const spry_precond_options options = {.kind = SPRY_CHEBYSHEV,
                                                      .degree = degree,
                                                      .smallest = bounds[b][0],
                                                      .largest = bounds[b][1]};
                check_eigenvalues(context, (spry_value_type)type, &options);
            }
    spry_context_destroy(context);
}

/* What M⁻¹ A makes of the eigenvectors of a matrix whose eigenvalues are known, with bounds that were estimated:
   between 0.65 and 1.35 times as long where the polynomial is meant to work, never turned round. */
static void check_estimate(spry_context *context, spry_value_type type, int degree) {
    const int64_t n = 64;
    const double share = 1.2 * (degree + 1) * (degree + 1);
    struct list list = laplacian(n);
    const spry_precond_options options = {.kind = SPRY_CHEBYSHEV, .degree = degree == 4 ? 0 : degree};
    struct made made = make_in(context, &list, SPRY_CSR, type, SPRY_I32, CONVERTED, &options);
    struct vector x = vector_new(type, n, NAN), y = vector_new(type, n, NAN);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    for (int k = 1; k <= n; k++) {
        double lambda = 2 - 2 * cos(k * PI / (double)(n + 1)), length = 0, product = 0;
        for (int64_t i = 0; i < n; i++)
            vector_set(&x, i, sin((double)(i + 1) * k * PI / (double)(n + 1)));
        apply(&made, &x, &y);
        for (int64_t i = 0; i < n; i++) {
            length += vector_get(&x, i) * vector_get(&x, i);
            product += vector_get(&x, i) * vector_get(&y, i);
        }
        double factor = lambda * product / length;
        cr_expect(factor > 0 && factor < 1.35, "degree %d, λ = %g: %g", degree, lambda, factor);
        if (lambda / 2 > 2.2 / share)
            cr_expect_gt(factor, 0.65, "degree %d, λ = %g: %g", degree, lambda, factor);
    }
    made_free(&made);
    list_free(&list);
    vector_free(&x);
    vector_free(&y);
}

Test(precond, chebyshev_estimates) {
    spry_context *context = test_context(2);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int degree = 1; degree <= 8; degree++)
            check_estimate(context, (spry_value_type)type, degree);
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
    for (size_t i = 0; i < KINDS; i++) {
        struct made made = make(context, &list, &(spry_precond_options){.kind = kinds[i]});
        cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
        apply(&made, &x, &mx);
        apply(&made, &y, &my);
        apply(&made, &x, &again);
        cr_expect_lt(fabs(inner(&x, &my) - inner(&y, &mx)), 1e-14, "%s", spry_precond_name(kinds[i]));
        cr_expect_gt(inner(&x, &mx), 0, "%s", spry_precond_name(kinds[i]));
        cr_expect(vector_same_bits(&mx, &again), "%s", spry_precond_name(kinds[i]));
        made_free(&made);
    }
    struct vector *const vectors[] = {&x, &y, &mx, &my, &again};
    for (int i = 0; i < 5; i++)
        vector_free(vectors[i]);
    list_free(&list);
    spry_context_destroy(context);
}

/* Applied through `apply` and, where there is one, through its diagonal, an operator does what it was made of does. */
Test(precond, operators) {
    spry_context *context = test_context(2);
    struct list list = definite(33);
    struct vector x = vector_new(SPRY_F64, 33, 0), y = vector_new(SPRY_F64, 33, 0),
                  want = vector_new(SPRY_F64, 33, 0), diagonal = vector_new(SPRY_F64, 33, 0);
    vector_random(&x, 4);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y);
    for (size_t i = 0; i < KINDS; i++) {
        struct made made = make(context, &list, &(spry_precond_options){.kind = kinds[i]});
        spry_operator operator= spry_operator_of_precond(made.precond);
        apply(&made, &x, &want);
        cr_expect(operator.n == 33 && operator.type == SPRY_F64 && operator.capturable && !operator.matrix);
        cr_expect_eq(operator.apply(context, operator.user, x_there.data, y_there.data), SPRY_OK);
        cr_expect_eq(vector_fetch(&y, &y_there), SPRY_OK);
        cr_expect(vector_same_bits(&y, &want));
        cr_expect_eq(operator.diagonal != NULL, kinds[i] == SPRY_JACOBI);
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
    cr_expect_eq(spry_precond_by_name("jacob"), SPRY_PRECOND_COUNT);
    cr_expect_eq(spry_precond_by_name(NULL), SPRY_PRECOND_COUNT);
}

Test(precond, no_rows) {
    spry_context *context = test_context(2);
    struct list list = list_new(0, 0);
    double nothing = 0;
    for (size_t i = 0; i < KINDS; i++) {
        struct made made = make(context, &list, &(spry_precond_options){.kind = kinds[i]});
        cr_expect_eq(made.status, SPRY_OK, "%s", spry_message(context));
        cr_expect_eq(spry_precond_apply(context, made.precond, &nothing, &nothing), SPRY_OK);
        cr_expect_eq(spry_precond_apply(context, made.precond, NULL, NULL), SPRY_OK);
        cr_expect_eq(spry_precond_shift(made.precond), 0);
        made_free(&made);
    }
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- new values ---- */

/* After an update it is as if it were made anew, whatever format the values come in; but Chebyshev takes those of its
   own matrix only. */
Test(precond, update) {
    spry_context *context = test_context(2);
    struct list before = definite(61), after = list_copy(&before);
    struct vector x = vector_new(SPRY_F64, 61, NAN), y = vector_new(SPRY_F64, 61, NAN),
                  want = vector_new(SPRY_F64, 61, NAN);
    for (int64_t k = 0; k < after.nnz; k++)
        after.val[k] *= after.row[k] == after.col[k] ? 3 : 1.5;
    vector_random(&x, 9);
    for (size_t i = 0; i < KINDS; i++) {
        const spry_precond_options options = {.kind = kinds[i]};
        struct made made = make(context, &before, &options), anew = make(context, &after, &options);
        struct built ell;
        cr_assert_eq(build(context, &after, SPRY_ELL, SPRY_F64, SPRY_I32, CONVERTED, &ell), SPRY_OK);
        cr_expect_eq(spry_update_values(context, made.built.matrix, anew.built.matrix), SPRY_OK);
        cr_expect_eq(spry_precond_update(context, made.precond,
                                         kinds[i] == SPRY_CHEBYSHEV ? made.built.matrix : ell.matrix),
                     SPRY_OK, "%s", spry_message(context));
        apply(&made, &x, &y);
        apply(&anew, &x, &want);
        for (int64_t j = 0; j < 61; j++)
            cr_expect_lt(fabs(vector_get(&y, j) - vector_get(&want, j)), 1e-14, "%s",
                         spry_precond_name(kinds[i]));
        made_free(&made);
        made_free(&anew);
        built_free(&ell);
    }
    list_free(&before);
    list_free(&after);
    vector_free(&x);
    vector_free(&y);
    vector_free(&want);
    spry_context_destroy(context);
}

Test(precond, updates_that_do_not_fit) {
    spry_context *context = test_context(2);
    struct list list = definite(30), more = list_copy(&list), larger = definite(31);
    list_add(&more, 29, 0, 1);
    struct built matrix[4];
    build(context, &more, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &matrix[0]);
    build(context, &larger, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &matrix[1]);
    build(context, &list, SPRY_CSR, SPRY_F32, SPRY_I32, CONVERTED, &matrix[2]);
    build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I64, CONVERTED, &matrix[3]);
    static const spry_status want[] = {SPRY_ERROR_PATTERN, SPRY_ERROR_PATTERN, SPRY_ERROR_ARGUMENT,
                                       SPRY_ERROR_ARGUMENT};
    for (size_t i = 0; i < KINDS; i++) {
        struct made made = make(context, &list, &(spry_precond_options){.kind = kinds[i]});
        for (int m = 0; m < 4; m++)
            cr_expect_eq(spry_precond_update(context, made.precond, matrix[m].matrix),
                         kinds[i] == SPRY_CHEBYSHEV ? SPRY_ERROR_ARGUMENT : want[m]);
        cr_expect_eq(spry_precond_update(context, made.precond, NULL), SPRY_ERROR_ARGUMENT);
        cr_expect_eq(spry_precond_update(context, NULL, made.built.matrix), SPRY_ERROR_ARGUMENT);
        cr_expect_eq(spry_precond_update(NULL, made.precond, made.built.matrix), SPRY_ERROR_ARGUMENT);
        made_free(&made);
    }
    for (int m = 0; m < 4; m++)
        built_free(&matrix[m]);
    list_free(&list);
    list_free(&more);
    list_free(&larger);
    spry_context_destroy(context);
}

/* ---- what is refused ---- */

/* `words` begin the message. */
static void expect_fault(spry_context *context, const struct list *list, spry_value_type type,
                         const spry_precond_options *options, spry_status status, const char *words) {
    struct made made = make_in(context, list, SPRY_CSR, type, SPRY_I32, CONVERTED, options);
    cr_expect_eq(made.status, status, "%s: %s", words, spry_message(context));
    cr_expect_eq(strncmp(spry_message(context), words, strlen(words)), 0, "\"%s\", expected \"%s\"",
                 spry_message(context), words);
    made_free(&made);
}

Test(precond, faults_of_the_diagonal) {
    spry_context *context = test_context(3);
    double value[50];
    const spry_precond_options jacobi = {.kind = SPRY_JACOBI}, chebyshev_ = {.kind = SPRY_CHEBYSHEV};
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
    const spry_precond_options eight = {.kind = SPRY_BLOCK_JACOBI}, five = {SPRY_BLOCK_JACOBI, .block = 5};
    struct list list = definite(52);
    for (int64_t k = 0; k < list.nnz; k++) /* row 22 has nothing in columns 20 to 24 */
        if (list.row[k] == 22 && list.col[k] >= 20 && list.col[k] < 25)
            list.val[k] = 0;
    list_add(&list, 22, 16, 5);
    expect_fault(context, &list, SPRY_F64, &five, SPRY_ERROR_INVALID,
                 "row 21 (counted from 1): the block of 5 rows that begins here is singular");
    struct made made = make(context, &list, &eight); /* row 22 has something there */
    cr_expect_eq(made.status, SPRY_OK, "%s", spry_message(context));
    made_free(&made);
    for (int64_t k = 0; k < list.nnz; k++) /* the last block, of two rows */
        if (list.row[k] == 51)
            list.val[k] = 0;
    expect_fault(context, &list, SPRY_F32, &(spry_precond_options){SPRY_BLOCK_JACOBI, .block = 10},
                 SPRY_ERROR_INVALID,
                 "row 51 (counted from 1): the block of 2 rows that begins here is singular");
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
    expect_fault(context, &list, SPRY_F64, &(spry_precond_options){.kind = SPRY_CHEBYSHEV},
                 SPRY_ERROR_INVALID, "the matrix is not positive definite");
    list_free(&list);
    spry_context_destroy(context);
}

Test(precond, bad_options) {
    static const struct {
        spry_precond_options options;
        const char *words;
    } row[] = {
        {{.kind = SPRY_PRECOND_COUNT}, "invalid kind of preconditioner 6"},
        {{.kind = (spry_precond_kind)-1}, "invalid kind of preconditioner -1"},
        {{.block = -1}, "block is -1, expected 1 to 32, or 0 for 8"},
        {{.block = 33}, "block is 33"},
        {{.degree = -1}, "degree is -1, expected 1 to 100, or 0 for 4"},
        {{.degree = 101}, "degree is 101"},
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
    };
    spry_context *context = test_context(1);
    struct list list = definite(5);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        expect_fault(context, &list, SPRY_F64, &row[i].options, SPRY_ERROR_ARGUMENT, row[i].words);
    list_free(&list);
    spry_context_destroy(context);
}

Test(precond, bad_arguments) {
    spry_context *context = test_context(1);
    struct list list = definite(5), tall = list_new(6, 5);
    struct made made = make(context, &list, NULL);
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
    struct built rectangular;
    cr_assert_eq(build(context, &tall, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &rectangular), SPRY_OK);
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

/* ---- memory ---- */

/* Makes and updates a preconditioner, with the n-th request refused. Whether it was reached. */
static bool refuse(const spry_matrix *matrix, const spry_precond_options *options, int64_t n) {
    struct counting counting;
    counting_start(&counting);
    counting_refuse(&counting, n);
    spry_context *context = counting_context(&counting, 2);
    if (context) {
        spry_precond *precond;
        spry_status status = spry_precond_create(context, matrix, options, &precond);
        if (!status)
            status = spry_precond_update(context, precond, matrix);
        cr_expect_eq(status, counting.refused ? SPRY_ERROR_MEMORY : SPRY_OK, "%s, request %d: %s",
                     spry_precond_name(options->kind), (int)n, spry_message(context));
        spry_precond_destroy(precond);
        spry_context_destroy(context);
    }
    cr_expect_eq(counting.live_blocks, 0, "%s, request %d", spry_precond_name(options->kind), (int)n);
    cr_expect_not(counting.misused);
    return counting.refused;
}

Test(precond, every_allocation_fails) {
    spry_context *context = test_context(2);
    struct list list = definite(40);
    struct built built;
    cr_assert_eq(build(context, &list, SPRY_CSC, SPRY_F64, SPRY_I32, CONVERTED, &built), SPRY_OK);
    for (size_t i = 0; i < KINDS; i++) {
        int64_t n = 1;
        while (n < 1000 && refuse(built.matrix, &(spry_precond_options){.kind = kinds[i]}, n))
            n++;
        cr_expect_lt(n, 1000);
    }
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

Test(precond, applications_ask_for_nothing) {
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 2);
    struct list list = definite(70);
    struct vector x = vector_new(SPRY_F64, 70, 0), y = vector_new(SPRY_F64, 70, 0);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y);
    for (size_t i = 0; i < KINDS; i++)
        for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
            struct made made = make_in(context, &list, (spry_format)format, SPRY_F64, SPRY_I32, CONVERTED,
                                       &(spry_precond_options){.kind = kinds[i]});
            counting_refuse(&counting, 1);
            cr_expect_eq(spry_precond_apply(context, made.precond, x_there.data, y_there.data), SPRY_OK);
            cr_expect_not(counting.refused, "%s", spry_precond_name(kinds[i]));
            counting_refuse(&counting, 0);
            made_free(&made);
        }
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    vector_free(&y);
    list_free(&list);
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
}
