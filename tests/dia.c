/* SPDX-License-Identifier: BSD-3-Clause */
/* DIA by slices: what its arrays are, diagonals with gaps, slices that end within the matrix, entries that occur twice, new values, how
   many diagonals are expected. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "support/build.h"
#include "support/products.h"
#include "support/rankings.h"
#include "support/scenarios.h"

static spry_matrix *made_of(spry_context *context, const struct list *list, spry_index_type index) {
    return stored_of(context, list, (spry_storage){.format = SPRY_DIA}, SPRY_F64, index);
}

/* Diagonals by offset, with every `gap`-th row missing on all but the main one. */
static struct list band(int64_t rows, int64_t cols, const int64_t *offset, int count, int64_t gap) {
    struct list list = list_new(rows, cols);
    for (int64_t i = 0; i < rows; i++)
        for (int k = 0; k < count; k++) {
            const int64_t j = i + offset[k];
            if (j >= 0 && j < cols && (offset[k] == 0 || gap == 0 || i % gap != 0))
                list_add(&list, i, j, (double)(1 + (i + 3 * k) % 11) / 4);
        }
    return list;
}

static void check(spry_context *context, const struct list *list, int64_t diagonals, const char *name) {
    for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
        spry_matrix *dia = made_of(context, list, (spry_index_type)index);
        cr_expect_eq(spry_matrix_slots(dia), SPRY_DIA_ROWS * diagonals, "%s: %d slots", name,
                     (int)spry_matrix_slots(dia));
        cr_expect_eq(spry_validate(context, dia, SPRY_CHECK_SORTED | SPRY_CHECK_FINITE), SPRY_OK, "%s: %s",
                     name, spry_message(context));
        cr_expect(equals_list(context, dia, list), "%s", name);
        expect_products(context, dia, list, name);
        spry_matrix_destroy(dia);
    }
}

/* ---- arrays ---- */

/* A matrix of 40 rows with a main diagonal and one above it that begins in row 30: slices of 32 and of 8 rows. */
Test(dia, arrays_are_as_documented) {
    spry_context *context = test_context(1), *host;
    struct list list = list_new(40, 50);
    for (int64_t i = 0; i < 40; i++) {
        list_add(&list, i, i, (double)(i + 1));
        if (i >= 30)
            list_add(&list, i, i + 10, (double)-i);
    }
    spry_matrix *made = made_of(context, &list, SPRY_I32), *dia;
    cr_assert_eq(spry_context_create(&host, NULL), SPRY_OK);
    cr_assert_eq(spry_matrix_copy(host, made, &dia), SPRY_OK);
    const spry_dia *arrays = spry_matrix_dia(dia);
    const int32_t *first = arrays->first, *offset = arrays->offset;
    const uint32_t *mask = arrays->mask;
    const double *val = arrays->val;
    cr_assert_eq(arrays->diagonals, 4);
    cr_expect(first[0] == 0 && first[1] == 2 && first[2] == 4);
    cr_expect(offset[0] == 0 && offset[1] == 10 && offset[2] == 0 && offset[3] == 10);
    cr_expect(mask[0] == UINT32_MAX && mask[1] == 3u << 30 && mask[2] == 0xff && mask[3] == 0xff);
    cr_expect(val[5] == 6 && val[32 + 30] == -30 && val[32 + 5] == 0 && val[64 + 7] == 40 &&
              val[96 + 7] == -39);
    cr_expect_null(spry_matrix_csr(dia));
    spry_matrix_destroy(dia);
    spry_context_destroy(host);
    spry_matrix_destroy(made);
    list_free(&list);
    spry_context_destroy(context);
}

Test(dia, diagonals_of_every_kind) {
    static const int64_t tridiagonal[] = {-1, 0, 1}, far[] = {-70, -1, 0, 2, 33, 90};
    spry_context *context = test_context(test_threads(3));
    struct list even = band(128, 128, tridiagonal, 3, 0), gaps = band(300, 300, tridiagonal, 3, 7),
                wide = band(65, 150, far, 6, 5), tall = band(201, 31, far, 6, 3), none = list_new(70, 9);
    check(context, &even, 12, "tridiagonal");
    check(context, &gaps, 30, "with gaps");
    check(context, &wide, 14, "wide");
    check(context, &tall, 5, "tall");
    check(context, &none, 0, "without entries");
    list_free(&even);
    list_free(&gaps);
    list_free(&wide);
    list_free(&tall);
    list_free(&none);
    spry_context_destroy(context);
}

