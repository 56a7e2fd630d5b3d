/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of slots as kernels with vector registers read them: plain, or narrow, of 16 bits, where x begins at the base that they are
   counted from. Which, is told by a constant. Padding of narrow ones is 0, as good as any column. */
#ifndef SPRY_COLUMNS_SIMD_H
#define SPRY_COLUMNS_SIMD_H

#include "spmv/follow.h"

struct columns {
    const void *at;
    bool narrow;
};

/* Those so many slots further on. */
INLINE struct columns columns_behind(struct columns idx, int64_t slots) {
    return (struct columns){idx.narrow ? (const void *)((const uint16_t *)idx.at + slots)
                                       : (const void *)((const idx_t *)idx.at + slots),
                            idx.narrow};
}

/* Bytes of a column. */
INLINE int64_t column_size(struct columns idx) {
    return idx.narrow ? (int64_t)sizeof(uint16_t) : (int64_t)sizeof(idx_t);
}

INLINE int64_t column_at(struct columns idx, int64_t slot) {
    return idx.narrow ? ((const uint16_t *)idx.at)[slot] : ((const idx_t *)idx.at)[slot];
}

/* Whether those of LANES rows may follow each other: may_follow of spmv/follow.h. */
INLINE bool columns_may_follow(struct columns idx, int64_t step, int64_t count) {
    if (!idx.narrow)
        return may_follow(idx.at, step, count);
    const uint16_t *middle = (const uint16_t *)idx.at + count / 2 * step;
    return count > 2 && three_follow(middle[1] - middle[0], middle[LANES - 1] - middle[0]);
}

/* The values of x at LANES columns; `may`, a constant: they may follow each other. */
INLINE vec columns_take(const val_t *x, struct columns idx, bool may) {
    const uint16_t *narrow = idx.at;
    if (!idx.narrow)
        return v_take(x, idx.at, may);
    return may && v_follow_narrow(narrow) ? v_load(x + narrow[0]) : v_gather_narrow(x, narrow);
}

/* The same in the lanes with len[lane] > k, of which there is one; anything in the others. `filled`: these have columns too. To leave
   them out takes more than the others together. */
INLINE vec columns_take_longer(const val_t *x, struct columns idx, const idx_t *len, int64_t k, bool filled) {
    if (idx.narrow)
        return v_gather_narrow(x, idx.at);
    return filled ? v_gather(x, idx.at) : v_gather_longer(x, idx.at, len, k);
}

#endif
