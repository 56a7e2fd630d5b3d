/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL-C-σ: storages as text, every kind of height and window, and the caller's arrays. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/reference.h"
#include "support/scenarios.h"
#include "support/vector.h"

/* ---- text ---- */

static void expect_text(const spry_storage *storage, const char *expected) {
    char text[SPRY_STORAGE_TEXT];
    spry_storage_text(storage, text, sizeof text);
    cr_expect_str_eq(text, expected);
}

Test(sell, storages_as_text) {
    static const struct {
        const char *text;
        spry_storage storage;
        const char *written;
    } cases[] = {
        {"sell", {.format = SPRY_SELL}, "sell"},
        {"SELL:8", {.format = SPRY_SELL, .parameter = {8}}, "sell:8"},
        {"sell:8:256", {.format = SPRY_SELL, .parameter = {8, 256}}, "sell:8:256"},
        {"sell:32:1024+f32",
         {.format = SPRY_SELL, .values = SPRY_VALUES_F32, .parameter = {32, 1024}},
         "sell:32:1024+f32"},
        {"csr", {.format = SPRY_CSR}, "csr"},
        {"csr+f32", {.format = SPRY_CSR, .values = SPRY_VALUES_F32}, "csr+f32"},
        {"csr+plain", {.format = SPRY_CSR}, "csr"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spry_storage read;
        const char *end = NULL;
        cr_expect_eq(spry_storage_parse(cases[i].text, &read, &end), SPRY_OK, "%s", cases[i].text);
        cr_expect_eq(*end, 0, "%s", cases[i].text);
        cr_expect_eq(memcmp(&read, &cases[i].storage, sizeof read), 0, "%s", cases[i].text);
        expect_text(&read, cases[i].written);
    }
}

/* Where reading ended is said, and the storage is as it was. */
Test(sell, text_that_is_no_storage) {
    static const struct {
        const char *text;
        int end;
    } cases[] = {{"", 0},        {"sel", 0},     {"sells", 0},   {"auto", 0},       {"sell:", 4},
                 {"sell:x", 4},  {"sell:8:", 6}, {"sell:-8", 4}, {"sell:8:9:1", 8}, {"csr:4", 3},
                 {"csr+f16", 3}, {"csr+", 3},    {"csr ", 3},    {"csr,ell", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spry_storage read = {.format = SPRY_JDS};
        const char *end = NULL;
        cr_expect_eq(spry_storage_parse(cases[i].text, &read, &end), SPRY_ERROR_SYNTAX, "%s", cases[i].text);
        cr_expect_eq(end - cases[i].text, cases[i].end, "%s", cases[i].text);
        cr_expect_eq(read.format, SPRY_JDS, "%s", cases[i].text);
    }
    spry_storage storage;
    cr_expect_eq(spry_storage_parse(NULL, &storage, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_storage_parse("csr", NULL, NULL), SPRY_ERROR_ARGUMENT);
    expect_text(NULL, "?");
    expect_text(&(spry_storage){.format = SPRY_FORMAT_COUNT}, "?");
}

Test(sell, text_that_does_not_fit) {
    char text[] = "........";
    spry_storage_text(&(spry_storage){.format = SPRY_SELL, .parameter = {32, 1024}}, text, 7);
    cr_expect_str_eq(text, "sell:3");
    cr_expect_eq(text[7], '.');
    spry_storage_text(&(spry_storage){.format = SPRY_SELL}, text, 0);
    cr_expect_eq(text[0], 's');
}

/* ---- products ---- */

/* y = alpha op(A) x + beta y, against the list. Where x is infinite, padding that was multiplied would show. */
static void expect_product(spry_context *context, const spry_matrix *matrix, const struct list *list,
                           spry_op op, double alpha, double beta, bool infinite, const char *name) {
    spry_value_type type = spry_matrix_type(matrix);
    struct vector x = vector_new(type, op == SPRY_N ? list->cols : list->rows, NAN),
                  before = vector_new(type, op == SPRY_N ? list->rows : list->cols, -77),
                  y = vector_new(type, before.count, -77);
    vector_random(&x, 5);
    for (int64_t i = 0; i < x.count && infinite; i += 3)
        vector_set(&x, i, INFINITY);
    if (beta == 0)
        vector_fill(&before, NAN);
    else
        vector_random(&before, 6);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &before);
    cr_assert_eq(spry_spmv(context, op, alpha, matrix, x_there.data, beta, y_there.data), SPRY_OK, "%s: %s",
                 name, spry_message(context));
    cr_assert_eq(vector_fetch(&y, &y_there), SPRY_OK);
    struct reference reference = reference_new(list, op, &x);
    int64_t i = reference_differs(&reference, alpha, beta, &before, &y);
    cr_expect_eq(i, -1, "%s, op %d: y[%d] is %g, not %g", name, (int)op, (int)i,
                 i < 0 ? 0 : vector_get(&y, i),
                 i < 0 ? 0 : reference_value(&reference, alpha, beta, &before, i));
    cr_expect(vector_guarded(&y), "%s", name);
    reference_free(&reference);
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    vector_free(&before);
    vector_free(&y);
}

static void expect_products(spry_context *context, const spry_matrix *matrix, const struct list *list,
                            const char *name) {
    for (int op = 0; op < SPRY_OP_COUNT; op++) {
        expect_product(context, matrix, list, (spry_op)op, 1, 0, false, name);
        expect_product(context, matrix, list, (spry_op)op, -2, 0.5, false, name);
        expect_product(context, matrix, list, (spry_op)op, 1, 0, true, name);
    }
}

/* ---- heights and windows ---- */

/* Three long rows among short ones: on a device, a block takes each group of neighbours with one. */
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

static void expect_storage(const spry_matrix *matrix, int64_t height, int64_t window, const char *name) {
    spry_storage storage;
    spry_matrix_storage(matrix, &storage);
    cr_expect_eq(storage.format, SPRY_SELL, "%s", name);
    cr_expect_eq(storage.parameter[0], height, "%s: height %d", name, (int)storage.parameter[0]);
    cr_expect_eq(storage.parameter[1], window, "%s: window %d", name, (int)storage.parameter[1]);
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
            struct built csr;
            list_sort(&sorted);
            list_round(&sorted, (spry_value_type)type);
            cr_assert_eq(build(context, list, SPRY_CSR, (spry_value_type)type, (spry_index_type)index,
                               CONVERTED, &csr),
                         SPRY_OK);
            for (int h = 0; h < 5; h++)
                for (int w = 0; w < 4; w++)
                    check_parameters(context, csr.matrix, &sorted, heights[h],
                                     windows[w] > 0 ? heights[h] * windows[w] : 1, name);
            built_free(&csr);
            list_free(&sorted);
        }
}

Test(sell, heights_and_windows) {
    static const char *const names[] = {"power law", "empty rows", "every length",
                                        "one row",   "no rows",    "no entries"};
    for (int threads = 1; threads <= test_threads(3); threads += 2) {
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

/* The library's own choice is the same whether it is asked for by name or by zeros. */
Test(sell, own_parameters) {
    spry_context *context = test_context(1);
    struct list list = test_scenario("power law")->make();
    struct built built;
    spry_matrix *sell = NULL;
    spry_storage chosen;
    cr_assert_eq(build(context, &list, SPRY_SELL, SPRY_F64, SPRY_I32, CONVERTED, &built), SPRY_OK);
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

/* The product with a sum, over rows of each kind and in each order. */
Test(sell, product_with_a_sum) {
    static const spry_storage storages[] = {{.format = SPRY_SELL, .parameter = {32, 1}},
                                            {.format = SPRY_SELL, .parameter = {32, 1024}},
                                            {.format = SPRY_SELL, .parameter = {8, 8}}};
    spry_context *context = test_context(test_threads(3));
    struct list list = spiked();
    struct built csr;
    cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &csr), SPRY_OK);
    struct vector x = vector_new(SPRY_F64, list.cols, NAN), w = vector_new(SPRY_F64, list.rows, NAN),
                  y = vector_new(SPRY_F64, list.rows, NAN);
    vector_random(&x, 1);
    vector_random(&w, 2);
    struct placed x_there = vector_place(context, &x), w_there = vector_place(context, &w),
                  y_there = vector_place(context, &y);
    void *there;
    cr_assert_eq(spry_array_new(context, sizeof(double), &there), SPRY_OK);
    for (int s = 0; s < 3; s++) {
        spry_matrix *sell = NULL;
        double sum = NAN, expected = 0;
        cr_assert_eq(spry_convert_to(context, csr.matrix, &storages[s], NULL, &sell), SPRY_OK);
        cr_assert_eq(spry_spmv_dot(context, sell, x_there.data, y_there.data, w_there.data, there), SPRY_OK);
        cr_assert_eq(spry_array_get(context, there, &sum, sizeof sum), SPRY_OK);
        cr_assert_eq(vector_fetch(&y, &y_there), SPRY_OK);
        for (int64_t i = 0; i < list.rows; i++)
            expected += vector_get(&w, i) * vector_get(&y, i);
        cr_expect_float_eq(sum, expected, 1e-9, "storage %d: %g, not %g", s, sum, expected);
        spry_matrix_destroy(sell);
    }
    spry_array_free(context, there, sizeof(double));
    placed_free(&x_there);
    placed_free(&w_there);
    placed_free(&y_there);
    vector_free(&x);
    vector_free(&w);
    vector_free(&y);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

Test(sell, casts_and_transposes_keep_parameters) {
    spry_context *context = test_context(1);
    struct list list = test_scenario("power law")->make();
    spry_storage storage = {.format = SPRY_SELL, .parameter = {3, 9}};
    struct built csr;
    spry_matrix *sell = NULL, *other = NULL;
    cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &csr), SPRY_OK);
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

static void expect_refused(spry_context *context, const spry_matrix *csr, const spry_storage *storage,
                           spry_status status, const char *words) {
    spry_matrix *matrix = (spry_matrix *)context; /* must be overwritten */
    char text[SPRY_STORAGE_TEXT];
    spry_storage_text(storage, text, sizeof text);
    cr_expect_eq(spry_convert_to(context, csr, storage, NULL, &matrix), status, "%s", text);
    cr_expect_null(matrix, "%s", text);
    cr_expect(strstr(spry_message(context), words), "%s: %s", text, spry_message(context));
}

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
    struct built csr;
    cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &csr), SPRY_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refused(context, csr.matrix, &cases[i].storage, SPRY_ERROR_ARGUMENT, cases[i].words);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* One full row makes its whole slice as wide: 49 MB where CSR takes 60 kB. */
Test(sell, slices_that_are_too_large) {
    spry_context *context = test_context(1);
    struct list list = list_new(1024, 4000);
    struct built csr;
    spry_matrix *sell = NULL;
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t j = 0; j < (i == 700 ? list.cols : 1); j++)
            list_add(&list, i, j, 1);
    cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &csr), SPRY_OK);
    expect_refused(context, csr.matrix, &(spry_storage){.format = SPRY_SELL, .parameter = {1024, 1}},
                   SPRY_ERROR_TOO_LARGE, "4096000 slots for 5023 entries");
    cr_expect_eq(spry_convert_to(context, csr.matrix,
                                 &(spry_storage){.format = SPRY_SELL, .parameter = {8, 1}}, NULL, &sell),
                 SPRY_OK);
    spry_matrix_destroy(sell);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- the caller's arrays ---- */

