/* SPDX-License-Identifier: BSD-3-Clause */
/* BSR with blocks of every size: masks, blocks that reach past the matrix, entries that occur twice, the size that is found. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "support/build.h"
#include "support/products.h"
#include "support/scenarios.h"
#include "support/vector.h"

static const spry_convert_options any_fill = {
    .size = sizeof any_fill, .duplicates = SPRY_KEEP, .fill_limit = INFINITY};

static spry_storage blocks_of(int64_t height, int64_t width) {
    return (spry_storage){.format = SPRY_BSR, .parameter = {height, width}};
}

static void expect_blocks(const spry_matrix *matrix, int64_t height, int64_t width, const char *name) {
    spry_storage storage;
    spry_matrix_storage(matrix, &storage);
    cr_expect(storage.format == SPRY_BSR && storage.parameter[0] == height && storage.parameter[1] == width,
              "%s: blocks are %d × %d", name, (int)storage.parameter[0], (int)storage.parameter[1]);
}

static spry_matrix *made_of(spry_context *context, const struct list *list, spry_storage storage) {
    return stored_of(context, list, storage, SPRY_F64, SPRY_I32);
}

/* A node is `height` rows and `width` columns, and has full blocks with its neighbours. */
static struct list nodes(int64_t count, int height, int width) {
    struct list list = list_new(count * height, count * width);
    for (int64_t row = 0; row < list.rows; row++)
        for (int64_t node = row / height; node < count; node += 1 + node - row / height)
            for (int c = 0; c < width; c++)
                list_add(&list, row, node * width + c, (double)(1 + (row + c) % 7) / 8);
    return list;
}

/* ---- blocks of every size ---- */

/* A matrix in such blocks is what its storage says, holds the list, and multiplies right. */
static void check_size(spry_context *context, const spry_matrix *csr, const struct list *sorted, int height,
                       int width, const char *scenario) {
    const spry_storage storage = blocks_of(height, width);
    char name[200];
    spry_matrix *bsr = NULL;
    snprintf(name, sizeof name, "%s %s %d × %d", scenario, spry_type_name(spry_matrix_type(csr)), height,
             width);
    cr_assert_eq(spry_convert_to(context, csr, &storage, &any_fill, &bsr), SPRY_OK, "%s: %s", name,
                 spry_message(context));
    expect_blocks(bsr, height, width, name);
    const spry_bsr *arrays = spry_matrix_bsr(bsr);
    cr_expect_eq(spry_matrix_slots(bsr), arrays->blocks * height * width, "%s", name);
    cr_expect_eq(arrays->mask == NULL, spry_matrix_slots(bsr) == sorted->nnz, "%s", name);
    cr_expect_eq(spry_validate(context, bsr, SPRY_CHECK_SORTED), SPRY_OK, "%s: %s", name,
                 spry_message(context));
    cr_expect(equals_list(context, bsr, sorted), "%s", name);
    expect_products(context, bsr, sorted, name);
    spry_matrix_destroy(bsr);
}

/* With one index type for each value type; in brief, with half of the sizes, and where cases are few, a quarter. */
static void check_all_sizes(spry_context *context, const struct list *list, size_t number, const char *name) {
    static const int sides[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const int step = test_has_few_cases() ? 4 : test_is_brief() ? 2 : 1;
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        const spry_index_type index = (spry_index_type)((number + (size_t)type) % SPRY_INDEX_COUNT);
        struct list sorted = list_copy(list);
        list_sort(&sorted);
        list_round(&sorted, (spry_value_type)type);
        struct built csr = built_of(context, list, SPRY_CSR, (spry_value_type)type, index);
        for (int h = 0; h < 8; h++)
            for (int w = h % step; w < 8; w += step)
                check_size(context, csr.matrix, &sorted, sides[h], sides[w], name);
        built_free(&csr);
        list_free(&sorted);
    }
}

/* With each set of instructions, and on three threads; where cases are few, with one. */
Test(bsr, blocks_of_every_size) {
    static const char *const names[] = {"duplicates", "explicit zeros", "empty rows", "dense",
                                        "banded",     "one row",        "one column", "no rows",
                                        "no columns", "no entries",     "wide"};
    static const char *const disabled[] = {NULL, "avx512", "avx512,avx2,neon"};
    for (int d = 0; d < (test_has_few_cases() ? 1 : 3); d++) {
        spry_context *context = test_context_without(test_threads(3 - d), disabled[d]);
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            if (!test_scenario_is_tried(test_scenario(names[n])))
                continue;
            struct list list = test_scenario(names[n])->make();
            check_all_sizes(context, &list, n + (size_t)d, names[n]);
            list_free(&list);
        }
        spry_context_destroy(context);
    }
}

