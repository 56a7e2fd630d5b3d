/* SPDX-License-Identifier: BSD-3-Clause */
/* Asking for entries of CSR before they are multiplied. */
#ifndef SPRY_CSR_ASK_H
#define SPRY_CSR_ASK_H

#include "spmv/simd.h"

/* Ask for the lines of two registers of entries that lie ahead, each once, if entries come from memory: `far`, here and below, a
   constant. */
INLINE void ask_ahead(const idx_t *idx, const stored_t *val, bool far) {
    if (!far)
        return;
    v_prefetch_lines(idx + SPRY_AHEAD, 2 * LANES * (int64_t)sizeof *idx);
    v_prefetch_lines(val + SPRY_AHEAD, 2 * LANES * (int64_t)sizeof *val);
}

/* The same of one register, or of what is left of a row. */
INLINE void ask_one(const idx_t *idx, const stored_t *val, bool far) {
    if (!far)
        return;
    v_prefetch_lines(idx + SPRY_AHEAD, LANES * (int64_t)sizeof *idx);
    v_prefetch_lines(val + SPRY_AHEAD, LANES * (int64_t)sizeof *val);
}

/* The same of `count` entries at once, the first of `left` whose columns are not read: those behind them are. */
INLINE void ask_following(const idx_t *idx, const stored_t *val, int64_t count, int64_t left, bool far) {
    if (!far)
        return;
    v_prefetch_lines(val + SPRY_AHEAD, count * (int64_t)sizeof *val);
    if (left <= SPRY_AHEAD)
        v_prefetch_lines(idx + SPRY_AHEAD, count * (int64_t)sizeof *idx);
}

#endif
