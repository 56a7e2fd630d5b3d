/* SPDX-License-Identifier: BSD-3-Clause */
/* What one look at a matrix gives, against the same worked out from a list of its entries. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/blocks.h"
#include "analysis/features.h"
#include "analysis/windows.h"
#include "core/backend.h"
#include "support/build.h"
#include "support/scenarios.h"

/* ---- the naive way ---- */

static int64_t *lengths_of(const struct list *list) {
    int64_t *length = test_malloc((size_t)list->rows * sizeof *length);
    memset(length, 0, (size_t)list->rows * sizeof *length);
    for (int64_t k = 0; k < list->nnz; k++)
        length[list->row[k]]++;
    return length;
}

static int64_t largest_of(const int64_t *number, int64_t count) {
    int64_t largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest = number[i] > largest ? number[i] : largest;
    return largest;
}

static int64_t sum_of(const int64_t *number, int64_t count) {
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += number[i];
    return sum;
}

static int64_t group_at(int64_t first, int64_t size, int64_t rows) {
    return rows - first < size ? rows - first : size;
}

static void expect_groups(const int64_t *length, int64_t rows, int64_t size, const int64_t *counted,
                          const char *name) {
    int64_t count[SPRY_LENGTH_COUNTERS] = {0};
    for (int64_t first = 0; first < rows; first += size)
        count[spry_length_bin(largest_of(length + first, group_at(first, size, rows)))]++;
    for (int bin = 0; bin < SPRY_LENGTH_COUNTERS; bin++)
        cr_expect_eq(counted[bin], count[bin], "%s: %d groups of %d in bin %d, not %d", name,
                     (int)counted[bin], (int)size, bin, (int)count[bin]);
}

/* The sorted list's entries at the places of the sample. */
static void expect_sample(const struct list *sorted, const spry_matrix *csr,
                          const struct spry_features *features, const char *name) {
    struct spry_sample sample = spry_sample_of(csr);
    int64_t lines = 0;
    double distance = 0;
    cr_expect_eq(features->sampled, sample.windows * sample.length, "%s", name);
    cr_expect_leq(features->sampled * SPRY_SAMPLE_SHARE, sorted->nnz, "%s", name);
    for (int64_t w = 0; w < sample.windows; w++)
        for (int64_t i = 0; i < sample.length; i++) {
            int64_t k = spry_sample_begin(sample, w) + i, column = sorted->col[k];
            cr_assert(k >= 0 && k < sorted->nnz, "%s", name);
            lines += k == 0 || sorted->row[k - 1] != sorted->row[k] || sorted->col[k - 1] / 8 != column / 8;
            distance += fabs((double)column - floor((double)sorted->row[k] * sample.slope));
        }
    cr_expect_eq(features->lines, lines, "%s: %d lines, not %d", name, (int)features->lines, (int)lines);
    cr_expect_eq(features->distance, distance, "%s: %g columns, not %g", name, features->distance, distance);
}

