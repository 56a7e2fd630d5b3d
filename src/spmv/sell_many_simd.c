/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL-C-σ times many columns with vector registers: a column to a lane where columns lie side by side in X, else a row to a
   lane. Entries of a row are added one after the other either way, and as in products with one vector: so a column has the
   same bits in whatever company, and however it lies. */
#include "spmv/many_simd.h"
#include "spmv/sell.h"
#include "spmv/sell_simd.h"

/* Slots of neighbouring rows. */
struct slots {
    const idx_t *idx;
    const stored_t *val;
};

static inline struct slots slots_of(const spry_matrix *matrix, int64_t s) {
    const spry_sell *sell = &matrix->sell;
    const int64_t first = slice_at(matrix, s).first;
    return (struct slots){(const idx_t *)sell->idx + first, (const stored_t *)sell->val + first};
}

/* ---- columns side by side ---- */

/* Four rows from position p on, whose first slots these are: as many sums under way. `x` has the first of the columns. */
INLINE void four_rows(const struct many *m, struct beside c, const val_t *x, int64_t p, struct slots a) {
    const spry_matrix *matrix = m->rows;
    const int64_t height = matrix->sell.height, step = m->x_step;
    const idx_t *len = (const idx_t *)matrix->sell.len + p, *idx = a.idx;
    const stored_t *val = a.val;
    const int64_t all = depth_of(len, 4).all;
    vec sum[4][MANY_REGISTERS], done[4][MANY_REGISTERS];
    for (int r = 0; r < c.registers; r++)
        sum[0][r] = sum[1][r] = sum[2][r] = sum[3][r] = v_zero();
    for (int64_t k = 0; k < all; k++, idx += height, val += height) {
        add_entry(val[0], x + idx[0] * step, c, sum[0]);
        add_entry(val[1], x + idx[1] * step, c, sum[1]);
        add_entry(val[2], x + idx[2] * step, c, sum[2]);
        add_entry(val[3], x + idx[3] * step, c, sum[3]);
    }
    for (int q = 0; q < 4; q++)
        for (int r = 0; r < c.registers; r++)
            done[q][r] = sum[q][r];
    /* The sums are in memory now, so that this need not be unrolled. */
    for (int64_t q = 0, count = matrix->rows - p < 4 ? matrix->rows - p : 4; q < count; q++) {
        for (int64_t k = all; k < len[q]; k++)
            add_entry(a.val[k * height + q], x + a.idx[k * height + q] * step, c, done[q]);
        put_beside(m, row_at(&matrix->sell, p + q), c, done[q]);
    }
}

INLINE void beside(const struct many *m, int64_t begin, int64_t end, struct beside c) {
    const spry_matrix *matrix = m->rows;
    const int64_t height = matrix->sell.height;
    for (int64_t s = begin; s < end; s++) {
        struct slots a = slots_of(matrix, s);
        for (int64_t p = s * height; p < (s + 1) * height; p += 4, a.idx += 4, a.val += 4)
            four_rows(m, c, m->x + c.first, p, a);
    }
}

/* ---- rows side by side ---- */

/* Values of one column of X, `step` apart, in the lanes whose rows are longer than k; zero in the others. */
static inline vec gather_apart(const val_t *x, int64_t step, const idx_t *idx, const idx_t *len, int64_t k) {
    val_t each[LANES] = {0};
    for (int r = 0; r < LANES; r++)
        if (len[r] > k)
            each[r] = x[idx[r] * step];
    return v_load(each);
}

/* What LANES rows, whose lengths these are, add to columns from `first` on with slots k … end - 1, which not all of them have,
   or where values of a column are no neighbours. Not inlined, as it would be for each number of columns. */
static __attribute__((noinline)) void add_longer(const struct many *m, int64_t first, const idx_t *len,
                                                 struct slots a, int64_t k, int64_t end, vec *sum) {
    const int64_t height = ((const spry_matrix *)m->rows)->sell.height;
    for (const int count = columns_from(m, first); k < end; k++) {
        const idx_t *idx = a.idx + k * height;
        const vec value = v_load_stored(a.val + k * height);
        for (int c = 0; c < count; c++) {
            const val_t *x = m->x + (first + c) * m->x_next;
            const vec from =
                m->x_step == 1 ? v_gather_longer(x, idx, len, k) : gather_apart(x, m->x_step, idx, len, k);
            sum[c] = v_fma_longer(value, from, sum[c], len, k);
        }
    }
}

/* Sums of LANES rows from position p on become a part of a column of Y; `alike`: these are equally long. Not inlined, as the
   loop over columns would be there once for each way that rows may lie. */
static __attribute__((noinline)) void put_column(const struct many *m, int64_t p, bool alike, vec sum,
                                                 val_t *y) {
    sell_put(m->rows, p, alike, sum, m->alpha, m->beta, y, m->y_step);
}

/* The same of some columns. Not inlined either. */
static __attribute__((noinline)) void put_columns(const struct many *m, int64_t first, int64_t p, bool alike,
                                                  const vec *sum) {
    for (int c = 0, count = columns_from(m, first); c < count; c++)
        put_column(m, p, alike, sum[c], m->y + (first + c) * m->y_next);
}

/* Some columns of LANES rows from position p on, whose first slots these are. */
INLINE void group(const struct many *m, int64_t first, int count, int64_t p, struct slots a) {
    const spry_matrix *matrix = m->rows;
    const int64_t height = matrix->sell.height;
    const idx_t *len = (const idx_t *)matrix->sell.len + p;
    const struct depth deep = depth_of(len, LANES);
    const int64_t all = m->x_step == 1 ? deep.all : 0;
    const val_t *x = m->x + first * m->x_next;
    vec sum[SPRY_MANY_APART], done[SPRY_MANY_APART];
    for (int c = 0; c < count; c++)
        sum[c] = v_zero();
    for (int64_t k = 0; k < all; k++) {
        const vec value = v_load_stored(a.val + k * height);
        for (int c = 0; c < count; c++)
            sum[c] = v_fma(value, v_gather(x + c * m->x_next, a.idx + k * height), sum[c]);
    }
    for (int c = 0; c < count; c++)
        done[c] = sum[c];
    if (all < deep.some)
        add_longer(m, first, len, a, all, deep.some, done);
    put_columns(m, first, p, deep.all == deep.some, done);
}

INLINE void apart(const struct many *m, int64_t begin, int64_t end, int64_t first, int count) {
    const spry_matrix *matrix = m->rows;
    const int64_t height = matrix->sell.height;
    for (int64_t s = begin; s < end; s++) {
        struct slots a = slots_of(matrix, s);
        for (int64_t p = s * height; p < (s + 1) * height; p += LANES, a.idx += LANES, a.val += LANES)
            group(m, first, count, p, a);
    }
}

static void part(const struct many *m, int64_t begin, int64_t end) {
    if (m->x_next == 1)
        all_beside(m, begin, end, beside);
    else
        all_columns(m, begin, end, apart);
}

#define ROWS(INDEX)                                                                                          \
    SPRY_DECODING(INDEX, SIMD_NAME("sell_many"), SPRY_SELL, SPRY_N, .needs = SIMD_NEEDS, .many = true,       \
                  .takes = sell_takes, .run = CODED(spry_sell_many_run), .part = (void (*)(void))part)

SPRY_SHARED_LISTS(SIMD_KERNELS(sell_many), ROWS)
