/* SPDX-License-Identifier: BSD-3-Clause */
/* The dense product on the CPU. How it is split among threads and cut into blocks is written once (gemm_*.c); what
   instruction sets differ in is the few functions of struct spry_gemm_code, of which plain C has its own. */
#ifndef SPRY_GEMM_H
#define SPRY_GEMM_H

#include "core/algorithm.h"
#include "core/number.h"
#include "primitives/gemm_workspace.h"

/* The largest tile. */
#define SPRY_TILE_ROWS 48
#define SPRY_TILE_COLS 8

/* A factor of a tile in memory: its values are this far apart along the depth and, for B, from column to column. Those
   of a column of A are neighbours. */
struct NAME(spry_gemm_factor) {
    const num_t *data;
    int64_t depth_stride, col_stride;
};

/* C = alpha A B + beta C for a tile of C, up to tile_rows × tile_cols. With beta = 0, C is not read. Fastest where B is
   packed: a depth_stride of tile_cols, a col_stride of 1. */
typedef void NAME(spry_gemm_tile)(int64_t depth, num_t alpha, struct NAME(spry_gemm_factor) a,
                                  struct NAME(spry_gemm_factor) b, num_t beta, const spry_view *c);

/* sum[i + j rows] += Σ a[i a_stride + k] b[j b_stride + k] over k < depth, for i < rows and j < cols. */
typedef void NAME(spry_gemm_dots)(int64_t rows, int64_t cols, int64_t depth, const num_t *a, int64_t a_stride,
                                  const num_t *b, int64_t b_stride, num_t *sum);

/* c[i + j c_stride] += Σ a[i + k a_stride] b[j b_stride + k] over k < depth, for i < rows and j < cols. */
typedef void NAME(spry_gemm_axpys)(int64_t rows, int64_t cols, int64_t depth, const num_t *a,
                                   int64_t a_stride, const num_t *b, int64_t b_stride, num_t *c,
                                   int64_t c_stride);

struct NAME(spry_gemm_code) {
    int tile_rows, tile_cols;
    NAME(spry_gemm_tile) * tile;
    NAME(spry_gemm_dots) * dots;
    NAME(spry_gemm_axpys) * axpys;
};

/* What an algorithm's `gemm` calls with its own code. */
spry_status NAME(spry_gemm_run)(spry_context *context, const struct spry_gemm_call *call,
                                const struct NAME(spry_gemm_code) * code);

/* Values of a thread's own memory, which products by vectors and panels take from the context's workspace: stacks of
   threads are as small as their callers make them. */
#define SPRY_GEMM_ROOM ((int64_t)(SPRY_GEMM_WORKSPACE / sizeof(num_t)))

/* ---- by shape; each takes a call with alpha ≠ 0 and depth > 0, how many threads it is worth, and room for each ---- */

/* Any shape: gemm_blocks.c. */
spry_status NAME(spry_gemm_blocks)(spry_context *context, const struct spry_gemm_call *call,
                                   const struct NAME(spry_gemm_code) * code, int threads);

/* Most rows and columns of what is small in a product of panels. */
#define SPRY_PANEL 64
/* C has no more than SPRY_PANEL rows and columns: gemm_panel.c. */
void NAME(spry_gemm_inner)(const struct spry_gemm_call *call, const struct NAME(spry_gemm_code) * code,
                           int threads, num_t *room);
/* B has no more than SPRY_PANEL rows and columns: gemm_panel.c. */
void NAME(spry_gemm_outer)(const struct spry_gemm_call *call, const struct NAME(spry_gemm_code) * code,
                           int threads, num_t *room);

/* B has one column, and one stride of A is 1: gemm_vector.c. */
void NAME(spry_gemm_vector)(const struct spry_gemm_call *call, const struct NAME(spry_gemm_code) * code,
                            int threads, num_t *room);

/* ---- what they have in common: gemm_parts.c ---- */

static inline int64_t spry_least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* The value at row i, column j. */
static inline num_t *NAME(spry_gemm_at)(const spry_view *view, int64_t i, int64_t j) {
    return (num_t *)view->data + view->offset + i * view->row_stride + j * view->col_stride;
}

/* C = alpha A B + beta C tile by tile. The tile at row i, column j of C begins at a.data + i · a_step and b.data + j ·
   b_step. What B has for a column of tiles is read again and again, while all of A streams past. */
void NAME(spry_gemm_tiles)(const struct NAME(spry_gemm_code) * code, int64_t depth, num_t alpha,
                           struct NAME(spry_gemm_factor) a, int64_t a_step, struct NAME(spry_gemm_factor) b,
                           int64_t b_step, num_t beta, const spry_view *c);
/* C = alpha S + beta C, where S is contiguous, column after column. With beta = 0, C is not read. */
void NAME(spry_gemm_add)(num_t alpha, const num_t *sum, num_t beta, const spry_view *c);
/* C = beta C; with 0 it is not read. */
void NAME(spry_gemm_scale)(num_t beta, const spry_view *c);
/* to = alpha A, column after column without gaps. */
void NAME(spry_gemm_copy)(num_t alpha, const spry_view *a, num_t *to);

#endif