/* Rows of 2, 1, 0, 3 and 1 entries in slices of two rows; what follows each row may be anything. */
enum { ROWS = 5, COLS = 6, SLICES = 3, PLACES = 6, SLOTS = 12 };

struct sliced {
    int32_t ptr[SLICES + 1], len[PLACES], idx[SLOTS];
    double val[SLOTS];
    int64_t unit;
};

/* With pointers to slots and no lengths, padding is a column below zero: as for cusparseCreateSlicedEll. */
static struct sliced example(void) {
    return (struct sliced){.ptr = {0, 4, 10, 12},
                           .len = {2, 1, 0, 3, 1, 0},
                           .idx = {0, 1, 3, -1, -1, 0, -1, 2, -1, 5, 4, -1},
                           .val = {1, 3, 2, NAN, NAN, 4, NAN, 5, NAN, 6, 7, NAN},
                           .unit = 1};
}

static struct list example_list(double factor) {
    struct list list = list_new(ROWS, COLS);
    list_add(&list, 0, 0, factor * 1);
    list_add(&list, 0, 3, factor * 2);
    list_add(&list, 1, 1, factor * 3);
    list_add(&list, 3, 0, factor * 4);
    list_add(&list, 3, 2, factor * 5);
    list_add(&list, 3, 5, factor * 6);
    list_add(&list, 4, 4, factor * 7);
    return list;
}

