/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows by their stencils or shapes: which rows share one, how they are numbered, runs of every kind, new values. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stencil_key.h"
#include "support/build.h"
#include "support/products.h"
#include "support/scenarios.h"
#include "support/vector.h"

static spry_matrix *stencil_of(spry_context *context, const struct list *list, spry_value_type type,
                               spry_index_type index) {
    return built_of(context, list, SPRY_STENCIL, type, index).matrix;
}

/* ---- lists ---- */

/* Runs of rows, each with one stencil out of three, which alternate after `period` rows: of every length from 1 on. */
static struct list alternating(int64_t period) {
    static const int64_t offset[3][4] = {{-9, -1, 0, 30}, {-2, 0, 1, 2}, {-30, 0, 1, 9}};
    struct list list = list_new(1900, 1950);
    int64_t i = 0;
    for (int64_t length = 1; length < 60; length++) {
        for (int64_t r = 0; r < length; r++, i++)
            for (int k = 0; k < 4; k++) {
                int64_t s = (length + r % period) % 3, col = i + offset[s][k];
                if (col >= 0)
                    list_add(&list, i, col, (double)(1 + s + k) / 4);
            }
        i += length % 7 == 0; /* a row without entries */
    }
    cr_assert_leq(i, list.rows);
    return list;
}

/* Five points of a square grid. */
static struct list grid_of(int64_t side) {
    struct list list = list_new(side * side, side * side);
    for (int64_t i = 0; i < list.rows; i++) {
        if (i >= side)
            list_add(&list, i, i - side, -1);
        if (i % side > 0)
            list_add(&list, i, i - 1, -1);
        list_add(&list, i, i, 4);
        if (i % side < side - 1)
            list_add(&list, i, i + 1, -1);
        if (i < list.rows - side)
            list_add(&list, i, i + side, -1);
    }
    return list;
}

/* `count` rows that are all different in their values, each of them twice. */
static struct list different(int64_t count) {
    struct list list = list_new(2 * count, 2 * count);
    for (int64_t i = 0; i < list.rows; i++)
        list_add(&list, i, i, (double)(1 + i / 2) / 1024);
    return list;
}

/* ---- which rows share one ---- */

Test(stencil, grid) {
    enum { SIDE = 20 };
    spry_context *context = test_context(2), *host;
    struct list list = grid_of(SIDE);
    spry_matrix *matrix = stencil_of(context, &list, SPRY_F64, SPRY_I32), *there;
    cr_assert_eq(spry_context_create(&host, NULL), SPRY_OK);
    cr_assert_eq(spry_matrix_copy(host, matrix, &there), SPRY_OK);
    const spry_stencil *stencil = spry_matrix_stencil(there);
    cr_assert_not_null(stencil);
    /* Corners, sides and the inside, in the order in which rows meet them. */
    cr_expect_eq(stencil->count, 9);
    cr_expect_eq(stencil->entries, 4 * 3 + 4 * 4 + 5);
    cr_expect_eq(stencil->number_size, 1);
    static const struct {
        int64_t row, number;
    } rows[] = {
        {0, 0}, {1, 1}, {SIDE - 1, 2}, {SIDE, 3}, {SIDE + 1, 4}, {2 * SIDE - 1, 5}, {SIDE * SIDE - 1, 8}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        cr_expect_eq(((const uint8_t *)stencil->number)[rows[r].row], rows[r].number, "row %" PRId64,
                     rows[r].row);
    cr_expect_eq(spry_matrix_bytes(matrix), SIDE * SIDE + 10 * 4 + 33 * 12);
    cr_expect_eq(spry_matrix_slots(matrix), list.nnz);
    spry_matrix_destroy(there);
    spry_context_destroy(host);
    spry_matrix_destroy(matrix);
    list_free(&list);
    spry_context_destroy(context);
}

Test(stencil, numbers_of_every_width) {
    static const struct { int64_t count, size; } cases[] = {{256, 1}, {257, 2}, {65536, 2}, {65537, 4}};
    spry_context *context = test_context(2);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
            char name[60];
            struct list list = different(cases[c].count);
            spry_matrix *matrix = stencil_of(context, &list, SPRY_F64, (spry_index_type)index);
            snprintf(name, sizeof name, "%" PRId64 " stencils", cases[c].count);
            cr_expect_eq(spry_matrix_stencil(matrix)->count, cases[c].count, "%s", name);
            cr_expect_eq(spry_matrix_stencil(matrix)->number_size, cases[c].size, "%s", name);
            cr_expect_eq(spry_validate(context, matrix, SPRY_CHECK_SORTED), SPRY_OK, "%s: %s", name,
                         spry_message(context));
            cr_expect(equals_list(context, matrix, &list), "%s", name);
            expect_products(context, matrix, &list, name);
            spry_matrix_destroy(matrix);
            list_free(&list);
        }
    spry_context_destroy(context);
}

