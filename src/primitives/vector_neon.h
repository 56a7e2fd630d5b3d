/* SPDX-License-Identifier: BSD-3-Clause */
/* primitives/vector.h for NEON of 64-bit ARM. */
#ifndef SPRY_PRIMITIVES_VECTOR_NEON_H
#define SPRY_PRIMITIVES_VECTOR_NEON_H

#include <arm_neon.h>

#if REAL_BITS == 64
typedef float64x2_t vec;
#define LANES 2
#define V_CALL(name) v##name##q_f64
#define V_SET vdupq_n_f64
#else
typedef float32x4_t vec;
#define LANES 4
#define V_CALL(name) v##name##q_f32
#define V_SET vdupq_n_f32
#endif

static inline vec v_set(real a) {
    return V_SET(a);
}

static inline vec v_zero(void) {
    return v_set(0);
}

static inline vec v_load(const real *p) {
    return V_CALL(ld1)(p);
}

static inline void v_store(real *p, vec v) {
    V_CALL(st1)(p, v);
}

static inline vec v_load_first(const real *p, int64_t n) {
    vec v = v_zero();
    for (int l = 0; l < LANES; l++)
        if (l < n)
            v[l] = p[l];
    return v;
}

static inline vec v_mul(vec a, vec b) {
    return V_CALL(mul)(a, b);
}

static inline vec v_add(vec a, vec b) {
    return V_CALL(add)(a, b);
}

static inline vec v_fma(vec a, vec b, vec c) {
    return V_CALL(fma)(c, a, b);
}

static inline real v_sum(vec v) {
    return V_CALL(addv)(v);
}

#endif
