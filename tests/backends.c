/* SPDX-License-Identifier: BSD-3-Clause */
/* What is the same wherever a context works: arrays, copies of matrices, workspace; and what happens where it
   cannot work at all. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/counting.h"
#include "support/reference.h"
#include "support/scenarios.h"
#include "support/vector.h"

Test(backends, named) {
    cr_expect_str_eq(spry_backend_name(SPRY_CPU), "cpu");
    cr_expect_str_eq(spry_backend_name(SPRY_CUDA), "cuda");
    cr_expect_str_eq(spry_backend_name(SPRY_BACKEND_COUNT), "?");
}

Test(backends, context) {
    spry_context *context = test_context(1);
    cr_expect_eq(spry_context_backend(context), test_backend());
    cr_expect_eq(spry_context_stream(context) == NULL, test_backend() == SPRY_CPU);
    cr_expect_eq(spry_synchronize(context), SPRY_OK);
    cr_expect_eq(spry_synchronize(NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_null(spry_context_stream(NULL));
    spry_context_destroy(context);
}

/* With the status alone, and the reason from elsewhere. */
Test(backends, that_are_not_here) {
    spry_context_options options = {.size = sizeof options, .backend = SPRY_BACKEND_COUNT};
    spry_context *context = (spry_context *)&options; /* must be overwritten */
    cr_expect_eq(spry_context_create(&context, &options), SPRY_ERROR_ARGUMENT);
    cr_expect_null(context);

    char reason[256] = "";
    bool none = spry_cuda_devices(reason, sizeof reason) == 0;
    cr_expect_eq(spry_cuda_devices(NULL, 0) == 0, none);
    cr_expect_eq(reason[0] != '\0', none, "%s", reason);
    options = (spry_context_options){
        .size = sizeof(spry_context_options), .backend = SPRY_CUDA, .device = none ? 0 : 999};
    context = (spry_context *)&options;
    cr_expect_eq(spry_context_create(&context, &options), none ? SPRY_ERROR_DEVICE : SPRY_ERROR_ARGUMENT);
    cr_expect_null(context);

    char cut[8] = "xxxxxxx";
    spry_cuda_devices(cut, 4);
    cr_expect(!none || cut[3] == '\0');
    cr_expect_eq(cut[4], 'x');
}

Test(arrays, there_and_back) {
    spry_context *context = test_context(1);
    for (size_t bytes = 0; bytes < 30000000; bytes = bytes * 7 + 3) {
        char *out = test_malloc(bytes), *back = test_malloc(bytes);
        for (size_t i = 0; i < bytes; i++)
            out[i] = (char)(i * 31 + 5);
        void *array;
        cr_assert_eq(spry_array_new(context, bytes, &array), SPRY_OK);
        cr_expect_eq((uintptr_t)array % 64, 0);
        cr_expect_eq(spry_array_put(context, array, out, bytes), SPRY_OK);
        cr_expect_eq(spry_array_get(context, array, back, bytes), SPRY_OK);
        cr_expect_eq(memcmp(out, back, bytes), 0, "%zu bytes", bytes);
        spry_array_free(context, array, bytes);
        free(out);
        free(back);
    }
    spry_context_destroy(context);
}