/* The arrays where a context works, and a matrix over them. */
struct wrapped {
    struct placed ptr, len, idx, val;
    spry_sell arrays;
    spry_matrix *matrix;
};

static struct wrapped placed_example(spry_context *context, const struct sliced *host, bool given_lengths) {
    struct wrapped wrapped = {.ptr = placed_new(context, host->ptr, sizeof host->ptr, 0),
                              .len = placed_new(context, host->len, sizeof host->len, 0),
                              .idx = placed_new(context, host->idx, sizeof host->idx, 0),
                              .val = placed_new(context, host->val, sizeof host->val, 0)};
    wrapped.arrays = (spry_sell){.height = 2,
                                 .window = 1,
                                 .unit = host->unit,
                                 .ptr = wrapped.ptr.data,
                                 .len = given_lengths ? wrapped.len.data : NULL,
                                 .idx = wrapped.idx.data,
                                 .val = wrapped.val.data};
    return wrapped;
}

static spry_status wrap_example(spry_context *context, struct wrapped *wrapped) {
    wrapped->matrix = (spry_matrix *)context; /* must be overwritten */
    spry_status status =
        spry_wrap_sell(context, SPRY_F64, SPRY_I32, ROWS, COLS, &wrapped->arrays, &wrapped->matrix);
    cr_expect_eq(status == SPRY_OK, wrapped->matrix != NULL);
    return status;
}

