/* SPDX-License-Identifier: BSD-3-Clause */
/* The way a dense product takes, by its shape. */
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

/* Threads by the largest of the three matrices: a product that reads it once is worth that many, and one that does more
   with it all the more. */
static int worth(const spry_context *context, const struct spry_gemm_call *call) {
    double rows = (double)call->c.rows, cols = (double)call->c.cols, depth = (double)call->a.cols;
    double largest = rows > cols ? rows : cols, middle = rows + cols - largest;
    largest *= depth > middle ? depth : middle;
    double threads = largest / (double)context->grain;
    return threads >= context->threads ? context->threads : threads > 1 ? (int)threads : 1;
}

static bool is_small(int64_t rows, int64_t cols) {
    return rows <= SPRY_PANEL && cols <= SPRY_PANEL;
}

spry_status NAME(spry_gemm_run)(spry_context *context, const struct spry_gemm_call *call,
                                const struct NAME(spry_gemm_code) * code) {
    int64_t rows = call->c.rows, cols = call->c.cols, depth = call->a.cols;
    if (call->alpha == 0 || depth == 0) {
        NAME(spry_gemm_scale)((num_t)call->beta, &call->c);
        return SPRY_OK;
    }
    int threads = worth(context, call);
    struct spry_gemm_call turned = transpose(call);
    if (rows == 1 && cols > 1)
        return NAME(spry_gemm_run)(context, &turned, code);
    if (cols == 1 && (call->a.col_stride == 1 || (call->a.row_stride == 1 && rows > code->tile_rows)))
        NAME(spry_gemm_vector)(call, code, threads);
    else if (is_small(rows, cols))
        NAME(spry_gemm_inner)
    (call->a.row_stride != 1 && call->b.col_stride == 1 ? &turned : call, code, threads);
    else if (is_small(depth, cols)) NAME(spry_gemm_outer)(call, code, threads);
    else if (is_small(depth, rows)) NAME(spry_gemm_outer)(&turned, code, threads);
    else return NAME(spry_gemm_blocks)(context, call->c.row_stride == 1 ? call : &turned, code, threads);
    return SPRY_OK;
}
