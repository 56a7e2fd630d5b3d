/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR with vector registers, by products: entries are multiplied without looking at rows, into a buffer that stays in the first-level
   cache, and the rows are summed from there, as many at once as a register has lanes; so short rows of any length cost no mispredicted
   branch. That is what CSR-stream does on a GPU (Greathouse and Daga, "Efficient sparse matrix-vector multiplication on GPUs using the CSR
   storage format", SC 2014). Groups of rows that are as long as each other need no buffer: a row is a lane, or all are summed from
   registers (spmv/csr_fold.h). Where the columns of neighbours follow each other, as in most rows of a stencil, x is loaded where others
   gather it. */
#ifndef SPRY_CSR_PRODUCTS_H
#define SPRY_CSR_PRODUCTS_H

#include "core/following.h"
#include "spmv/csr_fold.h"
#include "spmv/csr_group.h"
#include "spmv/csr_rows.h"
#include "spmv/put.h"

/* Products in the buffer: 8 KiB of f64, so that it and what streams past fit the first-level cache. */
#define BUFFER 1024
/* Rows longer than this are summed one by one: others in their group would wait for them. */
#define TOGETHER (8 * LANES)

INLINE void multiply(const idx_t *idx, const stored_t *val, int64_t count, const val_t *x, bool far,
                     val_t *product) {
    int64_t k = 0;
    for (; k + 2 * LANES <= count; k += 2 * LANES) {
        ask_ahead(idx + k, val + k, far);
        v_store(product + k, v_mul(v_load_stored(val + k), v_gather(x, idx + k)));
        v_store(product + k + LANES, v_mul(v_load_stored(val + k + LANES), v_gather(x, idx + k + LANES)));
    }
    if (k < count)
        ask_ahead(idx + k, val + k, far);
    if (k > 0 && k < count) { /* some of these once more */
        k = count - LANES;
        v_store(product + k - LANES, v_mul(v_load_stored(val + k - LANES), v_gather(x, idx + k - LANES)));
        v_store(product + k, v_mul(v_load_stored(val + k), v_gather(x, idx + k)));
        return;
    }
    for (; k < count; k++)
        product[k] = val[k] * x[idx[k]];
}

#if !ALIKE_LANES
/* Sums of LANES rows of one length, no longer than a register, or than half of one. */
static inline vec sum_even(const ptr_t *ptr, const val_t *product, bool low) {
    const int64_t length = ptr[1] - ptr[0];
    const int32_t some = lanes_first((int)length);
    vec row[LANES];
    for (int r = 0; r < LANES; r++, product += length)
        row[r] = low ? load_low_some(product, some) : load_some(product, some);
    return low ? v_sums_low(row) : v_sums(row);
}
#endif

/* Sums of LANES rows that are none longer than a register, or than half of one. */
static inline vec sum_short(const ptr_t *ptr, lengths len, const val_t *product, bool low) {
#if !ALIKE_LANES
    if (all_are(len, (int)(ptr[1] - ptr[0])))
        return sum_even(ptr, product, low);
#endif
    vec row[LANES];
    int32_t some[LANES];
    product -= ptr[0];
    lanes_past(len, 0, some);
    for (int r = 0; r < LANES; r++)
        row[r] = low ? load_low_some(product + ptr[r], some[r]) : load_some(product + ptr[r], some[r]);
    return low ? v_sums_low(row) : v_sums(row);
}

/* Sums of LANES rows of several registers. */
static vec sum_longer(const ptr_t *ptr, lengths len, const val_t *product) {
    vec row[LANES];
    int32_t some[LANES];
    product -= ptr[0];
    lanes_past(len, 0, some);
    for (int r = 0; r < LANES; r++)
        row[r] = load_some(product + ptr[r], some[r]);
    for (int k = LANES; any_longer(len, k); k += LANES) {
        lanes_past(len, k, some);
        for (int r = 0; r < LANES; r++)
            row[r] = v_add(row[r], load_some(product + ptr[r] + k, some[r]));
    }
    return v_sums(row);
}

/* Sums of LANES rows, one after the other. */
static vec sum_apart(const ptr_t *ptr, const val_t *product) {
    val_t one[LANES];
    for (int r = 0; r < LANES; r++, ptr++) {
        int64_t count = ptr[1] - ptr[0], k = 0;
        vec a = v_zero();
        for (; k + LANES <= count; k += LANES)
            a = v_add(a, v_load(product + k));
        one[r] = v_sum(v_add(a, v_load_first(product + k, count - k)));
        product += count;
    }
    return v_load(one);
}

#if PICKED > 0
/* Sums of LANES rows with up to PICKED registers of products. A function of its own: in the middle of the others it costs those
   registers, up to a fifth of their time. */
static __attribute__((noinline)) vec sum_picked(const ptr_t *ptr, lengths len, const val_t *product) {
    const bool two = ptr[LANES] - ptr[0] <= 2 * LANES;
    vec part[PICKED], sum = v_zero();
    for (int r = 0; r < PICKED; r++)
        part[r] = v_load(product + r * LANES);
    places at = places_of(ptr);
    for (int k = 0; any_longer(len, k); k++, at = next_places(at))
        sum = add_longer(sum, two ? pick_of_two(part, at) : pick(part, at), len, k);
    return sum;
}

/* Whether these rows are. */
static inline bool are_picked(const ptr_t *ptr, lengths len) {
    const int64_t count = ptr[LANES] - ptr[0];
    return count <= 2 * LANES || (count <= PICKED * LANES && !any_longer(len, LANES / 2));
}
#endif

/* Sums of LANES rows, the products of the first of which begin at `product`. */
static inline vec sum_group(const ptr_t *ptr, const val_t *product) {
    const lengths len = lengths_of(ptr);
    if (any_longer(len, LANES))
        return any_longer(len, TOGETHER) ? sum_apart(ptr, product) : sum_longer(ptr, len, product);
#if PICKED > 0
    if (are_picked(ptr, len))
        return sum_picked(ptr, len, product);
#endif
    return sum_short(ptr, len, product, !any_longer(len, LANES / 2));
}

/* Rows begin … end - 1, whose products `product` has. */
static void sum_rows(const ptr_t *ptr, const val_t *product, int64_t begin, int64_t end, val_t alpha,
                     val_t beta, val_t *y) {
    for (int64_t i = begin; i < end; i += LANES)
        put_rows(sum_group(ptr + i, product + (ptr[i] - ptr[begin])), alpha, beta, y + i);
}

/* The rows from row i on that follow each other, in whole groups; i where there is none. Longer ones are as many streams as a
   register has lanes, each too long to be followed. */
static inline int64_t following_rows(const uint64_t *following, const ptr_t *ptr, int64_t i, int64_t end) {
    if (!following || ptr[i + 1] - ptr[i] > TOGETHER)
        return i;
    const int64_t stop = spry_following_end(following, i, end);
    return stop - (stop - i) % LANES;
}

/* Whether LANES rows are as long as each other, and no longer than those that are summed together. */
static inline bool are_alike(const ptr_t *ptr) {
    const int64_t length = ptr[1] - ptr[0];
    return length <= TOGETHER && all_are(lengths_of(ptr), (int)length);
}

/* Whether LANES rows are summed a lane each. */
static inline bool are_lanes(const ptr_t *ptr, const uint64_t *following, int64_t i) {
    return following_rows(following, ptr, i, i + LANES) > i || (ALIKE_LANES && are_alike(ptr + i));
}

/* The values of x for an entry of LANES alike rows, the columns of which are `length` apart. */
static inline vec x_of_alike(const val_t *x, const idx_t *idx, int64_t length, bool follow) {
#if ALIKE_LANES
    if (!follow)
        return v_gather_every(x, idx, length);
#endif
    (void)length, (void)follow;
    return v_load(x + *idx);
}

/* Sums of LANES alike rows, a lane each. Of those that follow each other, only the first one's columns are read. */
INLINE vec sum_alike(const idx_t *idx, const stored_t *val, int64_t length, const val_t *x, bool follow,
                     bool far) {
    vec sum = v_zero(), two[2];
    int64_t k = 0;
    for (; k + 2 <= length; k += 2) {
        ask_ahead(idx + k * LANES, val + k * LANES, far && !follow);
        v_load_stored_two(val + k, length, two);
        for (int i = 0; i < 2; i++)
            sum = v_fma(two[i], x_of_alike(x, idx + k + i, length, follow), sum);
    }
    if (k < length)
        sum = v_fma(v_load_stored_every(val + k, length), x_of_alike(x, idx + k, length, follow), sum);
    return sum;
}

/* Whole groups of rows that follow each other. */
INLINE void sum_following(const idx_t *idx, const stored_t *val, int64_t length, int64_t rows, val_t alpha,
                          const val_t *x, val_t beta, bool far, val_t *y) {
    for (int64_t i = 0; i < rows; i += LANES) {
        const int64_t k = i * length;
        ask_following(idx + k, val + k, LANES * length, rows * length - k, far);
        put_rows(sum_alike(idx, val + k, length, x + i, true, far), alpha, beta, y + i);
    }
}

#if FOLDED
/* So many groups of rows of one length are worth a way without the buffer. */
#define FOLDED_GROUPS 4

/* Where the groups from row i on end whose rows are all as long as it and do not follow each other, of those before `end`. */
static __attribute__((noinline)) int64_t alike_end(const uint64_t *following, const ptr_t *ptr, int64_t i,
                                                   int64_t end) {
    const int64_t length = ptr[i + 1] - ptr[i];
    while (i + LANES <= end && all_are(lengths_of(ptr + i), (int)length) &&
           following_rows(following, ptr, i, i + LANES) == i)
        i += LANES;
    return i;
}

/* Where the rows from row i on end that are folded; i where too few groups are. */
static inline int64_t folded_rows(const uint64_t *following, const ptr_t *ptr, int64_t i, int64_t end) {
    const int64_t length = ptr[i + 1] - ptr[i], least = i + FOLDED_GROUPS * LANES;
    if (least > end || ptr[least] - ptr[i] != FOLDED_GROUPS * LANES * length || length == 0 ||
        length > FOLDED_MOST)
        return i;
    const int64_t stop = alike_end(following, ptr, i, end);
    return stop < least ? i : stop;
}
#endif

/* Where the rows from i on end that are multiplied together: groups up to the next that are a lane each, as many as have products that fit
   the buffer. How a row is summed hangs on its group alone, so that decoding rows in pieces leaves all bits as they are. */
static int64_t buffered_rows(const ptr_t *ptr, const uint64_t *following, int64_t i, int64_t end) {
    int64_t stop = i;
    while (stop + LANES <= end && ptr[stop + LANES] - ptr[i] <= BUFFER && !are_lanes(ptr, following, stop))
        stop += LANES;
    return stop;
}

INLINE void all_products(const ptr_t *ptr, const idx_t *idx, const stored_t *val, const uint64_t *following,
                         int64_t begin, int64_t end, val_t alpha, const val_t *x, val_t beta, val_t *y,
                         bool far) {
    val_t product[BUFFER + PICKED * LANES];
    for (int64_t i = begin, stop; i < end; i = stop) {
        const idx_t *columns = idx + ptr[i];
        const stored_t *values = val + ptr[i];
        const int64_t length = ptr[i + 1] - ptr[i];
        if ((stop = following_rows(following, ptr, i, end)) > i) {
            sum_following(columns, values, length, stop - i, alpha, x, beta, far, y + i);
        } else if (ALIKE_LANES && i + LANES <= end && are_alike(ptr + i)) {
            stop = i + LANES;
            put_rows(sum_alike(columns, values, length, x, false, far), alpha, beta, y + i);
#if FOLDED
        } else if ((stop = folded_rows(following, ptr, i, end)) > i) {
            fold_rows(length, columns, values, stop - i, alpha, x, beta, far, y + i);
#endif
        } else if ((stop = buffered_rows(ptr, following, i, end)) > i) {
            multiply(columns, values, ptr[stop] - ptr[i], x, far, product);
            sum_rows(ptr, product, i, stop, alpha, beta, y);
        } else {
            stop = i + LANES < end ? i + LANES : end;
            rows(ptr, idx, val, following, i, stop, alpha, x, beta, far, y);
        }
    }
}

static void products(const ptr_t *ptr, const idx_t *idx, const stored_t *val, const uint64_t *following,
                     int64_t begin, int64_t end, val_t alpha, const val_t *x, val_t beta, bool far,
                     val_t *y) {
    SIMD_FAR(far, all_products, ptr, idx, val, following, begin, end, alpha, x, beta, y);
}

#endif