static void wrapped_free(struct wrapped *wrapped) {
    spry_matrix_destroy(wrapped->matrix);
    placed_free(&wrapped->ptr);
    placed_free(&wrapped->len);
    placed_free(&wrapped->idx);
    placed_free(&wrapped->val);
}

static void check_wrapped(const struct sliced *host, bool given_lengths, const char *name) {
    spry_context *context = test_context(test_threads(2));
    struct list list = example_list(1);
    struct wrapped wrapped = placed_example(context, host, given_lengths);
    cr_assert_eq(wrap_example(context, &wrapped), SPRY_OK, "%s: %s", name, spry_message(context));
    cr_expect_eq(spry_matrix_nnz(wrapped.matrix), list.nnz, "%s", name);
    cr_expect_eq(spry_matrix_slots(wrapped.matrix), SLOTS, "%s", name);
    cr_expect_eq(spry_matrix_sell(wrapped.matrix)->idx, wrapped.idx.data, "%s: copied", name);
    cr_expect(array_holds(context, spry_matrix_sell(wrapped.matrix)->len, host->len, sizeof host->len), "%s",
              name);
    expect_storage(wrapped.matrix, 2, 1, name);
    cr_expect(equals_list(context, wrapped.matrix, &list), "%s", name);
    cr_expect_eq(spry_validate(context, wrapped.matrix, SPRY_CHECK_SORTED | SPRY_CHECK_FINITE), SPRY_OK,
                 "%s: %s", name, spry_message(context));
    expect_products(context, wrapped.matrix, &list, name);
    spry_matrix *copy = NULL;
    cr_assert_eq(spry_matrix_copy(context, wrapped.matrix, &copy), SPRY_OK);
    expect_products(context, copy, &list, name);
    spry_matrix_destroy(copy);
    wrapped_free(&wrapped);
    list_free(&list);
    spry_context_destroy(context);
}

Test(sell, wraps_arrays_for_cusparse) {
    struct sliced host = example();
    check_wrapped(&host, false, "unit 1");
}

Test(sell, wraps_arrays_of_ginkgo) {
    struct sliced host = example();
    host.unit = 2;
    for (int s = 0; s <= SLICES; s++)
        host.ptr[s] /= 2;
    check_wrapped(&host, false, "unit 2");
}

/* With lengths, columns of padding are not looked at. */
Test(sell, wraps_given_lengths) {
    struct sliced host = example();
    for (int k = 0; k < SLOTS; k++)
        host.idx[k] = host.idx[k] < 0 ? 1000000 + k : host.idx[k];
    check_wrapped(&host, true, "given lengths");
}

/* New values go into the caller's array, whose padding is left alone. */
Test(sell, updates_wrapped_values) {
    spry_context *context = test_context(1);
    struct sliced host = example();
    struct list list = example_list(10);
    struct built csr;
    struct wrapped wrapped = placed_example(context, &host, false);
    cr_assert_eq(wrap_example(context, &wrapped), SPRY_OK);
    cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &csr), SPRY_OK);
    cr_assert_eq(spry_update_values(context, wrapped.matrix, csr.matrix), SPRY_OK, "%s",
                 spry_message(context));
    double expected[SLOTS];
    for (int k = 0; k < SLOTS; k++)
        expected[k] = isnan(host.val[k]) ? host.val[k] : 10 * host.val[k];
    cr_expect(array_holds(context, wrapped.val.data, expected, sizeof expected));
    built_free(&csr);
    wrapped_free(&wrapped);
    list_free(&list);
    spry_context_destroy(context);
}

