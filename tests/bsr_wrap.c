/* SPDX-License-Identifier: BSD-3-Clause */
/* BSR over the caller's arrays. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/build.h"
#include "support/products.h"

/* Blocks of 2 × 3 that reach past the last row and column of a matrix of 5 × 7. Padding may be anything. */
enum { ROWS = 5, COLS = 7, BLOCK_ROWS = 3, BLOCKS = 4, PLACES = 6 };

struct blocked {
    int32_t ptr[BLOCK_ROWS + 1], idx[BLOCKS];
    uint8_t mask[BLOCKS];
    double val[BLOCKS * PLACES];
};

/*
 *     1 . 2 | . . . | .
 *     . 3 . | . . . | .
 *     . . . | . . . | .
 *     . . . | . . . | .
 *     . . . | 4 5 6 | 7
 *
 * and 8 where 3 is.
 */
static struct blocked example(void) {
    return (struct blocked){.ptr = {0, 2, 2, 4},
                            .idx = {0, 0, 1, 2},
                            .mask = {0x15, 0x10, 0x07, 0x01},
                            .val = {1, NAN, 2, NAN, 3,   NAN, NAN, NAN, NAN, NAN, 8,   NAN,
                                    4, 5,   6, NAN, NAN, NAN, 7,   NAN, NAN, NAN, NAN, NAN}};
}

static struct list example_list(void) {
    static const int row[] = {0, 0, 1, 1, 4, 4, 4, 4}, col[] = {0, 2, 1, 1, 3, 4, 5, 6};
    static const double val[] = {1, 2, 3, 8, 4, 5, 6, 7};
    struct list list = list_new(ROWS, COLS);
    for (int k = 0; k < 8; k++)
        list_add(&list, row[k], col[k], val[k]);
    return list;
}

/* The arrays where a context works, and a matrix over them. */
struct wrapped {
    struct placed ptr, idx, mask, val;
    spry_bsr arrays;
    spry_matrix *matrix;
};

static struct wrapped placed_example(spry_context *context, const struct blocked *host) {
    struct wrapped wrapped = {.ptr = placed_new(context, host->ptr, sizeof host->ptr, 0),
                              .idx = placed_new(context, host->idx, sizeof host->idx, 0),
                              .mask = placed_new(context, host->mask, sizeof host->mask, 0),
                              .val = placed_new(context, host->val, sizeof host->val, 0)};
    wrapped.arrays = (spry_bsr){.height = 2,
                                .width = 3,
                                .ptr = wrapped.ptr.data,
                                .idx = wrapped.idx.data,
                                .val = wrapped.val.data,
                                .mask = wrapped.mask.data};
    return wrapped;
}

static spry_status wrap_example(spry_context *context, struct wrapped *wrapped, int64_t rows, int64_t cols) {
    wrapped->matrix = (spry_matrix *)context; /* must be overwritten */
    spry_status status =
        spry_wrap_bsr(context, SPRY_F64, SPRY_I32, rows, cols, &wrapped->arrays, &wrapped->matrix);
    cr_expect_eq(status == SPRY_OK, wrapped->matrix != NULL);
    return status;
}

static void wrapped_free(struct wrapped *wrapped) {
    spry_matrix_destroy(wrapped->matrix);
    placed_free(&wrapped->ptr);
    placed_free(&wrapped->idx);
    placed_free(&wrapped->mask);
    placed_free(&wrapped->val);
}

static void check_wrapped(const struct blocked *host, const char *name) {
    spry_context *context = test_context(test_threads(2));
    struct list list = example_list();
    struct wrapped wrapped = placed_example(context, host);
    cr_assert_eq(wrap_example(context, &wrapped, ROWS, COLS), SPRY_OK, "%s: %s", name, spry_message(context));
    cr_expect_eq(spry_matrix_bsr(wrapped.matrix)->val, wrapped.val.data, "%s: copied", name);
    expect_wrapped(context, wrapped.matrix, &list, BLOCKS * PLACES, name);
    wrapped_free(&wrapped);
    list_free(&list);
    spry_context_destroy(context);
}

Test(bsr, wraps_blocks_with_masks) {
    struct blocked host = example();
    check_wrapped(&host, "sorted");
}

/* Blocks in another order multiply and are read back; new values are refused, as they are found in sorted rows. */
Test(bsr, wraps_blocks_in_any_order) {
    struct blocked host = example();
    host.idx[2] = 2;
    host.idx[3] = 1;
    host.mask[2] = 0x01;
    host.mask[3] = 0x07;
    memcpy(host.val + 12, (double[]){7, NAN, NAN, NAN, NAN, NAN, 4, 5, 6, NAN, NAN, NAN},
           12 * sizeof(double));
    check_wrapped(&host, "in another order");
    spry_context *context = test_context(1);
    struct list list = example_list();
    struct wrapped wrapped = placed_example(context, &host);
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_assert_eq(wrap_example(context, &wrapped, ROWS, COLS), SPRY_OK);
    expect_refused(context, spry_validate(context, wrapped.matrix, SPRY_CHECK_SORTED), SPRY_ERROR_INVALID,
                   "block 3, in row 2 of blocks: column 1 of blocks comes after 2");
    expect_refused(context, spry_update_values(context, wrapped.matrix, csr.matrix), SPRY_ERROR_UNSUPPORTED,
                   "change its values in place instead");
    built_free(&csr);
    wrapped_free(&wrapped);
    list_free(&list);
    spry_context_destroy(context);
}

