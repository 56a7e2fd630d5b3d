/* SPDX-License-Identifier: BSD-3-Clause */
/* BSR: what its kernels on the CPU are made of. */
#ifndef SPRY_SPMV_BSR_H
#define SPRY_SPMV_BSR_H

#include "codes/decode.h"
#include "formats/bsr_blocks.h"
#include "spmv/parts.h"

/* The terms in which kernels do not differ: all but steps and entries. */
union spry_terms CODED(spry_bsr_work)(const struct spry_candidate *candidate);

/* The values of block b, as they are kept. */
static inline const stored_t *block_values(const struct blocks *a, int64_t b) {
    return (const stored_t *)(const void *)a->val + b * a->places;
}

/* Add the products of block b, of which not all places are entries, to the sums of its rows. */
static inline void add_partial_block(const struct blocks *a, int64_t b, const val_t *x, val_t *sum) {
    const stored_t *val = block_values(a, b);
    const val_t *factor = x + (int64_t)a->idx[b] * a->width;
    const uint64_t row = spry_bsr_full_mask(a->width), mask = mask_at(a, b);
    for (int r = 0; r < a->height; r++)
        for (uint64_t left = mask >> r * a->width & row; left; left &= left - 1) {
            const int c = __builtin_ctzll(left);
            sum[r] += val[r * a->width + c] * factor[c];
        }
}

/* y = alpha sum + beta y for the rows of row i of blocks. */
static inline void put_rows(const struct blocks *a, int64_t i, const val_t *sum, val_t alpha, val_t beta,
                            val_t *y) {
    const int64_t first = i * a->height, left = a->rows - first;
    for (int r = 0; r < a->height && r < left; r++)
        y[first + r] = spry_blend(alpha, sum[r], beta, &y[first + r]);
}

#endif
