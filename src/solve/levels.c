/* SPDX-License-Identifier: BSD-3-Clause */
/* Levels of a triangle: a row's level is one more than the highest of those that it depends on. */
#include "core/integers.h"
#include "solve/triangle.h"

/* Entries of row i that are on the triangle's side of the diagonal. Rows are sorted, so in the lower triangle they
   come first, in the upper one last. */
static int64_t see_row(const struct spry_pattern *pattern, spry_triangle triangle, int64_t i,
                       int64_t *level) {
    int64_t begin = load_integer(pattern->ptr, pattern->ptr_size, i),
            end = load_integer(pattern->ptr, pattern->ptr_size, i + 1);
    int64_t step = triangle == SPRY_LOWER ? 1 : -1, k = triangle == SPRY_LOWER ? begin : end - 1;
    int64_t length = 0, highest = 0;
    for (; length < end - begin; length++, k += step) {
        int64_t column = load_integer(pattern->idx, pattern->idx_size, k);
        if (triangle == SPRY_LOWER ? column >= i : column <= i)
            break;
        highest = level[column] >= highest ? level[column] + 1 : highest;
    }
    level[i] = highest;
    return length;
}

/* One after the other: what is found for one row is needed for the next. It reads the pattern once. */
int64_t spry_find_levels(const struct spry_pattern *pattern, spry_triangle triangle, int64_t *level,
                         int64_t *length) {
    int64_t n = pattern->n, levels = 0;
    for (int64_t t = 0; t < n; t++) {
        int64_t i = triangle == SPRY_LOWER ? t : n - 1 - t;
        length[i] = see_row(pattern, triangle, i, level);
        levels = level[i] >= levels ? level[i] + 1 : levels;
    }
    return levels;
}

void spry_sort_by_level(const int64_t *level, int64_t *begin, size_t idx_size,
                        const struct spry_order *order) {
    int64_t n = order->n, levels = order->levels;
    for (int64_t l = 0; l <= levels; l++)
        begin[l] = 0;
    for (int64_t i = 0; i < n; i++)
        begin[level[i]]++;
    for (int64_t l = 0, before = 0; l <= levels; l++) {
        int64_t count = begin[l];
        begin[l] = before;
        before += count;
    }
    for (int64_t i = 0; i < n; i++)
        store_integer(order->row, idx_size, begin[level[i]]++, i);
    for (int64_t l = levels; l > 0; l--)
        begin[l] = begin[l - 1];
    begin[0] = 0;
}
