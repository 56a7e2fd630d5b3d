/* SPDX-License-Identifier: BSD-3-Clause */
/* The outputs of a register: y = alpha sum + beta y, for rows that are neighbours or lie apart. With beta = 0, y is not read. */
#ifndef SPRY_PUT_H
#define SPRY_PUT_H

#include "spmv/simd.h"

static inline vec blend_rows(vec sum, val_t alpha, vec beta, vec before, bool adds) {
    sum = v_mul(v_set(alpha), sum);
    return adds ? v_fma(beta, before, sum) : sum;
}

static inline void put_rows(vec sum, val_t alpha, val_t beta, val_t *y) {
    v_store(y, blend_rows(sum, alpha, v_set(beta), beta != 0 ? v_load(y) : v_zero(), beta != 0));
}

/* The first `count` lanes. */
static inline void put_first(vec sum, int64_t count, val_t alpha, val_t beta, val_t *y) {
    const vec before = beta != 0 ? v_load_first(y, count) : v_zero();
    v_store_first(y, blend_rows(sum, alpha, v_set(beta), before, beta != 0), count);
}

/* The same where values of y are `step` apart. */
static inline void put_apart(vec sum, int64_t step, int64_t count, val_t alpha, val_t beta, val_t *y) {
    val_t each[LANES] = {0};
    for (int64_t l = 0; l < count && beta != 0; l++)
        each[l] = y[l * step];
    v_store(each, blend_rows(sum, alpha, v_set(beta), v_load(each), beta != 0));
    for (int64_t l = 0; l < count; l++)
        y[l * step] = each[l];
}

#endif
