/* SPDX-License-Identifier: BSD-3-Clause */
/* The dense product by every algorithm, in all layouts, against one in long double. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "support/counting.h"
#include "support/dense.h"
#include "support/list.h"

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

/* One product. */
struct product {
    int64_t rows, cols, depth;
    enum layout a, b, c;
    double alpha, beta;
};

static spry_status multiply(spry_context *context, double alpha, const struct dense *a, const struct dense *b,
                            double beta, const struct dense *c) {
    spry_view x = dense_there(a), y = dense_there(b), z = dense_there(c);
    return spry_gemm(context, (spry_value_type)c->numbers.number, alpha, &x, &y, beta, &z);
}

/* Compute it and compare. What must not be read is NaN. */
static void check(spry_context *context, const spry_algorithm_info *info, const struct product *p) {
    struct dense a = dense_new(context, info->number, p->rows, p->depth, p->a, 1),
                 b = dense_new(context, info->number, p->depth, p->cols, p->b, 2),
                 before = dense_new(context, info->number, p->rows, p->cols, p->c, 3),
                 c = dense_new(context, info->number, p->rows, p->cols, p->c, 3);
    if (p->alpha == 0) {
        dense_fill(&a, NAN);
        dense_fill(&b, NAN);
    }
    if (p->beta == 0)
        dense_fill(&c, NAN);
    cr_expect_eq(multiply(context, p->alpha, &a, &b, p->beta, &c), SPRY_OK, "%s", spry_message(context));
    const char *wrong = dense_difference(p->alpha, &a, &b, p->beta, &before, &c);
    cr_expect_null(wrong, "%s %s, %lld x %lld x %lld, A %s, B %s, C %s, alpha %g, beta %g: %s", info->name,
                   spry_number_name(info->number), (long long)p->rows, (long long)p->cols,
                   (long long)p->depth, layout_names[p->a], layout_names[p->b], layout_names[p->c], p->alpha,
                   p->beta, wrong);
    dense_free(&a);
    dense_free(&b);
    dense_free(&before);
    dense_free(&c);
}

/* ---- shapes ---- */

/* About the sizes of registers, tiles, blocks and panels. */
static const int64_t sizes[] = {0,  1,  2,  3,  4,  5,  7,  8,  9,  12, 13, 15, 16,  17,  23,  24, 25,
                                31, 32, 33, 47, 48, 49, 63, 64, 65, 95, 96, 97, 127, 128, 129, 130};
static const double factors[] = {0, 1, -1, 0.5};

static int64_t any_size(uint64_t *state) {
    return sizes[test_below(state, COUNT(sizes))];
}

static double any_factor(uint64_t *state) {
    return factors[test_below(state, COUNT(factors))];
}

static void check_sizes(spry_context *context, const spry_algorithm_info *info) {
    uint64_t state = 7;
    for (int i = 0; i < (test_has_few_cases() ? 60 : 500); i++) {
        struct product p = {
            any_size(&state), any_size(&state), any_size(&state), COLUMNS, COLUMNS, COLUMNS, 1, 0};
        p.a = (enum layout)test_below(&state, READ_LAYOUTS);
        p.b = (enum layout)test_below(&state, READ_LAYOUTS);
        p.c = (enum layout)test_below(&state, WRITTEN_LAYOUTS);
        p.alpha = any_factor(&state);
        p.beta = any_factor(&state);
        check(context, info, &p);
    }
}

Test(gemm, sizes) {
    each_algorithm(SPRY_GEMM, 3, check_sizes);
}

/* One for each way to go about it: by blocks, VᵀW, V H, and with a vector. */
static const struct product shapes[] = {
    {.rows = 70, .cols = 67, .depth = 75}, {.rows = 33, .cols = 18, .depth = 90},
    {.rows = 90, .cols = 18, .depth = 33}, {.rows = 18, .cols = 90, .depth = 33},
    {.rows = 90, .cols = 1, .depth = 33},  {.rows = 1, .cols = 33, .depth = 90},
};

