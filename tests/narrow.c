/* SPDX-License-Identifier: BSD-3-Clause */
/* Narrow columns: what they span at most, what is said of more, and of bases that are none. */
#include <criterion/criterion.h>
#include <string.h>

#include "core/internal.h"
#include "support/backend.h"
#include "support/build.h"
#include "support/list.h"
#include "support/rankings.h"
#include "support/scenarios.h"

/* 70 rows of one entry on the diagonal, and one of them with one more, so many columns behind. */
static struct list one_wide_row(int64_t row, int64_t behind) {
    struct list list = list_new(70, behind + 70);
    for (int64_t i = 0; i < list.rows; i++) {
        list_add(&list, i, i, (double)(i + 1));
        if (i == row)
            list_add(&list, i, i + behind, 0.5);
    }
    return list;
}

static spry_status coded_of(spry_context *context, const struct list *list, spry_index_type index,
                            const char *text, spry_matrix **coded) {
    const spry_storage storage = storage_of(text);
    struct built csr = built_of(context, list, SPRY_CSR, SPRY_F64, index);
    const spry_status status = spry_convert_to(context, csr.matrix, &storage, &keep_duplicates, coded);
    built_free(&csr);
    return status;
}

/* As many columns as fit, and one more: row 33 is the first of its group that has an entry so far behind. Its group begins with
   column 32, but for SELL's of one row. */
Test(narrow, groups_span_so_much_and_no_more) {
    static const struct {
        const char *storage;
        int64_t row, fits;
        const char *message;
    } cases[] = {
        {"csr+narrow", 33, 65534,
         "csr+narrow: rows 32 … 63 have columns from 32 to 65568, which span 65537 (at most 65536)"},
        {"csr+narrow+dict8", 64, 65535,
         "csr+narrow: rows 64 … 69 have columns from 64 to 65600, which span 65537 (at most 65536)"},
        {"csc+narrow", 33, 65534,
         "csc+narrow: columns 32 … 63 have rows from 32 to 65568, which span 65537 (at most 65536)"},
        {"sell:4:1+narrow", 33, 65534,
         "sell+narrow: rows 32 … 35 have columns from 32 to 65568, which span 65537 (at most 65536)"},
        {"sell:1:1+narrow", 69, 65535,
         "sell+narrow: rows 69 … 69 have columns from 69 to 65605, which span 65537 (at most 65536)"},
        {"sell:4:8+narrow", 33, 65534,
         "sell+narrow: sorted positions 32 … 35 have columns from 32 to 65568, which span 65537 (at most "
         "65536)"},
    };
    spry_context *context = test_context(2);
    for (size_t c = 0; c < 3 * sizeof cases / sizeof *cases; c++) {
        const spry_index_type index = (spry_index_type)(c % 3);
        const char *text = cases[c / 3].storage;
        const bool by_rows = storage_of(text).format != SPRY_CSC;
        for (int more = 0; more < 2; more++) {
            struct list list = one_wide_row(cases[c / 3].row, cases[c / 3].fits + more);
            struct list sorted = by_rows ? list_copy(&list) : list_transposed(&list);
            spry_matrix *coded;
            const spry_status status = coded_of(context, &sorted, index, text, &coded);
            if (more) {
                cr_expect_eq(status, SPRY_ERROR_UNSUPPORTED, "%s", text);
                cr_expect_str_eq(spry_message(context), cases[c / 3].message);
                cr_expect_null(coded);
            } else {
                cr_assert_eq(status, SPRY_OK, "%s: %s", text, spry_message(context));
                list_sort(&sorted);
                cr_expect(equals_list(context, coded, &sorted), "%s", text);
                cr_expect_eq(spry_validate(context, coded, SPRY_CHECK_SORTED), SPRY_OK, "%s",
                             spry_message(context));
                spry_matrix_destroy(coded);
            }
            list_free(&list);
            list_free(&sorted);
        }
    }
    spry_context_destroy(context);
}

/* Columns that 32 bits do not hold, in groups that lie far apart, some of them without entries; padding counts as nothing. */
Test(narrow, groups_lie_anywhere) {
    static const char *const texts[] = {"csr+narrow", "sell:32:1+narrow", "sell:8:1+narrow"};
    spry_context *context = test_context(2);
    struct list list = list_new(200, 6000000000);
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t k = 0; k < i % 5 && i / 32 != 2; k++)
            list_add(&list, i, i / 8 * 200000000 + i % 8 * 7000 + 1 + 37 * k, (double)(i + k));
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        spry_matrix *coded;
        const spry_status status = coded_of(context, &list, SPRY_I64, texts[t], &coded);
        if (t < 2) {
            cr_expect_eq(status, SPRY_ERROR_UNSUPPORTED, "%s", texts[t]);
            continue;
        }
        cr_assert_eq(status, SPRY_OK, "%s: %s", texts[t], spry_message(context));
        cr_expect(equals_list(context, coded, &list), "%s", texts[t]);
        spry_matrix_destroy(coded);
    }
    list_free(&list);
    spry_context_destroy(context);
}

