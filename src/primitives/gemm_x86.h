/* SPDX-License-Identifier: BSD-3-Clause */
/* primitives/gemm_vector.h for AVX2 with FMA, and for AVX-512. */
#ifndef SPRY_GEMM_X86_H
#define SPRY_GEMM_X86_H

#include <immintrin.h>

#include "core/number.h"

#if defined(__AVX512F__) && TMPL_IS == TMPL_IS_F64
typedef __m512d vec;
#define V_CALL(name) _mm512_##name##_pd
#elif defined(__AVX512F__)
typedef __m512 vec;
#define V_CALL(name) _mm512_##name##_ps
#elif TMPL_IS == TMPL_IS_F64
typedef __m256d vec;
#define V_CALL(name) _mm256_##name##_pd
#else
typedef __m256 vec;
#define V_CALL(name) _mm256_##name##_ps
#endif

#define LANES ((int)(sizeof(vec) / sizeof(num_t)))

static inline vec v_load(const num_t *p) {
    return V_CALL(loadu)(p);
}

static inline void v_store(num_t *p, vec v) {
    V_CALL(storeu)(p, v);
}

static inline vec v_set(num_t a) {
    return V_CALL(set1)(a);
}

static inline vec v_mul(vec a, vec b) {
    return V_CALL(mul)(a, b);
}

static inline vec v_fma(vec a, vec b, vec c) {
    return V_CALL(fmadd)(a, b, c);
}

#if defined(__AVX512F__)

static inline vec v_load_first(const num_t *p, int n) {
    return V_CALL(maskz_loadu)((__mmask16)((1u << n) - 1), p);
}

static inline num_t v_sum(vec v) {
    return V_CALL(reduce_add)(v);
}

#else

#if TMPL_IS == TMPL_IS_F64

static inline __m256i v_first(int n) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}

static inline num_t v_sum(vec v) {
    __m128d half = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
}

#else

static inline __m256i v_first(int n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static inline num_t v_sum(vec v) {
    __m128 quad = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    __m128 pair = _mm_add_ps(quad, _mm_movehl_ps(quad, quad));
    return _mm_cvtss_f32(_mm_add_ss(pair, _mm_movehdup_ps(pair)));
}

#endif

static inline vec v_load_first(const num_t *p, int n) {
    return V_CALL(maskload)(p, v_first(n));
}

#endif

#endif
