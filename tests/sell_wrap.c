/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL over the caller's arrays. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/build.h"
#include "support/products.h"

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
    cr_expect_eq(spry_matrix_sell(wrapped.matrix)->idx, wrapped.idx.data, "%s: copied", name);
    cr_expect(array_holds(context, spry_matrix_sell(wrapped.matrix)->len, host->len, sizeof host->len), "%s",
              name);
    expect_storage(wrapped.matrix, 2, 1, name);
    cr_expect_eq(spry_validate(context, wrapped.matrix, SPRY_CHECK_SORTED | SPRY_CHECK_FINITE), SPRY_OK,
                 "%s: %s", name, spry_message(context));
    expect_wrapped(context, wrapped.matrix, &list, SLOTS, name);
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
    struct wrapped wrapped = placed_example(context, &host, false);
    cr_assert_eq(wrap_example(context, &wrapped), SPRY_OK);
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
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
    host.idx[5] = 5;
    host.idx[9] = 0;
    host.val[5] = 6;
    host.val[9] = 4;
    struct wrapped wrapped = placed_example(context, &host, false);
    cr_assert_eq(wrap_example(context, &wrapped), SPRY_OK);
    expect_wrapped(context, wrapped.matrix, &list, SLOTS, "any order");
    struct built csr = built_of(context, &tenfold, SPRY_CSR, SPRY_F64, SPRY_I32);
    expect_refused(context, spry_update_values(context, wrapped.matrix, csr.matrix), SPRY_ERROR_UNSUPPORTED,
                   "columns do not rise in the rows of the SELL matrix");
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
    expect_refused(context, wrap_example(context, &wrapped), SPRY_ERROR_INVALID, words);
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

/* `slots` says how much there is; pointers that lead past that are not followed, whether arrays are trusted or not. */
Test(sell, slots_that_the_pointers_do_not_tell) {
    static const int64_t slots[] = {SLOTS - 2, SLOTS + 2, -SLOTS, INT64_MAX};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        for (int trusted = 0; trusted < 2; trusted++) {
            spry_context_options options = test_options();
            options.trust_arrays = trusted;
            spry_context *context = test_context_with(&options);
            struct sliced host = example();
            struct wrapped wrapped = placed_example(context, &host, false);
            char words[100];
            wrapped.arrays.slots = slots[i];
            snprintf(words, sizeof words, "spry_wrap_sell: slots is %lld, but the last pointer tells of 12",
                     (long long)slots[i]);
            expect_refused(context, wrap_example(context, &wrapped), SPRY_ERROR_INVALID, words);
            wrapped.arrays.slots = SLOTS;
            cr_expect_eq(wrap_example(context, &wrapped), SPRY_OK, "%s", spry_message(context));
            wrapped_free(&wrapped);
            spry_context_destroy(context);
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
    expect_refused(context, spry_wrap_sell(context, SPRY_F64, SPRY_I64, 2, 3, &sell, &matrix),
                   SPRY_ERROR_INVALID, "position 0 has length 9223372036854775807, outside 0 … 1");
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
    expect_refused(context, wrap_example(context, &wrapped), SPRY_ERROR_ARGUMENT, words);
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