static int compare_falling(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* Slots of the rows of each window, sorted, in groups that are as wide as their first. */
static int64_t sorted_slots(const struct list *list, const int64_t *length, int64_t group) {
    struct spry_windows windows = spry_windows_of(list->rows);
    int64_t slots = 0;
    for (int64_t w = 0; w < windows.count; w++) {
        int64_t window[SPRY_WINDOW_ROWS], first = spry_window_begin(windows, w),
                                          rows = group_at(first, SPRY_WINDOW_ROWS, list->rows);
        for (int64_t i = 0; i < rows; i++)
            window[i] = spry_bin_least(spry_length_bin(length[first + i]));
        qsort(window, (size_t)rows, sizeof *window, compare_falling);
        for (int64_t i = 0; i < rows; i += group)
            slots += group * window[i];
    }
    return slots;
}

static void expect_windows(const struct list *list, const int64_t *length,
                           const struct spry_features *features, const char *name) {
    cr_expect_eq(features->window_entries, sorted_slots(list, length, 1), "%s", name);
    cr_expect_eq(features->sorted_eight, sorted_slots(list, length, 8), "%s", name);
    cr_expect_eq(features->sorted_sixteen, sorted_slots(list, length, 16), "%s", name);
    cr_expect_eq(features->sorted_warp, sorted_slots(list, length, 32), "%s", name);
}

static void expect_features(const struct list *sorted, const spry_matrix *csr,
                            const struct spry_features *features, const char *name) {
    int64_t rows = sorted->rows, *length = lengths_of(sorted), changes = 0, largest = 0, shortest = INT64_MAX;
    int64_t run = (rows + features->parts - 1) / features->parts;
    for (int64_t i = 0; i < rows; i++) {
        changes += i > 0 && length[i] != length[i - 1];
        shortest = length[i] < shortest ? length[i] : shortest;
    }
    for (int64_t first = 0; first < rows; first += run) {
        int64_t entries = sum_of(length + first, group_at(first, run, rows));
        largest = entries > largest ? entries : largest;
    }
    cr_expect_eq(features->shortest, shortest, "%s", name);
    cr_expect_eq(features->longest, largest_of(length, rows), "%s", name);
    cr_expect_eq(features->changes, changes, "%s: %d changes, not %d", name, (int)features->changes,
                 (int)changes);
    cr_expect_eq(features->largest_share, largest, "%s", name);
    expect_groups(length, rows, 1, features->by_row, name);
    expect_groups(length, rows, 8, features->by_eight, name);
    expect_groups(length, rows, 32, features->by_warp, name);
    expect_windows(sorted, length, features, name);
    expect_sample(sorted, csr, features, name);
    free(length);
}

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void expect_lengths(const struct list *list, const spry_row_lengths *lengths, const char *name) {
    int64_t rows = list->rows, *length = lengths_of(list), histogram[SPRY_LENGTH_BINS] = {0};
    double mean = (double)list->nnz / (double)rows, squares = 0;
    qsort(length, (size_t)rows, sizeof *length, compare);
    for (int64_t i = 0; i < rows; i++) {
        squares += ((double)length[i] - mean) * ((double)length[i] - mean);
        histogram[length[i] ? (int)log2((double)length[i]) + 1 : 0]++;
    }
    double std = sqrt(squares / (double)rows);
    cr_expect_eq(lengths->min, length[0], "%s", name);
    cr_expect_eq(lengths->q1, length[(rows + 3) / 4 - 1], "%s", name);
    cr_expect_eq(lengths->median, length[(rows + 1) / 2 - 1], "%s", name);
    cr_expect_eq(lengths->q3, length[(3 * rows + 3) / 4 - 1], "%s", name);
    cr_expect_eq(lengths->max, length[rows - 1], "%s", name);
    cr_expect_eq(lengths->mean, mean, "%s", name);
    cr_expect_float_eq(lengths->std, std, 1e-12 * std, "%s: %.17g, not %.17g", name, lengths->std, std);
    cr_expect_eq(lengths->empty, histogram[0], "%s", name);
    cr_expect_arr_eq(lengths->histogram, histogram, sizeof histogram, "%s", name);
    free(length);
}

/* ---- matrices ---- */

/* Rows of these lengths again and again, from columns that wander off the diagonal. */
static struct list rows_of(int64_t rows, int64_t cols, const int *length, int count) {
    struct list list = list_new(rows, cols);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < length[i % count]; k++)
            list_add(&list, i, (7 * i + 3 * k) % cols, 1);
    list_sort(&list);
    return list;
}

#define ROWS_OF(rows, cols, ...)                                                                             \
    rows_of(rows, cols, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

/* Rows of one entry, and a full one. */
static struct list spiked(void) {
    struct list list = list_new(1000, 3000);
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t k = 0; k < (i == 700 ? list.cols : 1); k++)
            list_add(&list, i, i == 700 ? k : i, 1);
    return list;
}

enum { BORDERS, LONG, ALIKE, LONG_ALIKE, MIXED, ALMOST_ALIKE, OWN_COUNT };

static struct list make_own(int which) {
    switch (which) {
    case BORDERS:
        return ROWS_OF(100, 700, 127, 128, 129, 143, 144, 255, 256, 257, 287, 288);
    case LONG:
        return ROWS_OF(40, 6000, 4095, 4096, 5000, 300);
    case ALIKE:
        return ROWS_OF(2000, 900, 6);
    case LONG_ALIKE:
        return ROWS_OF(33, 999, 400);
    case MIXED:
        return ROWS_OF(3001, 1500, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 3, 150, 7);
    default:
        return spiked();
    }
}

/* ---- tests ---- */

static void look(spry_context *context, const spry_matrix *csr, struct spry_features *features) {
    cr_assert_eq(context->code->analysis->features(context, csr, features), SPRY_OK, "%s",
                 spry_message(context));
}

