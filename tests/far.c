/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix that no cache keeps from one product to the next has other code for its products, which asks for it ahead: the bits are
   the same. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/internal.h"
#include "support/build.h"
#include "support/vector.h"

/* Rows of `least` to `most` entries, `step` columns apart, from the diagonal on. */
static struct list list_of(int64_t least, int64_t most, int64_t step) {
    struct list list = list_new(600, 600);
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t k = 0; k < least + i * 7 % (most - least + 1); k++)
            list_add(&list, i, (i + step * k) % list.cols, 0.25 + (double)((i + 3 * k) % 16));
    list_sort(&list);
    return list;
}

static void build_with(spry_context *context, const struct list *list, spry_format format,
                       spry_value_type type, size_t far_bytes, struct built *built) {
    context->far_bytes = far_bytes;
    cr_assert_eq(build(context, list, format, type, SPRY_I32, CONVERTED, built), SPRY_OK, "%s: %s",
                 spry_format_name(format), spry_message(context));
}

static struct vector product_of(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix) {
    const spry_kernel_info info = spry_kernel_describe(kernel);
    struct vector x = vector_new(info.type, 600, NAN), y = vector_new(info.type, 600, 7);
    vector_random(&x, 5);
    vector_random(&y, 9);
    cr_expect_eq(spry_spmv_with(context, kernel, 1.5, matrix, x.data, 0.75, y.data), SPRY_OK, "%s",
                 spry_message(context));
    vector_free(&x);
    return y;
}

/* All kernels of the CPU that take the matrices, which differ in what is expected of the cache. */
static void compare(spry_context *context, const spry_matrix *near, const spry_matrix *far) {
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        if (!spry_kernel_takes(kernel, near) || !spry_kernel_runs(context, kernel))
            continue;
        struct vector a = product_of(context, kernel, near), b = product_of(context, kernel, far);
        cr_expect(vector_same_bits(&a, &b), "%s", spry_kernel_describe(kernel).name);
        vector_free(&a);
        vector_free(&b);
    }
}

static void compare_formats(struct list list) {
    spry_context *context = test_context(2);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
            struct built near, far;
            build_with(context, &list, (spry_format)format, (spry_value_type)type, (size_t)1 << 30, &near);
            build_with(context, &list, (spry_format)format, (spry_value_type)type, 1, &far);
            cr_expect_not(near.matrix->plan.far);
            cr_expect(far.matrix->plan.far, "%s", spry_format_name((spry_format)format));
            compare(context, near.matrix, far.matrix);
            built_free(&near);
            built_free(&far);
        }
    list_free(&list);
    spry_context_destroy(context);
}

Test(far, rows_of_any_length) {
    compare_formats(list_of(0, 29, 11));
}

Test(far, rows_about_as_long) {
    compare_formats(list_of(5, 8, 11));
}

Test(far, neighbouring_columns) {
    compare_formats(list_of(20, 20, 1));
}
