/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions beyond the plain round trip: duplicates, limits, casts that do not fit, the choice of a format.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/counting.h"
#include "support/scenarios.h"

/* Adds up entries at the same place as the type does, in the order given; `sorted` is in row-major order. */
static struct list list_summed(const struct list *sorted, spry_value_type type) {
    struct list summed = list_new(sorted->rows, sorted->cols);
    for (int64_t k = 0; k < sorted->nnz; k++) {
        int64_t last = summed.nnz - 1;
        if (last >= 0 && summed.row[last] == sorted->row[k] && summed.col[last] == sorted->col[k]) {
            summed.val[last] += sorted->val[k];
            list_round(&summed, type);
        } else {
            list_add(&summed, sorted->row[k], sorted->col[k], sorted->val[k]);
        }
    }
    return summed;
}

/* Thirds, so that the order of addition shows in the last bits. */
static struct list inexact_duplicates(spry_value_type type) {
    struct list list = test_scenario("duplicates")->make();
    for (int64_t k = 0; k < list.nnz; k++)
        list.val[k] /= 3;
    list_round(&list, type);
    return list;
}

static void check_sums(spry_context *context, spry_value_type type, spry_index_type index, int base) {
    struct list list = inexact_duplicates(type), sorted = list_copy(&list);
    list_sort(&sorted);
    struct list summed = list_summed(&sorted, type);
    struct built coo;
    cr_assert_eq(build(context, &list, SPRY_COO, type, index, base ? WRAPPED_FROM_1 : WRAPPED_FROM_0, &coo),
                 SPRY_OK);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        spry_matrix *result = NULL;
        cr_expect_eq(spry_convert(context, coo.matrix, (spry_format)format, NULL, &result), SPRY_OK);
        cr_expect(result && equals_list(context, result, &summed), "%s %s %s, base %d",
                  spry_format_name((spry_format)format), spry_type_name(type), spry_index_name(index), base);
        spry_matrix_destroy(result);
    }
    built_free(&coo);
    list_free(&list);
    list_free(&sorted);
    list_free(&summed);
}

Test(duplicates, summed_in_the_order_given) {
    for (int threads = 1; threads <= test_threads(3); threads++) {
        spry_context *context = test_context(threads);
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < SPRY_INDEX_COUNT; index++)
                for (int base = 0; base < 2; base++)
                    check_sums(context, (spry_value_type)type, (spry_index_type)index, base);
        spry_context_destroy(context);
    }
}

Test(duplicates, refused_by_row_and_column) {
    static const spry_convert_options refuse = {.size = sizeof refuse, .duplicates = SPRY_REFUSE};
    spry_context *context = test_context(2);
    struct list list = test_scenario("banded")->make();
    list_add(&list, 421, 423, 1.0);
    for (int base = 0; base < 2; base++) {
        struct built coo;
        cr_assert_eq(
            build(context, &list, SPRY_COO, SPRY_F64, SPRY_I32, base ? WRAPPED_FROM_1 : WRAPPED_FROM_0, &coo),
            SPRY_OK);
        spry_matrix *result = coo.matrix;
        cr_expect_eq(spry_convert(context, coo.matrix, SPRY_CSR, &refuse, &result), SPRY_ERROR_DUPLICATE);
        cr_expect_null(result);
        const char *message = spry_message(context);
        cr_expect(strstr(message, base ? "422" : "421") && strstr(message, base ? "424" : "423"), "%s",
                  message);
        built_free(&coo);
    }
    list_free(&list);
    spry_context_destroy(context);
}