static void check(spry_context *context, const struct list *list, spry_index_type index, enum origin origin,
                  const char *name) {
    struct built built;
    struct list sorted = list_copy(list);
    spry_row_lengths lengths;
    spry_statistics statistics = {.size = sizeof statistics};
    list_sort(&sorted);
    cr_assert_eq(build(context, &sorted, SPRY_CSR, SPRY_F64, index, origin, &built), SPRY_OK);
    cr_assert_eq(spry_row_length_stats(context, built.matrix, &lengths), SPRY_OK);
    cr_assert_eq(spry_matrix_statistics(context, built.matrix, &statistics), SPRY_OK);
    cr_expect_arr_eq(&statistics.lengths, &lengths, sizeof lengths, "%s", name);
    cr_expect_eq(statistics.rows, list->rows);
    cr_expect_eq(statistics.cols, list->cols);
    cr_expect_eq(statistics.nnz, list->nnz);
    if (list->rows > 0) {
        struct spry_features features;
        look(context, built.matrix, &features);
        expect_features(&sorted, built.matrix, &features, name);
        expect_lengths(&sorted, &lengths, name);
    }
    list_free(&sorted);
    built_free(&built);
}

/* With different numbers of threads; where cases are few, the first two of them. */
static void check_in_all_ways(const struct list *list, const char *name) {
    static const int counts[] = {1, 5, 2, 64};
    const size_t tried = test_has_few_cases() ? 2 : sizeof counts / sizeof counts[0];
    for (size_t c = 0; c < tried && counts[c] <= test_threads(64); c++) {
        spry_context *context = test_context(counts[c]);
        for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
            check(context, list, (spry_index_type)index, CONVERTED, name);
            check(context, list, (spry_index_type)index, WRAPPED_FROM_1, name);
        }
        spry_context_destroy(context);
    }
}

Test(statistics, of_scenarios) {
    for (size_t i = 0; i < test_scenario_count; i++) {
        if (!test_scenario_is_tried(&test_scenarios[i]))
            continue;
        struct list list = test_scenarios[i].make();
        check_in_all_ways(&list, test_scenarios[i].name);
        list_free(&list);
    }
}

Test(statistics, of_lengths_around_the_bins) {
    for (int which = 0; which < OWN_COUNT; which++) {
        char name[16];
        struct list list = make_own(which);
        snprintf(name, sizeof name, "own %d", which);
        check_in_all_ways(&list, name);
        list_free(&list);
    }
}

/* All but what follows the number of threads. */
Test(statistics, are_the_same_for_any_number_of_threads) {
    struct list list = make_own(MIXED);
    struct spry_features one, more;
    for (int threads = 1; threads <= test_threads(9); threads++) {
        spry_context *context = test_context(threads);
        struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
        look(context, built.matrix, threads == 1 ? &one : &more);
        if (threads > 1) {
            cr_expect_eq(more.parts, threads);
            more.parts = one.parts;
            more.largest_share = one.largest_share;
            cr_expect_arr_eq(&more, &one, sizeof one, "%d threads", threads);
        }
        built_free(&built);
        spry_context_destroy(context);
    }
    list_free(&list);
}

Test(statistics, say_where_entries_lie) {
    spry_context *context = test_context(1);
    spry_statistics statistics = {.size = sizeof statistics};
    for (int64_t step = 1; step <= 8; step += 7) {
        struct list list = list_new(512, 512 * 8);
        for (int64_t i = 0; i < list.rows; i++)
            for (int64_t k = 0; k < 16; k++)
                list_add(&list, i, (8 * i + step * k) % list.cols, 1);
        struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
        cr_assert_eq(spry_matrix_statistics(context, built.matrix, &statistics), SPRY_OK);
        /* 16 columns from the diagonal on are two lines. */
        cr_expect_float_eq(statistics.lines, step == 1 ? 2.0 / 16 : 1, 1e-12, "%g", statistics.lines);
        if (step == 1)
            cr_expect_float_eq(statistics.bandwidth, 7.5 / (double)list.cols, 1e-12, "%g",
                               statistics.bandwidth);
        /* Rows are alike, but their number is no multiple of a device's multiprocessors. */
        cr_expect(statistics.imbalance >= 1 && statistics.imbalance < 1.5, "%g", statistics.imbalance);
        built_free(&built);
        list_free(&list);
    }
    spry_context_destroy(context);
}

/* Every fourth row has three entries, the others none: but for the first of each 32 rows that are looked at together, rows 4 k and
   4 k + 1 are unlike those before them. */
