/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a matrix passes through a device's cache: nothing where there is room for all that a product reads, and else as much of the
   values as there is no room for. Products are what they are without. */
#include <criterion/criterion.h>

#include "core/internal.h"
#include "support/products.h"

/* Rows of 1 to 13 entries. */
static struct list uneven_list(void) {
    struct list list = list_new(300, 257);
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t k = 0; k <= i * 7 % 13; k++)
            list_add(&list, i, (i + 11 * k) % list.cols, 0.25 + (double)((i + 3 * k) % 16));
    list_sort(&list);
    return list;
}

/* A context that expects so much of its cache to last. */
static spry_context *context_with(size_t lasting_bytes) {
    spry_context *context = test_context(1);
    context->lasting_bytes = lasting_bytes;
    return context;
}

/* The part of a matrix in a format that passes where so much of the cache lasts; the products are compared too. */
static struct spry_passing passing_of(spry_format format, spry_value_type type, size_t lasting_bytes) {
    spry_context *context = context_with(lasting_bytes);
    struct list list = uneven_list();
    struct built built;
    cr_assert_eq(build(context, &list, format, type, SPRY_I32, CONVERTED, &built), SPRY_OK, "%s",
                 spry_message(context));
    const struct spry_passing passing = built.matrix->cuda.passing;
    expect_products(context, built.matrix, &list, spry_format_name(format));
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
    return passing;
}

Test(passing, nothing_where_there_is_room) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        cr_expect_eq(passing_of((spry_format)format, SPRY_F64, (size_t)1 << 30).bytes, 0, "%s",
                     spry_format_name((spry_format)format));
}

Test(passing, all_values_where_there_is_none) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
            const struct spry_passing passing = passing_of((spry_format)format, (spry_value_type)type, 1);
            cr_expect_gt(passing.bytes, 0, "%s", spry_format_name((spry_format)format));
            cr_expect_eq(passing.share, 1, "%s", spry_format_name((spry_format)format));
        }
}

Test(passing, as_much_as_there_is_no_room_for) {
    spry_context *context = context_with(1);
    struct list list = uneven_list();
    struct built built;
    cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &built), SPRY_OK);
    const double bytes = (double)spry_matrix_bytes(built.matrix) + 8.0 * (double)(list.rows + list.cols),
                 values = 8.0 * (double)list.nnz;
    built_free(&built);
    for (double missing = 0; missing <= values; missing += values / 4) {
        context->lasting_bytes = (size_t)(bytes - missing);
        cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &built), SPRY_OK);
        const struct spry_passing passing = built.matrix->cuda.passing;
        cr_expect_eq((double)passing.bytes, missing > 0 ? values : 0);
        cr_expect_float_eq(passing.share, missing / values, 1e-6);
        if (missing > 0)
            cr_expect_eq(passing.array, spry_matrix_csr(built.matrix)->val);
        built_free(&built);
    }
    list_free(&list);
    spry_context_destroy(context);
}
