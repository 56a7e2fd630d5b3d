/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A warp's part of a tile of C in ordinary registers and fused multiply-adds. The lanes are 8 × 4, and each has the
 * product of some packets of A's lines and of B's, 32 or 16 lines apart. Which lane is where lets both halves of a
 * half-warp read the same packets of A, and lanes beside them the same of B, so that shared memory sends twice as much as
 * it reads (after Gray, “SGEMM: a walkthrough” in maxas, 2014).
 */
#ifndef SPRY_GEMM_FMA_CUH
#define SPRY_GEMM_FMA_CUH

#include "primitives/gemm_product.cuh"

template <int rows, int cols>
struct warp_sums {
    static constexpr int row_step = 8 * PACKET, col_step = 4 * PACKET;
    static_assert(rows % row_step == 0 && cols % col_step == 0, "whole packets for each lane");
    static constexpr int row_packets = rows / row_step, col_packets = cols / col_step;

    num_t sum[row_packets][PACKET][col_packets][PACKET] = {};

    static __device__ int first_row() {
        return (lane_number() >> 1 & 7) * PACKET;
    }
    static __device__ int first_col() {
        return ((lane_number() & 1) | (lane_number() >> 3 & 2)) * PACKET;
    }

    /* Add the product of two tiles, at the lines of this warp. The packets for one place of the sum are loaded while those
       of the place before are multiplied. */
    template <int depth, int a_stride, int b_stride>
    __device__ void add(const num_t *a, const num_t *b) {
        packet<PACKET> x[2][row_packets], y[2][col_packets];
        a += first_row();
        b += first_col();
        load_all<row_step>(x[0], a);
        load_all<col_step>(y[0], b);
#pragma unroll
        for (int l = 0; l < depth; l++) {
            if (l + 1 < depth) {
                load_all<row_step>(x[(l + 1) % 2], a + (l + 1) * a_stride);
                load_all<col_step>(y[(l + 1) % 2], b + (l + 1) * b_stride);
            }
            add_place(x[l % 2], y[l % 2]);
        }
    }

    template <int step, int count>
    static __device__ void load_all(packet<PACKET> (&x)[count], const num_t *from) {
#pragma unroll
        for (int r = 0; r < count; r++)
            x[r] = load<PACKET>(from + r * step);
    }

    __device__ void add_place(const packet<PACKET> (&x)[row_packets],
                              const packet<PACKET> (&y)[col_packets]) {
#pragma unroll
        for (int r = 0; r < row_packets; r++)
#pragma unroll
            for (int i = 0; i < PACKET; i++)
#pragma unroll
                for (int c = 0; c < col_packets; c++)
#pragma unroll
                    for (int j = 0; j < PACKET; j++)
                        sum[r][i][c][j] += x[r].value[i] * y[c].value[j];
    }

    /* Call put(row, col, values) for each packet of sums, which are in neighbouring columns. */
    template <class Put>
    __device__ void each(Put put) const {
#pragma unroll
        for (int r = 0; r < row_packets; r++)
#pragma unroll
            for (int i = 0; i < PACKET; i++)
#pragma unroll
                for (int c = 0; c < col_packets; c++)
                    put(r * row_step + first_row() + i, c * col_step + first_col(), sum[r][i][c]);
    }
};

#endif
