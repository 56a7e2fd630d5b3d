/* SPDX-License-Identifier: BSD-3-Clause */
/* The dense product with vector registers. A tile of C stays in registers, three of them high and as many columns wide
   as leave room for the values of A and B; where C ends, a smaller one does. */
#include "core/inline.h"
#include "primitives/gemm.h"
#include "primitives/gemm_vector.h"
#include "primitives/simd.h"

#if defined(__ARM_NEON) || defined(__AVX512F__)
#define COLS 8 /* 24 of 32 registers */
#else
#define COLS 4 /* 12 of 16 */
#endif
#define HIGH 3
#define ROWS (HIGH * LANES)

/* ---- tiles ---- */

/* sum += A B. `rest` rows are in the last of the registers. */
INLINE void add_product(int high, int cols, int rest, int64_t depth, struct NAME(spry_gemm_factor) a,
                        struct NAME(spry_gemm_factor) b, vec sum[][HIGH]) {
    for (int64_t k = 0; k < depth; k++, a.data += a.depth_stride, b.data += b.depth_stride) {
        vec x[HIGH];
#pragma GCC unroll 8
        for (int v = 0; v < high - 1; v++)
            x[v] = v_load(a.data + v * LANES);
        const num_t *last = a.data + (high - 1) * LANES;
        x[high - 1] = rest == LANES ? v_load(last) : v_load_first(last, rest);
#pragma GCC unroll 8
        for (int j = 0; j < cols; j++) {
            vec y = v_set(b.data[j * b.col_stride]);
#pragma GCC unroll 8
            for (int v = 0; v < high; v++)
                sum[j][v] = v_fma(x[v], y, sum[j][v]);
        }
    }
}

/* C = alpha sum + beta C. */
INLINE void put(int high, int cols, int rest, vec sum[][HIGH], num_t alpha, num_t beta, num_t *c,
                int64_t col_stride) {
    vec a = v_set(alpha), b = v_set(beta);
#pragma GCC unroll 8
    for (int j = 0; j < cols; j++)
#pragma GCC unroll 8
        for (int v = 0; v < high; v++) {
            const num_t *from = c + j * col_stride + v * LANES;
            sum[j][v] = v_mul(a, sum[j][v]);
            if (beta != 0)
                sum[j][v] = v_fma(b, v + 1 < high ? v_load(from) : v_load_first(from, rest), sum[j][v]);
        }
#pragma GCC unroll 8
    for (int j = 0; j < cols; j++) {
        num_t *to = c + j * col_stride;
#pragma GCC unroll 8
        for (int v = 0; v < high - 1; v++)
            v_store(to + v * LANES, sum[j][v]);
        if (rest == LANES)
            v_store(to + (high - 1) * LANES, sum[j][high - 1]);
        else
            v_store_first(to + (high - 1) * LANES, sum[j][high - 1], rest);
    }
}

/* A tile `high` registers high and `cols` wide, whose columns are contiguous. What is known of B, and of the rows, in
   the common case is told to the compiler. */
INLINE void tile_of(int high, int cols, int rows, int64_t depth, num_t alpha, struct NAME(spry_gemm_factor) a,
                    struct NAME(spry_gemm_factor) b, num_t beta, num_t *c, int64_t col_stride) {
    vec sum[COLS][HIGH];
#pragma GCC unroll 8
    for (int j = 0; j < cols; j++)
#pragma GCC unroll 8
        for (int v = 0; v < high; v++) {
            sum[j][v] = v_set(0);
            __builtin_prefetch(c + j * col_stride + v * LANES);
        }
    int rest = rows - (high - 1) * LANES;
    if (rest < 1) /* never; told to the compiler, as a mask for less takes more registers than loops have */
        __builtin_unreachable();
    if (rest == LANES && b.depth_stride == COLS && b.col_stride == 1)
        add_product(high, cols, LANES, depth, a, (struct NAME(spry_gemm_factor)){b.data, COLS, 1}, sum);
    else
        add_product(high, cols, rest, depth, a, b, sum);
    put(high, cols, rest, sum, alpha, beta, c, col_stride);
}

typedef void tile_function(int rows, int64_t depth, num_t alpha, struct NAME(spry_gemm_factor) a,
                           struct NAME(spry_gemm_factor) b, num_t beta, num_t *c, int64_t col_stride);

#define TILE(high, cols)                                                                                     \
    static void tile_##high##_##cols(int rows, int64_t depth, num_t alpha, struct NAME(spry_gemm_factor) a,  \
                                     struct NAME(spry_gemm_factor) b, num_t beta, num_t *c,                  \
                                     int64_t col_stride) {                                                   \
        tile_of(high, cols, rows, depth, alpha, a, b, beta, c, col_stride);                                  \
    }
