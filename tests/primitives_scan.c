/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans and histograms, by every algorithm. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/list.h"
#include "support/numbers.h"

static spry_status scan(spry_context *context, spry_scan_kind kind, const struct numbers *x,
                        const struct numbers *y) {
    return spry_scan(context, kind, x->number, x->n, numbers_there(x), numbers_there(y));
}

/* The scan of x into y, or in place, where y is x afterwards. */
static void run(spry_context *context, const spry_algorithm_info *info, spry_scan_kind kind,
                struct numbers *x, struct numbers *y) {
    numbers_put(x);
    memset(y->data, 0x77, (size_t)y->n * spry_number_size(y->number));
    if (x != y)
        numbers_put(y);
    cr_expect_eq(scan(context, kind, x, y), SPRY_OK, "%s", spry_message(context));
    numbers_get(y);
    cr_expect(numbers_guarded(y), "%s writes beside its array, n = %lld", info->name, (long long)y->n);
}

/* Whole numbers whose sums a f32 holds: every order of additions gives the same. */
static void whole_numbers(struct numbers *x, uint64_t seed) {
    if (is_floating(x->number))
        for (int64_t i = 0; i < x->n; i++)
            number_set(x, i, (double)test_below(&seed, 11) - 5);
    else
        numbers_random(x, seed);
}

/* Place of the first number that is wrong, or n. */
static int64_t first_wrong(spry_scan_kind kind, const struct numbers *x, const struct numbers *y) {
    uint64_t sum = 0;
    bool narrow = x->number == SPRY_NUMBER_I32;
    for (int64_t i = 0; i < x->n; i++) {
        uint64_t before = sum;
        sum += is_floating(x->number) ? (uint64_t)(int64_t)number_get(x, i) : (uint64_t)integer_get(x, i);
        uint64_t want = kind == SPRY_EXCLUSIVE ? before : sum;
        bool good = is_floating(x->number) ? number_get(y, i) == (double)(int64_t)want
                    : narrow               ? (uint32_t)integer_get(y, i) == (uint32_t)want
                                           : (uint64_t)integer_get(y, i) == want;
        if (!good)
            return i;
    }
    return x->n;
}

/* Of the values of `whole`. */
static void check_scan(spry_context *context, const spry_algorithm_info *info, spry_scan_kind kind,
                       const struct numbers *whole, bool aligned, bool in_place) {
    const int64_t n = whole->n;
    struct numbers x = numbers_new(context, info->number, n, aligned);
    struct numbers y = numbers_new(context, info->number, n, in_place ? aligned : !aligned);
    memcpy(x.data, whole->data, (size_t)n * spry_number_size(x.number));
    if (in_place) {
        memcpy(y.data, x.data, (size_t)n * spry_number_size(x.number));
        numbers_put(&y);
        cr_expect_eq(scan(context, kind, &y, &y), SPRY_OK, "%s", spry_message(context));
        numbers_get(&y);
        cr_expect(numbers_guarded(&y), "%s", info->name);
    } else {
        run(context, info, kind, &x, &y);
    }
    int64_t wrong = first_wrong(kind, &x, &y);
    cr_expect_eq(wrong, n, "%s %s, kind %d, n = %lld, %s: wrong at %lld", info->name,
                 spry_number_name(info->number), kind, (long long)n, in_place ? "in place" : "elsewhere",
                 (long long)wrong);
    numbers_free(&x);
    numbers_free(&y);
}

static void check_scan_sizes(spry_context *context, const spry_algorithm_info *info) {
    for (int s = 0; s < test_size_count; s++) {
        if (!test_size_is_tried(s))
            continue;
        struct numbers whole = numbers_new(context, info->number, test_sizes[s], true);
        whole_numbers(&whole, (uint64_t)test_sizes[s]);
        for (int way = 0; way < 8; way++)
            check_scan(context, info, (spry_scan_kind)(way & 1), &whole, way & 2, way & 4);
        numbers_free(&whole);
    }
}

Test(scan, every_size) {
    for (int threads = test_first_threads(5); threads <= test_threads(5); threads += 2)
        each_algorithm(SPRY_SCAN, threads, check_scan_sizes);
}

/* Numbers that have to be rounded: near the sums in more digits, and the same bits every time. */
static void check_rounding(spry_context *context, const spry_algorithm_info *info) {
    if (!is_floating(info->number))
        return;
    struct numbers x = numbers_new(context, info->number, 1000003, true);
    struct numbers y = numbers_new(context, info->number, x.n, true),
                   again = numbers_new(context, info->number, x.n, true);
    uint64_t seed = 1;
    for (int64_t i = 0; i < x.n; i++)
        number_set(&x, i, test_value(&seed) / 3);
    run(context, info, SPRY_INCLUSIVE, &x, &y);
    double epsilon = info->number == SPRY_NUMBER_F32 ? FLT_EPSILON : DBL_EPSILON;
    long double sum = 0, scale = 0;
    int64_t wrong = 0;
    for (int64_t i = 0; i < x.n; i++) {
        sum += number_get(&x, i);
        scale += fabs(number_get(&x, i));
        long double bound = epsilon * (10 + sqrtl((long double)i)) * scale;
        wrong += !(fabsl(number_get(&y, i) - sum) <= bound);
    }
    cr_expect_eq(wrong, 0, "%s %s: %lld of %lld", info->name, spry_number_name(info->number),
                 (long long)wrong, (long long)x.n);
    for (int repeat = 0; repeat < 3; repeat++) {
        run(context, info, SPRY_INCLUSIVE, &x, &again);
        cr_expect_eq(memcmp(y.data, again.data, (size_t)x.n * spry_number_size(x.number)), 0,
                     "%s %s differs when repeated", info->name, spry_number_name(info->number));
    }
    numbers_free(&x);
    numbers_free(&y);
    numbers_free(&again);
}