/* The sums of a row are added in the order of its entries, in plain C. */
Test(bsr, plain_kernel_adds_in_order) {
    static const double value[] = {0x1p60, 1, -0x1p60, 1, 16, 32};
    if (test_backend() != SPRY_CPU)
        cr_skip_test("of the CPU");
    spry_context *context = test_context_without(0, "avx512,avx2,neon");
    struct list list = list_new(1, 6);
    for (int k = 0; k < 6; k++)
        list_add(&list, 0, k, value[k]);
    for (int width = 1; width <= 8; width++) {
        static const double ones[] = {1, 1, 1, 1, 1, 1};
        double y = NAN;
        spry_matrix *bsr = made_of(context, &list, blocks_of(2, width));
        cr_expect_eq(spry_spmv(context, SPRY_N, 1, bsr, ones, 0, &y), SPRY_OK);
        cr_expect_eq(y, 1 + 16 + 32, "width %d: %g", width, y);
        spry_matrix_destroy(bsr);
    }
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- masks ---- */

/* Masks are there where one place of one block is no entry; an explicit zero is one. */
Test(bsr, masks_only_where_needed) {
    spry_context *context = test_context(1);
    struct list list = nodes(20, 3, 3);
    spry_matrix *full = made_of(context, &list, blocks_of(3, 3));
    cr_expect_null(spry_matrix_bsr(full)->mask);
    cr_expect_eq(spry_matrix_bytes(full),
                 21 * sizeof(int32_t) + (size_t)list.nnz / 9 * (sizeof(int32_t) + 9 * sizeof(double)));
    spry_matrix_destroy(full);
    list.val[10] = 0;
    spry_matrix *zero = made_of(context, &list, blocks_of(3, 3));
    cr_expect_null(spry_matrix_bsr(zero)->mask);
    spry_matrix_destroy(zero);
    list.nnz--;
    spry_matrix *masked = made_of(context, &list, blocks_of(3, 3));
    cr_expect_not_null(spry_matrix_bsr(masked)->mask);
    cr_expect_eq(spry_matrix_bsr(masked)->mask_bytes, 2);
    spry_matrix_destroy(masked);
    list_free(&list);
    spry_context_destroy(context);
}

/* Entries that occur twice are kept, in their order, and get new values in it. */
Test(bsr, duplicates_are_kept) {
    spry_context *context = test_context(1);
    struct list list = list_new(4, 4);
    for (int k = 0; k < 3; k++)
        list_add(&list, 1, 2, 10 + k);
    list_add(&list, 1, 3, 4);
    list_add(&list, 2, 2, 5);
    spry_matrix *bsr = made_of(context, &list, blocks_of(4, 4));
    cr_expect_eq(spry_matrix_bsr(bsr)->blocks, 3);
    cr_expect(equals_list(context, bsr, &list));
    expect_refused(context, spry_validate(context, bsr, SPRY_CHECK_DISTINCT), SPRY_ERROR_INVALID,
                   "row 1: column 2 occurs twice, again in block 1");
    for (int64_t k = 0; k < list.nnz; k++)
        list.val[k] *= -2;
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_update_values(context, bsr, csr.matrix), SPRY_OK, "%s", spry_message(context));
    cr_expect(equals_list(context, bsr, &list));
    built_free(&csr);
    spry_matrix_destroy(bsr);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- the size that is found ---- */

Test(bsr, size_is_found) {
    static const int sizes[][2] = {{3, 3}, {2, 2}, {4, 4}, {5, 5}, {6, 6}, {7, 7}, {8, 8}, {1, 1},
                                   {2, 3}, {4, 2}, {1, 5}, {6, 1}, {3, 8}, {8, 3}, {1, 2}};
    for (int threads = 1; threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            struct list list = nodes(400, sizes[s][0], sizes[s][1]);
            spry_matrix *bsr = made_of(context, &list, blocks_of(0, 0));
            expect_blocks(bsr, sizes[s][0], sizes[s][1], "nodes");
            spry_matrix_destroy(bsr);
            list_free(&list);
        }
        spry_context_destroy(context);
    }
}

/* Of entries that are alone, blocks are single entries; a height alone asks for squares. */
Test(bsr, size_without_blocks) {
    spry_context *context = test_context(1);
    struct list list = list_new(1000, 1000);
    for (int64_t i = 0; i < list.rows; i++)
        list_add(&list, i, i * 37 % 1000, 1);
    spry_matrix *bsr = made_of(context, &list, blocks_of(0, 0));
    expect_blocks(bsr, 1, 1, "scattered");
    spry_matrix_destroy(bsr);
    bsr = made_of(context, &list, blocks_of(5, 0));
    expect_blocks(bsr, 5, 5, "height alone");
    spry_matrix_destroy(bsr);
    list_free(&list);
    spry_context_destroy(context);
}