#define TILES(cols) TILE(1, cols) TILE(2, cols) TILE(3, cols)
#define TILE_NAMES(cols)                                                                                     \
    { tile_1_##cols, tile_2_##cols, tile_3_##cols }

TILES(1)
TILES(2)
TILES(4)
#if COLS == 8
TILES(8)
#endif

/* By the logarithm of their columns, and their height. */
static tile_function *const tiles[][HIGH] = {
    TILE_NAMES(1),
    TILE_NAMES(2),
    TILE_NAMES(4),
#if COLS == 8
    TILE_NAMES(8),
#endif
};

/* By tiles whose columns are powers of two. Those of C are contiguous. */
static void tile_columns(int rows, int cols, int64_t depth, num_t alpha, struct NAME(spry_gemm_factor) a,
                         struct NAME(spry_gemm_factor) b, num_t beta, num_t *c, int64_t col_stride) {
    int high = (rows + LANES - 1) / LANES;
    while (cols > 0) {
        int power = 31 - __builtin_clz((unsigned)cols), some = 1 << power;
        tiles[power][high - 1](rows, depth, alpha, a, b, beta, c, col_stride);
        cols -= some;
        b.data += some * b.col_stride;
        c += some * col_stride;
    }
}

static void tile(int64_t depth, num_t alpha, struct NAME(spry_gemm_factor) a, struct NAME(spry_gemm_factor) b,
                 num_t beta, const spry_view *c) {
    int rows = (int)c->rows, cols = (int)c->cols;
    if (c->row_stride == 1) {
        tile_columns(rows, cols, depth, alpha, a, b, beta, NAME(spry_gemm_at)(c, 0, 0), c->col_stride);
        return;
    }
    _Alignas(SPRY_ALIGNMENT) num_t product[ROWS * COLS];
    tile_columns(rows, cols, depth, 1, a, b, 0, product, rows);
    NAME(spry_gemm_add)(alpha, product, beta, c);
}

/* Rows, or columns, of A that are read side by side where they are streams of their own, or so short that together they
   are one. Others are read one after the other: measured on Zen 4, rows of 256 bytes to 4 KiB that follow each other come
   from memory two to three times as fast so, and columns of 8 KiB or more half as fast. */
#define TOGETHER 8

static bool are_streams(int64_t length, int64_t stride) {
    return length <= 2 * LANES || stride >= (int64_t)(8192 / sizeof(num_t));
}

/* ---- sums along what is contiguous ---- */

/* Rows and columns of a block of sums. */
#define DOTS_ROWS 4
#define DOTS_COLS (COLS / 2)

/* sum[j][i] += a[i a_stride …] b[j b_stride …], by lanes, of which the first n count. */
INLINE void add_products(int rows, int cols, int n, const num_t *a, int64_t a_stride, const num_t *b,
                         int64_t b_stride, vec sum[][TOGETHER]) {
    vec y[DOTS_COLS];
#pragma GCC unroll 8
    for (int j = 0; j < cols; j++)
        y[j] = n == LANES ? v_load(b + j * b_stride) : v_load_first(b + j * b_stride, n);
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++) {
        vec x = n == LANES ? v_load(a + i * a_stride) : v_load_first(a + i * a_stride, n);
#pragma GCC unroll 8
        for (int j = 0; j < cols; j++)
            sum[j][i] = v_fma(x, y[j], sum[j][i]);
    }
}

/* A block of sums; `stride` is what is between columns of them. */
INLINE void dots_of(int rows, int cols, int64_t depth, const num_t *a, int64_t a_stride, const num_t *b,
                    int64_t b_stride, num_t *sum, int64_t stride) {
    vec s[DOTS_COLS][TOGETHER];
#pragma GCC unroll 8
    for (int j = 0; j < cols; j++)
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++)
            s[j][i] = v_set(0);
    int64_t k = 0;
    for (; k + LANES <= depth; k += LANES)
        add_products(rows, cols, LANES, a + k, a_stride, b + k, b_stride, s);
    if (k < depth)
        add_products(rows, cols, (int)(depth - k), a + k, a_stride, b + k, b_stride, s);
#pragma GCC unroll 8
    for (int j = 0; j < cols; j++)
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++)
            sum[i + j * stride] += v_sum(s[j][i]);
}

/* So many columns of sums, by blocks of so many rows. */
INLINE void dots_columns(int high, int cols, int64_t rows, int64_t depth, const num_t *a, int64_t a_stride,
                         const num_t *b, int64_t b_stride, num_t *sum) {
    int64_t i = 0;
    for (; i + high <= rows; i += high)
        dots_of(high, cols, depth, a + i * a_stride, a_stride, b, b_stride, sum + i, rows);
    for (; i < rows; i++)
        dots_of(1, cols, depth, a + i * a_stride, a_stride, b, b_stride, sum + i, rows);
}