/* The second of two entries at a place is on a diagonal of its own. */
Test(dia, entries_that_occur_twice) {
    spry_context *context = test_context(1);
    struct list list = list_new(33, 33);
    for (int64_t i = 0; i < 33; i++)
        for (int twice = 0; twice < (i % 3 == 0 ? 2 : 1); twice++)
            list_add(&list, i, i, (double)(1 + i + 50 * twice));
    check(context, &list, 3, "twice");
    spry_matrix *dia = made_of(context, &list, SPRY_I32);
    cr_expect_eq(spry_validate(context, dia, SPRY_CHECK_DISTINCT), SPRY_ERROR_INVALID);
    cr_expect_str_eq(spry_message(context), "row 0: column 0 occurs twice, again on diagonal 1");
    spry_matrix_destroy(dia);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- new values ---- */

/* Those of another pattern are refused, and then all are as before. */
Test(dia, new_values) {
    static const int64_t offsets[] = {-2, 0, 5}, others[] = {-2, 0, 6};
    spry_context *context = test_context(test_threads(2));
    struct list list = band(100, 106, offsets, 3, 9), other = band(100, 106, others, 3, 9);
    spry_matrix *dia = made_of(context, &list, SPRY_I32);
    struct built csr = built_of(context, &other, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_update_values(context, dia, csr.matrix), SPRY_ERROR_PATTERN);
    cr_expect(equals_list(context, dia, &list));
    built_free(&csr);
    for (int64_t k = 0; k < list.nnz; k++)
        list.val[k] += 100;
    csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_update_values(context, dia, csr.matrix), SPRY_OK, "%s", spry_message(context));
    cr_expect(equals_list(context, dia, &list));
    built_free(&csr);
    spry_matrix_destroy(dia);
    list_free(&list);
    list_free(&other);
    spry_context_destroy(context);
}

/* ---- what is expected ---- */

static double expected_slots(spry_context *context, const struct list *list) {
    struct built csr = built_of(context, list, SPRY_CSR, SPRY_F64, SPRY_I32);
    const struct ranking ranking = ranking_of(context, csr.matrix, NULL);
    const double slots = choice_of(&ranking, SPRY_DIA)->slots;
    end_rankings();
    built_free(&csr);
    return slots;
}

/* A band whose rows begin with an entry far off, each on a diagonal of its own. */
static struct list sparse_first(void) {
    struct list list = list_new(20000, 20000);
    for (int64_t i = 0; i < list.rows; i++) {
        if (i > 200)
            list_add(&list, i, i * 7919 % (i - 100), 1);
        for (int64_t j = i; j < i + 6 && j < list.cols; j++)
            list_add(&list, i, j, 1);
    }
    return list;
}

/* Two thirds of all places, so that slices have all diagonals that reach into the matrix. */
static struct list nearly_full(void) {
    struct list list = list_new(2000, 400);
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t j = 0; j < list.cols; j++)
            if ((i * 7919 + j * j * 31) % 3 != 0)
                list_add(&list, i, j, 1);
    return list;
}

/* Rows of different lengths that end on the diagonal: those of a slice begin apart, and lie on the diagonals of its longest. */
static struct list skyline(void) {
    struct list list = list_new(4000, 4000);
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t j = i - i % SPRY_DIA_ROWS * 9; j <= i; j++)
            if (j >= 0)
                list_add(&list, i, j, 1);
    return list;
}

/* Of many rows, a sample tells how many diagonals there are, also where it counts not all of them. */
Test(dia, diagonals_are_expected) {
    spry_context *context = test_context(test_threads(2));
    static const int64_t few[] = {-100, -1, 0, 1, 100};
    int64_t near[100];
    for (int k = 0; k < 100; k++)
        near[k] = 2 * k - 100;
    struct list lists[] = {band(20000, 20000, few, 5, 100), band(5000, 5000, near, 100, 0), sparse_first(),
                           nearly_full(), skyline()},
                apart = list_new(3000, 3000);
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        spry_matrix *dia = made_of(context, &lists[l], SPRY_I32);
        const double slots = (double)spry_matrix_slots(dia), expected = expected_slots(context, &lists[l]);
        cr_expect_float_eq(expected, slots, slots / 50, "%d: %g slots, not %g", (int)l, slots, expected);
        spry_matrix_destroy(dia);
        list_free(&lists[l]);
    }
    for (int64_t i = 0; i < 3000; i++)
        for (int64_t k = 0; k < 6; k++)
            list_add(&apart, i, (i * 7919 + k * k * 104729) % 3000, 1);
    cr_expect_gt(expected_slots(context, &apart), 4.0 * (double)apart.nnz);
    list_free(&apart);
    spry_context_destroy(context);
}