Test(narrow, sizes_and_names) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("power law")->make();
    spry_matrix *plain, *coded;
    char text[SPRY_STORAGE_TEXT];
    spry_storage storage;
    cr_assert_eq(coded_of(context, &list, SPRY_I32, "sell:8:32", &plain), SPRY_OK);
    cr_assert_eq(coded_of(context, &list, SPRY_I32, "sell:8:32+narrow", &coded), SPRY_OK, "%s",
                 spry_message(context));
    const size_t slices = (size_t)(spry_matrix_rows(coded) + 7) / 8;
    cr_expect_eq(spry_matrix_bytes(plain) - spry_matrix_bytes(coded),
                 (size_t)spry_matrix_slots(plain) * 2 - slices * sizeof(int32_t));
    spry_matrix_storage(coded, &storage);
    spry_storage_text(&storage, text, sizeof text);
    cr_expect_str_eq(text, "sell:8:32+narrow");
    spry_matrix_destroy(plain);
    spry_matrix_destroy(coded);
    list_free(&list);
    spry_context_destroy(context);
}

/* New values stay where the columns are; those of another pattern are refused. */
Test(narrow, new_values) {
    static const char *const texts[] = {"csr+narrow", "sell:8:1+narrow", "sell+narrow+dict16"};
    spry_context *context = test_context(2);
    struct list list = test_scenario("power law")->make(), sorted = list_copy(&list);
    list_sort(&sorted);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        spry_matrix *coded, *news, *narrow;
        cr_assert_eq(coded_of(context, &list, SPRY_I32, texts[t], &coded), SPRY_OK, "%s",
                     spry_message(context));
        for (int64_t k = 0; k < sorted.nnz; k++)
            sorted.val[k] = (double)(k + (int64_t)t) / 4;
        cr_assert_eq(coded_of(context, &sorted, SPRY_I32, "csr", &news), SPRY_OK);
        cr_assert_eq(coded_of(context, &sorted, SPRY_I32, "csr+narrow", &narrow), SPRY_OK);
        cr_expect_eq(spry_update_values(context, coded, news), SPRY_OK, "%s", spry_message(context));
        cr_expect(equals_list(context, coded, &sorted), "%s", texts[t]);
        cr_expect_eq(spry_update_values(context, coded, narrow), SPRY_OK, "%s", spry_message(context));
        cr_expect(equals_list(context, coded, &sorted), "%s, from narrow", texts[t]);
        spry_matrix_destroy(news);
        sorted.col[0] = sorted.col[0] == 0 ? 1 : 0;
        list_sort(&sorted);
        cr_assert_eq(coded_of(context, &sorted, SPRY_I32, "csr", &news), SPRY_OK);
        cr_expect_eq(spry_update_values(context, coded, news), SPRY_ERROR_PATTERN, "%s", texts[t]);
        spry_matrix_destroy(news);
        spry_matrix_destroy(narrow);
        spry_matrix_destroy(coded);
        list_free(&sorted);
        sorted = list_copy(&list);
        list_sort(&sorted);
    }
    list_free(&list);
    list_free(&sorted);
    spry_context_destroy(context);
}

/* ---- what is seen of them ---- */

/* The same of both, by a context that made neither. */
static void expect_seen_alike(spry_context *context, const spry_matrix *csr, const spry_matrix *narrow) {
    spry_statistics statistics[2] = {{.size = sizeof *statistics}, {.size = sizeof *statistics}};
    spry_row_lengths lengths[2] = {{.min = 0}, {.min = 0}};
    cr_assert_eq(spry_matrix_statistics(context, csr, &statistics[0]), SPRY_OK);
    cr_assert_eq(spry_matrix_statistics(context, narrow, &statistics[1]), SPRY_OK);
    cr_expect_arr_eq(&statistics[1], &statistics[0], sizeof *statistics);
    cr_assert_eq(spry_row_length_stats(context, csr, &lengths[0]), SPRY_OK);
    cr_assert_eq(spry_row_length_stats(context, narrow, &lengths[1]), SPRY_OK);
    cr_expect_arr_eq(&lengths[1], &lengths[0], sizeof *lengths);

    const struct ranking plain = ranking_of(context, csr, NULL), coded = ranking_of(context, narrow, NULL);
    cr_expect_arr_eq(&coded.statistics, &statistics[0], sizeof *statistics);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        const spry_choice *a = choice_of(&plain, (spry_format)format),
                          *b = choice_of(&coded, (spry_format)format);
        cr_expect_eq(b->possible, a->possible, "%s", spry_format_name((spry_format)format));
        cr_expect_eq(b->slots, a->slots, "%s: %g slots, not %g", spry_format_name((spry_format)format),
                     b->slots, a->slots);
    }
    end_rankings();
}

