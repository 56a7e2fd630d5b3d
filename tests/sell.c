/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL-C-σ with every kind of height and window. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/build.h"
#include "support/products.h"
#include "support/scenarios.h"

/* ---- heights and windows ---- */

/* Three long rows among short ones. */
static struct list spiked(void) {
    struct list list = list_new(3000, 1000);
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t k = 0; k < (i == 0 || i == 1500 || i == 2999 ? 900 : i % 4); k++)
            list_add(&list, i, (i + k) % list.cols, (double)(1 + (i + k) % 7) / 8);
    list_sort(&list);
    return list;
}

/* Whether a row is longer than the one before it within its window. */
static bool rises(const struct list *list, int64_t window) {
    int64_t *length = list_lengths(list, SPRY_N);
    bool found = false;
    for (int64_t i = 1; i < list->rows; i++)
        found |= i % window != 0 && length[i] > length[i - 1];
    free(length);
    return found;
}

/* A matrix with these parameters is what its storage says, holds the list, and multiplies right. */
static void check_parameters(spry_context *context, const spry_matrix *csr, const struct list *sorted,
                             int64_t height, int64_t window, const char *scenario) {
    spry_storage storage = {.format = SPRY_SELL, .parameter = {height, window}};
    spry_convert_options any = {.size = sizeof any, .fill_limit = INFINITY};
    spry_matrix *sell = NULL;
    char name[200], text[SPRY_STORAGE_TEXT];
    spry_storage_text(&storage, text, sizeof text);
    snprintf(name, sizeof name, "%s %s %s", scenario, spry_type_name(spry_matrix_type(csr)), text);
    cr_assert_eq(spry_convert_to(context, csr, &storage, &any, &sell), SPRY_OK, "%s: %s", name,
                 spry_message(context));
    expect_storage(sell, height, rises(sorted, window) ? window : 1, name);
    cr_expect_eq(spry_matrix_slots(sell) % height, 0, "%s", name);
    cr_expect_eq(spry_validate(context, sell, SPRY_CHECK_SORTED), SPRY_OK, "%s: %s", name,
                 spry_message(context));
    cr_expect(equals_list(context, sell, sorted), "%s", name);
    expect_products(context, sell, sorted, name);
    spry_matrix_destroy(sell);
}

static void check_all_parameters(spry_context *context, const struct list *list, const char *name) {
    static const int64_t heights[] = {1, 3, 8, 32, 1024}, windows[] = {0, 1, 32, 4096};
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int index = 0; index < SPRY_INDEX_COUNT; index += test_is_brief() ? SPRY_INDEX_COUNT - 1 : 1) {
            struct list sorted = list_copy(list);
            list_sort(&sorted);
            list_round(&sorted, (spry_value_type)type);
            struct built csr =
                built_of(context, list, SPRY_CSR, (spry_value_type)type, (spry_index_type)index);
            for (int h = 0; h < 5; h++)
                for (int w = test_has_few_cases() ? (h + type) % 2 : 0; w < 4;
                     w += test_has_few_cases() ? 2 : 1)
                    check_parameters(context, csr.matrix, &sorted, heights[h],
                                     windows[w] > 0 ? heights[h] * windows[w] : 1, name);
            built_free(&csr);
            list_free(&sorted);
        }
}

Test(sell, heights_and_windows) {
    static const char *const names[] = {"power law", "empty rows", "every length", "one row",
                                        "no rows",   "no entries", "whole slices", "deep slices"};
    for (int threads = test_first_threads(3); threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            struct list list = test_scenario(names[n])->make();
            check_all_parameters(context, &list, names[n]);
            list_free(&list);
        }
        struct list list = spiked();
        check_all_parameters(context, &list, "spiked");
        list_free(&list);
        spry_context_destroy(context);
    }
}

/* Rows of 0 to so many entries. */
static struct list rows_within(int64_t rows, int64_t longest) {
    struct list list = list_new(rows, 1000);
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t k = 0; k < i % (longest + 1); k++)
            list_add(&list, i, (i + k) % list.cols, (double)(1 + (i + k) % 7) / 8);
    return list;
}