/* Bits count: zeros of either sign and NaN are values like others. */
Test(stencil, bits_of_values) {
    spry_context *context = test_context(1);
    const double values[] = {0.0, -0.0, NAN, -NAN, 0.0};
    struct list list = list_new(5, 5);
    for (int64_t i = 0; i < 5; i++)
        list_add(&list, i, i, values[i]);
    spry_matrix *matrix = stencil_of(context, &list, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_matrix_stencil(matrix)->count, 4);
    spry_matrix_destroy(matrix);
    list_free(&list);
    spry_context_destroy(context);
}

/* Two rows of one entry each with the same key: a key is one to one in the last word that goes into it. */
static struct list with_one_key(int salt) {
    const uint64_t begin = spry_stencil_key(salt, 1);
    const double first = 1.5;
    uint64_t bits;
    double second;
    memcpy(&bits, &first, sizeof bits);
    bits ^= spry_mix(begin, 0) ^ spry_mix(begin, (uint64_t)-1);
    memcpy(&second, &bits, sizeof second);
    struct list list = list_new(2, 2);
    list_add(&list, 0, 0, first);
    list_add(&list, 1, 0, second);
    return list;
}

Test(stencil, keys_in_common) {
    spry_context *context = test_context(1);
    struct list all = list_new(0, 0);
    for (int salt = 0; salt <= SPRY_STENCIL_SALTS; salt++) {
        bool every = salt == SPRY_STENCIL_SALTS; /* rows that break every salt */
        struct list list = every ? list_copy(&all) : with_one_key(salt);
        struct built built;
        spry_status status = build(context, &list, SPRY_STENCIL, SPRY_F64, SPRY_I32, CONVERTED, &built);
        cr_expect_eq(status, every ? SPRY_ERROR_UNSUPPORTED : SPRY_OK, "salt %d: %s", salt,
                     spry_message(context));
        if (!status) {
            cr_expect_eq(spry_matrix_stencil(built.matrix)->count, 2, "salt %d", salt);
            built_free(&built);
        }
        for (int64_t k = 0; k < list.nnz && !every; k++)
            list_add(&all, all.rows + list.row[k], all.rows + list.col[k], list.val[k]);
        all.rows = all.cols += 2;
        list_free(&list);
    }
    list_free(&all);
    spry_context_destroy(context);
}

/* ---- products ---- */

/* Rows as stencils, and as shapes in slices of some heights; parameter 0 is the library's. */
static const spry_storage storages[] = {{.format = SPRY_STENCIL},
                                        {.format = SPRY_SHAPE},
                                        {.format = SPRY_SHAPE, .parameter = {1}},
                                        {.format = SPRY_SHAPE, .parameter = {8}},
                                        {.format = SPRY_SHAPE, .parameter = {512}}};
#define STORAGES (sizeof storages / sizeof *storages)