Test(arrays, bad_arguments) {
    spry_context *context = test_context(1);
    void *array = context;
    char byte = 0;
    cr_expect_eq(spry_array_new(NULL, 1, &array), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_array_new(context, 1, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_array_new(context, SIZE_MAX, &array), SPRY_ERROR_OVERFLOW);
    cr_expect_null(array);
    cr_expect_str_not_empty(spry_message(context));
    cr_expect_eq(spry_array_put(context, NULL, &byte, 1), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_array_get(context, NULL, &byte, 1), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_array_put(NULL, NULL, NULL, 0), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_array_put(context, NULL, NULL, 0), SPRY_OK);
    cr_expect_eq(spry_array_get(context, NULL, NULL, 0), SPRY_OK);
    spry_array_free(context, NULL, 1);
    spry_array_free(NULL, NULL, 1);
    spry_context_destroy(context);
}

/* More than any device has: how much it has left is in the message, and is less than what was asked for. */
Test(arrays, too_large) {
    spry_context *context = test_context(1);
    void *array = context;
    const char *left;
    if (test_backend() != SPRY_CPU) {
        cr_expect_eq(spry_array_new(context, (size_t)1 << 45, &array), SPRY_ERROR_MEMORY);
        cr_expect_null(array);
        left = strstr(spry_message(context), "the device has ");
        cr_expect(left && strtod(left + strlen("the device has "), NULL) > 0, "%s", spry_message(context));
        cr_expect_eq(spry_array_new(context, 1, &array), SPRY_OK, "%s", spry_message(context));
        spry_array_free(context, array, 1);
    }
    spry_context_destroy(context);
}

/* A copy is like its source and does not need it. */
static void check_copy(spry_context *context, const struct list *list, spry_format format,
                       spry_value_type type, spry_index_type index, enum origin origin) {
    struct built built;
    spry_matrix *copy;
    cr_assert_eq(build(context, list, format, type, index, origin, &built), SPRY_OK);
    cr_assert_eq(spry_matrix_copy(context, built.matrix, &copy), SPRY_OK, "%s", spry_message(context));
    cr_expect_eq(spry_matrix_slots(copy), spry_matrix_slots(built.matrix));
    cr_expect_eq(spry_matrix_bytes(copy), spry_matrix_bytes(built.matrix));
    cr_expect_eq(spry_kernel_for(copy, SPRY_N), spry_kernel_for(built.matrix, SPRY_N));
    built_free(&built);
    cr_expect_eq(spry_matrix_backend(copy), test_backend());
    cr_expect_eq(spry_matrix_format(copy), format);
    cr_expect_eq(spry_matrix_type(copy), type);
    cr_expect_eq(spry_matrix_index(copy), index);
    cr_expect_eq(spry_validate(context, copy, 0), SPRY_OK, "%s", spry_message(context));
    cr_expect(equals_list(context, copy, list), "%s %s %s", spry_format_name(format), spry_type_name(type),
              spry_index_name(index));
    spry_matrix_destroy(copy);
}

Test(copy, every_format) {
    static const char *const scenarios[] = {"0x0",        "no rows",      "no columns", "no entries",
                                            "empty rows", "every length", "wide"};
    spry_context *context = test_context(2);
    for (size_t s = 0; s < sizeof scenarios / sizeof *scenarios; s++) {
        struct list list = test_scenario(scenarios[s])->make();
        list_sort(&list);
        for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
            for (int type = 0; type < SPRY_TYPE_COUNT; type++)
                for (int index = 0; index < SPRY_INDEX_COUNT; index++)
                    for (int origin = CONVERTED; origin <= WRAPPED_FROM_1; origin++)
                        if (has_origin((spry_format)format, (enum origin)origin))
                            check_copy(context, &list, (spry_format)format, (spry_value_type)type,
                                       (spry_index_type)index, (enum origin)origin);
        list_free(&list);
    }
    spry_context_destroy(context);
}

Test(copy, bad_arguments) {
    spry_context *context = test_context(1);
    spry_matrix *copy = (spry_matrix *)context;
    cr_expect_eq(spry_matrix_copy(context, NULL, &copy), SPRY_ERROR_ARGUMENT);
    cr_expect_null(copy);
    cr_expect_str_not_empty(spry_message(context));
    cr_expect_eq(spry_matrix_copy(NULL, NULL, &copy), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_matrix_copy(context, NULL, NULL), SPRY_ERROR_ARGUMENT);
    spry_context_destroy(context);
}

/* A context that did not build the matrix has what the product needs once it was told. */
static void check_reserved(const struct list *list, const spry_matrix *matrix, spry_op op) {
    struct counting counting;
    counting_start(&counting);
    spry_context *other = counting_context(&counting, 3);
    struct vector x = vector_new(SPRY_F64, op == SPRY_N ? list->cols : list->rows, 0);
    struct vector y = vector_new(SPRY_F64, op == SPRY_N ? list->rows : list->cols, 0);
    vector_random(&x, 3);
    struct reference reference = reference_new(list, op, &x);
    struct placed x_there = vector_place(other, &x), y_there = vector_place(other, &y);
    cr_expect_eq(spry_reserve(other, matrix, op), SPRY_OK);
    counting_refuse(&counting, 1);
    cr_expect_eq(spry_spmv(other, op, 1, matrix, x_there.data, 0, y_there.data), SPRY_OK, "%s",
                 spry_message(other));
    cr_expect_not(counting.refused, "%s", spry_format_name(spry_matrix_format(matrix)));
    cr_expect_eq(vector_fetch(&y, &y_there), SPRY_OK);
    cr_expect_lt(reference_differs(&reference, 1, 0, &y, &y), 0);
    counting_refuse(&counting, 0);
    placed_free(&x_there);
    placed_free(&y_there);
    reference_free(&reference);
    vector_free(&x);
    vector_free(&y);
    spry_context_destroy(other);
    cr_expect_eq(counting.live_blocks, 0);
}

Test(reserve, by_another_context) {
    spry_context *context = test_context(3);
    struct list list = test_scenario("power law")->make();
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        struct built built = built_of(context, &list, (spry_format)format, SPRY_F64, SPRY_I32);
        check_reserved(&list, built.matrix, SPRY_N);
        check_reserved(&list, built.matrix, SPRY_T);
        built_free(&built);
    }
    list_free(&list);
    spry_context_destroy(context);
}

Test(reserve, bad_arguments) {
    spry_context *context = test_context(1);
    struct list list = test_scenario("banded")->make();
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_reserve(NULL, built.matrix, SPRY_N), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_reserve(context, NULL, SPRY_N), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_reserve(context, built.matrix, SPRY_OP_COUNT), SPRY_ERROR_ARGUMENT);
    cr_expect_str_not_empty(spry_message(context));
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}
