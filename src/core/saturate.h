/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums and products of sizes that stay at the largest number, which nobody has memory for, instead of overflowing. */
#ifndef SPRY_SATURATE_H
#define SPRY_SATURATE_H

#include <stddef.h>
#include <stdint.h>

static inline size_t spry_sum_sizes(size_t a, size_t b) {
    size_t sum;
    return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

static inline size_t spry_multiply_sizes(size_t a, size_t b) {
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* Of counts, which are not negative. */
static inline int64_t spry_sum_counts(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static inline int64_t spry_multiply_counts(int64_t a, int64_t b) {
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

#endif
