/* SPDX-License-Identifier: BSD-3-Clause */
/* primitives/vector.h for AVX2 with FMA, and for AVX-512. V_CALL adds the prefix and suffix of an intrinsic. */
#ifndef SPRY_PRIMITIVES_VECTOR_X86_H
#define SPRY_PRIMITIVES_VECTOR_X86_H

#include <immintrin.h>
#include <stdint.h>

#if defined(__AVX512F__) && REAL_BITS == 64
typedef __m512d vec;
typedef __mmask8 lanes_mask;
#define LANES 8
#define V_CALL(name) _mm512_##name##_pd
#elif defined(__AVX512F__)
typedef __m512 vec;
typedef __mmask16 lanes_mask;
#define LANES 16
#define V_CALL(name) _mm512_##name##_ps
#elif REAL_BITS == 64
typedef __m256d vec;
#define LANES 4
#define V_CALL(name) _mm256_##name##_pd
#else
typedef __m256 vec;
#define LANES 8
#define V_CALL(name) _mm256_##name##_ps
#endif

static inline vec v_zero(void) {
    return V_CALL(setzero)();
}

static inline vec v_set(real a) {
    return V_CALL(set1)(a);
}

static inline vec v_load(const real *p) {
    return V_CALL(loadu)(p);
}

static inline void v_store(real *p, vec v) {
    V_CALL(storeu)(p, v);
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

#if defined(__AVX512F__)

/* The first n lanes: none below zero, all from LANES on. bzhi looks at the low eight bits of n. */
static inline lanes_mask first(int64_t n) {
    return (lanes_mask)_bzhi_u32(~0u, (unsigned)(n < 0 ? 0 : n));
}

static inline vec v_load_first(const real *p, int64_t n) {
    return V_CALL(maskz_loadu)(first(n), p);
}

static inline real v_sum(vec v) {
    return V_CALL(reduce_add)(v);
}

#else

#if REAL_BITS == 64

/* All bits of the first n lanes. */
static inline __m256i first(int64_t n) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}

static inline real v_sum(vec v) {
    __m128d half = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
}

#else

static inline __m256i first(int64_t n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static inline real v_sum(vec v) {
    __m128 quad = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    __m128 pair = _mm_add_ps(quad, _mm_movehl_ps(quad, quad));
    return _mm_cvtss_f32(_mm_add_ss(pair, _mm_movehdup_ps(pair)));
}

#endif

static inline vec v_load_first(const real *p, int64_t n) {
    return V_CALL(maskload)(p, first(n));
}

#endif

#endif
