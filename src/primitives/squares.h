/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of squares that neither overflow nor underflow, read once: Blue, "A portable Fortran program to find the
   Euclidean norm of a vector", ACM Transactions on Mathematical Software 4, 1978, with the constants of Anderson,
   "Algorithm 978: Safe scaling in the level 1 BLAS", ACM Transactions on Mathematical Software 44, 2017. Numbers
   that are large or small are scaled and have sums of their own.

   Telling them apart takes longer than reading them does. So a block of numbers is squared without a look at them, and
   once more, from cache, if its sum shows that something may have been lost. */
#ifndef SPRY_PRIMITIVES_SQUARES_H
#define SPRY_PRIMITIVES_SQUARES_H

#include <math.h>

#include "primitives/magnitude.h"

/* The three sums. */
enum { MEDIUM, LARGE, SMALL, SUMS };

/* Numbers above and below are large and small, and multiplied by a scale before they are squared. */
#define LARGE_FROM 0x1p+486
#define LARGE_SCALE 0x1p-538
#define SMALL_BELOW 0x1p-511
#define SMALL_SCALE 0x1p+537

/* Half of a small first-level cache. */
#define SQUARES_BLOCK 2048
/* A block's sum between these has lost nothing that counts: what underflowed are 2^11 errors of 2^-1075 at most. And as
   many blocks as there can be do not overflow. */
#define LEAST_SUM 0x1p-1000
#define MOST_SUM 0x1p+960

static inline void add_scaled_squares(int64_t n, const num_t *x, double *sum) {
    for (int64_t i = 0; i < n; i++) {
        double a = fabs((double)x[i]);
        if (a > LARGE_FROM)
            sum[LARGE] += a * LARGE_SCALE * (a * LARGE_SCALE);
        else if (a < SMALL_BELOW)
            sum[SMALL] += a * SMALL_SCALE * (a * SMALL_SCALE);
        else
            sum[MEDIUM] += a * a;
    }
}

static inline void add_squares(int64_t n, const num_t *x, double *sum) {
    /* Squares of f32 are all in the range of a double. */
    int64_t block = TMPL_IS == TMPL_IS_F32 ? n : SQUARES_BLOCK;
    for (int64_t i = 0; i < n; i += block) {
        int64_t count = n - i < block ? n - i : block;
        double plain = dot_of(count, x + i, x + i);
        if (TMPL_IS == TMPL_IS_F32 || (plain >= LEAST_SUM && plain <= MOST_SUM))
            sum[MEDIUM] += plain;
        else if (greatest_of(count, x + i) > 0) /* vectors of zeros are no rare thing */
            add_scaled_squares(count, x + i, sum);
    }
}

/* The root of all three together. */
static inline double root_of_squares(const double *sum) {
    if (sum[LARGE] > 0)
        return sqrt(sum[LARGE] + sum[MEDIUM] * LARGE_SCALE * LARGE_SCALE) / LARGE_SCALE;
    if (!(sum[SMALL] > 0))
        return sqrt(sum[MEDIUM]);
    double medium = sqrt(sum[MEDIUM]), small = sqrt(sum[SMALL]) / SMALL_SCALE;
    double more = small > medium ? small : medium, less = small > medium ? medium : small;
    return more * sqrt(1 + less / more * (less / more));
}

#endif