/* Without masks each place is an entry. */
Test(bsr, wraps_full_blocks) {
    spry_context *context = test_context(test_threads(2));
    struct blocked host = example();
    struct list list = list_new(6, 9);
    for (int k = 0; k < BLOCKS * PLACES; k++)
        host.val[k] = k + 1;
    for (int b = 0; b < BLOCKS; b++)
        host.idx[b] = b % 2;
    for (int b = 0; b < BLOCKS; b++)
        for (int place = 0; place < PLACES; place++)
            list_add(&list, (b < 2 ? 0 : 4) + place / 3, b % 2 * 3 + place % 3, host.val[b * PLACES + place]);
    list_sort(&list);
    struct wrapped wrapped = placed_example(context, &host);
    wrapped.arrays.mask = NULL;
    cr_assert_eq(wrap_example(context, &wrapped, 6, 9), SPRY_OK, "%s", spry_message(context));
    expect_wrapped(context, wrapped.matrix, &list, BLOCKS * PLACES, "full");
    wrapped_free(&wrapped);
    list_free(&list);
    spry_context_destroy(context);
}

Test(bsr, wraps_nothing) {
    static const int32_t ptr[] = {0};
    spry_context *context = test_context(1);
    struct placed placed = placed_new(context, ptr, sizeof ptr, 0);
    const spry_bsr arrays = {.height = 2, .width = 2, .ptr = placed.data};
    for (int cols = 0; cols < 4; cols += 2) {
        struct list list = list_new(0, cols);
        spry_matrix *matrix;
        cr_assert_eq(spry_wrap_bsr(context, SPRY_F64, SPRY_I32, 0, cols, &arrays, &matrix), SPRY_OK, "%s",
                     spry_message(context));
        cr_expect_eq(spry_matrix_nnz(matrix), 0);
        expect_products(context, matrix, &list, "nothing");
        spry_matrix_destroy(matrix);
        list_free(&list);
    }
    placed_free(&placed);
    spry_context_destroy(context);
}

/* ---- arrays that are none ---- */

static void expect_fault(const struct blocked *host, const char *words) {
    spry_context *context = test_context(test_threads(2));
    struct wrapped wrapped = placed_example(context, host);
    expect_refused(context, wrap_example(context, &wrapped, ROWS, COLS), SPRY_ERROR_INVALID, words);
    wrapped_free(&wrapped);
    spry_context_destroy(context);
}

