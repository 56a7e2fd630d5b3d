/* SPDX-License-Identifier: BSD-3-Clause */
/* y = alpha x + beta y: what one thread does. The files that include this compile it for an instruction set each. */
#ifndef SPRY_PRIMITIVES_AXPBY_H
#define SPRY_PRIMITIVES_AXPBY_H

#include "core/algorithm.h"
#include "primitives/lanes.h"

/* For n numbers, and the sum of w y unless w is null. */
typedef double share_t(int64_t n, num_t alpha, const num_t *x, num_t beta, num_t *y, const num_t *w);

/* Deal out a call to threads that each do their share. */
spry_status NAME(spry_axpby_run)(spry_context *context, const struct spry_axpby_call *call, share_t *share);

/* Each y[i] is read before it is written, so that x may be y. */
static void update(int64_t n, num_t alpha, const num_t *x, num_t beta, num_t *y) {
    if (beta == 0) {
#pragma omp simd
        for (int64_t i = 0; i < n; i++)
            y[i] = alpha * x[i];
    } else {
#pragma omp simd
        for (int64_t i = 0; i < n; i++)
            y[i] = alpha * x[i] + beta * y[i];
    }
}

/* Numbers whose sum is made while they are still in the first-level cache. */
#define UPDATE_BLOCK (8192 / (int64_t)sizeof(num_t))

static double share(int64_t n, num_t alpha, const num_t *x, num_t beta, num_t *y, const num_t *w) {
    double sum = 0;
    if (!w)
        update(n, alpha, x, beta, y);
    for (int64_t i = 0; w && i < n; i += UPDATE_BLOCK) {
        int64_t count = n - i < UPDATE_BLOCK ? n - i : UPDATE_BLOCK;
        update(count, alpha, x + i, beta, y + i);
        sum += dot_of(count, w + i, y + i);
    }
    return sum;
}

#endif
