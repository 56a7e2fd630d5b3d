/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "scenarios.h"

/* `count` entries in each row at random columns, possibly the same column twice. */
static void scatter(struct list *list, int64_t row, int64_t count, uint64_t *seed) {
    for (int64_t k = 0; k < count; k++)
        list_add(list, row, test_below(seed, list->cols), test_value(seed));
}

/* Entries at the columns first, first + step, … of a row. */
static void comb(struct list *list, int64_t row, int64_t first, int64_t step, uint64_t *seed) {
    for (int64_t col = first; col < list->cols; col += step)
        list_add(list, row, col, test_value(seed));
}

static struct list nothing_at_all(void) {
    return list_new(0, 0);
}

static struct list no_rows(void) {
    return list_new(0, 5);
}

static struct list no_cols(void) {
    return list_new(5, 0);
}

static struct list no_entries(void) {
    return list_new(37, 41);
}

static struct list one_entry(void) {
    struct list list = list_new(1, 1);
    list_add(&list, 0, 0, -1.25);
    return list;
}

static struct list one_row(void) {
    struct list list = list_new(1, 301);
    uint64_t seed = 1;
    comb(&list, 0, 1, 2, &seed);
    return list;
}

static struct list one_col(void) {
    struct list list = list_new(301, 1);
    uint64_t seed = 2;
    for (int64_t row = 0; row < list.rows; row += 3)
        list_add(&list, row, 0, test_value(&seed));
    return list;
}

/* The first rows, the last rows and most in between are empty, and so are most columns. */
static struct list empty_rows(void) {
    struct list list = list_new(500, 400);
    uint64_t seed = 3;
    for (int64_t row = 40; row < 460; row += 7)
        comb(&list, row, row % 11 + 20, 37, &seed);
    return list;
}

static struct list full_row(void) {
    struct list list = list_new(61, 700);
    uint64_t seed = 4;
    for (int64_t row = 0; row < list.rows; row++)
        comb(&list, row, row, row == 23 ? 1 : 250, &seed);
    comb(&list, 37, 0, 1, &seed);
    return list;
}

static struct list full_col(void) {
    struct list row_full = full_row(), list = list_transposed(&row_full);
    list_free(&row_full);
    return list;
}

static struct list arrow(void) {
    struct list list = list_new(120, 120);
    uint64_t seed = 5;
    comb(&list, 0, 0, 1, &seed);
    for (int64_t row = 1; row < list.rows; row++) {
        list_add(&list, row, 0, test_value(&seed));
        list_add(&list, row, row, test_value(&seed));
    }
    return list;
}

/* Every row length from 0 to 80: every remainder that a vector loop can leave over. */
static struct list every_length(void) {
    struct list list = list_new(162, 90);
    uint64_t seed = 6;
    for (int64_t row = 0; row < list.rows; row++)
        for (int64_t k = 0; k < row / 2; k++)
            list_add(&list, row, (row + k) % list.cols, test_value(&seed));
    list_sort(&list);
    return list;
}

static struct list duplicates(void) {
    struct list list = list_new(50, 12);
    uint64_t seed = 7;
    for (int64_t row = 0; row < list.rows; row++)
        scatter(&list, row, row % 20, &seed);
    return list;
}

static struct list explicit_zeros(void) {
    struct list list = list_new(60, 60);
    uint64_t seed = 8;
    for (int64_t row = 0; row < list.rows; row++)
        comb(&list, row, row % 5, 9, &seed);
    for (int64_t k = 0; k < list.nnz; k += 3)
        list.val[k] = k % 2 ? 0.0 : -0.0;
    return list;
}

static struct list random_rows(void) {
    struct list list = list_new(400, 333);
    uint64_t seed = 9;
    for (int64_t row = 0; row < list.rows; row++)
        comb(&list, row, test_below(&seed, 30), 1 + test_below(&seed, 60), &seed);
    return list;
}

static struct list unsorted(void) {
    struct list list = random_rows();
    list_shuffle(&list, 10);
    return list;
}

