/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of algorithms, the choice from it, and calls that are refused. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/counting.h"
#include "support/numbers.h"

static const char *const primitive_names[] = {"reduce", "scan", "histogram", "axpby", "gemm"};

Test(algorithms, described) {
    size_t count = spry_algorithm_count();
    cr_expect_null(spry_algorithm_at(count));
    for (size_t i = 0; i < count; i++) {
        spry_algorithm_info info = spry_algorithm_describe(spry_algorithm_at(i));
        cr_assert_lt((unsigned)info.primitive, SPRY_PRIMITIVE_COUNT);
        const char *primitive = primitive_names[info.primitive];
        cr_expect_eq(strncmp(info.name, primitive, strlen(primitive)), 0, "%s", info.name);
        cr_expect_lt((unsigned)info.number, SPRY_NUMBER_COUNT);
        cr_expect_eq(strcmp(info.needs, "cuda") == 0, info.backend == SPRY_CUDA, "%s", info.name);
    }
}

/* Each that runs is taken when it is asked for, whatever else there is; the last that runs is when none is. */
Test(algorithms, taken) {
    spry_context *plain = test_context(1);
    const spry_algorithm *algorithm, *last[SPRY_PRIMITIVE_COUNT][SPRY_NUMBER_COUNT] = {0};
    for (size_t i = 0; (algorithm = spry_algorithm_at(i)); i++) {
        spry_algorithm_info info = spry_algorithm_describe(algorithm);
        spry_context_options options = test_options();
        options.algorithms = info.name;
        spry_context *context = test_context_with(&options);
        bool runs = spry_algorithm_runs(plain, algorithm);
        cr_expect(!runs || info.backend == test_backend());
        cr_expect_eq(spry_algorithm_for(context, info.primitive, info.number) == algorithm, runs, "%s",
                     info.name);
        spry_context_destroy(context);
        if (runs)
            last[info.primitive][info.number] = algorithm;
    }
    for (int p = 0; p < SPRY_PRIMITIVE_COUNT; p++)
        for (int number = 0; number < SPRY_NUMBER_COUNT; number++)
            cr_expect_eq(spry_algorithm_for(plain, (spry_primitive)p, (spry_number)number), last[p][number]);
    cr_expect_null(spry_algorithm_for(NULL, SPRY_SCAN, SPRY_NUMBER_F32));
    cr_expect_null(spry_algorithm_for(plain, SPRY_PRIMITIVE_COUNT, SPRY_NUMBER_F32));
    cr_expect_null(spry_algorithm_for(plain, SPRY_SCAN, SPRY_NUMBER_COUNT));
    spry_context_destroy(plain);
}

Test(algorithms, unknown_name) {
    spry_context_options options = test_options();
    options.algorithms = "scan,no_such_algorithm";
    spry_context *context;
    cr_expect_eq(spry_context_create(&context, &options), SPRY_ERROR_ARGUMENT);
    cr_expect_null(context);
}

/* Disable all of a primitive by name. */
Test(algorithms, disabled) {
    char names[4096] = "";
    const spry_algorithm *algorithm;
    for (size_t i = 0; (algorithm = spry_algorithm_at(i)); i++)
        if (spry_algorithm_describe(algorithm).primitive == SPRY_SCAN) {
            strcat(names, spry_algorithm_describe(algorithm).name);
            strcat(names, ",");
        }
    spry_context *context = test_context_without(0, names);
    struct numbers x = numbers_new(context, SPRY_NUMBER_I32, 3, true);
    cr_expect_null(spry_algorithm_for(context, SPRY_SCAN, SPRY_NUMBER_I32));
    cr_expect_eq(spry_scan(context, SPRY_EXCLUSIVE, SPRY_NUMBER_I32, 3, numbers_there(&x), numbers_there(&x)),
                 SPRY_ERROR_UNSUPPORTED);
    cr_expect_str_not_empty(spry_message(context));
    cr_expect_not_null(spry_algorithm_for(context, SPRY_REDUCE, SPRY_NUMBER_I32));
    numbers_free(&x);
    spry_context_destroy(context);
}

/* ---- calls that are refused ---- */