Test(duplicates, none_is_not_refused) {
    static const spry_convert_options refuse = {.size = sizeof refuse, .duplicates = SPRY_REFUSE};
    spry_context *context = test_context(2);
    struct list list = test_scenario("banded")->make();
    struct built coo;
    cr_assert_eq(build(context, &list, SPRY_COO, SPRY_F32, SPRY_I64, WRAPPED_FROM_0, &coo), SPRY_OK);
    spry_matrix *result = NULL;
    cr_expect_eq(spry_convert(context, coo.matrix, SPRY_JDS, &refuse, &result), SPRY_OK);
    cr_expect(equals_list(context, result, &list));
    spry_matrix_destroy(result);
    built_free(&coo);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- JDS: rows in the order of falling length ---- */

static int64_t short_ones(int64_t i) {
    return i * 7 % 5;
}

static int64_t nothing(int64_t i) {
    (void)i;
    return 0;
}

static int64_t all_equal(int64_t i) {
    (void)i;
    return 3;
}

static int64_t all_long(int64_t i) {
    (void)i;
    return 150;
}

static int64_t one_long(int64_t i) {
    return i == 4100 ? 9000 : short_ones(i);
}

/* Each length from 120 to 299 comes up several times, far apart; past 127 an eighth of an octave is from 16 to 32 lengths. */
static int64_t steps(int64_t i) {
    return i % 3 == 0 ? 120 + i / 3 * 7 % 180 : i % 9;
}

static int64_t steps_and_long(int64_t i) {
    return i == 77 ? 2000 : steps(i);
}

/* No length further than 320 from another, none short. */
static int64_t near_500(int64_t i) {
    return 480 + i * 11 % 40;
}

/* As many within an eighth of an octave as are compared with each other on a device, and, with more rows, one more. */
static int64_t alike(int64_t i) {
    return i == 0 ? 500 : 128 + i % 3;
}

static const struct lengths {
    const char *name;
    int64_t rows, (*of)(int64_t i);
} row_lengths[] = {
    {"no rows", 0, nothing},
    {"empty rows", 5000, nothing},
    {"one row", 1, all_equal},
    {"equal rows", 5000, all_equal},
    {"equal long rows", 100, all_long},
    {"rows of a warp", 32, short_ones},
    {"a row more than a tile", 4097, short_ones},
    {"one long row", 9000, one_long},
    {"steps of lengths", 1500, steps},
    {"steps and a long row", 1500, steps_and_long},
    {"near 500", 150, near_500},
    {"many alike", 4097, alike},
    {"too many alike", 4098, alike},
};

static struct list list_of_lengths(const struct lengths *lengths) {
    int64_t cols = 1;
    for (int64_t i = 0; i < lengths->rows; i++)
        cols = lengths->of(i) > cols ? lengths->of(i) : cols;
    struct list list = list_new(lengths->rows, cols);
    uint64_t seed = 41;
    for (int64_t i = 0; i < lengths->rows; i++)
        for (int64_t k = 0; k < lengths->of(i); k++)
            list_add(&list, i, k, test_value(&seed));
    return list;
}

/* How many rows are longer than each length up to the longest, to be freed. */
static int64_t *longer_rows(const struct lengths *lengths, int64_t longest) {
    int64_t *longer = test_malloc((size_t)(longest + 1) * sizeof *longer), left = lengths->rows;
    memset(longer, 0, (size_t)(longest + 1) * sizeof *longer);
    for (int64_t i = 0; i < lengths->rows; i++) {
        cr_assert_leq(lengths->of(i), longest, "%s", lengths->name);
        longer[lengths->of(i)]++;
    }
    for (int64_t length = 0; length <= longest; length++)
        longer[length] = left -= longer[length];
    return longer;
}

/* Compare where diagonals begin, and the permutation: rows that are as long are in their order. */
static void expect_order(spry_context *context, const spry_matrix *matrix, const struct lengths *lengths) {
    const spry_jds *jds = spry_matrix_jds(matrix);
    const size_t index = spry_index_size(spry_matrix_index(matrix)),
                 pointer = spry_pointer_size(spry_matrix_index(matrix)), rows = (size_t)lengths->rows,
                 pointers = (size_t)jds->diagonals + 1;
    char *perm = test_malloc(rows * index), *ptr = test_malloc(pointers * pointer);
    int64_t *place = longer_rows(lengths, jds->diagonals), begin = 0;
    for (int64_t d = 0; d <= jds->diagonals; begin += place[d++])
        set_integer(ptr, pointer, d, begin);
    for (int64_t i = 0; i < lengths->rows; i++)
        set_integer(perm, index, place[lengths->of(i)]++, i);
    cr_expect(array_holds(context, jds->perm, perm, rows * index), "%s", lengths->name);
    cr_expect(array_holds(context, jds->ptr, ptr, pointers * pointer), "%s", lengths->name);
    free(place);
    free(perm);
    free(ptr);
}

/* From COO nothing is known of the rows yet; of CSR all is. */
static void check_order(spry_context *context, const struct lengths *lengths, spry_value_type type,
                        spry_index_type index) {
    struct list list = list_of_lengths(lengths);
    for (int format = SPRY_COO; format <= SPRY_CSR; format++) {
        spry_matrix *jds = NULL;
        struct built from = built_of(context, &list, (spry_format)format, type, index);
        cr_assert_eq(spry_convert(context, from.matrix, SPRY_JDS, NULL, &jds), SPRY_OK, "%s: %s",
                     lengths->name, spry_message(context));
        expect_order(context, jds, lengths);
        cr_expect(equals_list(context, jds, &list), "%s", lengths->name);
        spry_matrix_destroy(jds);
        built_free(&from);
    }
    list_free(&list);
}

Test(jds, rows_by_falling_length) {
    spry_context *context = test_context(2);
    for (size_t l = 0; l < sizeof row_lengths / sizeof *row_lengths; l++)
        for (int index = 0; index < SPRY_INDEX_COUNT; index++)
            if (!test_is_brief() || index == (int)l % SPRY_INDEX_COUNT)
                check_order(context, &row_lengths[l], l % 2 ? SPRY_F32 : SPRY_F64, (spry_index_type)index);
    spry_context_destroy(context);
}

/* Row i has i + 1 entries: without options two thirds of the rows fit the first part whole. */
Test(hyb, width_of_two_thirds_of_the_rows) {
    spry_context *context = test_context(2);
    for (int64_t n = 1; n <= 40; n += 3) {
        struct list list = list_new(n, n);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j <= i; j++)
                list_add(&list, i, j, 1);
        spry_matrix *hyb;
        struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
        cr_assert_eq(spry_convert(context, csr.matrix, SPRY_HYB, NULL, &hyb), SPRY_OK);
        cr_expect_eq(spry_matrix_ell(spry_matrix_hyb(hyb)->ell)->width, (2 * n + 2) / 3, "%d rows", (int)n);
        spry_matrix_destroy(hyb);
        built_free(&csr);
        list_free(&list);
    }
    spry_context_destroy(context);
}