static struct list power_law(void) {
    struct list list = list_new(1000, 1000);
    uint64_t seed = 11;
    for (int64_t row = 0; row < list.rows; row++)
        comb(&list, row, test_below(&seed, 1 + list.cols / (1 + row % 97)), 1 + row % 389, &seed);
    return list;
}

static struct list banded(void) {
    struct list list = list_new(777, 777);
    uint64_t seed = 12;
    for (int64_t row = 0; row < list.rows; row++)
        for (int64_t col = row < 2 ? 0 : row - 2; col <= row + 3 && col < list.cols; col++)
            list_add(&list, row, col, test_value(&seed));
    return list;
}

static struct list dense(void) {
    struct list list = list_new(33, 47);
    uint64_t seed = 13;
    for (int64_t row = 0; row < list.rows; row++)
        comb(&list, row, 0, 1, &seed);
    return list;
}

static struct list wide(void) {
    struct list list = list_new(3, 60000);
    uint64_t seed = 14;
    for (int64_t row = 0; row < list.rows; row++)
        comb(&list, row, row, 97 + row, &seed);
    return list;
}

static struct list tall(void) {
    struct list across = wide(), list = list_transposed(&across);
    list_free(&across);
    return list;
}

/* One row of 100,000 entries among short ones: more than a thread's fair share sits in one row. */
static struct list long_row(void) {
    struct list list = list_new(300, 100000);
    uint64_t seed = 15;
    for (int64_t row = 0; row < list.rows; row++)
        comb(&list, row, row, row == 123 ? 1 : 40000, &seed);
    for (int64_t col = 0; col < 123; col++)
        list_add(&list, 123, col, test_value(&seed));
    list_sort(&list);
    return list;
}

/* Sums that are denormal in f64 in some rows, in f32 in others, and underflow to zero in f32. */
static struct list denormals(void) {
    struct list list = list_new(90, 90);
    uint64_t seed = 16;
    for (int64_t row = 0; row < list.rows; row++)
        comb(&list, row, row % 3, 4, &seed);
    for (int64_t k = 0; k < list.nnz; k++)
        list.val[k] = ldexp(list.val[k], list.row[k] % 2 ? -1045 : -135);
    return list;
}

static struct list special_values(void) {
    struct list list = random_rows();
    for (int64_t k = 5; k < list.nnz; k += 41)
        list.val[k] = k % 3 == 0 ? NAN : k % 3 == 1 ? INFINITY : -INFINITY;
    return list;
}

/* Rows of 32 are of one length, but for some of them; those of one slice are empty. */
static int64_t slice_length(int64_t i) {
    switch (i / 32) {
    case 3:
        return 0;
    case 5:
        return i % 32 == 31 ? 6 : 7;
    case 6:
        return i % 32 == 0 ? 0 : 7;
    case 7:
        return 8;
    case 8:
        return i % 32 == 1 || i % 32 == 30 ? 3 : 6;
    default:
        return 7;
    }
}

/* 24 slices of 32 rows and five rows of another; so little padding that it is read. */
static struct list slices(int64_t scale) {
    struct list list = list_new(24 * 32 + 5, 97);
    uint64_t seed = 31;
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t k = 0; k < scale * slice_length(i); k++)
            list_add(&list, i, (i + 5 * k) % list.cols, test_value(&seed));
    return list;
}

static struct list whole_slices(void) {
    return slices(1);
}

static struct list deep_slices(void) {
    return slices(3);
}

/* Runs of rows of one length, each column one further on than in the row before; in every second run, one of them is not. */
static struct list neighbours(void) {
    const int64_t run = 37, runs = 40;
    struct list list = list_new(run * runs, run * runs + 4 * runs);
    uint64_t seed = 32;
    for (int64_t i = 0; i < list.rows; i++) {
        const int64_t length = i / run / 2 + 1, odd = i / run % 2 && i % run == 29 ? length * 7 % 10 : 10;
        for (int64_t k = 0; k < length; k++)
            list_add(&list, i, i + 4 * k + (k == odd % length && odd < 10), test_value(&seed));
    }
    return list;
}