Test(statistics, of_rows_that_come_back) {
    spry_context *context = test_context(1);
    struct list list = list_new(256, 300);
    struct spry_features features;
    for (int64_t i = 0; i < list.rows; i += 4)
        for (int64_t k = 0; k < 3; k++)
            list_add(&list, i, i + k, 1);
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    look(context, built.matrix, &features);
    cr_expect_eq(features.stencils.period, 1);
    cr_expect_eq(features.stencils.breaks, (7 + 8) * 8);
    cr_expect_eq(features.stencils.broken, 7 * 3 * 8);
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

/* A search of rows that are not sorted need not find the entry that it is for. */
Test(statistics, of_blocks_without_entries) {
    cr_expect_eq(spry_block_saving(0), 0);
    cr_expect_eq(spry_block_saving(1), 0);
    cr_expect_eq(spry_block_saving(2), SPRY_BLOCK_UNIT / 2);
}

Test(statistics, of_nothing) {
    static const int64_t sizes[][2] = {{0, 0}, {0, 5}, {5, 0}, {5, 5}};
    spry_context *context = test_context(2);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct list list = list_new(sizes[s][0], sizes[s][1]);
        spry_statistics statistics = {.size = sizeof statistics},
                        expected = {
                            .size = sizeof expected, .rows = list.rows, .cols = list.cols, .imbalance = 1};
        struct built built = built_of(context, &list, SPRY_CSR, SPRY_F32, SPRY_I64);
        cr_assert_eq(spry_matrix_statistics(context, built.matrix, &statistics), SPRY_OK);
        expected.lengths.empty = expected.lengths.histogram[0] = list.rows;
        cr_expect_arr_eq(&statistics, &expected, sizeof expected);
        built_free(&built);
        list_free(&list);
    }
    spry_context_destroy(context);
}

Test(statistics, arguments) {
    spry_context *context = test_context(1);
    struct list list = test_scenario("random")->make();
    spry_statistics statistics = {.size = sizeof statistics};
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32),
                 coo = built_of(context, &list, SPRY_COO, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_matrix_statistics(NULL, csr.matrix, &statistics), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_matrix_statistics(context, NULL, &statistics), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_matrix_statistics(context, csr.matrix, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_matrix_statistics(context, coo.matrix, &statistics), SPRY_ERROR_ARGUMENT);
    cr_expect(strstr(spry_message(context), "spry_matrix_statistics"), "%s", spry_message(context));
    built_free(&csr);
    built_free(&coo);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- bins ---- */

Test(bins, hold_lengths_to_an_eighth) {
    for (int bin = 0; bin < SPRY_LENGTH_COUNTERS; bin++) {
        int64_t least = spry_bin_least(bin), next = spry_bin_least(bin + 1);
        cr_expect_eq(spry_length_bin(least), bin);
        cr_expect(bin == SPRY_LENGTH_COUNTERS - 1 || spry_length_bin(next - 1) == bin, "bin %d", bin);
        cr_expect_leq(next - least, bin < SPRY_LENGTH_EXACT ? 1 : least / 8, "bin %d", bin);
    }
    cr_expect_eq(spry_bin_least(SPRY_LENGTH_COUNTERS - 1), (int64_t)1 << 31);
    cr_expect_eq(spry_length_bin(INT64_MAX), SPRY_LENGTH_COUNTERS - 1);
}

Test(bins, answer_for_lengths) {
    int64_t count[SPRY_LENGTH_COUNTERS] = {[0] = 4, [5] = 3, [127] = 2};
    count[spry_length_bin(128)] = 1;
    cr_expect_eq(spry_bin_at_rank(count, 4), 0);
    cr_expect_eq(spry_bin_at_rank(count, 5), 5);
    cr_expect_eq(spry_bin_at_rank(count, 10), spry_length_bin(128));
    cr_expect_eq(spry_count_above(count, 0), 6);
    cr_expect_eq(spry_count_above(count, 5), 3);
    cr_expect_eq(spry_count_above(count, 127), 1);
    cr_expect_eq(spry_count_above(count, 200), 0);
    cr_expect_eq(spry_sum_within(count, 0), 0);
    cr_expect_eq(spry_sum_within(count, 6), 3 * 5 + 3 * 6);
    /* The last one is of 128 to 143. */
    cr_expect_eq(spry_sum_within(count, 1000), 3 * 5 + 2 * 127 + 135.5);
}
