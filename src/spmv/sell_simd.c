/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL-C-σ with vector registers: a row to a lane. All that a slice has is one stream. Narrow columns are read as they are kept, with x from
   the base of the slice on; that takes no longer, and saves a sixth or a quarter of what is read. */
#include "spmv/columns_simd.h"
#include "spmv/sell_simd.h"

/* Ask for the lines of so many entries, a register of them or two, that lie ahead, if the matrix comes from memory: `far` and `count`, here
   and below, constants. */
INLINE void ask_ahead(struct columns idx, const stored_t *val, int64_t count, bool far) {
    if (!far)
        return;
    v_prefetch_lines(val + SPRY_AHEAD, count * (int64_t)sizeof *val);
    v_prefetch_lines(columns_behind(idx, SPRY_AHEAD).at, count * column_size(idx));
}

/* The first `count` entries of LANES rows, which all of them have; `follow`: their columns may follow each other. */
INLINE vec sum_all(struct columns idx, const stored_t *val, int64_t height, int64_t count, const val_t *x,
                   bool follow, bool far) {
    vec sum = v_zero();
    for (int64_t k = 0; k < count; k++, idx = columns_behind(idx, height), val += height) {
        ask_ahead(idx, val, LANES, far);
        sum = v_fma(v_load_stored(val), columns_take(x, idx, follow), sum);
    }
    return sum;
}

/* LANES rows of a slice, whose first lengths, columns and values these are. Past the end of the shortest, columns need
   not be any, unless padding is `filled`. */
INLINE vec sum_group(struct depth depth, const idx_t *len, struct columns idx, const stored_t *val,
                     int64_t height, const val_t *x, bool filled, bool far) {
    vec sum = columns_may_follow(idx, height, depth.shortest)
                  ? sum_all(idx, val, height, depth.shortest, x, true, far)
                  : sum_all(idx, val, height, depth.shortest, x, false, far);
    idx = columns_behind(idx, depth.shortest * height);
    val += depth.shortest * height;
    for (int64_t k = depth.shortest; k < depth.longest;
         k++, idx = columns_behind(idx, height), val += height) {
        ask_ahead(idx, val, LANES, far);
        sum = v_fma_longer(v_load_stored(val), columns_take_longer(x, idx, len, k, filled), sum, len, k);
    }
    return sum;
}

/* What is multiplied, from one slice on. */
struct operands {
    const spry_matrix *matrix;
    bool narrow; /* a constant */
    const val_t *x;
};

INLINE struct operands operands_of(const spry_matrix *matrix, bool narrow, int64_t s, const val_t *x) {
    return (struct operands){matrix, narrow, narrow ? x + ((const idx_t *)matrix->bases)[s] : x};
}

INLINE struct columns columns_from(const struct operands *of, int64_t slot) {
    return columns_behind((struct columns){of->matrix->sell.idx, of->narrow}, slot);
}

/* y = alpha A x + beta y of the rows of a register, from position p on. */
INLINE void put_one(const struct operands *of, int64_t p, int64_t slot, val_t alpha, val_t beta, bool far,
                    val_t *y) {
    const spry_sell *sell = &of->matrix->sell;
    const idx_t *len = (const idx_t *)sell->len + p;
    const struct depth depth = sell_depth(sell, len);
    vec sum = sum_group(depth, len, columns_from(of, slot), (const stored_t *)sell->val + slot, sell->height,
                        of->x, of->matrix->fills_padding, far);
    sell_put(of->matrix, p, depth.shortest == depth.longest, sum, alpha, beta, y, 1);
}

/* The same of two registers, whose rows have `count` entries each. */
INLINE void put_two(const struct operands *of, int64_t p, int64_t slot, int64_t count, val_t alpha,
                    val_t beta, bool follow, bool far, val_t *y) {
    const spry_sell *sell = &of->matrix->sell;
    struct columns idx = columns_from(of, slot);
    const stored_t *val = (const stored_t *)sell->val + slot;
    vec a = v_zero(), b = v_zero();
    for (int64_t k = 0; k < count; k++, idx = columns_behind(idx, sell->height), val += sell->height) {
        ask_ahead(idx, val, 2 * LANES, far);
        a = v_fma(v_load_stored(val), columns_take(of->x, idx, follow), a);
        b = v_fma(v_load_stored(val + LANES), columns_take(of->x, columns_behind(idx, LANES), follow), b);
    }
    sell_put(of->matrix, p, true, a, alpha, beta, y, 1);
    sell_put(of->matrix, p + LANES, true, b, alpha, beta, y, 1);
}