static void dots(int64_t rows, int64_t cols, int64_t depth, const num_t *a, int64_t a_stride, const num_t *b,
                 int64_t b_stride, num_t *sum) {
    int64_t j = 0;
    for (; j + DOTS_COLS <= cols; j += DOTS_COLS)
        dots_columns(DOTS_ROWS, DOTS_COLS, rows, depth, a, a_stride, b + j * b_stride, b_stride,
                     sum + j * rows);
    for (; j < cols; j++)
        if (are_streams(depth, a_stride))
            dots_columns(TOGETHER, 1, rows, depth, a, a_stride, b + j * b_stride, b_stride, sum + j * rows);
        else
            dots_columns(1, 1, rows, depth, a, a_stride, b + j * b_stride, b_stride, sum + j * rows);
}

/* ---- sums across what is contiguous ---- */

#define AXPYS_COLS (COLS / 2)
#define AXPYS_DEPTH 4

/* c[j c_stride …] += a[k a_stride …] x[j][k], by lanes, of which the first n count. */
INLINE void add_multiples(int cols, int depth, int n, const num_t *a, int64_t a_stride, vec x[][TOGETHER],
                          num_t *c, int64_t c_stride) {
    vec from[TOGETHER];
#pragma GCC unroll 8
    for (int k = 0; k < depth; k++)
        from[k] = n == LANES ? v_load(a + k * a_stride) : v_load_first(a + k * a_stride, n);
#pragma GCC unroll 8
    for (int j = 0; j < cols; j++) {
        num_t *to = c + j * c_stride;
        vec sum = n == LANES ? v_load(to) : v_load_first(to, n);
#pragma GCC unroll 8
        for (int k = 0; k < depth; k++)
            sum = v_fma(from[k], x[j][k], sum);
        if (n == LANES)
            v_store(to, sum);
        else
            v_store_first(to, sum, n);
    }
}

INLINE void axpys_of(int cols, int depth, int64_t rows, const num_t *a, int64_t a_stride, const num_t *b,
                     int64_t b_stride, num_t *c, int64_t c_stride) {
    vec x[AXPYS_COLS][TOGETHER];
#pragma GCC unroll 8
    for (int j = 0; j < cols; j++)
#pragma GCC unroll 8
        for (int k = 0; k < depth; k++)
            x[j][k] = v_set(b[j * b_stride + k]);
    int64_t i = 0;
    for (; i + LANES <= rows; i += LANES)
        add_multiples(cols, depth, LANES, a + i, a_stride, x, c + i, c_stride);
    if (i < rows)
        add_multiples(cols, depth, (int)(rows - i), a + i, a_stride, x, c + i, c_stride);
}

/* So many columns of C, by so many columns of A at a time. */
INLINE void axpys_columns(int cols, int deep, int64_t rows, int64_t depth, const num_t *a, int64_t a_stride,
                          const num_t *b, int64_t b_stride, num_t *c, int64_t c_stride) {
    int64_t k = 0;
    for (; k + deep <= depth; k += deep)
        axpys_of(cols, deep, rows, a + k * a_stride, a_stride, b + k, b_stride, c, c_stride);
    for (; k + 2 <= depth; k += 2)
        axpys_of(cols, 2, rows, a + k * a_stride, a_stride, b + k, b_stride, c, c_stride);
    if (k < depth)
        axpys_of(cols, 1, rows, a + k * a_stride, a_stride, b + k, b_stride, c, c_stride);
}

static void axpys(int64_t rows, int64_t cols, int64_t depth, const num_t *a, int64_t a_stride, const num_t *b,
                  int64_t b_stride, num_t *c, int64_t c_stride) {
    int64_t j = 0;
    for (; j + AXPYS_COLS <= cols; j += AXPYS_COLS)
        axpys_columns(AXPYS_COLS, AXPYS_DEPTH, rows, depth, a, a_stride, b + j * b_stride, b_stride,
                      c + j * c_stride, c_stride);
    for (; j + 2 <= cols; j += 2)
        axpys_columns(2, AXPYS_DEPTH, rows, depth, a, a_stride, b + j * b_stride, b_stride, c + j * c_stride,
                      c_stride);
    if (j < cols && are_streams(rows, a_stride))
        axpys_columns(1, TOGETHER, rows, depth, a, a_stride, b + j * b_stride, b_stride, c + j * c_stride,
                      c_stride);
    else if (j < cols)
        axpys_columns(1, 1, rows, depth, a, a_stride, b + j * b_stride, b_stride, c + j * c_stride, c_stride);
}

/* ---- the record ---- */

static const struct NAME(spry_gemm_code) code = {ROWS, COLS, tile, dots, axpys};

static spry_status gemm(spry_context *context, const struct spry_gemm_call *call) {
    return NAME(spry_gemm_run)(context, call, &code);
}

static const struct spry_algorithm algorithms[] = {
    {SIMD_NAME("gemm"), SPRY_GEMM, SPRY_CPU, TMPL_NUMBER, SIMD_NEEDS, .gemm = gemm},
};

extern const struct spry_algorithm_list SIMD_LIST(gemm);
const struct spry_algorithm_list SIMD_LIST(gemm) = {1, algorithms};
