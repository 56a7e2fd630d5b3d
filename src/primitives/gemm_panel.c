/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of panels, matrices with many rows and few columns V and W: VᵀW, and V H with a small H. They are read as they
   lie, in pieces that a cache keeps, in a room of its own for each thread. */
#include <string.h>

#include "core/split.h"
#include "core/team.h"
#include "primitives/gemm.h"

#define SQUARE (SPRY_PANEL * SPRY_PANEL)
/* Values of a piece for tiles, which read all of it at once: of f64, 64 KiB. */
#define PIECE 8192
/* The same where columns are read side by side, which runs at full speed only in longer runs: 256 KiB. */
#define LONG_PIECE (4 * PIECE)

_Static_assert(SQUARE + PIECE <= SPRY_GEMM_ROOM, "a sum and a piece to a thread");

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* C = alpha A B + beta C for A with contiguous columns. */
static void multiply_tiles(const struct NAME(spry_gemm_code) * code, num_t alpha, const spry_view *a,
                           const spry_view *b, num_t beta, const spry_view *c) {
    struct NAME(spry_gemm_factor) x = {NAME(spry_gemm_at)(a, 0, 0), a->col_stride, 0},
                                  y = {NAME(spry_gemm_at)(b, 0, 0), b->row_stride, b->col_stride};
    NAME(spry_gemm_tiles)(code, a->cols, alpha, x, 1, y, b->col_stride, beta, c);
}

/* ---- VᵀW ---- */

/* S += A B. */
static void add_piece(const struct NAME(spry_gemm_code) * code, const spry_view *a, const spry_view *b,
                      num_t *room, const spry_view *s) {
    if (a->row_stride == 1) {
        multiply_tiles(code, 1, a, b, 1, s);
        return;
    }
    spry_view copy = spry_view_of_columns(room, a->rows, a->cols, a->rows);
    NAME(spry_gemm_copy)(1, a, room);
    multiply_tiles(code, 1, &copy, b, 1, s);
}

/* sum = A B for the columns of A and rows of B from begin to end; sum is contiguous, column after column. */
static void multiply_depth(const struct spry_gemm_call *call, const struct NAME(spry_gemm_code) * code,
                           int64_t begin, int64_t end, num_t *room, num_t *sum) {
    int64_t rows = call->c.rows, cols = call->c.cols;
    bool along = call->a.col_stride == 1 && call->b.row_stride == 1;
    int64_t most = (along ? LONG_PIECE : PIECE) / larger(rows, cols);
    spry_view s = spry_view_of_columns(sum, rows, cols, rows);
    memset(sum, 0, (size_t)(rows * cols) * sizeof *sum);
    for (int64_t k = begin, depth; k < end; k += depth) {
        depth = spry_least(most, end - k);
        spry_view a = spry_view_part(call->a, 0, k, rows, depth),
                  b = spry_view_part(call->b, k, 0, depth, cols);
        if (along)
            code->dots(rows, cols, depth, NAME(spry_gemm_at)(&a, 0, 0), a.row_stride,
                       NAME(spry_gemm_at)(&b, 0, 0), b.col_stride, sum);
        else
            add_piece(code, &a, &b, room, &s);
    }
}

void NAME(spry_gemm_inner)(const struct spry_gemm_call *call, const struct NAME(spry_gemm_code) * code,
                           int threads, num_t *room) {
    int64_t depth = call->a.cols;
#pragma omp parallel for ordered num_threads(spry_team(threads)) schedule(static, 1)
    for (int p = 0; p < threads; p++) {
        num_t *sum = room + p * SPRY_GEMM_ROOM;
        multiply_depth(call, code, spry_share(depth, p, threads), spry_share(depth, p + 1, threads),
                       sum + SQUARE, sum);
#pragma omp ordered
        NAME(spry_gemm_add)((num_t)call->alpha, sum, p == 0 ? (num_t)call->beta : 1, &call->c);
    }
}

/* ---- V H ---- */

/* Rows from begin to end of A and C, whose columns are contiguous, with alpha B column after column. */
static void multiply_columns(const struct spry_gemm_call *call, const struct NAME(spry_gemm_code) * code,
                             const num_t *b, int64_t begin, int64_t end) {
    int64_t depth = call->a.cols, cols = call->c.cols, most = LONG_PIECE / larger(depth, cols);
    for (int64_t i = begin, rows; i < end; i += rows) {
        rows = spry_least(most, end - i);
        spry_view c = spry_view_part(call->c, i, 0, rows, cols);
        NAME(spry_gemm_scale)((num_t)call->beta, &c);
        code->axpys(rows, cols, depth, NAME(spry_gemm_at)(&call->a, i, 0), call->a.col_stride, b, depth,
                    NAME(spry_gemm_at)(&c, 0, 0), c.col_stride);
    }
}

/* The same for other strides, as Cᵀ = Bᵀ Aᵀ with Bᵀ column after column. */
static void multiply_rows(const struct spry_gemm_call *call, const struct NAME(spry_gemm_code) * code,
                          const spry_view *b, int64_t begin, int64_t end) {
    spry_view a = spry_view_transpose(spry_view_part(call->a, begin, 0, end - begin, call->a.cols)),
              c = spry_view_transpose(spry_view_part(call->c, begin, 0, end - begin, call->c.cols));
    multiply_tiles(code, (num_t)call->alpha, b, &a, (num_t)call->beta, &c);
}

void NAME(spry_gemm_outer)(const struct spry_gemm_call *call, const struct NAME(spry_gemm_code) * code,
                           int threads, num_t *room) {
    int64_t rows = call->a.rows;
    bool across = call->a.row_stride == 1 && call->c.row_stride == 1;
    spry_view small = spry_view_transpose(call->b);
    if (across)
        NAME(spry_gemm_copy)((num_t)call->alpha, &call->b, room);
    else
        NAME(spry_gemm_copy)(1, &small, room);
    small = spry_view_of_columns(room, small.rows, small.cols, small.rows);
#pragma omp parallel for num_threads(spry_team(threads)) schedule(static, 1)
    for (int p = 0; p < threads; p++) {
        int64_t begin = spry_share(rows, p, threads), end = spry_share(rows, p + 1, threads);
        if (across)
            multiply_columns(call, code, room, begin, end);
        else
            multiply_rows(call, code, &small, begin, end);
    }
}
