/* SPDX-License-Identifier: BSD-3-Clause */
/* primitives/gemm_vector.h for NEON of 64-bit ARM. */
#ifndef SPRY_GEMM_NEON_H
#define SPRY_GEMM_NEON_H

#include <arm_neon.h>

#include "core/number.h"

#if TMPL_IS == TMPL_IS_F64
typedef float64x2_t vec;
#define V_CALL(name) v##name##q_f64
#define V_SET vdupq_n_f64
#else
typedef float32x4_t vec;
#define V_CALL(name) v##name##q_f32
#define V_SET vdupq_n_f32
#endif

#define LANES ((int)(sizeof(vec) / sizeof(num_t)))

static inline vec v_load(const num_t *p) {
    return V_CALL(ld1)(p);
}

static inline void v_store(num_t *p, vec v) {
    V_CALL(st1)(p, v);
}

static inline vec v_set(num_t a) {
    return V_SET(a);
}

static inline vec v_mul(vec a, vec b) {
    return V_CALL(mul)(a, b);
}

static inline vec v_fma(vec a, vec b, vec c) {
    return V_CALL(fma)(c, a, b);
}

static inline num_t v_sum(vec v) {
    return V_CALL(addv)(v);
}

static inline vec v_load_first(const num_t *p, int n) {
    vec v = v_set(0);
    for (int l = 0; l < LANES; l++)
        if (l < n)
            v[l] = p[l];
    return v;
}

#endif