static void check_runs(spry_context *context, int64_t period, spry_value_type type, spry_index_type index) {
    struct list list = alternating(period);
    for (size_t s = 0; s < STORAGES; s++) {
        char name[240], text[SPRY_STORAGE_TEXT];
        spry_matrix *matrix = stored_of(context, &list, storages[s], type, index);
        spry_storage_text(&storages[s], text, sizeof text);
        snprintf(name, sizeof name, "%s, period %" PRId64 ", %s %s", text, period, spry_type_name(type),
                 spry_index_name(index));
        cr_expect_eq(spry_validate(context, matrix, SPRY_CHECK_SORTED | SPRY_CHECK_FINITE), SPRY_OK, "%s: %s",
                     name, spry_message(context));
        expect_products(context, matrix, &list, name);
        cr_expect(equals_list(context, matrix, &list), "%s", name);
        spry_matrix_destroy(matrix);
    }
    list_free(&list);
}

/* Rows of 700 entries, of which the third alone is as the first: the others differ from it in one value each, far along or last. */
Test(stencil, long_rows) {
    enum { LENGTH = 700 };
    static const int64_t differs_at[] = {-1, 613, -1, LENGTH - 1};
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        spry_context *context = test_context(1);
        struct list list = list_new(4, 4 + LENGTH);
        for (int64_t row = 0; row < list.rows; row++)
            for (int64_t k = 0; k < LENGTH; k++)
                list_add(&list, row, row + k, k == differs_at[row] ? -1 : (double)(1 + k % 8));
        spry_matrix *matrix = stencil_of(context, &list, (spry_value_type)type, SPRY_I32);
        /* Numbers, pointers and entries of three kinds. */
        cr_expect_eq(spry_matrix_bytes(matrix),
                     4 + 4 * 4 + 3 * LENGTH * (4 + spry_type_size((spry_value_type)type)));
        cr_expect(equals_list(context, matrix, &list));
        spry_matrix_destroy(matrix);
        list_free(&list);
        spry_context_destroy(context);
    }
}

Test(stencil, runs_of_every_length) {
    for (int threads = 1; threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        for (int64_t period = 1; period <= 5; period++)
            for (int type = 0; type < SPRY_TYPE_COUNT; type++)
                for (int index = 0; index < SPRY_INDEX_COUNT; index++)
                    check_runs(context, period, (spry_value_type)type, (spry_index_type)index);
        spry_context_destroy(context);
    }
}

static void make_different(struct list *list) {
    uint64_t seed = 5;
    for (int64_t k = 0; k < list->nnz; k++)
        list->val[k] = test_value(&seed);
}

/* Bytes of a layout, as they are expected before it is made. */
static double expected_bytes(spry_context *context, const spry_matrix *csr, spry_format format) {
    spry_ranking *ranking;
    double bytes = 0;
    cr_assert_eq(spry_select(context, csr, NULL, &ranking), SPRY_OK, "%s", spry_message(context));
    for (int i = 0; i < spry_ranking_count(ranking); i++)
        if (spry_ranking_choice(ranking, i)->format == format)
            bytes = spry_ranking_choice(ranking, i)->bytes;
    spry_ranking_destroy(ranking);
    return bytes;
}

/* A sample of rows tells shapes from stencils. */
Test(stencil, shapes_are_expected) {
    spry_context *context = test_context(2);
    struct list list = grid_of(100);
    make_different(&list);
    spry_matrix *shape = stored_of(context, &list, storages[1], SPRY_F64, SPRY_I32);
    const double bytes = (double)spry_matrix_bytes(shape);
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_float_eq(expected_bytes(context, csr.matrix, SPRY_SHAPE), bytes, bytes / 20);
    cr_expect_lt(bytes, 0.75 * (double)spry_matrix_bytes(csr.matrix));
    cr_expect_gt(expected_bytes(context, csr.matrix, SPRY_STENCIL), 1.4 * bytes);
    built_free(&csr);
    spry_matrix_destroy(shape);
    list_free(&list);
    spry_context_destroy(context);
}

