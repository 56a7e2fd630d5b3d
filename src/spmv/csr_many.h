/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR times many columns: what instruction sets have in common. An entry of the matrix is read once for as many columns
   as there is room for sums. */
#ifndef SPRY_CSR_MANY_H
#define SPRY_CSR_MANY_H

#include "spmv/parts.h"

/* The matrix, counted from 0, and the product. */
struct many {
    const ptr_t *ptr;
    const idx_t *idx;
    const stored_t *val;
    const val_t *x;
    val_t *y, alpha, beta;
    int64_t columns, x_step, x_next, y_step, y_next;
    int base;
};

/* Columns first … of the rows from begin to end - 1. */
typedef void many_part(const struct many *m, int64_t begin, int64_t end);

/* Columns that are summed at once where they do not lie side by side. */
#define SPRY_MANY_APART 8

/* `count` columns from `first` on, wherever they are. The count is a constant where this ends up. */
static inline __attribute__((always_inline)) void columns_apart(const struct many *m, int64_t begin,
                                                                int64_t end, int64_t first, int count) {
    for (int64_t i = begin; i < end; i++) {
        val_t sum[SPRY_MANY_APART] = {0};
        for (int64_t k = m->ptr[i] - m->base; k < m->ptr[i + 1] - m->base; k++) {
            const val_t *x = m->x + (m->idx[k] - m->base) * m->x_step + first * m->x_next;
            for (int c = 0; c < count; c++)
                sum[c] += m->val[k] * x[c * m->x_next];
        }
        val_t *y = m->y + i * m->y_step + first * m->y_next;
        for (int c = 0; c < count; c++)
            y[c * m->y_next] = spry_blend(m->alpha, sum[c], m->beta, &y[c * m->y_next]);
    }
}

static inline void all_apart(const struct many *m, int64_t begin, int64_t end) {
    int64_t first = 0;
    for (; m->columns - first >= SPRY_MANY_APART; first += SPRY_MANY_APART)
        columns_apart(m, begin, end, first, SPRY_MANY_APART);
    for (; m->columns - first >= 4; first += 4)
        columns_apart(m, begin, end, first, 4);
    for (; m->columns - first >= 2; first += 2)
        columns_apart(m, begin, end, first, 2);
    if (first < m->columns)
        columns_apart(m, begin, end, first, 1);
}

/* What both products run: `part` of the kernel is a many_part. */
NAME(spry_run) CODED(spry_csr_many_run);

#endif
