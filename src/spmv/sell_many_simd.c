/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL-C-σ times many columns with vector registers: a column to a lane where columns lie side by side in X, else a row to a
   lane. Entries of a row are added one after the other either way, and as in products with one vector: so a column has the
   same bits in whatever company, and however it lies. Narrow columns are read as they are kept, with X from the base of the slice
   on. */
#include "spmv/columns_simd.h"
#include "spmv/many_simd.h"
#include "spmv/sell.h"
#include "spmv/sell_simd.h"

/* Slots of neighbouring rows, and X from where their columns are counted. */
struct slots {
    struct columns idx;
    const stored_t *val;
    const val_t *x;
};

INLINE struct slots slots_behind(struct slots a, int64_t slots) {
    return (struct slots){columns_behind(a.idx, slots), a.val + slots, a.x};
}

INLINE struct slots slots_of(const struct many *m, int64_t s, bool narrow) {
    const spry_matrix *matrix = m->rows;
    const spry_sell *sell = &matrix->sell;
    const int64_t base = narrow ? ((const idx_t *)matrix->bases)[s] : 0;
    return slots_behind((struct slots){{sell->idx, narrow}, sell->val, m->x + base * m->x_step},
                        slice_begin(matrix, s));
}

/* ---- columns side by side ---- */

/* Add slot number q from these on to the sums of a row. */
INLINE void add_slot(const struct many *m, struct beside c, struct slots a, int64_t q, vec *sum) {
    add_entry(a.val[q], a.x + c.first + column_at(a.idx, q) * m->x_step, c, sum);
}

/* Ask for slots that lie ahead, if they come from memory. Beside a row of X for each, a branch takes no time. */
INLINE void ask_ahead(const spry_matrix *matrix, struct slots a) {
    if (!matrix->plan.far)
        return;
    const struct slots ahead = slots_behind(a, SPRY_AHEAD);
    v_prefetch(ahead.val);
    v_prefetch(ahead.idx.at);
}

/* Four rows from position p on, whose first slots these are: as many sums under way. */
INLINE void four_rows(const struct many *m, struct beside c, int64_t p, struct slots a) {
    const spry_matrix *matrix = m->rows;
    const int64_t height = matrix->sell.height;
    const idx_t *len = (const idx_t *)matrix->sell.len + p;
    struct slots at = a;
    const int64_t all = depth_of(len, 4).shortest;
    vec sum[4][MANY_REGISTERS], done[4][MANY_REGISTERS];
    for (int r = 0; r < c.registers; r++)
        sum[0][r] = sum[1][r] = sum[2][r] = sum[3][r] = v_zero();
    for (int64_t k = 0; k < all; k++, at = slots_behind(at, height)) {
        ask_ahead(matrix, at);
        add_slot(m, c, at, 0, sum[0]);
        add_slot(m, c, at, 1, sum[1]);
        add_slot(m, c, at, 2, sum[2]);
        add_slot(m, c, at, 3, sum[3]);
    }
    for (int q = 0; q < 4; q++)
        for (int r = 0; r < c.registers; r++)
            done[q][r] = sum[q][r];
    /* The sums are in memory now, so that this need not be unrolled. */
    for (int64_t q = 0, count = matrix->rows - p < 4 ? matrix->rows - p : 4; q < count; q++) {
        for (int64_t k = all; k < len[q]; k++)
            add_slot(m, c, a, k * height + q, done[q]);
        put_beside(m, row_at(&matrix->sell, p + q), c, done[q]);
    }
}

INLINE void some_beside(const struct many *m, int64_t begin, int64_t end, struct beside c, bool narrow) {
    const spry_matrix *matrix = m->rows;
    const int64_t height = matrix->sell.height;
    for (int64_t s = begin; s < end; s++) {
        struct slots a = slots_of(m, s, narrow);
        for (int64_t p = s * height; p < (s + 1) * height; p += 4, a = slots_behind(a, 4))
            four_rows(m, c, p, a);
    }
}

/* ---- rows side by side ---- */

/* Values of one column of X, `step` apart, in the lanes whose rows are longer than k; zero in the others. */
INLINE vec gather_apart(const val_t *x, int64_t step, struct columns idx, const idx_t *len, int64_t k) {
    val_t each[LANES] = {0};
    for (int r = 0; r < LANES; r++)
        if (len[r] > k)
            each[r] = x[column_at(idx, r) * step];
    return v_load(each);
}

/* What LANES rows, whose lengths these are, add to columns from `first` on with slots k … end - 1, which not all of them have,
   or where values of a column are no neighbours. */