static void check_layouts(spry_context *context, const spry_algorithm_info *info) {
    for (int shape = 0; shape < COUNT(shapes); shape++)
        for (int layout = 0; layout < READ_LAYOUTS * READ_LAYOUTS * WRITTEN_LAYOUTS;
             layout += test_has_few_cases() ? 11 : 1) {
            struct product p = shapes[shape];
            p.a = (enum layout)(layout % READ_LAYOUTS);
            p.b = (enum layout)(layout / READ_LAYOUTS % READ_LAYOUTS);
            p.c = (enum layout)(layout / READ_LAYOUTS / READ_LAYOUTS);
            p.alpha = -1;
            p.beta = 0.5;
            check(context, info, &p);
        }
}

Test(gemm, layouts) {
    each_algorithm(SPRY_GEMM, 3, check_layouts);
}

static void check_factors(spry_context *context, const spry_algorithm_info *info) {
    for (int shape = 0; shape < COUNT(shapes); shape++)
        for (int c = 0; c < WRITTEN_LAYOUTS; c++)
            for (int i = 0; i < COUNT(factors) * COUNT(factors); i += test_has_few_cases() ? 3 : 1) {
                struct product p = shapes[shape];
                p.c = (enum layout)c;
                p.alpha = factors[i % COUNT(factors)];
                p.beta = factors[i / COUNT(factors)];
                check(context, info, &p);
            }
}

Test(gemm, factors) {
    each_algorithm(SPRY_GEMM, 2, check_factors);
}

/* VᵀW and V H for long V, by columns and by rows. */
static void check_panels(spry_context *context, const spry_algorithm_info *info) {
    static const int64_t few[] = {1, 4, 8, 16, 30, 64};
    const int step = test_is_brief() ? COUNT(few) - 1 : 1; /* the least and the most */
    for (int m = 0; m < COUNT(few); m += step)
        for (int k = 0; k <= m; k += step)
            for (int layout = COLUMNS; layout <= SPREAD; layout++) {
                enum layout v = (enum layout)layout,
                            transposed =
                                v == SPREAD ? v : (enum layout)(layout % 2 ? layout - 1 : layout + 1);
                struct product inner = {few[m], few[k], 2003, transposed, v, COLUMNS, 1, 0},
                               outer = {2003, few[k], few[m], v, COLUMNS, v, -1, 1};
                check(context, info, &inner);
                check(context, info, &outer);
            }
}

Test(gemm, panels, .timeout = 300) {
    each_algorithm(SPRY_GEMM, 4, check_panels);
}

/* So long that all that works on a GPU at once has several turns, with pairs of values side by side in memory and without,
   and the last turn not full. */
static const struct product long_panels[] = {
    {3, 2, 90001, ROWS, ROWS, COLUMNS, 1, 0.5},
    {16, 9, 60002, ROWS, COLUMNS, ROWS, -1, 0},
    {17, 3, 60001, COLUMNS, ROWS, COLUMNS, 1, 0},
    {20, 18, 50002, ROWS, ROWS, COLUMNS, 1, 1},
    {34, 5, 40002, ROWS, COLUMNS, COLUMNS, 1, 0},
    {49, 20, 30001, COLUMNS, COLUMNS, ROWS, 1, 0},
    {50, 34, 40002, ROWS, COLUMNS, COLUMNS, 1, 0.5},
    {33, 40, 30001, ROWS, COLUMNS, SPREAD, 1, 0},
    {64, 49, 20000, REVERSED, ROWS, COLUMNS, 1, 0},
    {90001, 1, 7, ROWS, COLUMNS, COLUMNS, -1, 1},
    {90001, 1, 8, ROWS, COLUMNS, COLUMNS, 1, 0.5},
    {60002, 15, 9, COLUMNS, ROWS, COLUMNS, 1, 0},
    {60001, 17, 18, COLUMNS, COLUMNS, ROWS, 1, 0.5},
    {21, 50002, 30, ROWS, ROWS, ROWS, 1, 0},
    {40001, 49, 20, ROWS, ROWS, ROWS, 0.5, 1},
    {40002, 33, 50, PADDED_COLUMNS, COLUMNS, COLUMNS, -1, 1},
    {40000, 64, 64, COLUMNS, COLUMNS, COLUMNS, 1, 0},
    {40000, 6, 70, SPREAD, ROWS, SPREAD, 1, 1},
};

