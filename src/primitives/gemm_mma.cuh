/* SPDX-License-Identifier: BSD-3-Clause */
/* A warp's part of a tile of C by tensor cores: blocks of 16 × 8 sums. */
#ifndef SPRY_GEMM_MMA_CUH
#define SPRY_GEMM_MMA_CUH

#include "primitives/gemm_product.cuh"
#include "primitives/gemm_tensor.cuh"

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