INLINE void add_slots(const struct many *m, int64_t first, const idx_t *len, struct slots a, int64_t k,
                      int64_t end, vec *sum) {
    const spry_matrix *matrix = m->rows;
    const int64_t height = matrix->sell.height;
    a = slots_behind(a, k * height);
    for (const int count = columns_from(m, first); k < end; k++, a = slots_behind(a, height)) {
        const vec value = v_load_stored(a.val);
        for (int c = 0; c < count; c++) {
            const val_t *x = a.x + (first + c) * m->x_next;
            const vec from = m->x_step == 1 ? columns_take_longer(x, a.idx, len, k, matrix->fills_padding)
                                            : gather_apart(x, m->x_step, a.idx, len, k);
            sum[c] = v_fma_longer(value, from, sum[c], len, k);
        }
    }
}

/* Not inlined, as it would be for each number of columns. */
static __attribute__((noinline)) void add_longer(const struct many *m, int64_t first, const idx_t *len,
                                                 struct slots a, int64_t k, int64_t end, vec *sum) {
    if (a.idx.narrow)
        add_slots(m, first, len, (struct slots){{a.idx.at, true}, a.val, a.x}, k, end, sum);
    else
        add_slots(m, first, len, (struct slots){{a.idx.at, false}, a.val, a.x}, k, end, sum);
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
    const struct depth depth = depth_of(len, LANES);
    const int64_t all = m->x_step == 1 ? depth.shortest : 0;
    struct slots at = a;
    vec sum[SPRY_MANY_APART], done[SPRY_MANY_APART];
    for (int c = 0; c < count; c++)
        sum[c] = v_zero();
    for (int64_t k = 0; k < all; k++, at = slots_behind(at, height)) {
        const vec value = v_load_stored(at.val);
        for (int c = 0; c < count; c++)
            sum[c] = v_fma(value, columns_take(at.x + (first + c) * m->x_next, at.idx, false), sum[c]);
    }
    for (int c = 0; c < count; c++)
        done[c] = sum[c];
    if (all < depth.longest)
        add_longer(m, first, len, a, all, depth.longest, done);
    put_columns(m, first, p, depth.shortest == depth.longest, done);
}

INLINE void some_apart(const struct many *m, int64_t begin, int64_t end, int64_t first, int count,
                       bool narrow) {
    const spry_matrix *matrix = m->rows;
    const int64_t height = matrix->sell.height;
    for (int64_t s = begin; s < end; s++) {
        struct slots a = slots_of(m, s, narrow);
        for (int64_t p = s * height; p < (s + 1) * height; p += LANES, a = slots_behind(a, LANES))
            group(m, first, count, p, a);
    }
}

#define PART(name, narrow)                                                                                   \
    INLINE void name##_beside(const struct many *m, int64_t begin, int64_t end, struct beside c) {           \
        some_beside(m, begin, end, c, narrow);                                                               \
    }                                                                                                        \
    INLINE void name##_apart(const struct many *m, int64_t begin, int64_t end, int64_t first, int count) {   \
        some_apart(m, begin, end, first, count, narrow);                                                     \
    }                                                                                                        \
    static void name(const struct many *m, int64_t begin, int64_t end) {                                     \
        if (m->x_next == 1)                                                                                  \
            all_beside(m, begin, end, name##_beside);                                                        \
        else                                                                                                 \
            all_columns(m, begin, end, name##_apart);                                                        \
    }
PART(part, false)
PART(narrow_part, true)
#undef PART

#define OF_ALL .needs = SIMD_NEEDS, .many = true, .takes = sell_takes, .run = CODED(spry_sell_many_run)
#define OF_PLAIN OF_ALL, .part = (void (*)(void))part
#define OF_NARROW OF_ALL, .part = (void (*)(void))narrow_part, .reads_columns = true

#define ROWS(INDEX)                                                                                          \
    SPRY_TABLE_KERNELS(PLAIN, INDEX, SIMD_NAME("sell_many"), SPRY_SELL, SPRY_N, OF_PLAIN)                    \
    SPRY_NARROW_KERNELS(INDEX, SIMD_NAME("sell_many"), SPRY_SELL, SPRY_N, OF_NARROW)                         \
    SPRY_TABLE_KERNELS(NARROW, INDEX, SIMD_NAME("sell_many") "_narrow", SPRY_SELL, SPRY_N, OF_NARROW) {      \
        SPRY_KERNEL_OF(INDEX, SIMD_NAME("sell_many"), SPRY_SELL, SPRY_N), OF_PLAIN                           \
    }

SPRY_SHARED_LISTS(SIMD_KERNELS(sell_many), ROWS)
