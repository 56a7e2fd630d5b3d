/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL-C-σ with vector registers: where the sums of LANES rows go, a row to a lane. */
#ifndef SPRY_SELL_SIMD_H
#define SPRY_SELL_SIMD_H

#include "spmv/depth_simd.h"
#include "spmv/sell.h"
#include "spmv/simd.h"

/* Rows that are summed side by side: those of a register or, with many columns, four. */
#define SIDE_BY_SIDE (LANES > 4 ? LANES : 4)

/* Slices are whole groups of such rows. */
static inline bool sell_takes(const spry_matrix *matrix) {
    return matrix->sell.height % SIDE_BY_SIDE == 0;
}

/* How far the rows at LANES positions go. Where rows are sorted, the first is the longest. */
static inline struct depth sell_depth(const spry_sell *sell, const idx_t *len) {
    if (sell->window > 1)
        return (struct depth){.shortest = len[LANES - 1], .longest = len[0]};
    return v_depth(len, LANES);
}

/* The first of the rows at LANES positions if they are neighbours, or -1. Rows that are equally long are in their order. */
static inline int64_t neighbours(const spry_matrix *matrix, int64_t p, bool alike) {
    if (p + LANES > matrix->rows)
        return -1;
    if (matrix->sell.window == 1)
        return p;
    const idx_t *perm = (const idx_t *)matrix->sell.perm + p;
    return alike && perm[LANES - 1] - perm[0] == LANES - 1 ? (int64_t)perm[0] : -1;
}

/* y[i * step] = alpha sum + beta y[i * step] for the rows i at LANES positions, as far as there are so many; `alike`: all are
   equally long. An element has the same bits wherever its row is. */
static inline void sell_put(const spry_matrix *matrix, int64_t p, bool alike, vec sum, val_t alpha,
                            val_t beta, val_t *y, int64_t step) {
    const int64_t first = step == 1 ? neighbours(matrix, p, alike) : -1;
    sum = v_mul(v_set(alpha), sum);
    if (first >= 0) {
        v_store(y + first, beta == 0 ? sum : v_fma(v_set(beta), v_load(y + first), sum));
        return;
    }
    const int64_t left = matrix->rows - p, count = left < LANES ? left : LANES;
    val_t each[LANES] = {0};
    if (beta != 0) {
        for (int64_t r = 0; r < count; r++)
            each[r] = y[row_at(&matrix->sell, p + r) * step];
        sum = v_fma(v_set(beta), v_load(each), sum);
    }
    v_store(each, sum);
    if (count == LANES && matrix->sell.window > 1) { /* nearly always: without a branch for each row */
        const idx_t *perm = (const idx_t *)matrix->sell.perm + p;
        for (int r = 0; r < LANES; r++)
            y[perm[r] * step] = each[r];
        return;
    }
    for (int64_t r = 0; r < count; r++)
        y[row_at(&matrix->sell, p + r) * step] = each[r];
}

#endif