static void check_long_panels(spry_context *context, const spry_algorithm_info *info) {
    for (int i = 0; i < COUNT(long_panels); i++)
        check(context, info, &long_panels[i]);
}

Test(gemm, long_panels, .timeout = 300) {
    if (test_backend() == SPRY_CPU)
        cr_skip_test("of GPUs");
    each_algorithm(SPRY_GEMM, 4, check_long_panels);
}

/* More than a slab or chunk in each direction. */
static void check_large(spry_context *context, const spry_algorithm_info *info) {
    static const struct product large[] = {
        {4100, 70, 66, COLUMNS, COLUMNS, COLUMNS, 1, 1}, {70, 4100, 66, ROWS, ROWS, ROWS, 1, 1},
        {70, 66, 1100, COLUMNS, ROWS, COLUMNS, 1, 0.5},  {9001, 1, 300, COLUMNS, SPREAD, SPREAD, 1, 1},
        {300, 1, 9001, ROWS, SPREAD, COLUMNS, 1, 1},     {300, 1, 9001, COLUMNS, COLUMNS, ROWS, 1, 0},
    };
    for (int i = 0; i < COUNT(large); i++)
        check(context, info, &large[i]);
}

Test(gemm, large) {
    each_algorithm(SPRY_GEMM, 2, check_large);
}

/* ---- what else is promised ---- */

/* Long sums of positive values, by the algorithm that is taken. Added up one by one in f32 they are 15 epsilon apart. */
static void fill_positive(struct dense *dense) {
    for (int64_t i = 0; i < dense->numbers.n; i++)
        number_set(&dense->numbers, i, 0.25 + (double)(i * 7919 % 10007) / 10007);
    numbers_put(&dense->numbers);
}

enum { LONG_ROWS = 20, LONG_COLS = 17, LONG = 100001 };

/* Each number is read once. */
static void exact_sums(const struct dense *v, const struct dense *w, long double sum[LONG_ROWS][LONG_COLS]) {
    memset(sum, 0, LONG_ROWS * sizeof *sum);
    for (int64_t k = 0; k < LONG; k++) {
        long double of_v[LONG_ROWS], of_w[LONG_COLS];
        for (int64_t i = 0; i < LONG_ROWS; i++)
            of_v[i] = dense_get(v, i, k);
        for (int64_t j = 0; j < LONG_COLS; j++)
            of_w[j] = dense_get(w, k, j);
        for (int64_t i = 0; i < LONG_ROWS; i++)
            for (int64_t j = 0; j < LONG_COLS; j++)
                sum[i][j] += of_v[i] * of_w[j];
    }
}

static void check_long_sum(spry_context *context, spry_number number, enum layout layout) {
    struct dense v = dense_new(context, number, LONG_ROWS, LONG, layout, 1),
                 w = dense_new(context, number, LONG, LONG_COLS, COLUMNS, 2),
                 c = dense_new(context, number, LONG_ROWS, LONG_COLS, COLUMNS, 3);
    long double sum[LONG_ROWS][LONG_COLS];
    fill_positive(&v);
    fill_positive(&w);
    cr_expect_eq(multiply(context, 1, &v, &w, 0, &c), SPRY_OK, "%s", spry_message(context));
    numbers_get(&c.numbers);
    const double epsilon = number == SPRY_NUMBER_F32 ? FLT_EPSILON : DBL_EPSILON;
    exact_sums(&v, &w, sum);
    for (int64_t i = 0; i < LONG_ROWS; i++)
        for (int64_t j = 0; j < LONG_COLS; j++) {
            const double apart = (double)fabsl(dense_get(&c, i, j) / sum[i][j] - 1) / epsilon;
            cr_expect_leq(apart, 8, "%s, %s: C(%d, %d) is %g epsilon apart", spry_number_name(number),
                          layout_names[layout], (int)i, (int)j, apart);
        }
    dense_free(&v);
    dense_free(&w);
    dense_free(&c);
}