/* Rows in shapes have values of their own. */
Test(stencil, shapes_are_few) {
    spry_context *context = test_context(2);
    struct list list = alternating(1);
    make_different(&list);
    spry_matrix *stencil = stored_of(context, &list, storages[0], SPRY_F64, SPRY_I32),
                *shape = stored_of(context, &list, storages[1], SPRY_F64, SPRY_I32);
    cr_expect_geq(spry_matrix_stencil(stencil)->count, 1000);
    cr_expect_leq(spry_matrix_shape(shape)->rows.count, 100);
    cr_expect_eq(spry_matrix_shape(shape)->rows.number_size, 1);
    cr_expect_null(spry_matrix_shape(shape)->rows.val);
    cr_expect_eq(spry_matrix_shape(shape)->height, 32);
    cr_expect(equals_list(context, shape, &list));
    spry_matrix_destroy(stencil);
    spry_matrix_destroy(shape);
    list_free(&list);
    spry_context_destroy(context);
}

Test(stencil, heights_are_powers_of_two) {
    spry_context *context = test_context(1);
    struct list list = alternating(1);
    static const int64_t heights[] = {-1, 3, 1024};
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    for (int h = 0; h < 3; h++) {
        spry_storage storage = {.format = SPRY_SHAPE, .parameter = {heights[h]}};
        expect_conversion_refused(context, csr.matrix, storage, SPRY_ERROR_ARGUMENT, "a power of two");
    }
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* The kernel of SELL that adds up a row in the same order. */
static const spry_kernel *of_sell(const spry_kernel *kernel, const spry_matrix *sell) {
    char name[64];
    spry_kernel_info info = spry_kernel_describe(kernel);
    snprintf(name, sizeof name, "sell%s", strchr(info.name, '_') ? strchr(info.name, '_') : "");
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        spry_kernel_info other = spry_kernel_describe(spry_kernel_at(k));
        if (strcmp(other.name, name) == 0 && other.op == info.op &&
            spry_kernel_takes(spry_kernel_at(k), sell))
            return spry_kernel_at(k);
    }
    return NULL;
}

static struct vector product(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix) {
    struct vector x = vector_new(spry_matrix_type(matrix), spry_matrix_cols(matrix), NAN),
                  y = vector_new(spry_matrix_type(matrix), spry_matrix_rows(matrix), 7);
    vector_random(&x, 3);
    vector_random(&y, 4);
    cr_assert_eq(spry_spmv_with(context, kernel, 1.5, matrix, x.data, 0.75, y.data), SPRY_OK);
    vector_free(&x);
    return y;
}

/* Every kernel of a matrix for y = A x beside SELL's; how many. */
static int compare_with_sell(spry_context *context, const spry_matrix *matrix, const spry_matrix *sell) {
    int compared = 0;
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        const spry_kernel_info info = spry_kernel_describe(kernel);
        if (!spry_kernel_takes(kernel, matrix) || !spry_kernel_runs(context, kernel) || info.op != SPRY_N)
            continue;
        const spry_kernel *other = of_sell(kernel, sell);
        cr_assert_not_null(other, "%s", info.name);
        struct vector a = product(context, kernel, matrix), b = product(context, other, sell);
        cr_expect(vector_same_bits(&a, &b), "%s", info.name);
        vector_free(&a);
        vector_free(&b);
        compared++;
    }
    return compared;
}

Test(stencil, same_bits_as_sell) {
    if (test_backend() != SPRY_CPU)
        cr_skip_test("on a device several threads may share a row of SELL");
    spry_context *context = test_context(2);
    for (int64_t period = 1; period <= 3; period++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
            const spry_storage slices = {.format = SPRY_SELL, .parameter = {16, 1}};
            struct list list = alternating(period);
            spry_matrix *sell = stored_of(context, &list, slices, (spry_value_type)type, SPRY_I32);
            for (size_t s = 0; s < STORAGES; s++) {
                spry_matrix *matrix = stored_of(context, &list, storages[s], (spry_value_type)type, SPRY_I32);
                cr_expect_geq(compare_with_sell(context, matrix, sell), 1);
                spry_matrix_destroy(matrix);
            }
            spry_matrix_destroy(sell);
            list_free(&list);
        }
    spry_context_destroy(context);
}

