/* SPDX-License-Identifier: BSD-3-Clause */
/* The scan of one thread's piece, in registers of 16 bytes, which every machine has: wider ones are no faster, since
   their lanes are further apart. What a register's numbers are to each other takes no part in the chain of sums from
   register to register, which has one addition in two registers. */
#ifndef SPRY_PRIMITIVES_PREFIX_H
#define SPRY_PRIMITIVES_PREFIX_H

#include <string.h>

#include "core/algorithm.h"
#include "core/number.h"

typedef wrap_t vec __attribute__((vector_size(16)));
#define WIDTH (16 / (int)sizeof(num_t))

static inline vec load(const num_t *x) {
    vec v;
    memcpy(&v, x, sizeof v);
    return v;
}

static inline void store(num_t *y, vec v) {
    memcpy(y, &v, sizeof v);
}

/* shift(before, v): the last of `before`, and v without its last. */
#if TMPL_IS == TMPL_IS_F32 || TMPL_IS == TMPL_IS_I32
static inline vec shift(vec before, vec v) {
    return __builtin_shufflevector(before, v, 3, 4, 5, 6);
}

static inline vec prefix_sums(vec v) {
    v += shift((vec){0}, v);
    return v + __builtin_shufflevector((vec){0}, v, 2, 3, 4, 5);
}
#else
static inline vec shift(vec before, vec v) {
    return __builtin_shufflevector(before, v, 1, 2);
}

static inline vec prefix_sums(vec v) {
    return v + shift((vec){0}, v);
}
#endif

/* y may be x. */
static inline void scan_as(spry_scan_kind kind, int64_t n, const num_t *x, num_t *y, wrap_t before) {
    vec sum = before + (vec){0};
    int64_t i = 0;
    for (; i + 2 * WIDTH <= n; i += 2 * WIDTH) {
        vec a = prefix_sums(load(x + i)), b = prefix_sums(load(x + i + WIDTH)) + a[WIDTH - 1];
        store(y + i, sum + (kind == SPRY_EXCLUSIVE ? shift((vec){0}, a) : a));
        store(y + i + WIDTH, sum + (kind == SPRY_EXCLUSIVE ? shift(a, b) : b));
        sum += b[WIDTH - 1];
    }
    before = sum[0];
    for (; i < n; i++) {
        wrap_t after = before + (wrap_t)x[i];
        y[i] = (num_t)(kind == SPRY_EXCLUSIVE ? before : after);
        before = after;
    }
}

static inline void scan_piece(spry_scan_kind kind, int64_t n, const num_t *x, num_t *y, wrap_t before) {
    if (kind == SPRY_EXCLUSIVE)
        scan_as(SPRY_EXCLUSIVE, n, x, y, before);
    else
        scan_as(SPRY_INCLUSIVE, n, x, y, before);
}

#endif