/* Rows with columns one further on in each, up to the last column. In groups of 16, a row at another place in each, or none, is
   not like that: at one of its entries or, in the last of the groups, at all. */
static struct list in_step(void) {
    const int64_t height = 16, length = 5, apart = 20, groups = (length + 1) * (height + 1);
    struct list list = list_new(height * groups, height * groups + (length - 1) * apart);
    uint64_t seed = 33;
    for (int64_t i = 0; i < list.rows; i++) {
        const int64_t group = i / height, at = group / (height + 1);
        const bool odd = i % height == group % (height + 1);
        for (int64_t k = 0; k < length; k++)
            list_add(&list, i, i + apart * k + (odd && (k == at || at == length)), test_value(&seed));
    }
    return list;
}

struct list test_uneven_rows(int64_t rows) {
    struct list list = list_new(rows, 1000);
    uint64_t seed = 29;
    for (int64_t row = 0; row < rows; row++) {
        const int64_t length = 300 / (1 + test_below(&seed, 300)), first = test_below(&seed, 100);
        for (int64_t k = 0; k < length; k++)
            list_add(&list, row, first + 3 * k, test_value(&seed));
    }
    return list;
}

const struct scenario test_scenarios[] = {
    {.name = "0x0", .make = nothing_at_all},
    {.name = "no rows", .make = no_rows},
    {.name = "no columns", .make = no_cols},
    {.name = "no entries", .make = no_entries},
    {.name = "one entry", .make = one_entry},
    {.name = "one row", .make = one_row},
    {.name = "one column", .make = one_col},
    {.name = "empty rows", .make = empty_rows},
    {.name = "full row", .make = full_row},
    {.name = "full column", .make = full_col},
    {.name = "arrow", .make = arrow},
    {.name = "every length", .make = every_length},
    {.name = "duplicates", .make = duplicates},
    {.name = "explicit zeros", .make = explicit_zeros},
    {.name = "random", .make = random_rows},
    {.name = "unsorted", .make = unsorted},
    {.name = "power law", .make = power_law},
    {.name = "banded", .make = banded},
    {.name = "dense", .make = dense},
    {.name = "wide", .make = wide, .large = true},
    {.name = "tall", .make = tall, .large = true},
    {.name = "long row", .make = long_row, .large = true, .may_be_refused = true},
    {.name = "denormals", .make = denormals},
    {.name = "special values", .make = special_values},
    {.name = "special x", .make = random_rows, .special_x = true},
    {.name = "special x, empty rows", .make = empty_rows, .special_x = true},
    {.name = "special x, explicit zeros", .make = explicit_zeros, .special_x = true},
    {.name = "whole slices", .make = whole_slices},
    {.name = "deep slices", .make = deep_slices},
    {.name = "neighbours", .make = neighbours},
    {.name = "in step", .make = in_step},
    {.name = "special x, whole slices", .make = whole_slices, .special_x = true},
};

const size_t test_scenario_count = sizeof test_scenarios / sizeof test_scenarios[0];

const struct scenario *test_scenario(const char *name) {
    for (size_t i = 0; i < test_scenario_count; i++)
        if (strcmp(test_scenarios[i].name, name) == 0)
            return &test_scenarios[i];
    abort();
}

bool test_scenario_is_tried(const struct scenario *scenario) {
    return !(scenario->large && test_is_small()) && !(scenario->special_x && test_has_few_cases());
}

_Static_assert(sizeof test_scenarios / sizeof *test_scenarios <= MOST_SCENARIOS, "MOST_SCENARIOS is less");

size_t test_scenario_ranges(struct scenarios ranges[MOST_SCENARIOS]) {
    const size_t step = test_has_parts() ? test_scenario_count : 1;
    size_t count = 0;
    for (size_t first = 0; first < test_scenario_count; first += step)
        ranges[count++] = (struct scenarios){first, first + step};
    return count;
}