/* Whether the rows of two registers from position p on are equally long. */
static inline bool are_even(const spry_sell *sell, int64_t p) {
    const idx_t *len = (const idx_t *)sell->len + p;
    return sell->window > 1 ? len[0] == len[2 * LANES - 1] : v_equal(len, 2 * LANES);
}

/* Slices of rows for a register. */
INLINE void singles(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                    val_t beta, val_t *y, bool narrow, bool far) {
    const int64_t height = matrix->sell.height;
    for (int64_t s = begin; s < end; s++) {
        const struct operands of = operands_of(matrix, narrow, s, x);
        int64_t slot = slice_begin(matrix, s);
        for (int64_t p = s * height; p < (s + 1) * height; p += LANES, slot += LANES)
            put_one(&of, p, slot, alpha, beta, far, y);
    }
}

/* Slices of rows for two registers, or more. */
INLINE void pairs(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                  val_t beta, val_t *y, bool narrow, bool far) {
    const spry_sell *sell = &matrix->sell;
    const int64_t height = sell->height;
    for (int64_t s = begin; s < end; s++) {
        const struct operands of = operands_of(matrix, narrow, s, x);
        int64_t slot = slice_begin(matrix, s);
        for (int64_t p = s * height; p < (s + 1) * height; p += 2 * LANES, slot += 2 * LANES) {
            const int64_t count = ((const idx_t *)sell->len)[p];
            if (!are_even(sell, p))
                for (int r = 0; r < 2 * LANES; r += LANES)
                    put_one(&of, p + r, slot + r, alpha, beta, far, y);
            else if (columns_may_follow(columns_from(&of, slot), height, count))
                put_two(&of, p, slot, count, alpha, beta, true, far, y);
            else
                put_two(&of, p, slot, count, alpha, beta, false, far, y);
        }
    }
}

/* Each by itself, so that registers are dealt out for this alone. */
#define EACH(name, way, narrow)                                                                              \
    static __attribute__((noinline)) void name(const spry_matrix *matrix, int64_t begin, int64_t end,        \
                                               val_t alpha, const val_t *x, val_t beta, val_t *y) {          \
        SIMD_FAR(matrix->plan.far, way, matrix, begin, end, alpha, x, beta, y, narrow);                      \
    }
#define PART(name, narrow)                                                                                   \
    EACH(name##_in_singles, singles, narrow)                                                                 \
    EACH(name##_in_pairs, pairs, narrow)                                                                     \
    static void name(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,     \
                     val_t beta, val_t *y) {                                                                 \
        if (matrix->sell.height % (2 * LANES) == 0)                                                          \
            name##_in_pairs(matrix, begin, end, alpha, x, beta, y);                                          \
        else                                                                                                 \
            name##_in_singles(matrix, begin, end, alpha, x, beta, y);                                        \
    }
PART(rows, false)
PART(narrow_rows, true)
#undef PART
#undef EACH

static union spry_terms work(const struct spry_candidate *candidate) {
    union spry_terms amounts = CODED(spry_sell_work)(candidate, LANES);
    amounts.gathers = amounts.steps * spry_apart_share(candidate->features, LANES);
    return amounts;
}

#define OF_ALL                                                                                               \
    .needs = SIMD_NEEDS, .takes = sell_takes, .run = SHARED(spry_units_run),                                 \
    .partials = SHARED(spry_partials), .work = work
#define OF_PLAIN OF_ALL, .part = (void (*)(void))rows
#define OF_NARROW OF_ALL, .part = (void (*)(void))narrow_rows, .reads_columns = true

#define ROWS(INDEX)                                                                                          \
    SPRY_TABLE_KERNELS(PLAIN, INDEX, SIMD_NAME("sell"), SPRY_SELL, SPRY_N, OF_PLAIN)                         \
    SPRY_NARROW_KERNELS(INDEX, SIMD_NAME("sell"), SPRY_SELL, SPRY_N, OF_NARROW)                              \
    SPRY_TABLE_KERNELS(NARROW, INDEX, SIMD_NAME("sell") "_narrow", SPRY_SELL, SPRY_N, OF_NARROW) {           \
        SPRY_KERNEL_OF(INDEX, SIMD_NAME("sell"), SPRY_SELL, SPRY_N), OF_PLAIN                                \
    }

SPRY_SHARED_LISTS(SIMD_KERNELS(sell), ROWS)
