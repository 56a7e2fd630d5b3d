/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensor cores in f64, which multiply and add as fused multiply-adds do. One instruction of a warp adds the product of 16
 * lines of A and 8 of B, 16 values long, to 16 × 8 sums. Lane l holds the sums of rows l / 4 and l / 4 + 8 in columns
 * 2 (l % 4) and the one after, and of the factors the values at places l % 4, + 4, + 8, + 12 of A's lines l / 4 and
 * l / 4 + 8 and of B's line l / 4 (PTX ISA, “Matrix fragments for mma.m16n8k16 with .f64”).
 */
#ifndef SPRY_GEMM_TENSOR_CUH
#define SPRY_GEMM_TENSOR_CUH

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

#endif
