/* SPDX-License-Identifier: BSD-3-Clause */
/* What one thread does of each reduction. The files that include this compile it for an instruction set each. */
#ifndef SPRY_PRIMITIVES_REDUCE_H
#define SPRY_PRIMITIVES_REDUCE_H

#include "core/algorithm.h"
#include "primitives/magnitude.h"
#if TMPL_IS_FLOATING
#include "primitives/squares.h"
#else
#define SUMS 1
#endif

/* What a share of an array comes to, all zero for none: a sum in sum[0], the three sums of a norm, or the greatest
   magnitude. */
typedef struct partial {
    acc_t sum[SUMS];
    magnitude_t greatest;
} partial_t;

/* Of n numbers; y is read by a dot product only. */
typedef partial_t share_t(int64_t n, const num_t *x, const num_t *y);

/* Deal out a call to threads that each do their share, which is one of those below, by kind of reduction. */
spry_status NAME(spry_reduce_run)(spry_context *context, const struct spry_reduce_call *call,
                                  share_t *const *share);

static partial_t share_sum(int64_t n, const num_t *x, const num_t *y) {
    (void)y;
    return (partial_t){.sum = {sum_of(n, x)}};
}

static partial_t share_dot(int64_t n, const num_t *x, const num_t *y) {
    return (partial_t){.sum = {dot_of(n, x, y)}};
}

#if TMPL_IS_FLOATING
static partial_t share_norm2(int64_t n, const num_t *x, const num_t *y) {
    (void)y;
    partial_t partial = {.greatest = 0};
    add_squares(n, x, partial.sum);
    return partial;
}
#endif

static partial_t share_max_abs(int64_t n, const num_t *x, const num_t *y) {
    (void)y;
    return (partial_t){.greatest = greatest_of(n, x)};
}

static share_t *const shares[] = {
    [SPRY_REDUCE_SUM] = share_sum,
    [SPRY_REDUCE_DOT] = share_dot,
#if TMPL_IS_FLOATING
    [SPRY_REDUCE_NORM2] = share_norm2,
#endif
    [SPRY_REDUCE_MAX_ABS] = share_max_abs,
};

#endif
