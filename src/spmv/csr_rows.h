/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR with vector registers, along the rows: for rows that are long, or whose lengths the branch predictor learns. What whole registers
   leave of a row goes one by one, or into a register of its own where that is gathered as fast. */
#ifndef SPRY_CSR_ROWS_H
#define SPRY_CSR_ROWS_H

#include "spmv/csr_ask.h"
#include "spmv/follow.h"
#include "spmv/parts.h"

/* Whether it is worth asking of each register of a row whether its columns follow each other, as in linear programs and counts they do in
   runs. The first two registers tell, or the next two of a longer row, which may begin with entries that lie apart. Blocks of a few
   columns, as of several unknowns a node, hardly ever fill a register so. With single loads, to ask costs short rows more than long ones
   gain. */
static inline bool row_may_follow(const idx_t *idx, int64_t count) {
#ifdef SPRY_SIMD_GATHER
    const int two = 2 * LANES;
    return (count >= two && idx[two - 1] - idx[0] == two - 1) ||
           (count >= 2 * two && idx[2 * two - 1] - idx[two] == two - 1);
#else
    (void)idx, (void)count;
    return false;
#endif
}

#ifdef SIMD_GATHERS_FIRST

/* What the lanes of a row add up to. What is left after whole registers is one more step. */
INLINE vec add_lanes(const idx_t *idx, const stored_t *val, int64_t count, const val_t *x, bool follow,
                     bool far) {
    vec sum = v_zero();
    int64_t k = 0;
    for (; k + LANES < count; k += LANES) {
        ask_one(idx + k, val + k, far);
        sum = v_fma(v_load_stored(val + k), v_take(x, idx + k, follow), sum);
    }
    ask_one(idx + k, val + k, far);
    return v_fma(v_load_stored_first(val + k, count - k), v_gather_first(x, idx + k, count - k), sum);
}

INLINE vec lanes_of_row(const idx_t *idx, const stored_t *val, int64_t count, const val_t *x, bool far) {
    return row_may_follow(idx, count) ? add_lanes(idx, val, count, x, true, far)
                                      : add_lanes(idx, val, count, x, false, far);
}

/* By themselves, as each row has a loop. */
static __attribute__((noinline)) vec near_lanes(const idx_t *idx, const stored_t *val, int64_t count,
                                                const val_t *x) {
    return lanes_of_row(idx, val, count, x, false);
}

static __attribute__((noinline)) vec far_lanes(const idx_t *idx, const stored_t *val, int64_t count,
                                               const val_t *x) {
    return lanes_of_row(idx, val, count, x, true);
}

static inline vec row_lanes(const idx_t *idx, const stored_t *val, int64_t count, const val_t *x, bool far) {
    return far ? far_lanes(idx, val, count, x) : near_lanes(idx, val, count, x);
}

static void rows(const ptr_t *ptr, const idx_t *idx, const stored_t *val, const uint64_t *following,
                 int64_t begin, int64_t end, val_t alpha, const val_t *x, val_t beta, bool far, val_t *y) {
    (void)following;
    int64_t i = begin;
    for (; i + LANES <= end; i += LANES) {
        vec row[LANES];
        for (int r = 0; r < LANES; r++)
            row[r] = row_lanes(idx + ptr[i + r], val + ptr[i + r], ptr[i + r + 1] - ptr[i + r], x, far);
        put_rows(v_sums(row), alpha, beta, y + i);
    }
    for (; i < end; i++)
        y[i] = spry_blend(alpha, v_sum(row_lanes(idx + ptr[i], val + ptr[i], ptr[i + 1] - ptr[i], x, far)),
                          beta, &y[i]);
}

#else

/* A row that is shorter than a register. */
INLINE val_t short_row(const idx_t *idx, const stored_t *val, int64_t count, const val_t *x, bool far) {
    val_t sum = 0;
    ask_one(idx, val, far);
    for (int64_t k = 0; k < count; k++)
        sum += val[k] * x[idx[k]];
    return sum;
}

INLINE val_t add_row(const idx_t *idx, const stored_t *val, int64_t count, const val_t *x, bool follow,
                     bool far) {
    vec a = v_zero(), b = v_zero();
    int64_t k = 0;
    for (; k + 2 * LANES <= count; k += 2 * LANES) {
        ask_ahead(idx + k, val + k, far);
        a = v_fma(v_load_stored(val + k), v_take(x, idx + k, follow), a);
        b = v_fma(v_load_stored(val + k + LANES), v_take(x, idx + k + LANES, follow), b);
    }
    if (k < count)
        ask_one(idx + k, val + k, far);
    if (k + LANES <= count) {
        a = v_fma(v_load_stored(val + k), v_gather(x, idx + k), a);
        k += LANES;
        if (far)
            v_prefetch(val + k + SPRY_AHEAD);
    }
    val_t sum = v_sum(v_add(a, b));
    for (; k < count; k++)
        sum += val[k] * x[idx[k]];
    return sum;
}

INLINE val_t longer_row(const idx_t *idx, const stored_t *val, int64_t count, const val_t *x, bool far) {
    return row_may_follow(idx, count) ? add_row(idx, val, count, x, true, far)
                                      : add_row(idx, val, count, x, false, far);
}

INLINE void all_rows(const ptr_t *ptr, const idx_t *idx, const stored_t *val, int64_t begin, int64_t end,
                     val_t alpha, const val_t *x, val_t beta, val_t *y, bool far) {
    for (int64_t i = begin; i < end; i++) {
        const int64_t count = ptr[i + 1] - ptr[i];
        const val_t sum = count < LANES ? short_row(idx + ptr[i], val + ptr[i], count, x, far)
                                        : longer_row(idx + ptr[i], val + ptr[i], count, x, far);
        y[i] = spry_blend(alpha, sum, beta, &y[i]);
    }
}

static void rows(const ptr_t *ptr, const idx_t *idx, const stored_t *val, const uint64_t *following,
                 int64_t begin, int64_t end, val_t alpha, const val_t *x, val_t beta, bool far, val_t *y) {
    (void)following;
    SIMD_FAR(far, all_rows, ptr, idx, val, begin, end, alpha, x, beta, y);
}

#endif

#endif
