/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dense product of any shape, by blocks of A and B that are packed where the caches keep them: Goto and van de
 * Geijn, "Anatomy of high-performance matrix multiplication", ACM Transactions on Mathematical Software 34, 2008; Van
 * Zee and van de Geijn, "BLIS: a framework for rapidly instantiating BLAS functionality", the same, 41, 2015.
 *
 * Packed, a slab is panels of as many rows of A, or columns of B, as a tile has, in the order in which the tile reads
 * them: value k of row i of panel p is at p · width · depth + k · width + i.
 *
 * All threads pack one slab of A and one of B together, and then take blocks of C from a common list. Each tile of C is
 * the work of one thread at a time, and slabs follow each other in a fixed order, so that whoever takes a block, and
 * however many threads there are, the bits are the same.
 */
#include <string.h>

#include "core/cover.h"
#include "core/scratch.h"
#include "core/team.h"
#include "primitives/gemm.h"

/* Depth of a slab: a panel of B of 8 columns is 16 KiB, half of the least first-level cache. */
#define DEPTH ((int64_t)(2048 / sizeof(num_t)))
/* Rows of a block: of that depth it is 384 KiB, which a second-level cache keeps. A multiple of each tile_rows. */
#define BLOCK_ROWS 192
/* Most rows of a slab of A, and columns of one of B: 8 MiB, for the last-level cache. Multiples of BLOCK_ROWS and of
   each tile_cols. */
#define SLAB 4032
_Static_assert(SLAB % BLOCK_ROWS == 0 && BLOCK_ROWS % SPRY_TILE_ROWS == 0 && SLAB % SPRY_TILE_COLS == 0,
               "blocks end where panels do");
/* Rows that are packed side by side where values of a row are neighbours: so many streams a core follows. */
#define TOGETHER 8
/* Blocks for each thread, so that none waits long for the last one. */
#define BLOCKS_EACH 4

static int64_t round_up(int64_t n, int64_t step) {
    return spry_cover(n, step) * step;
}

/* Some rows of a panel, whatever their strides. */
static void pack_rows(const spry_view *rows, int width, num_t *to) {
    const num_t *from = NAME(spry_gemm_at)(rows, 0, 0);
    for (int64_t k = 0; k < rows->cols; k++)
        for (int64_t i = 0; i < rows->rows; i++)
            to[k * width + i] = from[i * rows->row_stride + k * rows->col_stride];
}

/* TOGETHER rows of a panel that are contiguous. */
static void transpose(const num_t *from, int64_t row_stride, int64_t depth, int width, num_t *to) {
    for (int64_t k = 0; k < depth; k++)
        for (int i = 0; i < TOGETHER; i++)
            to[k * width + i] = from[i * row_stride + k];
}

static void pack(const spry_view *panel, int width, num_t *to) {
    int64_t i = 0, rows = panel->rows, depth = panel->cols;
    for (int64_t k = 0; panel->row_stride == 1 && k < depth; k++)
        memcpy(to + k * width, NAME(spry_gemm_at)(panel, 0, k), (size_t)rows * sizeof *to);
    if (panel->row_stride == 1)
        return;
    for (; panel->col_stride == 1 && i + TOGETHER <= rows; i += TOGETHER)
        transpose(NAME(spry_gemm_at)(panel, i, 0), panel->row_stride, depth, width, to + i);
    spry_view rest = spry_view_part(*panel, i, 0, rows - i, depth);
    pack_rows(&rest, width, to + i);
}

/* By all threads of the team, each some panels. They go on without waiting for each other. */
static void pack_together(const spry_view *view, int width, num_t *packed) {
    int64_t panels = spry_cover(view->rows, width);
#pragma omp for schedule(static) nowait
    for (int64_t p = 0; p < panels; p++) {
        int64_t first = p * width;
        spry_view panel = spry_view_part(*view, first, 0, spry_least(width, view->rows - first), view->cols);
        pack(&panel, width, packed + first * view->cols);
    }
}

/* By all threads of the team: C = alpha A B + beta C with slabs of this depth. */
static void multiply_together(const struct NAME(spry_gemm_code) * code, int64_t depth, num_t alpha,
                              const num_t *a, const num_t *b, num_t beta, const spry_view *c, int threads) {
    int64_t down = spry_cover(c->rows, BLOCK_ROWS);
    int64_t across = spry_cover(BLOCKS_EACH * threads, down);
    int64_t width = round_up(spry_cover(c->cols, across), code->tile_cols);
    across = spry_cover(c->cols, width);
#pragma omp for schedule(dynamic)
    for (int64_t block = 0; block < down * across; block++) {
        int64_t i = block % down * BLOCK_ROWS, j = block / down * width;
        spry_view part =
            spry_view_part(*c, i, j, spry_least(BLOCK_ROWS, c->rows - i), spry_least(width, c->cols - j));
        struct NAME(spry_gemm_factor) x = {a + i * depth, code->tile_rows, 0},
                                      y = {b + j * depth, code->tile_cols, 1};
        NAME(spry_gemm_tiles)(code, depth, alpha, x, depth, y, depth, beta, &part);
    }
}

/* By all threads of the team: the product with a slab of B, columns j … of rows k …, and every slab of A. */
static void multiply_slab(const struct spry_gemm_call *call, const struct NAME(spry_gemm_code) * code,
                          int64_t j, int64_t k, num_t *a, num_t *b, int threads) {
    int64_t rows = call->c.rows, cols = spry_least(SLAB, call->c.cols - j),
            depth = spry_least(DEPTH, call->a.cols - k);
    spry_view slab_b = spry_view_transpose(spry_view_part(call->b, k, j, depth, cols));
    pack_together(&slab_b, code->tile_cols, b);
    for (int64_t i = 0; i < rows; i += SLAB) {
        spry_view slab_a = spry_view_part(call->a, i, k, spry_least(SLAB, rows - i), depth),
                  c = spry_view_part(call->c, i, j, slab_a.rows, cols);
        pack_together(&slab_a, code->tile_rows, a);
#pragma omp barrier
        multiply_together(code, depth, (num_t)call->alpha, a, b, k == 0 ? (num_t)call->beta : 1, &c, threads);
    }
}

spry_status NAME(spry_gemm_blocks)(spry_context *context, const struct spry_gemm_call *call,
                                   const struct NAME(spry_gemm_code) * code, int threads) {
    int64_t cols = call->c.cols, depth = call->a.cols,
            deepest = round_up(spry_least(DEPTH, depth), SPRY_ALIGNMENT);
    int64_t values_a = round_up(spry_least(SLAB, call->c.rows), code->tile_rows) * deepest,
            values_b = round_up(spry_least(SLAB, cols), code->tile_cols) * deepest;
    void *scratch;
    spry_status status = spry_cpu_scratch(context, (size_t)(values_a + values_b) * sizeof(num_t), &scratch);
    if (status)
        return status;
    num_t *a = scratch, *b = a + values_a;
#pragma omp parallel num_threads(spry_team(threads))
    for (int64_t j = 0; j < cols; j += SLAB)
        for (int64_t k = 0; k < depth; k += DEPTH)
            multiply_slab(call, code, j, k, a, b, threads);
    return SPRY_OK;
}