/* An arrow: first row, first column, diagonal. */
static struct list large_arrow(int64_t n) {
    struct list list = list_new(n, n);
    for (int64_t i = 0; i < n; i++) {
        list_add(&list, 0, i, 1.0);
        if (i) {
            list_add(&list, i, 0, 2.0);
            list_add(&list, i, i, 3.0);
        }
    }
    return list;
}

static int numbers_in(const char *text) {
    int count = 0;
    for (const char *c = text; *c; c++)
        count += isdigit((unsigned char)*c) && (c == text || !isdigit((unsigned char)c[-1]));
    return count;
}

static void expect_too_large(struct counting *counting, spry_context *context, const spry_matrix *csr,
                             spry_format format, const spry_convert_options *options) {
    spry_matrix *result = NULL;
    /* Once for the workspace of the context, which stays. */
    cr_expect_eq(spry_convert(context, csr, format, options, &result), SPRY_ERROR_TOO_LARGE);
    int64_t live = counting->live_bytes;
    counting->largest = 0;
    cr_expect_eq(spry_convert(context, csr, format, options, &result), SPRY_ERROR_TOO_LARGE);
    cr_expect_null(result);
    cr_expect_lt(counting->largest, (size_t)16 << 20, "%zu bytes asked for before refusing",
                 counting->largest);
    cr_expect_eq(counting->live_bytes, live);
    cr_expect_geq(numbers_in(spry_message(context)), 2, "both sizes in \"%s\"", spry_message(context));
}

Test(limits, too_large_before_allocating) {
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 2);
    struct list list = large_arrow(100000);
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    expect_too_large(&counting, context, csr.matrix, SPRY_ELL, NULL);
    expect_too_large(&counting, context, csr.matrix, SPRY_HYB,
                     &(spry_convert_options){.size = sizeof(spry_convert_options), .hyb_quantile = 1});
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
    cr_expect_not(counting.misused);
}

static void expect_transpose(spry_context *context, const spry_matrix *matrix, const struct list *list,
                             spry_format format) {
    struct list turned = list_transposed(list);
    spry_matrix *result = NULL;
    char before[256];
    snprintf(before, sizeof before, "%s", spry_message(context));
    cr_assert_eq(spry_transpose(context, matrix, &result), SPRY_OK, "%s", spry_message(context));
    cr_expect_str_eq(spry_message(context), before);
    cr_expect_eq(spry_matrix_format(result), format, "%s, not %s",
                 spry_format_name(spry_matrix_format(result)), spry_format_name(format));
    list_sort(&turned);
    cr_expect(equals_list(context, result, &turned));
    spry_matrix_destroy(result);
    list_free(&turned);
}

/* A full column is a full row of the transpose, which ELL would pad all others to. */
Test(limits, transposes_of_a_full_column) {
    enum { ROWS = 4000 };
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 2);
    struct list list = list_new(ROWS, ROWS);
    for (int64_t i = 0; i < ROWS; i++)
        list_add(&list, i, 0, (double)(i + 1));
    struct built ell = built_of(context, &list, SPRY_ELL, SPRY_F64, SPRY_I32);
    counting.largest = 0;
    expect_transpose(context, ell.matrix, &list, SPRY_CSR);
    cr_expect_lt(counting.largest, (size_t)16 << 20, "%zu bytes", counting.largest);
    built_free(&ell);
    list_free(&list);
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
}

