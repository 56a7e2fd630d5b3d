/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with many columns: what layouts and instruction sets have in common. An entry of the matrix is read once for as
   many columns as there is room for sums. */
#ifndef SPRY_MANY_H
#define SPRY_MANY_H

#include "spmv/parts.h"

/* The product: value i of column c of X is x[i * x_step + c * x_next], and of Y likewise. */
struct many {
    const void *rows; /* by what the layout finds its rows */
    const val_t *x;
    val_t *y, alpha, beta;
    int64_t columns, x_step, x_next, y_step, y_next;
};

static inline struct many many_of(const struct spry_product *product, const void *rows) {
    return (struct many){
        .rows = rows,
        .x = product->x,
        .y = product->y,
        .alpha = (val_t)product->alpha,
        .beta = (val_t)product->beta,
        .columns = product->columns,
        .x_step = product->x_step,
        .x_next = product->x_next,
        .y_step = product->y_step,
        .y_next = product->y_next,
    };
}

/* All columns for the rows, or slices of rows, from begin to end - 1: `part` of kernels for many columns. */
typedef void many_part(const struct many *m, int64_t begin, int64_t end);

/* Rows that are worked on while their part of y, and the columns of x that they share, are near at hand. */
#define SPRY_MANY_NEAR 256

/* ---- columns that lie anywhere ---- */

/* Columns that are summed at once where they do not lie side by side. */
#define SPRY_MANY_APART 4

/* `count` columns from `first` on, of rows or slices. The count is a constant where such functions end up. */
typedef void many_columns(const struct many *m, int64_t begin, int64_t end, int64_t first, int count);

/* How many from `first` on. */
static inline int columns_from(const struct many *m, int64_t first) {
    const int64_t left = m->columns - first;
    return left >= SPRY_MANY_APART ? SPRY_MANY_APART : left >= 2 ? 2 : 1;
}

INLINE void all_columns(const struct many *m, int64_t begin, int64_t end, many_columns *some) {
    for (int64_t first = 0; first < m->columns; first += columns_from(m, first))
        switch (columns_from(m, first)) {
        case SPRY_MANY_APART:
            some(m, begin, end, first, SPRY_MANY_APART);
            break;
        case 2:
            some(m, begin, end, first, 2);
            break;
        default:
            some(m, begin, end, first, 1);
        }
}

/* The entries of a row: so many, each `step` slots behind the one before. */
struct entries {
    const idx_t *idx;
    const stored_t *val;
    int64_t count, step;
};

/* Some columns of row i. */
INLINE void row_columns(const struct many *m, struct entries row, int64_t i, int64_t first, int count) {
    val_t sum[SPRY_MANY_APART] = {0};
    for (int64_t k = 0, slot = 0; k < row.count; k++, slot += row.step) {
        const val_t *x = m->x + row.idx[slot] * m->x_step + first * m->x_next;
        for (int c = 0; c < count; c++)
            sum[c] += row.val[slot] * x[c * m->x_next];
    }
    val_t *y = m->y + i * m->y_step + first * m->y_next;
    for (int c = 0; c < count; c++)
        y[c * m->y_next] = spry_blend(m->alpha, sum[c], m->beta, &y[c * m->y_next]);
}

#endif
