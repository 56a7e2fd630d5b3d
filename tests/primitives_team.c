/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Primitives in a team of three threads of the CPU, and alone: the numbers are small integers, which add up to the same
 * in any order. For ThreadSanitizer, which Criterion cannot run under: see docs/testing.md.
 */
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/list.h"
#include "support/numbers.h"

/* More than what one thread is given at once, by every primitive. */
#define MANY 100000
#define BINS 40

static spry_context *alone, *team;

static void expect(bool right, const char *what, spry_number number) {
    check(right, "%s of %s in a team", what, spry_number_name(number));
}

static struct numbers small_integers(spry_context *context, spry_number number, int64_t n) {
    struct numbers numbers = numbers_new(context, number, n, true);
    uint64_t state = 1;
    for (int64_t i = 0; i < n; i++)
        number_set(&numbers, i, (double)(test_below(&state, 9) - 2));
    numbers_put(&numbers);
    return numbers;
}

/* What each primitive gives. */
struct outcome {
    double sum[4]; /* or any number of at most 8 bytes */
    struct numbers scanned, updated;
    int64_t bins[BINS];
};

static bool run(spry_context *context, spry_number number, struct outcome *outcome) {
    struct numbers x = small_integers(context, number, MANY);
    void *there = numbers_there(&x);
    memset(outcome, 0, sizeof *outcome);
    outcome->scanned = small_integers(context, number, MANY);
    outcome->updated = small_integers(context, number, MANY);
    bool done = !spry_sum(context, number, MANY, there, &outcome->sum[0]) &&
                !spry_dot(context, number, MANY, there, there, &outcome->sum[1]) &&
                !spry_max_abs(context, number, MANY, there, &outcome->sum[2]) &&
                !spry_scan(context, SPRY_INCLUSIVE, number, MANY, there, numbers_there(&outcome->scanned));
    if (is_floating(number))
        done = done && !spry_axpby_dot(context, number, MANY, 2, there, -1, numbers_there(&outcome->updated),
                                       there, &outcome->sum[3]);
    else
        done = done && !spry_histogram(context, number, MANY, there, BINS, outcome->bins);
    numbers_get(&outcome->scanned);
    numbers_get(&outcome->updated);
    numbers_free(&x);
    return done;
}

static void compare(spry_number number) {
    struct outcome one, three;
    size_t bytes = MANY * spry_number_size(number);
    expect(run(alone, number, &one) && run(team, number, &three), "primitives", number);
    expect(memcmp(one.sum, three.sum, sizeof one.sum) == 0, "sums", number);
    expect(memcmp(one.bins, three.bins, sizeof one.bins) == 0, "a histogram", number);
    expect(memcmp(one.scanned.data, three.scanned.data, bytes) == 0, "a scan", number);
    expect(memcmp(one.updated.data, three.updated.data, bytes) == 0, "an update", number);
    numbers_free(&one.scanned);
    numbers_free(&one.updated);
    numbers_free(&three.scanned);
    numbers_free(&three.updated);
}

/* A product of dense matrices: `data` has all three, one after the other. */
static bool multiply(spry_context *context, spry_number number, const int64_t size[3], struct numbers *data) {
    int64_t rows = size[0], cols = size[1], depth = size[2];
    *data = small_integers(context, number, rows * depth + depth * cols + rows * cols);
    spry_view a = spry_view_of_columns(numbers_there(data), rows, depth, rows);
    spry_view b = a, c = a;
    b.offset = rows * depth, b.rows = depth, b.cols = cols, b.col_stride = depth;
    c.offset = b.offset + depth * cols, c.cols = cols;
    bool done = !spry_gemm(context, (spry_value_type)number, 1, &a, &b, -1, &c);
    numbers_get(data);
    return done;
}

/* Square, and as solvers have them: a long vector times a short one, and long vectors with each other. */
static void compare_products(spry_number number) {
    static const int64_t sizes[][3] = {
        {150, 140, 130}, {20000, 1, 8}, {8, 1, 20000}, {7, 9, 5000}, {5000, 6, 9}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct numbers one, three;
        bool done = multiply(alone, number, sizes[s], &one) && multiply(team, number, sizes[s], &three);
        expect(done && memcmp(one.data, three.data, (size_t)one.n * spry_number_size(number)) == 0,
               "a dense product", number);
        numbers_free(&one);
        numbers_free(&three);
    }
}

int main(void) {
    alone = test_context(1);
    team = test_context(3);
    for (int number = 0; number < SPRY_NUMBER_COUNT; number++) {
        compare((spry_number)number);
        if (is_floating((spry_number)number))
            compare_products((spry_number)number);
    }
    spry_context_destroy(alone);
    spry_context_destroy(team);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