/* Who has made a large matrix may have a transpose that is as large; also where the ratio of the sizes was rounded down. */
Test(limits, transposes_as_large_as_their_source) {
    static const spry_convert_options any = {.size = sizeof any, .fill_limit = INFINITY};
    spry_context *context = test_context(2);
    int rounded_down = 0;
    for (int64_t n = 1786; n < 1820 && !rounded_down; n++) {
        struct list list = large_arrow(n);
        spry_matrix *ell;
        struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F32, SPRY_I32);
        cr_assert_eq(spry_convert(context, csr.matrix, SPRY_ELL, &any, &ell), SPRY_OK, "%s",
                     spry_message(context));
        const double bytes = (double)spry_matrix_bytes(ell),
                     csr_bytes = (double)spry_matrix_bytes(csr.matrix);
        rounded_down = bytes / csr_bytes * csr_bytes < bytes;
        expect_transpose(context, ell, &list, SPRY_ELL);
        spry_matrix_destroy(ell);
        built_free(&csr);
        list_free(&list);
    }
    cr_expect(rounded_down);
    spry_context_destroy(context);
}

/* Sizes past 64 bits must not wrap round to something that fits. */
Test(limits, size_that_overflows) {
    spry_context *context = test_context(1);
    int64_t cols = (int64_t)1 << 61;
    struct list list = list_new(1, cols);
    list_add(&list, 0, 0, 1);
    list_add(&list, 0, cols / 2, 2);
    list_add(&list, 0, cols - 1, 3);
    struct built coo;
    spry_matrix *result = NULL;
    cr_assert_eq(build(context, &list, SPRY_COO, SPRY_F64, SPRY_I64, WRAPPED_FROM_0, &coo), SPRY_OK);
    spry_status status = spry_convert(context, coo.matrix, SPRY_CSC, NULL, &result);
    cr_expect(status == SPRY_ERROR_OVERFLOW || status == SPRY_ERROR_MEMORY, "%s", spry_status_string(status));
    cr_expect_null(result);
    cr_expect_eq(spry_convert(context, coo.matrix, SPRY_CSR, NULL, &result), SPRY_OK, "%s",
                 spry_message(context));
    spry_matrix_destroy(result);
    built_free(&coo);
    list_free(&list);
    spry_context_destroy(context);
}

/* Growth is the caller's to allow: the same matrix passes under one limit and not under the other. */
Test(limits, fill_limit_is_a_choice) {
    spry_context *context = test_context(2);
    struct list list = large_arrow(3000);
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F32, SPRY_I32);
    spry_matrix *result = NULL;
    cr_expect_eq(spry_convert(context, csr.matrix, SPRY_ELL, NULL, &result), SPRY_ERROR_TOO_LARGE);
    spry_convert_options options = {.size = sizeof options, .fill_limit = 2000};
    cr_expect_eq(spry_convert(context, csr.matrix, SPRY_ELL, &options, &result), SPRY_OK, "%s",
                 spry_message(context));
    cr_expect_eq(spry_matrix_slots(result), 3000 * spry_matrix_ell(result)->stride);
    cr_expect(equals_list(context, result, (list_sort(&list), &list)));
    spry_matrix_destroy(result);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

Test(limits, bad_options) {
    static const spry_convert_options bad[] = {{.size = sizeof *bad, .fill_limit = -1},
                                               {.size = sizeof *bad, .fill_limit = NAN},
                                               {.size = sizeof *bad, .hyb_quantile = -0.5},
                                               {.size = sizeof *bad, .hyb_quantile = 1.5},
                                               {.size = sizeof *bad, .hyb_quantile = NAN},
                                               {.size = sizeof *bad, .products = -1},
                                               {.size = sizeof *bad, .duplicates = SPRY_REFUSE + 1}};
    spry_context *context = test_context(1);
    struct list list = test_scenario("duplicates")->make();
    struct built coo;
    cr_assert_eq(build(context, &list, SPRY_COO, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &coo), SPRY_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        spry_matrix *result = NULL;
        cr_expect_eq(spry_convert(context, coo.matrix, SPRY_HYB, &bad[i], &result), SPRY_ERROR_ARGUMENT,
                     "choice %zu", i);
        cr_expect(!strstr(spry_message(context), "size"), "%s", spry_message(context));
        cr_expect_null(result);
    }
    spry_matrix *result = NULL;
    cr_expect_eq(spry_convert(context, NULL, SPRY_CSR, NULL, &result), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_convert(context, coo.matrix, SPRY_FORMAT_COUNT, NULL, &result), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_convert(context, coo.matrix, SPRY_CSR, NULL, NULL), SPRY_ERROR_ARGUMENT);
    built_free(&coo);
    list_free(&list);
    spry_context_destroy(context);
}