/* Rows need not be sorted: products take them as they are, and CSR has them in order. */
Test(sell, wraps_rows_in_any_order) {
    spry_context *context = test_context(test_threads(2));
    struct sliced host = example();
    struct list list = example_list(1), tenfold = example_list(10);
    struct built csr;
    host.idx[5] = 5;
    host.idx[9] = 0;
    host.val[5] = 6;
    host.val[9] = 4;
    struct wrapped wrapped = placed_example(context, &host, false);
    cr_assert_eq(wrap_example(context, &wrapped), SPRY_OK);
    cr_expect(equals_list(context, wrapped.matrix, &list));
    expect_products(context, wrapped.matrix, &list, "any order");
    cr_assert_eq(build(context, &tenfold, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &csr), SPRY_OK);
    cr_expect_eq(spry_update_values(context, wrapped.matrix, csr.matrix), SPRY_ERROR_UNSUPPORTED);
    cr_expect(strstr(spry_message(context), "columns do not rise in the rows of the SELL matrix"));
    cr_expect(array_holds(context, wrapped.val.data, host.val, sizeof host.val));
    built_free(&csr);
    wrapped_free(&wrapped);
    list_free(&list);
    list_free(&tenfold);
    spry_context_destroy(context);
}

Test(sell, wraps_nothing) {
    static const int32_t zeros[2];
    spry_context *context = test_context(1);
    struct placed ptr = placed_new(context, zeros, sizeof zeros, 0);
    spry_sell arrays = {.height = 4, .window = 1, .unit = 1, .ptr = ptr.data};
    for (int64_t rows = 0; rows <= 3; rows += 3) {
        struct list list = list_new(rows, 5);
        spry_matrix *matrix = NULL;
        cr_assert_eq(spry_wrap_sell(context, SPRY_F64, SPRY_I32, rows, 5, &arrays, &matrix), SPRY_OK, "%s",
                     spry_message(context));
        cr_expect_eq(spry_matrix_nnz(matrix), 0);
        cr_expect(equals_list(context, matrix, &list));
        expect_products(context, matrix, &list, "nothing");
        spry_matrix_destroy(matrix);
        list_free(&list);
    }
    placed_free(&ptr);
    spry_context_destroy(context);
}

/* ---- arrays that are none ---- */

static void expect_fault(const struct sliced *host, bool given_lengths, const char *words) {
    spry_context *context = test_context(test_threads(2));
    struct wrapped wrapped = placed_example(context, host, given_lengths);
    cr_expect_eq(wrap_example(context, &wrapped), SPRY_ERROR_INVALID, "%s", words);
    cr_expect(strstr(spry_message(context), words), "%s, not %s", spry_message(context), words);
    wrapped_free(&wrapped);
    spry_context_destroy(context);
}

