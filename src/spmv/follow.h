/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns that follow each other in neighbouring rows, as most do in a stencil: x is loaded where others gather it, with the same
   bits. To ask that of every register takes an eighth of the time of those that are gathered all the same. So it is asked where
   columns in the middle of the rows let expect it, and settled for each register. */
#ifndef SPRY_FOLLOW_H
#define SPRY_FOLLOW_H

#include "spmv/simd.h"

/* Whether the columns of three of LANES rows follow each other: those of the second and the last are so far from that of the first. */
static inline bool three_follow(int64_t second, int64_t last) {
    return (second == 1) & (last == LANES - 1);
}

/* Whether the columns of LANES rows, which have `count` entries each, may follow each other; those of an entry are `step` before
   those of the next. The middle tells: first columns do follow, or are the same, in many a matrix where others do not. Three
   lanes tell: the outer ones alone are as far apart where several unknowns share a node. Short rows are gathered before that is
   found out. */
static inline bool may_follow(const idx_t *idx, int64_t step, int64_t count) {
    const idx_t *middle = idx + count / 2 * step;
    return count > 2 && three_follow(middle[1] - middle[0], middle[LANES - 1] - middle[0]);
}

/* The values of x at LANES columns; `may`, a constant: they may follow each other. */
static inline vec v_take(const val_t *x, const idx_t *idx, bool may) {
    return may && v_follow(idx) ? v_load(x + idx[0]) : v_gather(x, idx);
}

#endif
