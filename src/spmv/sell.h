/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL-C-σ: what its kernels are made of. */
#ifndef SPRY_SPMV_SELL_H
#define SPRY_SPMV_SELL_H

#include "codes/decode.h"
#include "formats/sell.h"
#include "formats/sell_slices.h"
#include "spmv/depth.h"
#include "spmv/parts.h"

/* y = alpha A x + beta y for the rows of slices begin … end - 1. */
typedef void CODED(spry_sell_part)(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha,
                                   const val_t *x, val_t beta, val_t *y);

NAME(spry_run) CODED(spry_sell_run);

/* Decode so many slots from the first of slice s on; `plain`, a copy of the matrix, finds them where its own would be. */
static inline void decode_slices(struct spry_decoder *decoder, int64_t s, int64_t first, int64_t count,
                                 spry_matrix *plain) {
    if (decoder->values)
        plain->sell.val = (val_t *)SHARED(spry_decode)(decoder, first, count) - first;
    if (decoder->columns)
        plain->sell.idx = (idx_t *)SHARED(spry_decode_columns)(decoder, s, first, count) - first;
}

/* Groups of so many rows, a row to a lane. */
union spry_terms CODED(spry_sell_work)(const struct spry_candidate *candidate, int lanes);

/* With many columns: `part` of the kernel is a many_part, of slices. */
NAME(spry_run) CODED(spry_sell_many_run);

#endif
