/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums, dot products, norms and greatest magnitudes, by every algorithm. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "support/list.h"
#include "support/numbers.h"

enum reduction { SUM, DOT, NORM2, MAX_ABS, REDUCTIONS };

static spry_status reduce(spry_context *context, enum reduction reduction, const struct numbers *x,
                          const struct numbers *y, const struct numbers *result) {
    void *there = numbers_there(result);
    switch (reduction) {
    case SUM:
        return spry_sum(context, x->number, x->n, numbers_there(x), there);
    case DOT:
        return spry_dot(context, x->number, x->n, numbers_there(x), numbers_there(y), there);
    case NORM2:
        return spry_norm2(context, x->number, x->n, numbers_there(x), there);
    default:
        return spry_max_abs(context, x->number, x->n, numbers_there(x), there);
    }
}

/* One number where it can be: the result of a reduction, twice the same. */
static struct numbers reduced(spry_context *context, const spry_algorithm_info *info,
                              enum reduction reduction, const struct numbers *x, const struct numbers *y) {
    spry_number number = is_floating(x->number) ? SPRY_NUMBER_F64 : SPRY_NUMBER_I64;
    struct numbers result = numbers_new(context, number, 1, true),
                   again = numbers_new(context, number, 1, true);
    memset(result.data, 0xff, sizeof(double)); /* to be overwritten */
    numbers_put(&result);
    cr_expect_eq(reduce(context, reduction, x, y, &result), SPRY_OK, "%s", spry_message(context));
    cr_expect_eq(reduce(context, reduction, x, y, &again), SPRY_OK, "%s", spry_message(context));
    numbers_get(&result);
    numbers_get(&again);
    cr_expect_eq(memcmp(result.data, again.data, sizeof(double)), 0, "%s differs when repeated, n = %lld",
                 info->name, (long long)x->n);
    cr_expect(numbers_guarded(&result), "%s", info->name);
    numbers_free(&again);
    return result;
}

/* ---- random numbers of every size ---- */

struct exact {
    long double sum, scale; /* scale: of the magnitudes of what is added */
    double greatest;
};

static struct exact exact_of(enum reduction reduction, const struct numbers *x, const struct numbers *y) {
    struct exact exact = {0};
    for (int64_t i = 0; i < x->n; i++) {
        long double a = number_get(x, i),
                    term = reduction == SUM ? a : a * number_get(reduction == DOT ? y : x, i);
        exact.sum += term;
        exact.scale += fabsl(term);
        exact.greatest = fmax(exact.greatest, fabs((double)a));
    }
    return exact;
}

static void check_floating(spry_context *context, const spry_algorithm_info *info, enum reduction reduction,
                           const struct numbers *x, const struct numbers *y) {
    struct exact exact = exact_of(reduction, x, y);
    struct numbers result = reduced(context, info, reduction, x, y);
    double got = number_get(&result, 0), want = reduction == MAX_ABS ? exact.greatest : (double)exact.sum;
    double bound = reduction == MAX_ABS ? 0 : (double)exact.scale * (double)(x->n + 2) * DBL_EPSILON / 2;
    if (reduction == NORM2) {
        want = (double)sqrtl(exact.sum);
        bound = want * (double)(x->n + 6) * DBL_EPSILON / 2;
    }
    cr_expect(fabs(got - want) <= bound, "%s %s %d, n = %lld: %.17g, not %.17g", info->name,
              spry_number_name(info->number), reduction, (long long)x->n, got, want);
    numbers_free(&result);
}

