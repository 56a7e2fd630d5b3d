/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said alike in every x86 instruction set: V_CALL adds the prefix and suffix of an intrinsic. */
#ifndef SPRY_SIMD_COMMON_H
#define SPRY_SIMD_COMMON_H

static inline void v_prefetch(const void *p) {
    _mm_prefetch((const char *)p, _MM_HINT_T1);
}

static inline vec v_zero(void) {
    return V_CALL(setzero)();
}

static inline vec v_load(const val_t *p) {
    return V_CALL(loadu)(p);
}

#ifndef SPRY_TMPL_CODE
static inline vec v_load_stored(const stored_t *p) {
    return v_load(p);
}
#endif

static inline void v_store(val_t *p, vec v) {
    V_CALL(storeu)(p, v);
}

static inline vec v_set(val_t a) {
    return V_CALL(set1)(a);
}

static inline vec v_mul(vec a, vec b) {
    return V_CALL(mul)(a, b);
}

static inline vec v_add(vec a, vec b) {
    return V_CALL(add)(a, b);
}

static inline vec v_fma(vec a, vec b, vec c) {
    return V_CALL(fmadd)(a, b, c);
}

#if SPRY_TMPL_TYPE == 32 && !defined(SPRY_SIMD_GATHER)
/* A quarter or half of a v_gather. */
static inline __m128 gather4(const val_t *x, const idx_t *idx) {
    __m128 v = _mm_load_ss(x + idx[0]);
    v = _mm_insert_ps(v, _mm_load_ss(x + idx[1]), 0x10);
    v = _mm_insert_ps(v, _mm_load_ss(x + idx[2]), 0x20);
    return _mm_insert_ps(v, _mm_load_ss(x + idx[3]), 0x30);
}
#endif

#endif