Test(bsr, block_pointers_that_are_wrong) {
    static const struct {
        int32_t ptr[BLOCK_ROWS + 1];
        const char *words;
    } cases[] = {
        {{1, 2, 2, 4}, "block pointer 0 is 1, expected 0"},
        {{0, 2, 1, 4}, "block pointer 2 is 1, smaller than the one before it, 2"},
        {{0, -2, 2, 4}, "block pointer 1 is -2, smaller than the one before it, 0"},
        {{0, 2, 400, 4}, "block pointer 3 is 4, smaller than the one before it, 400"},
        {{0, 2, INT32_MAX, 4}, "block pointer 3 is 4, smaller than the one before it, 2147483647"},
        {{0, 2, 2, -4}, "the last block pointer, -4, is no number of blocks"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct blocked host = example();
        memcpy(host.ptr, cases[i].ptr, sizeof host.ptr);
        expect_fault(&host, cases[i].words);
    }
}

/* `blocks` says how many there are; pointers that lead past them are not followed, whether arrays are trusted or not. */
Test(bsr, blocks_that_the_pointers_do_not_tell) {
    static const int64_t blocks[] = {3, 5, -4, INT64_MAX};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        for (int trusted = 0; trusted < 2; trusted++) {
            spry_context_options options = test_options();
            options.trust_arrays = trusted;
            spry_context *context = test_context_with(&options);
            struct blocked host = example();
            struct wrapped wrapped = placed_example(context, &host);
            char words[100];
            wrapped.arrays.blocks = blocks[i];
            snprintf(words, sizeof words, "spry_wrap_bsr: blocks is %lld, but the last pointer tells of 4",
                     (long long)blocks[i]);
            expect_refused(context, wrap_example(context, &wrapped, ROWS, COLS), SPRY_ERROR_INVALID, words);
            wrapped.arrays.blocks = 4;
            cr_expect_eq(wrap_example(context, &wrapped, ROWS, COLS), SPRY_OK, "%s", spry_message(context));
            wrapped_free(&wrapped);
            spry_context_destroy(context);
        }
}

Test(bsr, block_columns_that_are_wrong) {
    static const int32_t columns[] = {3, -1, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 4; i++) {
        struct blocked host = example();
        host.idx[3] = columns[i];
        expect_fault(&host, "block 3, in row 2 of blocks: column ");
    }
}

Test(bsr, masks_that_are_wrong) {
    static const struct {
        int block;
        uint8_t mask;
        const char *words;
    } cases[] = {
        {0, 0x55, "block 0, in row 0 of blocks: place 6 is no place of the block"},
        {2, 0x0f, "block 2, in row 2 of blocks: place 3 is no place of the matrix"},
        {3, 0x02, "block 3, in row 2 of blocks: place 1 is no place of the matrix"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct blocked host = example();
        host.mask[cases[i].block] = cases[i].mask;
        expect_fault(&host, cases[i].words);
    }
}

/* What the flags ask for is found in entries, never in padding. */
Test(bsr, values_and_order_are_checked) {
    spry_context *context = test_context(test_threads(2));
    struct blocked host = example();
    struct wrapped wrapped = placed_example(context, &host);
    cr_assert_eq(wrap_example(context, &wrapped, ROWS, COLS), SPRY_OK);
    cr_expect_eq(spry_validate(context, wrapped.matrix, SPRY_CHECK_FINITE | SPRY_CHECK_SORTED), SPRY_OK);
    expect_refused(context, spry_validate(context, wrapped.matrix, SPRY_CHECK_DISTINCT), SPRY_ERROR_INVALID,
                   "row 1: column 1 occurs twice, again in block 1");
    wrapped_free(&wrapped);
    host.val[14] = INFINITY;
    wrapped = placed_example(context, &host);
    cr_assert_eq(wrap_example(context, &wrapped, ROWS, COLS), SPRY_OK);
    expect_refused(context, spry_validate(context, wrapped.matrix, SPRY_CHECK_FINITE), SPRY_ERROR_INVALID,
                   "row 4, column 5: the value is inf");
    wrapped_free(&wrapped);
    spry_context_destroy(context);
}

static void expect_argument(spry_bsr change, const char *words) {
    spry_context *context = test_context(1);
    struct blocked host = example();
    struct wrapped wrapped = placed_example(context, &host);
    spry_bsr *arrays = &wrapped.arrays;
    arrays->height = change.height ? change.height : arrays->height;
    arrays->width = change.width ? change.width : arrays->width;
    arrays->mask_bytes = change.mask_bytes;
    arrays->ptr = change.ptr ? NULL : arrays->ptr;
    arrays->idx = change.idx ? NULL : arrays->idx;
    arrays->val = change.val ? NULL : arrays->val;
    arrays->mask = change.mask ? NULL : arrays->mask;
    expect_refused(context, wrap_example(context, &wrapped, ROWS, COLS), SPRY_ERROR_ARGUMENT, words);
    wrapped_free(&wrapped);
    spry_context_destroy(context);
}

Test(bsr, arguments_that_are_wrong) {
    static int here; /* what is to be null */
    expect_argument((spry_bsr){.height = 9}, "blocks are 9 × 3, expected 1 × 1 to 8 × 8");
    expect_argument((spry_bsr){.width = -1}, "blocks are 2 × -1, expected 1 × 1 to 8 × 8");
    expect_argument((spry_bsr){.mask_bytes = 2}, "mask_bytes is 2, expected 0 or, with masks, 1");
    expect_argument((spry_bsr){.mask_bytes = 1, .mask = &here},
                    "mask_bytes is 1, expected 0 or, with masks, 1");
    expect_argument((spry_bsr){.mask = &here}, "blocks of 2 × 3 without masks do not make up 5 × 7");
    expect_argument((spry_bsr){.ptr = &here}, "the pointer array is null");
    expect_argument((spry_bsr){.idx = &here}, "an array is null");
    expect_argument((spry_bsr){.val = &here}, "an array is null");
    spry_context *context = test_context(1);
    spry_matrix *matrix = NULL;
    const spry_bsr arrays = {.height = 2, .width = 2};
    cr_expect_eq(spry_wrap_bsr(context, SPRY_F64, SPRY_I32, 4, 4, NULL, &matrix), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_wrap_bsr(context, SPRY_F64, SPRY_I32, 4, 4, &arrays, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_wrap_bsr(context, SPRY_F64, SPRY_I32, -1, 4, &arrays, &matrix), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_wrap_bsr(NULL, SPRY_F64, SPRY_I32, 4, 4, &arrays, &matrix), SPRY_ERROR_ARGUMENT);
    spry_context_destroy(context);
}
