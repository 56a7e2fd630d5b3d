/* SPDX-License-Identifier: BSD-3-Clause */
/* What the products of all shapes are made of. */
#include "core/inline.h"
#include "primitives/gemm.h"

void NAME(spry_gemm_tiles)(const struct NAME(spry_gemm_code) * code, int64_t depth, num_t alpha,
                           struct NAME(spry_gemm_factor) a, int64_t a_step, struct NAME(spry_gemm_factor) b,
                           int64_t b_step, num_t beta, const spry_view *c) {
    for (int64_t j = 0; j < c->cols; j += code->tile_cols)
        for (int64_t i = 0; i < c->rows; i += code->tile_rows) {
            struct NAME(spry_gemm_factor) x = a, y = b;
            spry_view tile = spry_view_part(*c, i, j, spry_least(code->tile_rows, c->rows - i),
                                            spry_least(code->tile_cols, c->cols - j));
            x.data += i * a_step;
            y.data += j * b_step;
            code->tile(depth, alpha, x, y, beta, &tile);
        }
}

/* to = alpha from + beta to, with strides that are known where this is inlined. */
INLINE void blend(int64_t n, num_t alpha, const num_t *from, int64_t from_stride, num_t beta, num_t *to,
                  int64_t to_stride) {
    for (int64_t i = 0; beta == 0 && i < n; i++)
        to[i * to_stride] = alpha * from[i * from_stride];
    for (int64_t i = 0; beta != 0 && i < n; i++)
        to[i * to_stride] = alpha * from[i * from_stride] + beta * to[i * to_stride];
}

void NAME(spry_gemm_add)(num_t alpha, const num_t *sum, num_t beta, const spry_view *c) {
    for (int64_t j = 0; j < c->cols; j++, sum += c->rows) {
        num_t *to = NAME(spry_gemm_at)(c, 0, j);
        if (c->row_stride == 1)
            blend(c->rows, alpha, sum, 1, beta, to, 1);
        else
            blend(c->rows, alpha, sum, 1, beta, to, c->row_stride);
    }
}

void NAME(spry_gemm_copy)(num_t alpha, const spry_view *a, num_t *to) {
    for (int64_t j = 0; j < a->cols; j++, to += a->rows) {
        const num_t *from = NAME(spry_gemm_at)(a, 0, j);
        if (a->row_stride == 1)
            blend(a->rows, alpha, from, 1, 0, to, 1);
        else
            blend(a->rows, alpha, from, a->row_stride, 0, to, 1);
    }
}

void NAME(spry_gemm_scale)(num_t beta, const spry_view *c) {
    for (int64_t j = 0; beta != 1 && j < c->cols; j++)
        for (int64_t i = 0; i < c->rows; i++) {
            num_t *to = NAME(spry_gemm_at)(c, i, j);
            *to = beta == 0 ? 0 : beta * *to;
        }
}
