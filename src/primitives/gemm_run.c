/* SPDX-License-Identifier: BSD-3-Clause */
/* The way a dense product takes, by its shape. */
#include "core/scratch.h"
#include "core/team.h"
#include "primitives/gemm.h"

/* Cᵀ = alpha Bᵀ Aᵀ + beta Cᵀ. */
static struct spry_gemm_call transpose(const struct spry_gemm_call *call) {
    return (struct spry_gemm_call){
        .alpha = call->alpha,
        .a = spry_view_transpose(call->b),
        .b = spry_view_transpose(call->a),
        .beta = call->beta,
        .c = spry_view_transpose(call->c),
    };
}

/* Threads by the largest of the three matrices: where reading it once is worth them, what else is done with it is all the more. */
static int worth(const spry_context *context, const struct spry_gemm_call *call) {
    double rows = (double)call->c.rows, cols = (double)call->c.cols, depth = (double)call->a.cols;
    double largest = rows > cols ? rows : cols, middle = rows + cols - largest;
    largest *= depth > middle ? depth : middle;
    return spry_part_count(context, largest < (double)INT64_MAX ? (int64_t)largest : INT64_MAX);
}

static bool is_small(int64_t rows, int64_t cols) {
    return rows <= SPRY_PANEL && cols <= SPRY_PANEL;
}

static bool is_vector(const struct spry_gemm_call *call, const struct NAME(spry_gemm_code) * code) {
    return call->c.cols == 1 &&
           (call->a.col_stride == 1 || (call->a.row_stride == 1 && call->c.rows > code->tile_rows));
}

/* Whether the transpose of a product with a small result reads along both factors where it itself does not. */
static bool is_inner_transposed(const struct spry_gemm_call *call) {
    return call->a.row_stride != 1 && call->b.col_stride == 1;
}

spry_status NAME(spry_gemm_run)(spry_context *context, const struct spry_gemm_call *call,
                                const struct NAME(spry_gemm_code) * code) {
    int64_t rows = call->c.rows, cols = call->c.cols, depth = call->a.cols;
    if (call->alpha == 0 || depth == 0) {
        NAME(spry_gemm_scale)((num_t)call->beta, &call->c);
        return SPRY_OK;
    }
    int threads = worth(context, call);
    struct spry_gemm_call transposed = transpose(call);
    if (rows == 1 && cols > 1)
        return NAME(spry_gemm_run)(context, &transposed, code);
    if (!is_vector(call, code) && !is_small(rows, cols) && !is_small(depth, cols) && !is_small(depth, rows))
        return NAME(spry_gemm_blocks)(context, call->c.row_stride == 1 ? call : &transposed, code, threads);
    void *room;
    spry_status status = spry_cpu_scratch(context, (size_t)threads * SPRY_GEMM_WORKSPACE, &room);
    if (status)
        return status;
    if (is_vector(call, code))
        NAME(spry_gemm_vector)(call, code, threads, room);
    else if (is_small(rows, cols))
        NAME(spry_gemm_inner)(is_inner_transposed(call) ? &transposed : call, code, threads, room);
    else
        NAME(spry_gemm_outer)(is_small(depth, cols) ? call : &transposed, code, threads, room);
    return SPRY_OK;
}
