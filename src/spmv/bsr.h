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

/* y = alpha sum + beta y for the rows of row i of blocks. */
static inline void put_rows(const struct blocks *a, int64_t i, const val_t *sum, val_t alpha, val_t beta,
                            val_t *y) {
    const int64_t first = i * a->height, left = a->rows - first;
    for (int r = 0; r < a->height && r < left; r++)
        y[first + r] = spry_blend(alpha, sum[r], beta, &y[first + r]);
}

#endif
