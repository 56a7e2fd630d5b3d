/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The other half of the conformance program: with SPRY_TEST_BENCH=1 in the environment it times each
 * kernel that it checks. For a first look while writing a kernel; spbench is for measuring.
 */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "support/build.h"
#include "support/vector.h"

#define ROWS 40000
#define TRIALS 50

/* About 600,000 entries near the diagonal, 5 to 25 in a row. */
static struct list uneven_band(void) {
    struct list list = list_new(ROWS, ROWS);
    uint64_t seed = 31;
    for (int64_t row = 0; row < ROWS; row++) {
        int64_t count = 5 + test_below(&seed, 21);
        for (int64_t k = 0; k < count && row + 3 * k < ROWS; k++)
            list_add(&list, row, row + 3 * k, test_value(&seed));
    }
    return list;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Least nanoseconds of one product. */
static double least_time(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                         const struct placed *x, struct placed *y) {
    double least = DBL_MAX;
    for (int trial = 0; trial < TRIALS; trial++) {
        double start = now();
        cr_assert_eq(spry_spmv_with(context, kernel, 1, matrix, x->data, 0, y->data), SPRY_OK);
        cr_assert_eq(spry_synchronize(context), SPRY_OK);
        least = fmin(least, now() - start);
    }
    return least;
}

static void time_kernels(spry_context *context, const struct list *list, spry_format format,
                         spry_value_type type, spry_index_type index) {
    struct vector x = vector_new(type, ROWS, NAN), y = vector_new(type, ROWS, NAN);
    vector_random(&x, 1);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y);
    struct built built = built_of(context, list, format, type, index);
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        if (!spry_kernel_takes(kernel, built.matrix) || !spry_kernel_runs(context, kernel))
            continue;
        printf("%-22s %s %-6s %s %7.3f ns a nonzero\n", spry_kernel_describe(kernel).name,
               spry_type_name(type), spry_index_name(index),
               spry_kernel_describe(kernel).op == SPRY_N ? "N" : "T",
               least_time(context, kernel, built.matrix, &x_there, &y_there) / (double)list->nnz);
    }
    built_free(&built);
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    vector_free(&y);
}

Test(speed, of_each_kernel) {
    const char *wanted = getenv("SPRY_TEST_BENCH");
    if (!wanted || wanted[0] != '1')
        cr_skip_test("SPRY_TEST_BENCH=1 asks for it");
    spry_context_options options = {.size = sizeof options, .backend = test_backend()};
    spry_context *context = test_context_with(&options);
    struct list list = uneven_band();
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < SPRY_INDEX_COUNT; index++)
                time_kernels(context, &list, (spry_format)format, (spry_value_type)type,
                             (spry_index_type)index);
    list_free(&list);
    spry_context_destroy(context);
}