/* ---- new values ---- */

static void expect_update(spry_context *context, spry_matrix *matrix, const struct list *list,
                          int64_t count) {
    struct built csr;
    cr_assert_eq(build(context, list, SPRY_CSR, SPRY_F64, SPRY_I32, WRAPPED_FROM_1, &csr), SPRY_OK);
    cr_expect_eq(spry_update_values(context, matrix, csr.matrix), SPRY_OK, "%s", spry_message(context));
    cr_expect_eq(spry_matrix_stencil(matrix)->count, count);
    cr_expect_eq(spry_validate(context, matrix, SPRY_CHECK_SORTED), SPRY_OK, "%s", spry_message(context));
    cr_expect(equals_list(context, matrix, list));
    expect_products(context, matrix, list, "updated");
    built_free(&csr);
}

Test(stencil, new_values) {
    spry_context *context = test_context(2);
    struct list list = alternating(1), other;
    spry_matrix *matrix = stencil_of(context, &list, SPRY_F64, SPRY_I32);
    const int64_t count = spry_matrix_stencil(matrix)->count;
    const void *const val = spry_matrix_stencil(matrix)->val;
    for (int64_t k = 0; k < list.nnz; k++)
        list.val[k] *= 3;
    expect_update(context, matrix, &list, count);
    cr_expect_eq(spry_matrix_stencil(matrix)->val, val, "the arrays moved though the stencils are the same");
    list.val[list.nnz / 2] = 77;
    expect_update(context, matrix, &list, count + 1);
    for (int64_t k = 0; k < list.nnz; k++)
        list.val[k] = (double)k;
    list_sort(&list);
    other = list_copy(&list);
    other.col[other.nnz - 1]++;
    struct built csr = built_of(context, &other, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_update_values(context, matrix, csr.matrix), SPRY_ERROR_PATTERN);
    cr_expect_eq(spry_matrix_stencil(matrix)->count, count + 1, "changed by values that were refused");
    built_free(&csr);
    list_free(&other);
    list_free(&list);
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
}

/* At the borders of a grid rows have a part of the stencil inside; a device multiplies them along with it, if there are enough
   rows for threads to have several. That ends when they get values of their own, and begins anew. */
Test(stencil, borders) {
    spry_context *context = test_context(2);
    struct list list = grid_of(test_backend() == SPRY_CPU ? 60 : 800);
    int64_t *lengths = list_lengths(&list, SPRY_N);
    spry_matrix *matrix = stencil_of(context, &list, SPRY_F64, SPRY_I32);
    expect_products(context, matrix, &list, "new");
    for (int turn = 1; turn <= 3; turn++) {
        for (int64_t k = 0; k < list.nnz; k++) {
            const bool at_border = lengths[list.row[k]] < 5, on_diagonal = list.row[k] == list.col[k];
            list.val[k] = (on_diagonal ? 4 : -1) * (at_border && turn == 2 ? 3 : turn);
        }
        expect_update(context, matrix, &list, 9);
    }
    /* More stencils need larger arrays. */
    for (int64_t k = 0; k < list.nnz; k++)
        list.val[k] = (double)(list.row[k] % 7 + 1);
    list_sort(&list);
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_update_values(context, matrix, csr.matrix), SPRY_OK, "%s", spry_message(context));
    cr_expect_gt(spry_matrix_stencil(matrix)->count, 9);
    expect_products(context, matrix, &list, "more");
    built_free(&csr);
    free(lengths);
    spry_matrix_destroy(matrix);
    list_free(&list);
    spry_context_destroy(context);
}