/* Statistics, and ranks where those that the matrix has do not serve: for another number of threads. */
Test(narrow, are_seen_as_plain_ones) {
    spry_context *context = test_context(1), *other = test_context(2);
    struct list list = test_scenario("power law")->make();
    for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
        spry_matrix *csr, *narrow;
        cr_assert_eq(coded_of(context, &list, (spry_index_type)index, "csr", &csr), SPRY_OK);
        cr_assert_eq(coded_of(context, &list, (spry_index_type)index, "csr+narrow", &narrow), SPRY_OK);
        expect_seen_alike(other, csr, narrow);
        spry_matrix_destroy(csr);
        spry_matrix_destroy(narrow);
    }
    list_free(&list);
    spry_context_destroy(context);
    spry_context_destroy(other);
}

/* ---- arrays that are wrong ---- */

enum array { BASES, POINTERS, CODES };

/* Write one item of an array of a matrix with i32 indices, wherever that is. */
static void spoil(spry_context *context, const spry_matrix *matrix, enum array array, int64_t item,
                  int32_t value) {
    const size_t size = array == CODES ? sizeof(uint16_t) : sizeof(int32_t);
    char *begin = array == BASES ? matrix->bases : array == POINTERS ? matrix->csr.ptr : matrix->csr.idx;
    cr_assert_eq(spry_array_put(context, begin + (size_t)item * size, &value, size), SPRY_OK);
}

Test(narrow, arrays_that_are_wrong) {
    static const struct {
        enum array array;
        int64_t item;
        int32_t value;
        const char *message;
    } cases[] = {
        {BASES, 1, -1, "rows 32 … 63: the base of their columns is outside 0 … 169"},
        {BASES, 2, 170, "rows 64 … 69: the base of their columns is outside 0 … 169"},
        {BASES, 0, INT32_MAX, "rows 0 … 31: the base of their columns is outside 0 … 169"},
        {BASES, 0, 70, "row 3, entry 4: column 173 is outside 0 … 169"},
        {CODES, 4, 65535, "row 3, entry 4: column 65535 is outside 0 … 169"},
        {POINTERS, 64, 2, "rows 32 … 63: the pointers decrease, or lead outside the arrays"},
        {POINTERS, 32, 1000000000, "rows 0 … 31: the pointers decrease, or lead outside the arrays"},
        {POINTERS, 5, 1000000000, "row pointer 6 is 7, smaller than the one before it, 1000000000"},
    };
    spry_context *context = test_context(2);
    struct list list = one_wide_row(3, 100);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        spry_matrix *coded;
        cr_assert_eq(coded_of(context, &list, SPRY_I32, "csr+narrow", &coded), SPRY_OK);
        cr_expect_eq(spry_validate(context, coded, 0), SPRY_OK, "%s", spry_message(context));
        spoil(context, coded, cases[c].array, cases[c].item, cases[c].value);
        cr_expect_eq(spry_validate(context, coded, 0), SPRY_ERROR_INVALID, "case %zu", c);
        cr_expect_str_eq(spry_message(context), cases[c].message);
        spry_matrix_destroy(coded);
    }
    list_free(&list);
    spry_context_destroy(context);
}

/* Rows that are too many for narrow columns of the transpose: it has plain ones. */
Test(narrow, transposes_that_are_too_wide) {
    static const char *const storages[] = {"csr+narrow", "csc+narrow", "sell:4:1+narrow"};
    spry_context *context = test_context(1);
    for (size_t s = 0; s < sizeof storages / sizeof *storages; s++) {
        const bool by_columns = strncmp(storages[s], "csc", 3) == 0;
        struct list tall = list_new(70000, 3);
        for (int64_t i = 0; i < tall.rows; i += 69999)
            list_add(&tall, i, 1, (double)(i + 1));
        struct list list = by_columns ? list_transposed(&tall) : list_copy(&tall),
                    turned = by_columns ? list_copy(&tall) : list_transposed(&tall);
        spry_matrix *coded, *transposed;
        cr_assert_eq(coded_of(context, &list, SPRY_I32, storages[s], &coded), SPRY_OK, "%s",
                     spry_message(context));
        cr_assert_eq(spry_transpose(context, coded, &transposed), SPRY_OK, "%s: %s", storages[s],
                     spry_message(context));
        cr_expect_str_empty(spry_message(context), "%s: %s", storages[s], spry_message(context));
        spry_storage storage;
        spry_matrix_storage(transposed, &storage);
        cr_expect_eq(storage.columns, SPRY_COLUMNS_PLAIN, "%s", storages[s]);
        list_sort(&turned);
        cr_expect(equals_list(context, transposed, &turned), "%s", storages[s]);
        spry_matrix_destroy(coded);
        spry_matrix_destroy(transposed);
        list_free(&tall), list_free(&list), list_free(&turned);
    }
    spry_context_destroy(context);
}