/* That a call failed with this status, and said so, naming itself. */
static void refused(spry_context *context, spry_status got, spry_status wanted, const char *call) {
    cr_expect_eq(got, wanted, "%s: %s", call, spry_status_string(got));
    cr_expect_not_null(strstr(spry_message(context), call), "%s: %s", call, spry_message(context));
}

Test(arguments, without_context) {
    double x = 1;
    int32_t i = 1;
    int64_t count;
    cr_expect_eq(spry_sum(NULL, SPRY_NUMBER_F64, 1, &x, &x), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_dot(NULL, SPRY_NUMBER_F64, 1, &x, &x, &x), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_norm2(NULL, SPRY_NUMBER_F64, 1, &x, &x), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_max_abs(NULL, SPRY_NUMBER_F64, 1, &x, &x), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_scan(NULL, SPRY_EXCLUSIVE, SPRY_NUMBER_F64, 1, &x, &x), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_histogram(NULL, SPRY_NUMBER_I32, 1, &i, 1, &count), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_axpby(NULL, SPRY_NUMBER_F64, 1, 1, &x, 1, &x), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_axpby_dot(NULL, SPRY_NUMBER_F64, 1, 1, &x, 1, &x, &x, &x), SPRY_ERROR_ARGUMENT);
}

static void check_null(spry_context *context, void *x) {
    spry_number f64 = SPRY_NUMBER_F64, i64 = SPRY_NUMBER_I64;
    refused(context, spry_sum(context, f64, 1, NULL, x), SPRY_ERROR_ARGUMENT, "spry_sum");
    refused(context, spry_sum(context, f64, 1, x, NULL), SPRY_ERROR_ARGUMENT, "spry_sum");
    refused(context, spry_sum(context, f64, 0, NULL, NULL), SPRY_ERROR_ARGUMENT, "spry_sum");
    refused(context, spry_dot(context, f64, 1, NULL, x, x), SPRY_ERROR_ARGUMENT, "spry_dot");
    refused(context, spry_dot(context, f64, 1, x, NULL, x), SPRY_ERROR_ARGUMENT, "spry_dot");
    refused(context, spry_norm2(context, f64, 1, NULL, x), SPRY_ERROR_ARGUMENT, "spry_norm2");
    refused(context, spry_max_abs(context, f64, 1, NULL, x), SPRY_ERROR_ARGUMENT, "spry_max_abs");
    refused(context, spry_scan(context, SPRY_EXCLUSIVE, f64, 1, NULL, x), SPRY_ERROR_ARGUMENT, "spry_scan");
    refused(context, spry_scan(context, SPRY_EXCLUSIVE, f64, 1, x, NULL), SPRY_ERROR_ARGUMENT, "spry_scan");
    refused(context, spry_histogram(context, i64, 1, NULL, 1, x), SPRY_ERROR_ARGUMENT, "spry_histogram");
    refused(context, spry_histogram(context, i64, 1, x, 1, NULL), SPRY_ERROR_ARGUMENT, "spry_histogram");
    refused(context, spry_axpby(context, f64, 1, 1, NULL, 1, x), SPRY_ERROR_ARGUMENT, "spry_axpby");
    refused(context, spry_axpby(context, f64, 1, 1, x, 1, NULL), SPRY_ERROR_ARGUMENT, "spry_axpby");
    refused(context, spry_axpby_dot(context, f64, 1, 1, x, 1, x, NULL, x), SPRY_ERROR_ARGUMENT,
            "spry_axpby_dot");
    refused(context, spry_axpby_dot(context, f64, 1, 1, x, 1, x, x, NULL), SPRY_ERROR_ARGUMENT,
            "spry_axpby_dot");
}