static uint64_t magnitude(int64_t value) {
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static void check_integers(spry_context *context, const spry_algorithm_info *info, enum reduction reduction,
                           const struct numbers *x, const struct numbers *y) {
    uint64_t sum = 0, greatest = 0;
    for (int64_t i = 0; i < x->n; i++) {
        uint64_t a = (uint64_t)integer_get(x, i), size = magnitude(integer_get(x, i));
        sum += reduction == SUM ? a : a * (uint64_t)integer_get(y, i);
        greatest = size > greatest ? size : greatest;
    }
    greatest = greatest > INT64_MAX ? INT64_MAX : greatest;
    struct numbers result = reduced(context, info, reduction, x, y);
    cr_expect_eq((uint64_t)integer_get(&result, 0), reduction == MAX_ABS ? greatest : sum,
                 "%s %s %d, n = %lld", info->name, spry_number_name(info->number), reduction,
                 (long long)x->n);
    numbers_free(&result);
}

static void check_size(spry_context *context, const spry_algorithm_info *info, int64_t n, bool aligned) {
    struct numbers x = numbers_new(context, info->number, n, aligned);
    struct numbers y = numbers_new(context, info->number, n, true);
    numbers_random(&x, (uint64_t)n);
    numbers_random(&y, (uint64_t)n + 1);
    numbers_put(&x);
    numbers_put(&y);
    for (int reduction = 0; reduction < REDUCTIONS; reduction++)
        if (is_floating(info->number))
            check_floating(context, info, (enum reduction)reduction, &x, &y);
        else if (reduction != NORM2)
            check_integers(context, info, (enum reduction)reduction, &x, &y);
    numbers_free(&x);
    numbers_free(&y);
}

static void check_sizes(spry_context *context, const spry_algorithm_info *info) {
    for (int s = 0; s < test_size_count; s++)
        for (int aligned = 0; aligned < 2 && test_size_is_tried(s); aligned++)
            check_size(context, info, test_sizes[s], aligned);
}

Test(reduce, every_size) {
    for (int threads = test_first_threads(5); threads <= test_threads(5); threads += 2)
        each_algorithm(SPRY_REDUCE, threads, check_sizes);
}

/* ---- awkward numbers ---- */

/* Numbers at places of an array of `n` that is otherwise `filling`, and what comes of it. */
struct awkward {
    int64_t n;
    double filling;
    struct {
        int64_t at;
        double value;
    } number[3];
    double norm, greatest;
};

#define LONG 5000
#define TINY 0x1p-1074

/* Roots that are exact, or nearly so. */
static const struct awkward awkward_f64[] = {
    {1, 0, {{0}}, 0, 0},
    {LONG, 0, {{0}}, 0, 0},
    {LONG, -0.0, {{0}}, 0, 0},
    {2, 0, {{0, 3e300}, {1, -4e300}}, 5e300, 4e300},
    {2, 0, {{0, 3e-300}, {1, -4e-300}}, 5e-300, 4e-300},
    {LONG, 0, {{17, 3e200}, {LONG - 1, 4e200}}, 5e200, 4e200},
    {LONG, 0, {{17, 3e-200}, {LONG - 1, 4e-200}}, 5e-200, 4e-200},
    {LONG, 0, {{4999, TINY}}, TINY, TINY},
    {LONG, 0, {{1, 3 * TINY}, {2, 4 * TINY}}, 5 * TINY, 4 * TINY},
    {10000, TINY, {{0, TINY}}, 100 * TINY, TINY},
    {10000, 1e-160, {{0, 1e-160}}, 1e-158, 1e-160},
    {10000, 0x1p-500, {{0, 0x1p-500}}, 100 * 0x1p-500, 0x1p-500},
    {10000, 0x1p-511, {{0, -0x1p-511}}, 100 * 0x1p-511, 0x1p-511},
    {10000, 0x1p486, {{0, 0x1p486}}, 100 * 0x1p486, 0x1p486},
    {10000, 0x1.8p1000, {{0, 0x1.8p1000}}, 150 * 0x1p1000, 0x1.8p1000},
    {10000, 1, {{77, TINY}, {78, 1e-200}}, 0x1.8ff5c26dcd5dcp+6, 1},
    {LONG, 1, {{77, 1e200}}, 1e200, 1e200},
    {LONG, 1e-200, {{77, 1}}, 1, 1},
    {LONG, TINY, {{77, 1e-170}}, 1e-170, 1e-170},
    {LONG, 1, {{1, 1e-200}, {2, 1e200}, {3, 1}}, 1e200, 1e200},
    {1, 0, {{0, DBL_MAX}}, DBL_MAX, DBL_MAX},
    {2, 0, {{0, DBL_MAX}, {1, DBL_MAX}}, INFINITY, DBL_MAX},
    {LONG, 1, {{4000, INFINITY}}, INFINITY, INFINITY},
    {LONG, 1e300, {{4000, -INFINITY}}, INFINITY, INFINITY},
    {LONG, 1, {{0, NAN}}, NAN, NAN},
    {LONG, 0, {{LONG - 1, NAN}}, NAN, NAN},
    {LONG, 1e-300, {{LONG / 2, -NAN}}, NAN, NAN},
    {LONG, 1e300, {{LONG / 2, NAN}}, NAN, NAN},
    {LONG, 1, {{3, INFINITY}, {1000, NAN}, {4000, -INFINITY}}, NAN, NAN},
    {3, 0, {{0, NAN}, {1, INFINITY}, {2, 1}}, NAN, NAN},
};

static const struct awkward awkward_f32[] = {
    {LONG, 0, {{0}}, 0, 0},
    {2, 0, {{0, 0x3p125}, {1, -0x1p127}}, 0x5p125, 0x1p127},
    {10000, FLT_MAX, {{0, FLT_MAX}}, 100 * (double)FLT_MAX, FLT_MAX},
    {10000, FLT_TRUE_MIN, {{0, -FLT_TRUE_MIN}}, 100 * (double)FLT_TRUE_MIN, FLT_TRUE_MIN},
    {LONG, 1, {{77, 0x1p100}}, 0x1p100, 0x1p100},
    {LONG, 1, {{4000, -INFINITY}}, INFINITY, INFINITY},
    {LONG, 0, {{LONG - 1, -NAN}}, NAN, NAN},
    {LONG, 1, {{3, INFINITY}, {1000, NAN}}, NAN, NAN},
};

static bool is_near(double got, double want, double tolerance) {
    return got == want || (isnan(got) && isnan(want)) || fabs(got - want) <= tolerance * fabs(want);
}

static void check_awkward(spry_context *context, const spry_algorithm_info *info,
                          const struct awkward *awkward) {
    struct numbers x = numbers_new(context, info->number, awkward->n, false);
    for (int64_t i = 0; i < x.n; i++)
        number_set(&x, i, awkward->filling);
    for (int k = 0; k < 3; k++)
        if (awkward->number[k].value != 0)
            number_set(&x, awkward->number[k].at, awkward->number[k].value);
    numbers_put(&x);
    struct numbers norm = reduced(context, info, NORM2, &x, &x),
                   greatest = reduced(context, info, MAX_ABS, &x, &x);
    cr_expect(is_near(number_get(&norm, 0), awkward->norm, 1e-13),
              "%s, n = %lld, %g, %g: norm %.17g, not %.17g", info->name, (long long)x.n, awkward->filling,
              awkward->number[0].value, number_get(&norm, 0), awkward->norm);
    cr_expect(is_near(number_get(&greatest, 0), awkward->greatest, 0), "%s, n = %lld: greatest %g, not %g",
              info->name, (long long)x.n, number_get(&greatest, 0), awkward->greatest);
    cr_expect_not(signbit(number_get(&greatest, 0)) && !isnan(awkward->greatest), "%s", info->name);
    numbers_free(&norm);
    numbers_free(&greatest);
    numbers_free(&x);
}

static void check_all_awkward(spry_context *context, const spry_algorithm_info *info) {
    if (info->number == SPRY_NUMBER_F64)
        for (size_t k = 0; k < sizeof awkward_f64 / sizeof *awkward_f64; k++)
            check_awkward(context, info, &awkward_f64[k]);
    if (info->number == SPRY_NUMBER_F32)
        for (size_t k = 0; k < sizeof awkward_f32 / sizeof *awkward_f32; k++)
            check_awkward(context, info, &awkward_f32[k]);
}

Test(reduce, awkward_numbers) {
    each_algorithm(SPRY_REDUCE, 3, check_all_awkward);
}

/* NaN or infinity at every place of a short array. */
static void check_every_place(spry_context *context, const spry_algorithm_info *info) {
    for (int64_t at = 0; is_floating(info->number) && at < 150; at += test_has_few_cases() ? 7 : 1) {
        struct awkward nan = {150, -2, {{at, NAN}}, NAN, NAN},
                       infinite = {150, -2, {{at, -INFINITY}}, INFINITY, INFINITY};
        check_awkward(context, info, &nan);
        check_awkward(context, info, &infinite);
    }
}

Test(reduce, awkward_places) {
    each_algorithm(SPRY_REDUCE, 2, check_every_place);
}

/* ---- integers at their ends ---- */

static int64_t reduced_integer(spry_context *context, const spry_algorithm_info *info,
                               enum reduction reduction, const struct numbers *x) {
    struct numbers result = reduced(context, info, reduction, x, x);
    int64_t value = integer_get(&result, 0);
    numbers_free(&result);
    return value;
}

static void check_ends(spry_context *context, const spry_algorithm_info *info) {
    if (is_floating(info->number))
        return;
    bool narrow = info->number == SPRY_NUMBER_I32;
    int64_t most = narrow ? INT32_MAX : INT64_MAX / 100003;
    struct numbers x = numbers_new(context, info->number, 100003, true);
    for (int64_t i = 0; i < x.n; i++)
        integer_set(&x, i, -most);
    numbers_put(&x);
    cr_expect_eq(reduced_integer(context, info, SUM, &x), -most * 100003, "%s", info->name);
    cr_expect_eq(reduced_integer(context, info, MAX_ABS, &x), most, "%s", info->name);
    integer_set(&x, 70000, narrow ? INT32_MIN : INT64_MIN);
    numbers_put(&x);
    cr_expect_eq(reduced_integer(context, info, MAX_ABS, &x), narrow ? -(int64_t)INT32_MIN : INT64_MAX, "%s",
                 info->name);
    numbers_free(&x);
}

Test(reduce, ends_of_integers) {
    each_algorithm(SPRY_REDUCE, 3, check_ends);
}

/* Adding up does not lose what a float would. */
static void check_wide_sum(spry_context *context, const spry_algorithm_info *info) {
    if (info->number != SPRY_NUMBER_F32)
        return;
    struct numbers x = numbers_new(context, info->number, 3000000, true);
    for (int64_t i = 0; i < x.n; i++)
        number_set(&x, i, 16777215 - (double)(i % 2));
    numbers_put(&x);
    struct numbers sum = reduced(context, info, SUM, &x, &x);
    cr_expect_eq(number_get(&sum, 0), 3000000 * 16777214.5, "%s", info->name);
    numbers_free(&sum);
    numbers_free(&x);
}

Test(reduce, wide_sums) {
    each_algorithm(SPRY_REDUCE, 3, check_wide_sum);
}
