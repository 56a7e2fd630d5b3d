/* SPDX-License-Identifier: BSD-3-Clause */
/* Absolute values, as integers in the same order: the bits of a floating point number without its sign are, with NaN
   above infinity, so that the greatest of them is NaN where there is one. */
#ifndef SPRY_PRIMITIVES_MAGNITUDE_H
#define SPRY_PRIMITIVES_MAGNITUDE_H

#include <string.h>

#include "primitives/lanes.h"

/* Signed where that holds them, since plain x86-64 compares signed integers only. */
#if TMPL_IS == TMPL_IS_F32
typedef int32_t magnitude_t;
#elif TMPL_IS == TMPL_IS_F64
typedef int64_t magnitude_t;
#else
typedef wrap_t magnitude_t;
#endif

static inline magnitude_t magnitude_of(num_t x) {
#if TMPL_IS_FLOATING
    magnitude_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & (magnitude_t)(UINT64_MAX >> (65 - 8 * sizeof bits));
#else
    return x < 0 ? 0 - (magnitude_t)x : (magnitude_t)x;
#endif
}

static inline magnitude_t greater(magnitude_t a, magnitude_t b) {
    return a > b ? a : b;
}

static inline magnitude_t greatest_of(int64_t n, const num_t *x) {
    magnitude_t lane[SUM_LANES] = {0};
    int64_t i = 0;
    for (; i + SUM_LANES <= n; i += SUM_LANES)
        for (int l = 0; l < SUM_LANES; l++)
            lane[l] = greater(lane[l], magnitude_of(x[i + l]));
    for (int l = 0; i + l < n; l++)
        lane[l] = greater(lane[l], magnitude_of(x[i + l]));
    for (int l = 1; l < SUM_LANES; l++)
        lane[0] = greater(lane[0], lane[l]);
    return lane[0];
}

/* The greatest int64_t stands for that of the least, which it has no room for. */
static inline sum_t value_of(magnitude_t magnitude) {
#if TMPL_IS_FLOATING
    num_t x;
    memcpy(&x, &magnitude, sizeof x);
    return (sum_t)x;
#else
    sum_t value = (sum_t)magnitude;
    return value < 0 ? INT64_MAX : value;
#endif
}

#endif
