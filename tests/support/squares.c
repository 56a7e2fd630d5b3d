/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "squares.h"

/* Give a list without a diagonal one that outweighs all else, and put the entries in a random order. */
static struct list finish(struct list list) {
    int64_t n = list.rows, *beside = test_malloc((size_t)n * sizeof *beside);
    uint64_t seed = 7;
    for (int64_t i = 0; i < n; i++)
        beside[i] = 1;
    for (int64_t k = 0, nnz = list.nnz; k < nnz; k++) {
        beside[list.row[k]]++;
        beside[list.col[k]]++;
    }
    for (int64_t i = 0; i < n; i++)
        list_add(&list, i, i, (double)beside[i] + (double)test_below(&seed, 4) / 4);
    free(beside);
    list_shuffle(&list, 3);
    return list;
}

static struct list empty(void) {
    return list_new(0, 0);
}

static struct list one(void) {
    return finish(list_new(1, 1));
}

static struct list diagonal(void) {
    return finish(list_new(500, 500));
}

/* All entries up to so far from the diagonal. */
static struct list within(int64_t n, int64_t width) {
    struct list list = list_new(n, n);
    uint64_t seed = 11;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i > width ? i - width : 0; j <= i + width && j < n; j++)
            if (i != j)
                list_add(&list, i, j, test_value(&seed));
    return finish(list);
}

static struct list dense(void) {
    return within(70, 70);
}

static struct list chain(void) {
    return within(1000, 1);
}

static struct list band(void) {
    return within(300, 5);
}

/* A few entries a row, anywhere: duplicates are left out by taking one in each stretch of columns. */
static struct list anywhere(void) {
    int64_t n = 600, stretch = 100;
    struct list list = list_new(n, n);
    uint64_t seed = 13;
    for (int64_t i = 0; i < n; i++)
        for (int64_t first = 0; first < n; first += stretch) {
            int64_t j = first + test_below(&seed, stretch);
            if (i != j && test_below(&seed, 4) > 0)
                list_add(&list, i, j, test_value(&seed));
        }
    return finish(list);
}

/* Neighbours on a grid of so many points each way. */
static struct list grid(int64_t x_points, int64_t y_points, int64_t z_points) {
    int64_t n = x_points * y_points * z_points, step[] = {1, x_points, x_points * y_points},
            points[] = {x_points, y_points, z_points};
    struct list list = list_new(n, n);
    for (int64_t i = 0; i < n; i++)
        for (int d = 0; d < 3; d++)
            if (i / step[d] % points[d] < points[d] - 1) {
                list_add(&list, i, i + step[d], -1);
                list_add(&list, i + step[d], i, -1);
            }
    return finish(list);
}

static struct list plane(void) {
    return grid(30, 30, 1);
}

static struct list cube(void) {
    return grid(11, 12, 13);
}

/* Row and column `hub` are full, and nothing else is. */
static struct list star(int64_t n, int64_t hub) {
    struct list list = list_new(n, n);
    uint64_t seed = 17;
    for (int64_t i = 0; i < n; i++)
        if (i != hub) {
            list_add(&list, hub, i, test_value(&seed));
            list_add(&list, i, hub, test_value(&seed));
        }
    return finish(list);
}

static struct list arrow(void) {
    return star(3000, 2999);
}

static struct list huge_row(void) {
    return star(2000, 1000);
}

/* Each row of the second half needs some of the first half, and no others. */
static struct list two_levels(void) {
    int64_t half = 1500;
    struct list list = list_new(2 * half, 2 * half);
    uint64_t seed = 19;
    for (int64_t i = 0; i < half; i++)
        for (int64_t k = 0; k < 3; k++) {
            int64_t j = (i + k * 401 + test_below(&seed, 100)) % half;
            list_add(&list, half + i, j, test_value(&seed));
        }
    return finish(list);
}

/* A lower triangle of two levels, and an upper one in which each row needs the next. */
static struct list wide_and_long(void) {
    int64_t half = 300;
    struct list list = list_new(2 * half, 2 * half);
    uint64_t seed = 29;
    for (int64_t i = 0; i < half; i++) {
        list_add(&list, half + i, i, test_value(&seed));
        list_add(&list, half + i, (i + 77) % half, test_value(&seed));
    }
    for (int64_t i = 1; i < 2 * half; i++)
        list_add(&list, i - 1, i, test_value(&seed));
    return finish(list);
}

static struct list long_and_wide(void) {
    struct list list = wide_and_long(), transposed = list_transposed(&list);
    list_free(&list);
    return transposed;
}

const struct square test_squares[] = {
    {"0 rows", empty, 0, true},
    {"1 row", one, 1, true},
    {"diagonal", diagonal, 1, true},
    {"dense", dense, 70, true},
    {"critical", chain, 1000, true},
    {"band", band, 300, true},
    {"anywhere", anywhere, -1, false},
    {"plane", plane, 59, false},
    {"cube", cube, 34, false},
    {"arrow", arrow, 2, true},
    {"huge row", huge_row, 3, false},
    {"two levels", two_levels, 2, false},
    {"wide and long", wide_and_long, 2, false},
    {"long and wide", long_and_wide, 600, false},
};
const size_t test_square_count = sizeof test_squares / sizeof test_squares[0];

const struct square *test_square(const char *name) {
    size_t s = 0;
    while (strcmp(test_squares[s].name, name) != 0)
        s++;
    return &test_squares[s];
}

struct list list_triangle(const struct list *list, spry_triangle triangle, bool unit) {
    struct list result = list_new(list->rows, list->cols);
    for (int64_t k = 0; k < list->nnz; k++) {
        int64_t i = list->row[k], j = list->col[k];
        if ((triangle == SPRY_LOWER ? j < i : j > i) || (i == j && !unit))
            list_add(&result, i, j, list->val[k]);
    }
    for (int64_t i = 0; i < list->rows && unit; i++)
        list_add(&result, i, i, 1);
    return result;
}

struct list list_mirrored(const struct list *list) {
    struct list result = list_triangle(list, SPRY_LOWER, false);
    for (int64_t k = 0, nnz = result.nnz; k < nnz; k++)
        if (result.row[k] != result.col[k])
            list_add(&result, result.col[k], result.row[k], result.val[k]);
    return result;
}