/* The selector knows what blocks of three unknowns a node would be, to the byte. */
Test(bsr, is_a_candidate) {
    spry_context *context = test_context(1);
    struct list list = nodes(2000, 3, 3);
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    spry_matrix *bsr = made_of(context, &list, blocks_of(3, 3));
    spry_ranking *ranking;
    int found = 0;
    cr_assert_eq(spry_select(context, csr.matrix, NULL, &ranking), SPRY_OK);
    for (int i = 0; i < spry_ranking_count(ranking); i++) {
        const spry_choice *choice = spry_ranking_choice(ranking, i);
        if (choice->format != SPRY_BSR || choice->storage.values != SPRY_VALUES_PLAIN)
            continue;
        found++;
        cr_expect(choice->storage.parameter[0] == 3 && choice->storage.parameter[1] == 3);
        cr_expect_eq(choice->slots, (double)list.nnz);
        cr_expect_eq(choice->bytes, (double)spry_matrix_bytes(bsr));
    }
    cr_expect_eq(found, 1);
    spry_ranking_destroy(ranking);
    spry_matrix_destroy(bsr);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- what keeps the size ---- */

Test(bsr, casts_and_transposes_keep_the_size) {
    spry_context *context = test_context(1);
    struct list list = test_scenario("banded")->make();
    spry_matrix *bsr = made_of(context, &list, blocks_of(3, 5)), *other = NULL;
    cr_assert_eq(spry_cast(context, bsr, SPRY_F32, SPRY_I64, &other), SPRY_OK);
    expect_blocks(other, 3, 5, "cast");
    spry_matrix_destroy(other);
    cr_assert_eq(spry_transpose(context, bsr, &other), SPRY_OK);
    expect_blocks(other, 3, 5, "transpose");
    spry_matrix_destroy(other);
    cr_assert_eq(spry_matrix_copy(context, bsr, &other), SPRY_OK);
    expect_blocks(other, 3, 5, "copy");
    cr_expect_eq(spry_matrix_bytes(other), spry_matrix_bytes(bsr));
    cr_expect(equals_list(context, other, &list));
    spry_matrix_destroy(other);
    spry_matrix_destroy(bsr);
    list_free(&list);
    spry_context_destroy(context);
}

/* The product with a sum, over blocks that do and do not divide the matrix. */
Test(bsr, product_with_a_sum) {
    static const int sizes[][2] = {{3, 3}, {8, 8}, {7, 2}, {1, 1}};
    spry_context *context = test_context(test_threads(3));
    struct list list = test_scenario("banded")->make();
    for (int s = 0; s < 4; s++) {
        spry_matrix *bsr = made_of(context, &list, blocks_of(sizes[s][0], sizes[s][1]));
        char name[40];
        snprintf(name, sizeof name, "%d × %d", sizes[s][0], sizes[s][1]);
        expect_product_with_a_sum(context, bsr, name);
        spry_matrix_destroy(bsr);
    }
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- what the common tests do with blocks of the size that is found ---- */

static const int other_sizes[][2] = {{2, 2}, {3, 3}, {5, 3}, {8, 8}, {1, 4}, {7, 1}};
#define OTHER_SIZES (sizeof other_sizes / sizeof *other_sizes)

/* New values go where the entries are, also of those that occur twice; another pattern is refused, and changes nothing. */
static void check_update(spry_context *context, const struct list *list, spry_storage storage) {
    spry_matrix *bsr = made_of(context, list, storage), *copy = NULL;
    struct list other = list_copy(list);
    for (int64_t k = 0; k < other.nnz; k++)
        other.val[k] = -2 * other.val[k] + 1;
    struct built csr = built_of(context, &other, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_update_values(context, bsr, csr.matrix), SPRY_OK, "%s", spry_message(context));
    built_free(&csr);
    list_sort(&other);
    cr_expect(equals_list(context, bsr, &other));
    struct list fewer = list_copy(&other);
    fewer.nnz--;
    csr = built_of(context, &fewer, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_update_values(context, bsr, csr.matrix), SPRY_ERROR_PATTERN);
    built_free(&csr);
    cr_assert_eq(spry_matrix_copy(context, bsr, &copy), SPRY_OK, "%s", spry_message(context));
    expect_blocks(copy, storage.parameter[0], storage.parameter[1], "copy");
    cr_expect_eq(spry_validate(context, copy, SPRY_CHECK_SORTED | SPRY_CHECK_FINITE), SPRY_OK);
    cr_expect(equals_list(context, copy, &other));
    expect_products(context, copy, &other, "copy");
    spry_matrix_destroy(copy);
    spry_matrix_destroy(bsr);
    list_free(&fewer);
    list_free(&other);
}

Test(bsr, values_are_replaced_in_blocks_of_any_size) {
    static const char *const names[] = {"duplicates", "banded"};
    spry_context *context = test_context(test_threads(2));
    for (int n = 0; n < 2; n++) {
        struct list list = test_scenario(names[n])->make();
        for (size_t s = 0; s < OTHER_SIZES; s++)
            check_update(context, &list, blocks_of(other_sizes[s][0], other_sizes[s][1]));
        list_free(&list);
    }
    spry_context_destroy(context);
}

/* Each of several columns is multiplied as a vector is, to the bit. */
static void check_columns(spry_context *context, const spry_matrix *bsr, spry_op op, const char *name) {
    enum { COLUMNS = 3 };
    const int64_t rows = spry_matrix_rows(bsr), cols = spry_matrix_cols(bsr), in = op == SPRY_N ? cols : rows,
                  out = op == SPRY_N ? rows : cols;
    struct vector x = vector_new(SPRY_F64, COLUMNS * in, NAN), y = vector_new(SPRY_F64, COLUMNS * out, NAN),
                  expected = vector_new(SPRY_F64, COLUMNS * out, NAN);
    vector_random(&x, 3);
    vector_random(&y, 4);
    vector_copy(&expected, &y);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y),
                  expected_there = vector_place(context, &expected);
    const spry_view views[] = {spry_view_of_columns(x_there.data, in, COLUMNS, in),
                               spry_view_of_columns(y_there.data, out, COLUMNS, out)};
    cr_assert_eq(spry_spmm(context, op, 2, bsr, &views[0], -1, &views[1]), SPRY_OK, "%s", name);
    for (int c = 0; c < COLUMNS; c++)
        cr_assert_eq(spry_spmv(context, op, 2, bsr, (double *)x_there.data + c * in, -1,
                               (double *)expected_there.data + c * out),
                     SPRY_OK);
    cr_assert_eq(vector_fetch(&y, &y_there), SPRY_OK);
    cr_assert_eq(vector_fetch(&expected, &expected_there), SPRY_OK);
    cr_expect(vector_same_bits(&y, &expected), "%s", name);
    placed_free(&x_there);
    placed_free(&y_there);
    placed_free(&expected_there);
    vector_free(&x);
    vector_free(&y);
    vector_free(&expected);
}

Test(bsr, many_columns) {
    spry_context *context = test_context(test_threads(2));
    struct list list = test_scenario("banded")->make();
    for (size_t s = 0; s < OTHER_SIZES; s++) {
        spry_matrix *bsr = made_of(context, &list, blocks_of(other_sizes[s][0], other_sizes[s][1]));
        check_columns(context, bsr, SPRY_N, "A");
        check_columns(context, bsr, SPRY_T, "its transpose");
        spry_matrix_destroy(bsr);
    }
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- refusals ---- */

Test(bsr, sizes_that_are_refused) {
    spry_context *context = test_context(1);
    struct list list = test_scenario("random")->make();
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    static const int64_t sizes[][2] = {{9, 1}, {1, 9}, {-1, 1}, {2, -1}, {INT64_MAX, INT64_MAX}};
    for (int s = 0; s < 5; s++)
        expect_conversion_refused(context, csr.matrix, blocks_of(sizes[s][0], sizes[s][1]),
                                  SPRY_ERROR_ARGUMENT, "the height and the width of a block are from 1 to 8");
    expect_conversion_refused(context, csr.matrix, blocks_of(0, 3), SPRY_ERROR_ARGUMENT,
                              "a width needs a height");
    expect_conversion_refused(context, csr.matrix,
                              (spry_storage){.format = SPRY_BSR, .columns = SPRY_COLUMNS_NARROW},
                              SPRY_ERROR_UNSUPPORTED, "bsr does not keep columns as narrow");
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* Each entry in a block of its own: 21 MB where CSR takes 1.8 MB. */
Test(bsr, blocks_that_are_too_empty) {
    spry_context *context = test_context(1);
    struct list list = list_new(320000, 320000);
    for (int64_t i = 0; i < list.rows; i += 8)
        list_add(&list, i, i, 1);
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    expect_conversion_refused(context, csr.matrix, blocks_of(8, 8), SPRY_ERROR_TOO_LARGE,
                              "2560000 slots for 40000 entries");
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}