Test(gemm, long_sums) {
    spry_context *context = test_context(2);
    for (int i = 0; i < 2; i++) {
        check_long_sum(context, SPRY_NUMBER_F64, i ? COLUMNS : ROWS);
        check_long_sum(context, SPRY_NUMBER_F32, i ? COLUMNS : ROWS);
    }
    spry_context_destroy(context);
}

/* The same product twice. */
static void check_bits(spry_context *context, const spry_algorithm_info *info) {
    static const struct product again[] = {
        {300, 200, 600, COLUMNS, ROWS, COLUMNS, 1, 0}, {30, 7, 20000, ROWS, COLUMNS, COLUMNS, 1, 0},
        {8, 1, 100000, ROWS, COLUMNS, COLUMNS, 1, 0},  {20000, 5, 30, COLUMNS, COLUMNS, COLUMNS, 1, 0},
        {50, 40, 50000, ROWS, COLUMNS, COLUMNS, 1, 0}, {50000, 40, 50, COLUMNS, COLUMNS, COLUMNS, 1, 0},
    };
    for (int i = 0; i < COUNT(again); i++) {
        const struct product *p = &again[i];
        struct dense a = dense_new(context, info->number, p->rows, p->depth, p->a, 1),
                     b = dense_new(context, info->number, p->depth, p->cols, p->b, 2),
                     c = dense_new(context, info->number, p->rows, p->cols, p->c, 3),
                     d = dense_new(context, info->number, p->rows, p->cols, p->c, 3);
        cr_expect_eq(multiply(context, 1, &a, &b, 0, &c), SPRY_OK);
        cr_expect_eq(multiply(context, 1, &a, &b, 0, &d), SPRY_OK);
        numbers_get(&c.numbers);
        numbers_get(&d.numbers);
        size_t bytes = (size_t)c.numbers.n * spry_number_size(info->number);
        cr_expect_eq(memcmp(c.numbers.data, d.numbers.data, bytes), 0, "%s, product %d", info->name, i);
        dense_free(&a);
        dense_free(&b);
        dense_free(&c);
        dense_free(&d);
    }
}

Test(gemm, same_bits) {
    each_algorithm(SPRY_GEMM, 5, check_bits);
}

/* Infinities and NaN come through, and stay in their rows and columns. */
static void check_infinite(spry_context *context, const spry_algorithm_info *info) {
    struct dense a = dense_new(context, info->number, 70, 70, COLUMNS, 1),
                 b = dense_new(context, info->number, 70, 70, COLUMNS, 2),
                 c = dense_new(context, info->number, 70, 70, COLUMNS, 3);
    number_set(&a.numbers, 69, INFINITY);
    number_set(&b.numbers, 69 * 70, NAN);
    numbers_put(&a.numbers);
    numbers_put(&b.numbers);
    cr_expect_eq(multiply(context, 1, &a, &b, 0, &c), SPRY_OK);
    numbers_get(&c.numbers);
    for (int64_t j = 0; j < 70; j++)
        for (int64_t i = 0; i < 70; i++) {
            double got = dense_get(&c, i, j);
            cr_expect(j == 69   ? isnan(got)
                      : i == 69 ? isinf(got)
                                : isfinite(got),
                      "%s: C(%lld, %lld) is %g", info->name, (long long)i, (long long)j, got);
        }
    dense_free(&a);
    dense_free(&b);
    dense_free(&c);
}

Test(gemm, not_finite) {
    each_algorithm(SPRY_GEMM, 2, check_infinite);
}

