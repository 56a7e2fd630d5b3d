/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with many columns that lie side by side in X: a column to a lane. */
#ifndef SPRY_MANY_SIMD_H
#define SPRY_MANY_SIMD_H

#include "spmv/many.h"
#include "spmv/put.h"

/* Registers of columns that are summed at once, at most: four sums of each find room. */
#define MANY_REGISTERS 2

/* Which columns: from `first` on, as many as so many registers hold, or `left` of the `low` first lanes of one. No more of a
   row of X is loaded than these lanes, so that few columns seldom reach into two cache lines. All but `first` and `left`
   are constants where functions with this end up. */
struct beside {
    int64_t first, left;
    int registers, low;
    bool all; /* left is LANES */
};

/* Such columns, of rows or slices. */
typedef void many_beside(const struct many *m, int64_t begin, int64_t end, struct beside c);

INLINE void all_beside(const struct many *m, int64_t begin, int64_t end, many_beside *some) {
    int64_t first = 0;
    for (; m->columns - first >= MANY_REGISTERS * LANES; first += MANY_REGISTERS * LANES)
        some(m, begin, end, (struct beside){first, LANES, MANY_REGISTERS, LANES, true});
    for (; m->columns - first >= LANES; first += LANES)
        some(m, begin, end, (struct beside){first, LANES, 1, LANES, true});
    const int64_t left = m->columns - first;
    if (LANES > 8 && left > 8)
        some(m, begin, end, (struct beside){first, left, 1, 16, false});
    else if (LANES > 4 && left > 4)
        some(m, begin, end, (struct beside){first, left, 1, 8, false});
    else if (LANES > 2 && left > 2)
        some(m, begin, end, (struct beside){first, left, 1, 4, false});
    else if (left > 0)
        some(m, begin, end, (struct beside){first, left, 1, 2, false});
}

INLINE vec load_beside(const val_t *p, struct beside c) {
    return c.all ? v_load(p) : v_load_low_first(p, c.low, c.left);
}

/* An entry times a row of X, from the first of the columns on, added to `sum`. */
INLINE void add_entry(stored_t value, const val_t *x, struct beside c, vec *sum) {
    const vec a = v_set(value);
    for (int r = 0; r < c.registers; r++)
        sum[r] = v_fma(a, load_beside(x + r * LANES, c), sum[r]);
}

/* Sums of a register of columns, or of all from `first` on, become a part of row i of Y, one by one. Not inlined, as it would be
   for each number of columns. */
static __attribute__((noinline, cold)) void put_each(const struct many *m, int64_t i, int64_t first,
                                                     vec sum) {
    const int64_t left = m->columns - first;
    put_apart(sum, m->y_next, left < LANES ? left : LANES, m->alpha, m->beta,
              m->y + i * m->y_step + first * m->y_next);
}

/* Sums become a part of row i of Y. */
INLINE void put_beside(const struct many *m, int64_t i, struct beside c, const vec *sum) {
    val_t *y = m->y + i * m->y_step + c.first;
    for (int r = 0; r < c.registers; r++, y += LANES) {
        if (m->y_next != 1) {
            put_each(m, i, c.first + r * LANES, sum[r]);
            continue;
        }
        const bool adds = m->beta != 0;
        const vec result =
            blend_rows(sum[r], m->alpha, v_set(m->beta), adds ? load_beside(y, c) : v_zero(), adds);
        if (c.all)
            v_store(y, result);
        else
            v_store_first(y, result, c.left);
    }
}

#endif
