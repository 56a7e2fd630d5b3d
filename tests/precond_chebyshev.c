/* SPDX-License-Identifier: BSD-3-Clause */
/* Chebyshev's polynomials on matrices whose eigenvalues are known. */
#include <criterion/criterion.h>
#include <math.h>

#include "support/preconds.h"

#define PI 3.14159265358979323846

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
    struct made made = made_in(context, &list, SPRY_CSR, type, SPRY_I32, CONVERTED, options);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int64_t i = 0; i < 2 * pairs; i++)
            vector_set(&x, i, i % 2 ? sign : 1);
        made_apply(&made, &x, &y);
        for (int64_t i = 0; i < 2 * pairs; i++) {
            double s = list.val[4 * (i / 2)], lambda = 1 + sign * list.val[4 * (i / 2) + 1] / s;
            double share = 1 - residual(options->degree, options->smallest, options->largest, lambda),
                   want = share / lambda / s * vector_get(&x, i);
            cr_expect(fabs(vector_get(&y, i) - want) <= 30 * made_tolerance(type),
                      "degree %d, λ = %g: %g for %g", options->degree, lambda, vector_get(&y, i), want);
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
                const spry_precond_options options = {.size = sizeof options,
                                                      .kind = SPRY_CHEBYSHEV,
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
    const spry_precond_options options = {
        .size = sizeof options, .kind = SPRY_CHEBYSHEV, .degree = degree == 4 ? 0 : degree};
    struct made made = made_in(context, &list, SPRY_CSR, type, SPRY_I32, CONVERTED, &options);
    struct vector x = vector_new(type, n, NAN), y = vector_new(type, n, NAN);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    for (int k = 1; k <= n; k++) {
        double lambda = 2 - 2 * cos(k * PI / (double)(n + 1)), length = 0, product = 0;
        for (int64_t i = 0; i < n; i++)
            vector_set(&x, i, sin((double)(i + 1) * k * PI / (double)(n + 1)));
        made_apply(&made, &x, &y);
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

/* Rows of very different size hide nothing from the estimate, in f32 neither: D^½ A D^½ has the eigenvalues of A. */
Test(precond, chebyshev_estimates_whatever_the_scale) {
    enum { ROWS = 64 };
    spry_context *context = test_context(2);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        struct list list = laplacian(ROWS);
        struct vector x = vector_new((spry_value_type)type, ROWS, NAN),
                      y = vector_new((spry_value_type)type, ROWS, NAN);
        const spry_precond_options options = {.size = sizeof options, .kind = SPRY_CHEBYSHEV, .degree = 5};
        double length = 0, product = 0;
        for (int64_t k = 0; k < list.nnz; k++)
            list.val[k] = ldexp(list.val[k], (list.row[k] == 0 ? 0 : 15) + (list.col[k] == 0 ? 0 : 15));
        struct made made =
            made_in(context, &list, SPRY_CSR, (spry_value_type)type, SPRY_I32, CONVERTED, &options);
        cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
        for (int64_t i = 0; i < ROWS; i++) /* the eigenvector of the largest one, 4 */
            vector_set(&x, i,
                       ldexp(i % 2 ? 1 : -1, i == 0 ? 0 : 15) * sin((double)(i + 1) * PI / (ROWS + 1)));
        made_apply(&made, &x, &y);
        for (int64_t i = 0; i < ROWS; i++) {
            double unscaled = ldexp(vector_get(&x, i), i == 0 ? 0 : -15);
            length += unscaled * unscaled;
            product += vector_get(&x, i) * vector_get(&y, i);
        }
        double factor = 4 * product / length;
        cr_expect(factor > 0.65 && factor < 1.35, "%g", factor);
        made_free(&made);
        list_free(&list);
        vector_free(&x), vector_free(&y);
    }
    spry_context_destroy(context);
}

Test(precond, chebyshev_estimates) {
    spry_context *context = test_context(2);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int degree = 1; degree <= 8; degree++)
            check_estimate(context, (spry_value_type)type, degree);
    spry_context_destroy(context);
}

/* One eigenvalue far above all others of a large matrix is not overlooked: its vector is not turned round, as a polynomial of odd
   degree turns what is past its interval. */
Test(precond, chebyshev_finds_an_outlier) {
    enum { ROWS = 20000, COUPLED = 8 };
    const int64_t first = ROWS - COUPLED;
    const spry_precond_options options = {.size = sizeof options, .kind = SPRY_CHEBYSHEV, .degree = 5};
    spry_context *context = test_context(2);
    struct list list = laplacian(first);
    list.rows = list.cols = ROWS;
    for (int64_t i = first; i < ROWS; i++)
        for (int64_t j = first; j < ROWS; j++)
            list_add(&list, i, j, i == j ? 2 : 1); /* 4.5 of D⁻¹ A, for equal values in these rows */
    struct vector x = vector_new(SPRY_F64, ROWS, NAN), y = vector_new(SPRY_F64, ROWS, NAN);
    struct made made = made_of(context, &list, &options);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    vector_fill(&x, 0);
    for (int64_t i = first; i < ROWS; i++)
        vector_set(&x, i, 1);
    made_apply(&made, &x, &y);
    for (int64_t i = first; i < ROWS; i++)
        cr_expect_gt(9 * vector_get(&y, i), 0.65, "%g", 9 * vector_get(&y, i));
    made_free(&made);
    list_free(&list);
    vector_free(&x), vector_free(&y);
    spry_context_destroy(context);
}

/* A grid of so many points in each direction, and a row that is like no other. */
struct grid {
    int64_t points[3];
};

static struct list grid_list(const struct grid *grid) {
    const int64_t *points = grid->points, rows = points[0] * points[1] * points[2];
    struct list list = list_new(rows, rows);
    for (int64_t i = 0; i < rows; i++) {
        list_add(&list, i, i, i == rows / 2 ? 9 : 6);
        for (int64_t d = 0, step = 1; d < 3; step *= points[d++]) {
            if (i / step % points[d] > 0)
                list_add(&list, i, i - step, -1);
            if (i / step % points[d] < points[d] - 1)
                list_add(&list, i, i + step, -1);
        }
    }
    return list;
}

/* In stencils the sum is taken by the product on a device, in CSR by passes. */
static void check_stencils(spry_context *context, const struct grid *grid, spry_value_type type, int degree) {
    const spry_precond_options options = {
        .size = sizeof options, .kind = SPRY_CHEBYSHEV, .degree = degree, .smallest = 0.01, .largest = 2};
    struct list list = grid_list(grid);
    struct vector x = vector_new(type, list.rows, NAN), y[2];
    vector_random(&x, 5);
    for (int s = 0; s < 2; s++) {
        struct made made =
            made_in(context, &list, s ? SPRY_STENCIL : SPRY_CSR, type, SPRY_I32, CONVERTED, &options);
        cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
        y[s] = vector_new(type, list.rows, NAN);
        made_apply(&made, &x, &y[s]);
        made_free(&made);
    }
    double scale = 0, off = 0;
    for (int64_t i = 0; i < list.rows; i++) {
        scale = fmax(scale, fabs(vector_get(&y[0], i)));
        off = fmax(off, fabs(vector_get(&y[0], i) - vector_get(&y[1], i)));
    }
    cr_expect(off <= 30 * made_tolerance(type) * scale, "%d rows, degree %d: off by %g of %g", (int)list.rows,
              degree, off, scale);
    list_free(&list);
    vector_free(&x), vector_free(&y[0]), vector_free(&y[1]);
}

/* A thread of a device has one row, several beside each other, or some in several planes. */
Test(precond, chebyshev_in_stencils) {
    static const struct grid small = {{11, 9, 7}}, large = {{500, 380, 1}}, planes = {{1100, 1000, 1}};
    const bool all = test_backend() == SPRY_CUDA && !test_is_brief();
    spry_context *context = test_context(2);
    for (int degree = 1; degree <= 4; degree++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            check_stencils(context, &small, (spry_value_type)type, degree);
    check_stencils(context, &large, SPRY_F32, 3);
    check_stencils(context, &large, SPRY_F64, 4);
    if (all)
        check_stencils(context, &planes, SPRY_F32, 2);
    spry_context_destroy(context);
}

/* Over Cholesky factors that have to be shifted after an update it says by how much. */
Test(precond, chebyshev_says_the_shift) {
    enum { ROWS = 40 };
    spry_context *context = test_context(1);
    struct list list = laplacian(ROWS);
    const spry_precond_options options = {
        .size = sizeof options, .kind = SPRY_CHEBYSHEV, .inner = SPRY_IC0, .smallest = 0.5, .largest = 2};
    struct made made = made_of(context, &list, &options);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    cr_expect_eq(spry_precond_shift(made.precond), 0);
    for (int64_t k = 0; k < list.nnz; k++)
        if (list.row[k] != list.col[k])
            list.val[k] *= 1.5; /* not definite any more */
    made_update(&made, &list);
    cr_expect_gt(spry_precond_shift(made.precond), 0);
    made_free(&made);
    list_free(&list);
    spry_context_destroy(context);
}
