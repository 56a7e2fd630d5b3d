/* SPDX-License-Identifier: BSD-3-Clause */
/* y = alpha A x + beta y for dense A, at the speed at which A is read. Parts are cut along y or, where y is short and
   the sums are long, along those: then each part has a y of its own, and these are added in order. */
#include <string.h>

#include "core/split.h"
#include "core/team.h"
#include "primitives/gemm.h"

/* Values of y, and of x, that stay in a near cache while A streams past: 32 KiB. Shorter runs of A's rows or columns
   would end before a core has found out that it should read ahead. */
#define CHUNK ((int64_t)(32768 / sizeof(num_t)))

/* A thread's room has three of them: for values of x, for a sum beside y, and for y. */
_Static_assert(3 * CHUNK <= SPRY_GEMM_ROOM, "three chunks to a thread");

/* alpha times values of x from `first` on: where they are, or in `room`. */
static const num_t *scaled(num_t alpha, const spry_view *x, int64_t first, int64_t count, num_t *room) {
    if (alpha == 1 && x->row_stride == 1)
        return NAME(spry_gemm_at)(x, first, 0);
    spry_view part = spry_view_part(*x, first, 0, count, 1);
    NAME(spry_gemm_copy)(alpha, &part, room);
    return room;
}

/* sum += A x for contiguous columns of A. All chunks but the first are added up by themselves, so that rounding grows
   with the number of chunks, not that of values. */
static void add_columns(const struct NAME(spry_gemm_code) * code, const spry_view *a, const num_t *x,
                        bool first, num_t *room, num_t *sum) {
    spry_view total = spry_view_of_columns(sum, a->rows, 1, a->rows);
    num_t *to = first ? sum : room;
    if (!first)
        memset(room, 0, (size_t)a->rows * sizeof *room);
    code->axpys(a->rows, 1, a->cols, NAME(spry_gemm_at)(a, 0, 0), a->col_stride, x, 0, to, 0);
    if (!first)
        NAME(spry_gemm_add)(1, room, 1, &total);
}

/* sum += alpha A x for the columns of A, and values of x, from begin to end. A has no more than CHUNK rows. */
static void multiply(const struct NAME(spry_gemm_code) * code, const spry_view *a, num_t alpha,
                     const spry_view *x, int64_t begin, int64_t end, num_t *room, num_t *sum) {
    for (int64_t k = begin; k < end; k += CHUNK) {
        spry_view piece = spry_view_part(*a, 0, k, a->rows, spry_least(CHUNK, end - k));
        const num_t *values = scaled(alpha, x, k, piece.cols, room);
        if (a->col_stride == 1)
            code->dots(a->rows, 1, piece.cols, NAME(spry_gemm_at)(&piece, 0, 0), a->row_stride, values, 0,
                       sum);
        else
            add_columns(code, &piece, values, k == begin, room + CHUNK, sum);
    }
}

/* y = alpha A x + beta y for the rows of A, and values of y, from begin to end. */
static void multiply_rows(const struct spry_gemm_call *call, const struct NAME(spry_gemm_code) * code,
                          int64_t begin, int64_t end, num_t *room) {
    num_t *own = room + 2 * CHUNK;
    for (int64_t first = begin; first < end; first += CHUNK) {
        int64_t rows = spry_least(CHUNK, end - first);
        spry_view a = spry_view_part(call->a, first, 0, rows, call->a.cols),
                  y = spry_view_part(call->c, first, 0, rows, 1), sum = y;
        bool beside = y.row_stride != 1;
        if (beside)
            sum = spry_view_of_columns(own, rows, 1, rows);
        NAME(spry_gemm_scale)(beside ? 0 : (num_t)call->beta, &sum);
        multiply(code, &a, (num_t)call->alpha, &call->b, 0, a.cols, room, NAME(spry_gemm_at)(&sum, 0, 0));
        if (beside)
            NAME(spry_gemm_add)(1, own, (num_t)call->beta, &y);
    }
}

/* The same for the whole of a short y. */
static void split_depth(const struct spry_gemm_call *call, const struct NAME(spry_gemm_code) * code,
                        int threads, num_t *room) {
    int64_t rows = call->a.rows, depth = call->a.cols;
#pragma omp parallel for ordered num_threads(spry_team(threads)) schedule(static, 1)
    for (int p = 0; p < threads; p++) {
        num_t *mine = room + p * SPRY_GEMM_ROOM, *sum = mine + 2 * CHUNK;
        memset(sum, 0, (size_t)rows * sizeof *sum);
        multiply(code, &call->a, (num_t)call->alpha, &call->b, spry_share(depth, p, threads),
                 spry_share(depth, p + 1, threads), mine, sum);
#pragma omp ordered
        NAME(spry_gemm_add)(1, sum, p == 0 ? (num_t)call->beta : 1, &call->c);
    }
}

void NAME(spry_gemm_vector)(const struct spry_gemm_call *call, const struct NAME(spry_gemm_code) * code,
                            int threads, num_t *room) {
    int64_t rows = call->a.rows;
    if (rows <= CHUNK && rows < call->a.cols) {
        split_depth(call, code, threads, room);
        return;
    }
#pragma omp parallel for num_threads(spry_team(threads)) schedule(static, 1)
    for (int p = 0; p < threads; p++)
        multiply_rows(call, code, spry_share(rows, p, threads), spry_share(rows, p + 1, threads),
                      room + p * SPRY_GEMM_ROOM);
}