Test(sell, pointers_that_are_wrong) {
    static const struct {
        int32_t ptr[SLICES + 1];
        const char *words;
    } cases[] = {
        {{1, 4, 10, 12}, "slice pointer 0 is 1, expected 0"},
        {{0, 4, 2, 12}, "slice pointer 2 is 2, smaller than the one before it, 4"},
        {{0, -4, 10, 12}, "slice pointer 1 is -4, smaller than the one before it, 0"},
        {{0, 400, 10, 12}, "slice pointer 2 is 10, smaller than the one before it, 400"},
        {{0, INT32_MAX, INT32_MAX, 12}, "slice pointer 3 is 12, smaller than the one before it, 2147483647"},
        {{0, 3, 10, 12}, "slice 0 has 3 slots, no multiple of its height, 2"},
        {{0, 4, 10, -12}, "the last slice pointer, -12, is no number of slots"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int given = 0; given < 2; given++) {
            struct sliced host = example();
            memcpy(host.ptr, cases[i].ptr, sizeof host.ptr);
            expect_fault(&host, given, cases[i].words);
        }
}

Test(sell, lengths_that_are_wrong) {
    static const struct {
        int place;
        int32_t length;
        const char *words;
    } cases[] = {
        {0, 3, "position 0 has length 3, outside 0 … 2"},
        {3, -1, "position 3 has length -1, outside 0 … 3"},
        {3, INT32_MAX, "position 3 has length 2147483647, outside 0 … 3"},
        {5, 1, "position 5 has length 1, outside 0 … 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sliced host = example();
        host.len[cases[i].place] = cases[i].length;
        expect_fault(&host, true, cases[i].words);
    }
}

/* Lengths that do not fit any integer together. */
Test(sell, lengths_that_claim_too_much) {
    static const int64_t ptr[] = {0, 2}, len[] = {INT64_MAX, INT64_MAX}, idx[] = {0, 0};
    static const double val[] = {1, 1};
    spry_context *context = test_context(1);
    struct placed arrays[] = {
        placed_new(context, ptr, sizeof ptr, 0), placed_new(context, len, sizeof len, 0),
        placed_new(context, idx, sizeof idx, 0), placed_new(context, val, sizeof val, 0)};
    spry_sell sell = {.height = 2,
                      .window = 1,
                      .unit = 1,
                      .ptr = arrays[0].data,
                      .len = arrays[1].data,
                      .idx = arrays[2].data,
                      .val = arrays[3].data};
    spry_matrix *matrix = NULL;
    cr_expect_eq(spry_wrap_sell(context, SPRY_F64, SPRY_I64, 2, 3, &sell, &matrix), SPRY_ERROR_INVALID);
    cr_expect(strstr(spry_message(context), "position 0 has length 9223372036854775807, outside 0 … 1"));
    for (int i = 0; i < 4; i++)
        placed_free(&arrays[i]);
    spry_context_destroy(context);
}

Test(sell, columns_that_are_wrong) {
    for (int given = 0; given < 2; given++) {
        struct sliced host = example();
        host.idx[9] = COLS;
        expect_fault(&host, given, "row 3, slot 2: column 6 is outside 0 … 5");
    }
    struct sliced host = example();
    host.idx[0] = -1;
    expect_fault(&host, true, "row 0, slot 0: column -1 is outside 0 … 5");
}

static void expect_argument(spry_sell change, const char *words) {
    spry_context *context = test_context(1);
    struct sliced host = example();
    struct wrapped wrapped = placed_example(context, &host, false);
    spry_sell *arrays = &wrapped.arrays;
    arrays->height = change.height ? change.height : arrays->height;
    arrays->window = change.window ? change.window : arrays->window;
    arrays->unit = change.unit ? change.unit : arrays->unit;
    arrays->ptr = change.ptr ? NULL : arrays->ptr;
    arrays->idx = change.idx ? NULL : arrays->idx;
    arrays->val = change.val ? NULL : arrays->val;
    arrays->perm = change.perm ? arrays->ptr : NULL;
    cr_expect_eq(wrap_example(context, &wrapped), SPRY_ERROR_ARGUMENT, "%s", words);
    cr_expect(strstr(spry_message(context), words), "%s, not %s", spry_message(context), words);
    wrapped_free(&wrapped);
    spry_context_destroy(context);
}

Test(sell, arguments_that_are_wrong) {
    static int here; /* what is to be null, or perm not to be */
    expect_argument((spry_sell){.unit = 3}, "unit is 3, expected 1 or height");
    expect_argument((spry_sell){.height = -2}, "height is -2, expected 1 or more");
    expect_argument((spry_sell){.height = 1025}, "the height of a slice is from 1 to 1024");
    expect_argument((spry_sell){.window = 2}, "window is 2 and perm is null");
    expect_argument((spry_sell){.perm = &here}, "window is 1 and perm not null");
    expect_argument((spry_sell){.ptr = &here}, "the pointer array is null");
    expect_argument((spry_sell){.idx = &here}, "an array is null");
    expect_argument((spry_sell){.val = &here}, "an array is null");
    spry_context *context = test_context(1);
    spry_matrix *matrix = NULL;
    spry_sell arrays = {.height = 2, .window = 1, .unit = 1};
    cr_expect_eq(spry_wrap_sell(context, SPRY_F64, SPRY_I32, ROWS, COLS, NULL, &matrix), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_wrap_sell(context, SPRY_F64, SPRY_I32, ROWS, COLS, &arrays, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_wrap_sell(context, SPRY_F64, SPRY_I32, -1, COLS, &arrays, &matrix),
                 SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_wrap_sell(NULL, SPRY_F64, SPRY_I32, ROWS, COLS, &arrays, &matrix), SPRY_ERROR_ARGUMENT);
    spry_context_destroy(context);
}