static struct built wide_coo(spry_context *context, int64_t cols) {
    struct list list = list_new(2, cols);
    list_add(&list, 0, 5, 1);
    list_add(&list, 1, 6, 2);
    struct built coo;
    cr_assert_eq(build(context, &list, SPRY_COO, SPRY_F64, SPRY_I64, WRAPPED_FROM_0, &coo), SPRY_OK);
    list_free(&list);
    return coo;
}

Test(cast, arguments) {
    spry_context *context = test_context(1);
    struct list list = test_scenario("duplicates")->make();
    spry_matrix *result;
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_cast(context, NULL, SPRY_F32, SPRY_I32, &result), SPRY_ERROR_ARGUMENT);
    cr_expect(strstr(spry_message(context), "the matrix is null"), "%s", spry_message(context));
    cr_expect_eq(spry_cast(context, built.matrix, (spry_value_type)7, SPRY_I32, &result),
                 SPRY_ERROR_ARGUMENT);
    cr_expect(strstr(spry_message(context), "invalid value type 7"), "%s", spry_message(context));
    cr_expect_eq(spry_cast(context, built.matrix, SPRY_F32, (spry_index_type)9, &result),
                 SPRY_ERROR_ARGUMENT);
    cr_expect(strstr(spry_message(context), "index type 9"), "%s", spry_message(context));
    cr_expect_null(result);
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

Test(transpose, of_nothing) {
    spry_context *context = test_context(1);
    spry_matrix *result;
    cr_expect_eq(spry_transpose(context, NULL, &result), SPRY_ERROR_ARGUMENT);
    cr_expect(strstr(spry_message(context), "the matrix is null"), "%s", spry_message(context));
    cr_expect_null(result);
    spry_context_destroy(context);
}

Test(cast, index_that_does_not_fit) {
    spry_context *context = test_context(1);
    int64_t cols = (int64_t)INT32_MAX + 1;
    struct built coo = wide_coo(context, cols);
    spry_matrix *result = coo.matrix;
    cr_expect_eq(spry_cast(context, coo.matrix, SPRY_F64, SPRY_I32, &result), SPRY_ERROR_OVERFLOW);
    cr_expect_null(result);
    cr_expect_str_not_empty(spry_message(context));
    cr_expect_eq(spry_cast(context, coo.matrix, SPRY_F64, SPRY_I32P64, &result), SPRY_ERROR_OVERFLOW);
    cr_expect_eq(spry_cast(context, coo.matrix, SPRY_F32, SPRY_I64, &result), SPRY_OK);
    spry_matrix_destroy(result);
    built_free(&coo);
    coo = wide_coo(context, cols - 1);
    cr_expect_eq(spry_cast(context, coo.matrix, SPRY_F64, SPRY_I32, &result), SPRY_OK, "%s",
                 spry_message(context));
    spry_matrix_destroy(result);
    built_free(&coo);
    spry_context_destroy(context);
}

static void check_choice(const struct scenario *scenario, spry_context *context, double products) {
    spry_convert_options options = {.size = sizeof options, .duplicates = SPRY_KEEP, .products = products};
    struct list list = scenario->make();
    struct built coo;
    cr_assert_eq(build(context, &list, SPRY_COO, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &coo), SPRY_OK);
    spry_matrix *result = NULL;
    cr_expect_eq(spry_convert(context, coo.matrix, SPRY_AUTO, &options, &result), SPRY_OK, "%s: %s",
                 scenario->name, spry_message(context));
    list_sort(&list);
    cr_expect(result && equals_list(context, result, &list), "%s", scenario->name);
    spry_matrix_destroy(result);
    built_free(&coo);
    list_free(&list);
}

Test(choice, keeps_the_entries) {
    spry_context *context = test_context(2);
    for (size_t i = 0; i < test_scenario_count; i++)
        if (!test_scenarios[i].large) {
            check_choice(&test_scenarios[i], context, 0);
            check_choice(&test_scenarios[i], context, 1);
        }
    spry_context_destroy(context);
}

/* A row that padding cannot take does not keep the choice from being made. */
Test(choice, with_a_format_that_does_not_fit) {
    spry_context *context = test_context(2);
    check_choice(test_scenario("long row"), context, 0);
    spry_context_destroy(context);
}