Test(scan, rounding) {
    for (int threads = 1; threads <= test_threads(5); threads += 4)
        each_algorithm(SPRY_SCAN, threads, check_rounding);
}

/* What is not finite stays so from there on, and is nowhere before. */
static void check_infinite(spry_context *context, const spry_algorithm_info *info) {
    for (int64_t at = 0; is_floating(info->number) && at < 10000; at = 3 * at + 1) {
        struct numbers x = numbers_new(context, info->number, 10000, true);
        struct numbers y = numbers_new(context, info->number, 10000, true);
        number_set(&x, at, INFINITY);
        run(context, info, SPRY_EXCLUSIVE, &x, &y);
        int64_t finite = 0;
        while (finite < y.n && number_get(&y, finite) == 0)
            finite++;
        cr_expect_eq(finite, at + 1, "%s: %lld, not %lld", info->name, (long long)finite, (long long)at + 1);
        for (; finite < y.n; finite++)
            cr_assert_not(isfinite(number_get(&y, finite)), "%s", info->name);
        numbers_free(&x);
        numbers_free(&y);
    }
}

Test(scan, infinity) {
    each_algorithm(SPRY_SCAN, 3, check_infinite);
}

/* ---- histogram ---- */

/* Mostly values about the bins, some of them outside on either side, some far away. */
static void fill_about(struct numbers *x, int64_t bins, bool one_bin) {
    uint64_t seed = (uint64_t)bins;
    for (int64_t i = 0; i < x->n; i++) {
        int64_t value = test_below(&seed, bins + bins / 4 + 3) - 1 - bins / 8;
        if (one_bin)
            value = bins / 2;
        if (i % 1001 == 77)
            value = x->number == SPRY_NUMBER_I32 ? INT32_MIN : INT64_MIN;
        if (i % 1001 == 78)
            value = x->number == SPRY_NUMBER_I32 ? INT32_MAX : INT64_MAX;
        integer_set(x, i, value);
    }
}

static bool counts_right(const struct numbers *x, const struct numbers *count) {
    int64_t bins = count->n, *want = test_malloc((size_t)bins * sizeof *want);
    memset(want, 0, (size_t)bins * sizeof *want);
    for (int64_t i = 0; i < x->n; i++)
        if (integer_get(x, i) >= 0 && integer_get(x, i) < bins)
            want[integer_get(x, i)]++;
    bool right = memcmp(want, count->data, (size_t)bins * sizeof *want) == 0;
    free(want);
    return right;
}

static void check_histogram(spry_context *context, const spry_algorithm_info *info, int64_t n, int64_t bins,
                            bool one_bin) {
    struct numbers x = numbers_new(context, info->number, n, bins % 2);
    struct numbers count = numbers_new(context, SPRY_NUMBER_I64, bins, n % 2);
    fill_about(&x, bins, one_bin);
    memset(count.data, 0x77, (size_t)bins * sizeof(int64_t));
    numbers_put(&x);
    numbers_put(&count);
    cr_expect_eq(spry_histogram(context, info->number, n, numbers_there(&x), bins, numbers_there(&count)),
                 SPRY_OK, "%s", spry_message(context));
    numbers_get(&count);
    cr_expect(counts_right(&x, &count), "%s %s, n = %lld, bins = %lld", info->name,
              spry_number_name(info->number), (long long)n, (long long)bins);
    cr_expect(numbers_guarded(&count), "%s, n = %lld, bins = %lld", info->name, (long long)n,
              (long long)bins);
    numbers_free(&x);
    numbers_free(&count);
}

static void check_histograms(spry_context *context, const spry_algorithm_info *info) {
    static const int64_t bins[] = {1, 2, 31, 255, 256, 257, 4096, 5000, 12289, 70001, 1000000, 3000001};
    static const int64_t sizes[] = {0, 1, 33, 255, 4097, 100003, 1000000};
    for (size_t b = 0; b < sizeof bins / sizeof *bins; b++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes - test_has_few_cases(); s++)
            check_histogram(context, info, sizes[s], bins[b], s % 2);
}

Test(histogram, every_size) {
    for (int threads = test_first_threads(5); threads <= test_threads(5); threads += 2)
        each_algorithm(SPRY_HISTOGRAM, threads, check_histograms);
}