/* Short rows, but for one long row in `every`. */
static struct list rows_with_long_ones(int64_t every, int64_t longest) {
    struct list list = rows_within(20000, 3);
    for (int64_t i = 0; i < list.rows; i += every)
        for (int64_t k = 3; k < longest; k++)
            list_add(&list, i, (i + k) % list.cols, (double)(1 + k % 5) / 4);
    return list;
}

static void check_shared_rows(spry_context *context, struct list *list, bool in_ell, const char *name) {
    list_sort(list);
    struct built csr = built_of(context, list, SPRY_CSR, SPRY_F64, SPRY_I32);
    check_parameters(context, csr.matrix, list, 32, 1, name);
    check_parameters(context, csr.matrix, list, 32, 512, name);
    built_free(&csr);
    if (in_ell) {
        struct built ell = built_of(context, list, SPRY_ELL, SPRY_F64, SPRY_I32);
        expect_products(context, ell.matrix, list, name);
        built_free(&ell);
    }
    list_free(list);
}

/* On a device with a hundred multiprocessors or so, 1, 2, 4, 8, and 16 threads have a row; and long rows are a block's where they are
   few, but not where they are many. */
Test(sell, rows_that_threads_share) {
    static const int64_t longest[] = {8, 16, 32, 64, 128};
    spry_context *context = test_context(2);
    for (size_t l = 0; l < sizeof longest / sizeof *longest; l++) {
        char name[40];
        snprintf(name, sizeof name, "up to %d entries", (int)longest[l]);
        struct list list = rows_within(1000, longest[l]);
        check_shared_rows(context, &list, true, name);
    }
    struct list few = rows_with_long_ones(9000, 900), many = rows_with_long_ones(40, 300);
    check_shared_rows(context, &few, false, "few long rows");
    check_shared_rows(context, &many, false, "many long rows");
    spry_context_destroy(context);
}

