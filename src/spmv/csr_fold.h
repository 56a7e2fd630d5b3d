/* SPDX-License-Identifier: BSD-3-Clause */
/* LANES rows of CSR that are as long as each other, and short: their products fill as many registers as a row has entries, and the rows are
   summed from these. */
#ifndef SPRY_CSR_FOLD_H
#define SPRY_CSR_FOLD_H

#include "spmv/csr_ask.h"
#include "spmv/csr_group.h"
#include "spmv/put.h"

#if FOLDED

/* Entries of a row, at most. */
#define FOLDED_MOST 8

/* Add up so many registers, neighbours first, as if zeros filled them up to a power of two. */
INLINE vec add_all(int count, vec *part) {
    const int all = count == 1 ? 1 : count <= 4 ? 4 : FOLDED_MOST;
    for (int n = count; n < all; n++)
        part[n] = v_zero();
    for (int left = all; left > 1; left /= 2)
        for (int n = 0; n < left / 2; n++)
            part[n] = v_add(part[2 * n], part[2 * n + 1]);
    return part[0];
}

/* Sums of LANES rows of `length` entries, here and below a constant, from as many registers of products. They are added in the order in
   which they are from the buffer, so that bits are the same both ways: one after the other where those are picked, else neighbours first. */
INLINE vec fold(int length, vec *part) {
    vec entry[FOLDED_MOST], sum = v_zero();
    if (length <= PICKED) {
        for (int k = 0; k < length; k++)
            sum = v_add(sum, pick_of(length, part, places_of_every(length, k)));
        return sum;
    }
    for (; length % 2 == 0; length /= 2)
        for (int n = 0; n < length / 2; n++)
            part[n] = add_neighbours(part[2 * n], part[2 * n + 1]);
    for (int k = 0; k < length; k++)
        entry[k] = pick_of(length, part, places_of_every(length, k));
    return add_all(length, entry);
}

INLINE void fold_all(int length, const idx_t *idx, const stored_t *val, int64_t rows, val_t alpha,
                     const val_t *x, val_t beta, bool far, val_t *y) {
    for (int64_t i = 0; i < rows; i += LANES, idx += length * LANES, val += length * LANES) {
        vec part[FOLDED_MOST];
        for (int n = 0; n < length; n++) {
            ask_one(idx + n * LANES, val + n * LANES, far);
            part[n] = v_mul(v_load_stored(val + n * LANES), v_gather(x, idx + n * LANES));
        }
        put_rows(fold(length, part), alpha, beta, y + i);
    }
}

/* Whole groups of rows of any such length. */
INLINE void fold_rows(int64_t length, const idx_t *idx, const stored_t *val, int64_t rows, val_t alpha,
                      const val_t *x, val_t beta, bool far, val_t *y) {
#define FOLD(length)                                                                                         \
    case length:                                                                                             \
        fold_all(length, idx, val, rows, alpha, x, beta, far, y);                                            \
        break
    switch (length) {
        FOLD(1);
        FOLD(2);
        FOLD(3);
        FOLD(4);
        FOLD(5);
        FOLD(6);
        FOLD(7);
        FOLD(8);
    }
#undef FOLD
}

#endif

#endif