static void check_sizes_and_types(spry_context *context, void *x) {
    spry_number f64 = SPRY_NUMBER_F64, i64 = SPRY_NUMBER_I64, none = SPRY_NUMBER_COUNT;
    refused(context, spry_sum(context, f64, -1, x, x), SPRY_ERROR_ARGUMENT, "spry_sum");
    refused(context, spry_sum(context, none, 1, x, x), SPRY_ERROR_ARGUMENT, "spry_sum");
    refused(context, spry_sum(context, (spry_number)-1, 1, x, x), SPRY_ERROR_ARGUMENT, "spry_sum");
    refused(context, spry_norm2(context, i64, 1, x, x), SPRY_ERROR_ARGUMENT, "spry_norm2");
    refused(context, spry_scan(context, SPRY_SCAN_KIND_COUNT, f64, 1, x, x), SPRY_ERROR_ARGUMENT,
            "spry_scan");
    refused(context, spry_scan(context, SPRY_EXCLUSIVE, f64, INT64_MIN, x, x), SPRY_ERROR_ARGUMENT,
            "spry_scan");
    refused(context, spry_histogram(context, i64, 1, x, -1, x), SPRY_ERROR_ARGUMENT, "spry_histogram");
    refused(context, spry_histogram(context, i64, -1, x, 1, x), SPRY_ERROR_ARGUMENT, "spry_histogram");
    refused(context, spry_axpby(context, f64, -1, 1, x, 1, x), SPRY_ERROR_ARGUMENT, "spry_axpby");
    refused(context, spry_histogram(context, f64, 1, x, 1, x), SPRY_ERROR_ARGUMENT,
            "spry_histogram takes no f64");
    refused(context, spry_axpby(context, i64, 1, 1, x, 1, x), SPRY_ERROR_ARGUMENT, "spry_axpby takes no i64");
    refused(context, spry_axpby_dot(context, i64, 1, 1, x, 1, x, x, x), SPRY_ERROR_ARGUMENT,
            "spry_axpby_dot takes no i64");
    const spry_view one = spry_view_of_columns(x, 1, 1, 1);
    refused(context, spry_gemm(context, (spry_value_type)i64, 1, &one, &one, 0, &one), SPRY_ERROR_ARGUMENT,
            "spry_gemm takes no i64");
}

Test(arguments, refused) {
    spry_context *context = test_context(2);
    struct numbers x = numbers_new(context, SPRY_NUMBER_F64, 1, true);
    check_null(context, numbers_there(&x));
    check_sizes_and_types(context, numbers_there(&x));
    numbers_free(&x);
    spry_context_destroy(context);
}

/* Nothing to do, and no arrays to do it with. */
Test(arguments, empty) {
    spry_context *context = test_context(2);
    struct numbers sum = numbers_new(context, SPRY_NUMBER_F64, 1, true);
    number_set(&sum, 0, 7);
    numbers_put(&sum);
    cr_expect_eq(spry_scan(context, SPRY_INCLUSIVE, SPRY_NUMBER_F32, 0, NULL, NULL), SPRY_OK);
    cr_expect_eq(spry_histogram(context, SPRY_NUMBER_I32, 0, NULL, 0, NULL), SPRY_OK);
    cr_expect_eq(spry_axpby(context, SPRY_NUMBER_F32, 0, 1, NULL, 1, NULL), SPRY_OK);
    cr_expect_eq(spry_dot(context, SPRY_NUMBER_F32, 0, NULL, NULL, numbers_there(&sum)), SPRY_OK);
    numbers_get(&sum);
    cr_expect_eq(number_get(&sum, 0), 0);
    numbers_free(&sum);
    spry_context_destroy(context);
}

/* A histogram needs memory: without it, it fails and keeps none. */
Test(arguments, no_memory) {
    enum { N = 100000, BINS = 1000 };
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 3);
    struct numbers x = numbers_new(context, SPRY_NUMBER_I32, N, true);
    struct numbers count = numbers_new(context, SPRY_NUMBER_I64, BINS, true);
    int64_t live = counting.live_blocks;
    counting_refuse(&counting, 1);
    spry_status status =
        spry_histogram(context, SPRY_NUMBER_I32, N, numbers_there(&x), BINS, numbers_there(&count));
    cr_expect_eq(status, counting.refused ? SPRY_ERROR_MEMORY : SPRY_OK);
    cr_expect(counting.refused || test_backend() != SPRY_CPU);
    cr_expect_eq(counting.live_blocks, live);
    counting_refuse(&counting, 0);
    numbers_free(&x);
    numbers_free(&count);
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
    cr_expect_not(counting.misused);
}
