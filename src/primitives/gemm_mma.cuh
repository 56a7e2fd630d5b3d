/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A warp's part of a tile of C by tensor cores, which multiply and add in f64 as fused multiply-adds do. The warp has
 * blocks of 16 × 8 sums, and one instruction adds the product of 16 lines of A and 8 of B, 16 values long. Lane l
 * holds the sums of rows l / 4 and l / 4 + 8 in columns 2 (l % 4) and the one after, and of the factors the values at
 * places l % 4, + 4, + 8, + 12 of A's lines l / 4 and l / 4 + 8 and of B's line l / 4 (PTX ISA, “Matrix fragments for
 * mma.m16n8k16 with .f64”).
 */
#ifndef SPRY_GEMM_MMA_CUH
#define SPRY_GEMM_MMA_CUH

#include "primitives/gemm_product.cuh"

#define MMA_DEPTH 16

static __device__ inline void mma_8x8x4(double &c0, double &c1, double a, double b) {
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(c0), "+d"(c1)
        : "d"(a), "d"(b));
}

/* a has the values of both lines for each place. Before compute capability 9.0 there is a smaller instruction only, with
   the same layout. */
static __device__ inline void mma_16x8x16(double (&c)[4], const double (&a)[8], const double (&b)[4]) {
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, "
        "%11}, "
        "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
          "d"(b[1]), "d"(b[2]), "d"(b[3]));
#else
    for (int s = 0; s < 4; s++) {
        mma_8x8x4(c[0], c[1], a[2 * s], b[s]);
        mma_8x8x4(c[2], c[3], a[2 * s + 1], b[s]);
    }
#endif
}

template <int rows, int cols>
struct warp_sums {
    static_assert(rows % 16 == 0 && cols % 8 == 0, "whole blocks");
    static constexpr int row_blocks = rows / 16, col_blocks = cols / 8;

    double sum[row_blocks][col_blocks][4] = {};

    /* Add the product of two tiles, at the lines of this warp. */
    template <int depth, int a_stride, int b_stride>
    __device__ void add(const double *a, const double *b) {
        static_assert(depth % MMA_DEPTH == 0, "whole instructions");
        a += lane_number() % 4 * a_stride + lane_number() / 4;
        b += lane_number() % 4 * b_stride + lane_number() / 4;
#pragma unroll
        for (int l = 0; l < depth; l += MMA_DEPTH)
            add_places<a_stride, b_stride>(a + l * a_stride, b + l * b_stride);
    }

    template <int a_stride, int b_stride>
    __device__ void add_places(const double *a, const double *b) {
        double x[8], y[col_blocks][4];
#pragma unroll
        for (int c = 0; c < col_blocks; c++)
#pragma unroll
            for (int s = 0; s < 4; s++)
                y[c][s] = b[4 * s * b_stride + 8 * c];
#pragma unroll
        for (int r = 0; r < row_blocks; r++) {
#pragma unroll
            for (int s = 0; s < 4; s++) {
                x[2 * s] = a[4 * s * a_stride + 16 * r];
                x[2 * s + 1] = a[4 * s * a_stride + 16 * r + 8];
            }
#pragma unroll
            for (int c = 0; c < col_blocks; c++)
                mma_16x8x16(sum[r][c], x, y[c]);
        }
    }

    /* Call put(row, col, values) for each packet of sums, which are in neighbouring columns. */
    template <class Put>
    __device__ void each(Put put) const {
        const int row = lane_number() / 4, col = lane_number() % 4 * 2;
#pragma unroll
        for (int r = 0; r < row_blocks; r++)
#pragma unroll
            for (int half = 0; half < 2; half++)
#pragma unroll
                for (int c = 0; c < col_blocks; c++) {
                    const double pair[2] = {sum[r][c][2 * half], sum[r][c][2 * half + 1]};
                    put(16 * r + 8 * half + row, 8 * c + col, pair);
                }
    }
};

#endif
