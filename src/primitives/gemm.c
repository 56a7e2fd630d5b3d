/* SPDX-License-Identifier: BSD-3-Clause */
/* The dense product in plain C: always there, and what other code for it is checked against. */
#include "primitives/gemm.h"

#define ROWS 4
#define COLS 4

/* sum = A B for a whole tile. */
static void whole_tile(int64_t depth, struct NAME(spry_gemm_factor) a, struct NAME(spry_gemm_factor) b,
                       num_t sum[COLS][ROWS]) {
    for (int64_t k = 0; k < depth; k++, a.data += a.depth_stride, b.data += b.depth_stride)
        for (int j = 0; j < COLS; j++)
            for (int i = 0; i < ROWS; i++)
                sum[j][i] += a.data[i] * b.data[j * b.col_stride];
}

static void part_of_tile(int64_t depth, struct NAME(spry_gemm_factor) a, struct NAME(spry_gemm_factor) b,
                         int64_t rows, int64_t cols, num_t sum[COLS][ROWS]) {
    for (int64_t k = 0; k < depth; k++, a.data += a.depth_stride, b.data += b.depth_stride)
        for (int64_t j = 0; j < cols; j++)
            for (int64_t i = 0; i < rows; i++)
                sum[j][i] += a.data[i] * b.data[j * b.col_stride];
}

static void tile(int64_t depth, num_t alpha, struct NAME(spry_gemm_factor) a, struct NAME(spry_gemm_factor) b,
                 num_t beta, const spry_view *c) {
    num_t sum[COLS][ROWS] = {0};
    if (c->rows == ROWS && c->cols == COLS)
        whole_tile(depth, a, b, sum);
    else
        part_of_tile(depth, a, b, c->rows, c->cols, sum);
    for (int64_t j = 0; j < c->cols; j++) {
        spry_view column = spry_view_part(*c, 0, j, c->rows, 1);
        NAME(spry_gemm_add)(alpha, sum[j], beta, &column);
    }
}

static void dots(int64_t rows, int64_t cols, int64_t depth, const num_t *a, int64_t a_stride, const num_t *b,
                 int64_t b_stride, num_t *sum) {
    for (int64_t j = 0; j < cols; j++, b += b_stride)
        for (int64_t i = 0; i < rows; i++) {
            num_t dot = 0;
            for (int64_t k = 0; k < depth; k++)
                dot += a[i * a_stride + k] * b[k];
            sum[i + j * rows] += dot;
        }
}

static void axpys(int64_t rows, int64_t cols, int64_t depth, const num_t *a, int64_t a_stride, const num_t *b,
                  int64_t b_stride, num_t *c, int64_t c_stride) {
    for (int64_t j = 0; j < cols; j++, b += b_stride, c += c_stride)
        for (int64_t k = 0; k < depth; k++)
            for (int64_t i = 0; i < rows; i++)
                c[i] += a[i + k * a_stride] * b[k];
}

static const struct NAME(spry_gemm_code) code = {ROWS, COLS, tile, dots, axpys};

static spry_status gemm(spry_context *context, const struct spry_gemm_call *call) {
    return NAME(spry_gemm_run)(context, call, &code);
}

static const struct spry_algorithm algorithms[] = {
    {"gemm", SPRY_GEMM, SPRY_CPU, TMPL_NUMBER, 0, .gemm = gemm},
};

extern const struct spry_algorithm_list NAME(spry_algorithms_gemm);
const struct spry_algorithm_list NAME(spry_algorithms_gemm) = {1, algorithms};
