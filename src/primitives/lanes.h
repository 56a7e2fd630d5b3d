/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of one thread's share. They are added in several lanes, so that one addition does not wait for the one before
   and the compiler has registers to fill. The lanes are the same for every instruction set, and so are the sums where
   the compiler does not fuse multiplications with additions, as GCC does not in standard C. */
#ifndef SPRY_PRIMITIVES_LANES_H
#define SPRY_PRIMITIVES_LANES_H

#include "core/internal.h"
#include "core/number.h"

#define SUM_LANES 32

/* What sums are added in. That of integers wraps around, and has the bits of their sum_t. */
#if TMPL_IS_FLOATING
typedef double acc_t;
#else
typedef uint64_t acc_t;
#endif

/* In a tree. Overwrites the lanes. */
static inline acc_t add_lanes(acc_t *lane) {
    for (int width = SUM_LANES / 2; width > 0; width /= 2)
        for (int l = 0; l < width; l++)
            lane[l] += lane[l + width];
    return lane[0];
}

static inline acc_t sum_of(int64_t n, const num_t *x) {
    acc_t lane[SUM_LANES] = {0};
    int64_t i = 0;
    for (; i + SUM_LANES <= n; i += SUM_LANES)
        for (int l = 0; l < SUM_LANES; l++)
            lane[l] += (acc_t)x[i + l];
    for (int l = 0; i + l < n; l++)
        lane[l] += (acc_t)x[i + l];
    return add_lanes(lane);
}

static inline acc_t dot_of(int64_t n, const num_t *x, const num_t *y) {
    acc_t lane[SUM_LANES] = {0};
    int64_t i = 0;
    for (; i + SUM_LANES <= n; i += SUM_LANES)
        for (int l = 0; l < SUM_LANES; l++)
            lane[l] += (acc_t)x[i + l] * (acc_t)y[i + l];
    for (int l = 0; i + l < n; l++)
        lane[l] += (acc_t)x[i + l] * (acc_t)y[i + l];
    return add_lanes(lane);
}

#endif