/* The library's own choice is the same whether it is asked for by name or by zeros. */
Test(sell, own_parameters) {
    spry_context *context = test_context(1);
    struct list list = test_scenario("power law")->make();
    spry_matrix *sell = NULL;
    spry_storage chosen;
    struct built built = built_of(context, &list, SPRY_SELL, SPRY_F64, SPRY_I32);
    spry_matrix_storage(built.matrix, &chosen);
    cr_expect_gt(chosen.parameter[0], 0);
    cr_expect_eq(chosen.parameter[1] % chosen.parameter[0], 0);
    spry_storage height_alone = {.format = SPRY_SELL, .parameter = {chosen.parameter[0]}};
    cr_assert_eq(spry_convert_to(context, built.matrix, &height_alone, NULL, &sell), SPRY_OK);
    expect_storage(sell, chosen.parameter[0], chosen.parameter[1], "height alone");
    spry_matrix_destroy(sell);
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

/* What the library makes of a matrix in slices of its own, or with the window that is asked for. */
static spry_matrix *sell_of(spry_context *context, const spry_matrix *csr, int64_t height, int64_t window) {
    spry_storage storage = {.format = SPRY_SELL, .parameter = {height, window}};
    spry_matrix *sell = NULL;
    cr_assert_eq(spry_convert_to(context, csr, &storage, NULL, &sell), SPRY_OK, "%s", spry_message(context));
    return sell;
}

/* No more than a thirty-second is padding. */
static bool is_full(const spry_matrix *sell) {
    return spry_matrix_slots(sell) - spry_matrix_nnz(sell) <= spry_matrix_nnz(sell) / 32;
}

/* Windows are longer than those of even rows, and have what these would, but for padding; one of half the length is not full, and each
   thread has eight of them. */
static void check_grown(spry_context *context, const struct list *list, int threads) {
    spry_storage own;
    struct built csr = built_of(context, list, SPRY_CSR, SPRY_F64, SPRY_I32);
    spry_matrix *sell = sell_of(context, csr.matrix, 8, 0), *less = sell_of(context, csr.matrix, 8, 512);
    spry_matrix_storage(sell, &own);
    cr_expect_eq(spry_validate(context, sell, SPRY_CHECK_SORTED), SPRY_OK, "%s", spry_message(context));
    cr_expect(equals_list(context, sell, list));
    expect_products(context, sell, list, "grown");
    if (spry_context_backend(context) != SPRY_CPU)
        cr_expect_eq(own.parameter[1], 512);
    else {
        const int64_t window = own.parameter[1];
        cr_expect_gt(window, 512);
        cr_expect_lt(spry_matrix_slots(sell), spry_matrix_slots(less));
        cr_expect_leq(8 * threads * window, list->rows + window, "%lld rows", (long long)window);
        spry_matrix *half = sell_of(context, csr.matrix, 8, window / 2),
                    *same = sell_of(context, csr.matrix, 8, window);
        cr_expect(!is_full(half));
        cr_expect_eq(spry_matrix_slots(same), spry_matrix_slots(sell));
        cr_expect(is_full(sell) || 16 * threads * window > list->rows);
        spry_matrix_destroy(half);
        spry_matrix_destroy(same);
    }
    spry_matrix_destroy(sell);
    spry_matrix_destroy(less);
    built_free(&csr);
}

Test(sell, windows_grow_where_rows_are_uneven) {
    struct list list = test_uneven_rows(test_is_brief() ? 20000 : 40000);
    list_sort(&list);
    for (int threads = test_first_threads(2); threads <= test_threads(2); threads++) {
        spry_context *context = test_context(threads);
        check_grown(context, &list, threads);
        spry_context_destroy(context);
    }
    list_free(&list);
}

/* Rows of 2 to 9 entries in no order; two of the first 512 may have 900. */
static struct list short_rows(bool with_long_ones) {
    struct list list = list_new(6000, 7300);
    uint64_t seed = 5;
    for (int64_t row = 0; row < list.rows; row++) {
        const bool is_long = with_long_ones && (row == 100 || row == 400);
        const int64_t length = is_long ? 900 : 2 + test_below(&seed, 8), first = test_below(&seed, 900);
        for (int64_t k = 0; k < length; k++)
            list_add(&list, row, first + 7 * k, test_value(&seed));
    }
    list_sort(&list);
    return list;
}

/* The library's own window is of so many rows, and has what one has that is asked for. */
static void check_own_window(spry_context *context, const struct list *list, int64_t rows, const char *name) {
    struct built csr = built_of(context, list, SPRY_CSR, SPRY_F64, SPRY_I32);
    spry_matrix *sell = sell_of(context, csr.matrix, 8, 0), *same = sell_of(context, csr.matrix, 8, rows);
    expect_storage(sell, 8, rows, name);
    cr_expect_eq(spry_matrix_slots(sell), spry_matrix_slots(same), "%s", name);
    cr_expect_eq(spry_validate(context, sell, SPRY_CHECK_SORTED), SPRY_OK, "%s: %s", name,
                 spry_message(context));
    cr_expect(equals_list(context, sell, list), "%s", name);
    expect_products(context, sell, list, name);
    spry_matrix_destroy(sell);
    spry_matrix_destroy(same);
    built_free(&csr);
}

/* Eight threads share seven windows of the twelve that 6,000 rows make; but where long rows would lose their company, these are left. */
Test(sell, windows_shrink_where_threads_share_most) {
    if (test_backend() != SPRY_CPU)
        cr_skip_test("of the CPU");
    struct list even = short_rows(false), long_ones = short_rows(true);
    spry_context *one = test_context(1), *eight = test_context(8);
    check_own_window(one, &even, 512, "one thread");
    check_own_window(eight, &even, 256, "eight threads");
    check_own_window(eight, &long_ones, 512, "eight threads, long rows");
    spry_context_destroy(one);
    spry_context_destroy(eight);
    list_free(&even);
    list_free(&long_ones);
}

/* The product with a sum, over rows of each kind and in each order. */
Test(sell, product_with_a_sum) {
    static const spry_storage storages[] = {{.format = SPRY_SELL, .parameter = {32, 1}},
                                            {.format = SPRY_SELL, .parameter = {32, 1024}},
                                            {.format = SPRY_SELL, .parameter = {8, 8}}};
    spry_context *context = test_context(test_threads(3));
    struct list list = spiked();
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    for (int s = 0; s < 3; s++) {
        spry_matrix *sell = NULL;
        char text[SPRY_STORAGE_TEXT];
        cr_assert_eq(spry_convert_to(context, csr.matrix, &storages[s], NULL, &sell), SPRY_OK);
        spry_storage_text(&storages[s], text, sizeof text);
        expect_product_with_a_sum(context, sell, text);
        spry_matrix_destroy(sell);
    }
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

Test(sell, casts_and_transposes_keep_parameters) {
    spry_context *context = test_context(1);
    struct list list = test_scenario("power law")->make();
    spry_storage storage = {.format = SPRY_SELL, .parameter = {3, 9}};
    spry_matrix *sell = NULL, *other = NULL;
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_assert_eq(spry_convert_to(context, csr.matrix, &storage, NULL, &sell), SPRY_OK);
    cr_assert_eq(spry_cast(context, sell, SPRY_F32, SPRY_I64, &other), SPRY_OK);
    expect_storage(other, 3, 9, "cast");
    spry_matrix_destroy(other);
    cr_assert_eq(spry_transpose(context, sell, &other), SPRY_OK);
    expect_storage(other, 3, 9, "transpose");
    spry_matrix_destroy(other);
    cr_assert_eq(spry_matrix_copy(context, sell, &other), SPRY_OK);
    expect_storage(other, 3, 9, "copy");
    spry_matrix_destroy(other);
    spry_matrix_destroy(sell);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- refusals ---- */

Test(sell, parameters_that_are_refused) {
    static const struct {
        spry_storage storage;
        const char *words;
    } cases[] = {
        {{.format = SPRY_SELL, .parameter = {1025}}, "the height of a slice is from 1 to 1024"},
        {{.format = SPRY_SELL, .parameter = {INT64_MAX}}, "the height of a slice is from 1 to 1024"},
        {{.format = SPRY_SELL, .parameter = {-1}}, "the height of a slice is from 1 to 1024"},
        {{.format = SPRY_SELL, .parameter = {8, -1}}, "a window has 1 row or more"},
        {{.format = SPRY_SELL, .parameter = {8, 12}}, "is a multiple of the height"},
        {{.format = SPRY_SELL, .parameter = {0, 64}}, "a window needs a height"},
        {{.format = SPRY_SELL, .parameter = {8, 64, 1}}, "a parameter that the layout does not know"},
        {{.format = SPRY_ELL, .parameter = {8}}, "a parameter that the layout does not know"},
    };
    spry_context *context = test_context(1);
    struct list list = test_scenario("random")->make();
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_conversion_refused(context, csr.matrix, cases[i].storage, SPRY_ERROR_ARGUMENT, cases[i].words);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* One full row makes its whole slice as wide: 49 MB where CSR takes 60 kB. */
Test(sell, slices_that_are_too_large) {
    spry_context *context = test_context(1);
    struct list list = list_new(1024, 4000);
    spry_matrix *sell = NULL;
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t j = 0; j < (i == 700 ? list.cols : 1); j++)
            list_add(&list, i, j, 1);
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    expect_conversion_refused(context, csr.matrix,
                              (spry_storage){.format = SPRY_SELL, .parameter = {1024, 1}},
                              SPRY_ERROR_TOO_LARGE, "4096000 slots for 5023 entries");
    cr_expect_eq(spry_convert_to(context, csr.matrix,
                                 &(spry_storage){.format = SPRY_SELL, .parameter = {8, 1}}, NULL, &sell),
                 SPRY_OK);
    spry_matrix_destroy(sell);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}
