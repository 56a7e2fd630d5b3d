/* SPDX-License-Identifier: BSD-3-Clause */
/* alpha x + beta y, and the sum that can go with it, by every algorithm. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/list.h"
#include "support/numbers.h"

/* Which array the new y is multiplied with. */
enum with { NONE, OTHER, X, Y, WITHS };

struct arrays {
    struct numbers x, y, w, result;
};

static struct arrays arrays_new(spry_context *context, spry_number number, int64_t n, bool aligned) {
    struct arrays arrays = {
        numbers_new(context, number, n, true),
        numbers_new(context, number, n, aligned),
        numbers_new(context, number, n, true),
        numbers_new(context, SPRY_NUMBER_F64, 1, true),
    };
    numbers_random(&arrays.x, 1);
    numbers_random(&arrays.y, 2);
    numbers_random(&arrays.w, 3);
    numbers_put(&arrays.x);
    numbers_put(&arrays.y);
    numbers_put(&arrays.w);
    return arrays;
}

static void arrays_free(struct arrays *arrays) {
    numbers_free(&arrays->x);
    numbers_free(&arrays->y);
    numbers_free(&arrays->w);
    numbers_free(&arrays->result);
}

static void run(spry_context *context, struct arrays *a, double alpha, double beta, enum with with) {
    const struct numbers *w = with == X ? &a->x : with == Y ? &a->y : &a->w;
    void *x = numbers_there(&a->x), *y = numbers_there(&a->y);
    spry_status status = with == NONE ? spry_axpby(context, a->x.number, a->x.n, alpha, x, beta, y)
                                      : spry_axpby_dot(context, a->x.number, a->x.n, alpha, x, beta, y,
                                                       numbers_there(w), numbers_there(&a->result));
    cr_expect_eq(status, SPRY_OK, "%s", spry_message(context));
}

static double epsilon_of(spry_number number) {
    return number == SPRY_NUMBER_F32 ? FLT_EPSILON : DBL_EPSILON;
}

/* Whether y is what it has to be, two roundings or one product fused with the sum; `old` was there before. */
static bool is_updated(const struct arrays *a, double alpha, double beta, const double *old) {
    double epsilon = epsilon_of(a->x.number);
    for (int64_t i = 0; i < a->x.n; i++) {
        double ax = alpha * number_get(&a->x, i), by = beta == 0 ? 0 : beta * old[i];
        if (!(fabs(number_get(&a->y, i) - (ax + by)) <= 2 * epsilon * (fabs(ax) + fabs(by))))
            return false;
    }
    return true;
}

static bool is_summed(const struct arrays *a, enum with with) {
    const struct numbers *w = with == X ? &a->x : with == Y ? &a->y : &a->w;
    long double sum = 0, scale = 0;
    for (int64_t i = 0; i < a->x.n; i++) {
        long double term = (long double)number_get(w, i) * number_get(&a->y, i);
        sum += term;
        scale += fabsl(term);
    }
    double bound = (double)scale * (double)(a->x.n + 2) * DBL_EPSILON / 2;
    return fabs(number_get(&a->result, 0) - (double)sum) <= bound;
}

/* From the y that was there at first. */
static void check_update(spry_context *context, const spry_algorithm_info *info, struct arrays *a,
                         const double *old, double alpha, double beta, enum with with) {
    const int64_t n = a->y.n;
    for (int64_t i = 0; i < n; i++)
        number_set(&a->y, i, beta == 0 ? NAN : old[i]);
    numbers_put(&a->y);
    run(context, a, alpha, beta, with);
    numbers_get(&a->y);
    numbers_get(&a->result);
    cr_expect(is_updated(a, alpha, beta, old), "%s %s, n = %lld, alpha = %g, beta = %g", info->name,
              spry_number_name(info->number), (long long)n, alpha, beta);
    cr_expect(with == NONE || is_summed(a, with),
              "%s %s, n = %lld, alpha = %g, beta = %g, with %d: sum %.17g", info->name,
              spry_number_name(info->number), (long long)n, alpha, beta, with, number_get(&a->result, 0));
    cr_expect(numbers_guarded(&a->y), "%s, n = %lld", info->name, (long long)n);
}

static double *copy_of(const struct numbers *numbers) {
    double *copy = test_malloc((size_t)numbers->n * sizeof *copy);
    for (int64_t i = 0; i < numbers->n; i++)
        copy[i] = number_get(numbers, i);
    return copy;
}

static void check_updates(spry_context *context, const spry_algorithm_info *info) {
    static const double factors[][2] = {{1, 1},   {1, 0}, {-1, 1},           {0.5, -2},
                                        {0, 0.5}, {0, 0}, {1.0 / 3, 1.0 / 7}};
    for (int s = 0; s < test_size_count; s++) {
        if (!test_size_is_tried(s))
            continue;
        struct arrays a = arrays_new(context, info->number, test_sizes[s], test_sizes[s] % 2);
        double *old = copy_of(&a.y);
        size_t count = test_sizes[s] > 100000 ? 2 : sizeof factors / sizeof *factors;
        for (size_t f = 0; f < count; f++)
            for (int with = 0; with < WITHS; with++)
                check_update(context, info, &a, old, factors[f][0], factors[f][1], (enum with)with);
        free(old);
        arrays_free(&a);
    }
}

Test(axpby, every_size) {
    for (int threads = test_first_threads(3); threads <= test_threads(3); threads += 2)
        each_algorithm(SPRY_AXPBY, threads, check_updates);
}

/* x and y the same, and w too. */
static void check_same(spry_context *context, const spry_algorithm_info *info) {
    struct arrays a = arrays_new(context, info->number, 10001, false);
    void *y = numbers_there(&a.y);
    double *old = copy_of(&a.y);
    cr_expect_eq(spry_axpby_dot(context, info->number, a.y.n, 0.5, y, 2, y, y, numbers_there(&a.result)),
                 SPRY_OK);
    numbers_get(&a.y);
    numbers_get(&a.result);
    int64_t wrong = 0;
    for (int64_t i = 0; i < a.y.n; i++)
        wrong += fabs(number_get(&a.y, i) - 2.5 * old[i]) > 3 * epsilon_of(info->number) * fabs(old[i]);
    cr_expect_eq(wrong, 0, "%s", info->name);
    cr_expect(is_summed(&a, Y), "%s", info->name);
    free(old);
    arrays_free(&a);
}

Test(axpby, of_one_array) {
    each_algorithm(SPRY_AXPBY, 3, check_same);
}

/* The same bits every time. */
static void check_repeated(spry_context *context, const spry_algorithm_info *info) {
    double first = 0;
    for (int repeat = 0; repeat < 4; repeat++) {
        struct arrays a = arrays_new(context, info->number, 300001, true);
        run(context, &a, 1.0 / 3, 1.0 / 7, OTHER);
        numbers_get(&a.result);
        double sum = number_get(&a.result, 0);
        cr_expect(repeat == 0 || memcmp(&sum, &first, sizeof sum) == 0, "%s differs when repeated",
                  info->name);
        first = sum;
        arrays_free(&a);
    }
}

Test(axpby, reproducible) {
    each_algorithm(SPRY_AXPBY, 3, check_repeated);
}