/* Products take memory only the first time, those of panels less than others; when there is none, that is said. */
Test(gemm, memory) {
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 2);
    struct dense v = dense_new(context, SPRY_NUMBER_F64, 3000, 64, COLUMNS, 1),
                 h = dense_new(context, SPRY_NUMBER_F64, 64, 64, COLUMNS, 2),
                 w = dense_new(context, SPRY_NUMBER_F64, 3000, 64, COLUMNS, 3),
                 square = dense_new(context, SPRY_NUMBER_F64, 300, 300, COLUMNS, 4),
                 result = dense_new(context, SPRY_NUMBER_F64, 300, 300, COLUMNS, 5);
    struct dense transposed = v;
    transposed.view = spry_view_transpose(v.view);
    if (test_backend() == SPRY_CPU) {
        counting_refuse(&counting, 1);
        cr_expect_eq(multiply(context, 1, &v, &h, 0, &w), SPRY_ERROR_MEMORY);
        cr_expect_eq(multiply(context, 1, &v, &h, 0, &w), SPRY_OK);
        counting_refuse(&counting, 1);
        cr_expect_eq(multiply(context, 1, &v, &h, 0, &w), SPRY_OK);
        cr_expect_eq(multiply(context, 1, &transposed, &w, 0, &h), SPRY_OK);
        cr_expect_not(counting.refused);
        cr_expect_eq(multiply(context, 1, &square, &square, 0, &result), SPRY_ERROR_MEMORY);
        cr_expect_str_not_empty(spry_message(context));
    }
    cr_expect_eq(multiply(context, 1, &square, &square, 0, &result), SPRY_OK);
    counting_refuse(&counting, 1);
    cr_expect_eq(multiply(context, 1, &square, &square, 0, &result), SPRY_OK);
    cr_expect_not(counting.refused);
    counting_refuse(&counting, 0);
    dense_free(&v);
    dense_free(&h);
    dense_free(&w);
    dense_free(&square);
    dense_free(&result);
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
    cr_expect_not(counting.misused);
}

static void check_without_factors(spry_context *context, spry_number number, double alpha, int64_t depth) {
    struct dense a = dense_new(context, number, 3, depth, COLUMNS, 1),
                 b = dense_new(context, number, depth, 2, COLUMNS, 2),
                 before = dense_new(context, number, 3, 2, COLUMNS, 3),
                 c = dense_new(context, number, 3, 2, COLUMNS, 3);
    spry_view x = dense_there(&a), y = dense_there(&b), z = dense_there(&c);
    x.data = y.data = NULL;
    cr_expect_eq(spry_gemm(context, (spry_value_type)number, alpha, &x, &y, 0.5, &z), SPRY_OK, "%s",
                 spry_message(context));
    cr_expect_null(dense_difference(0, &a, &b, 0.5, &before, &c));
    dense_free(&a);
    dense_free(&b);
    dense_free(&before);
    dense_free(&c);
}

/* With alpha zero, or rounded to zero, A and B need no arrays. */
Test(gemm, factors_without_arrays) {
    spry_context *context = test_context(1);
    for (int64_t depth = 1; depth <= 200; depth += 199) {
        check_without_factors(context, SPRY_NUMBER_F64, 0, depth);
        check_without_factors(context, SPRY_NUMBER_F32, 1e-60, depth);
    }
    spry_context_destroy(context);
}

/* ---- calls that are refused ---- */

static void refused(spry_context *context, const spry_view *a, const spry_view *b, const spry_view *c) {
    cr_expect_eq(spry_gemm(context, SPRY_F64, 1, a, b, 0, c), SPRY_ERROR_ARGUMENT);
    cr_expect_not_null(strstr(spry_message(context), "spry_gemm"), "%s", spry_message(context));
}

Test(gemm, arguments) {
    spry_context *context = test_context(1);
    double value[4] = {0};
    spry_view good = spry_view_of_columns(value, 2, 2, 2), bad = good;
    cr_expect_eq(spry_gemm(NULL, SPRY_F64, 1, &good, &good, 0, &good), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_gemm(context, SPRY_TYPE_COUNT, 1, &good, &good, 0, &good), SPRY_ERROR_ARGUMENT);
    refused(context, NULL, &good, &good);
    refused(context, &good, NULL, &good);
    refused(context, &good, &good, NULL);
    bad.rows = -1;
    refused(context, &bad, &good, &good);
    bad.rows = 1;
    refused(context, &bad, &good, &good);
    refused(context, &good, &bad, &good);
    refused(context, &good, &good, &bad);
    bad = good;
    bad.data = NULL;
    refused(context, &good, &bad, &good);
    bad = good;
    bad.row_stride = 0;
    refused(context, &good, &good, &bad);
    bad.row_stride = INT64_MIN;
    refused(context, &bad, &good, &good);
    refused(context, &good, &good, &bad);
    bad = good;
    bad.offset = INT64_MAX;
    refused(context, &good, &bad, &good);
    spry_context_destroy(context);
}
