/* SPDX-License-Identifier: BSD-3-Clause */
/* spmv/simd.h for AVX-512. */
#ifndef SPRY_SIMD_AVX512_H
#define SPRY_SIMD_AVX512_H

#define SIMD_NAME(format) format "_avx512" SIMD_WAY
#define SIMD_NEEDS SPRY_CPU_AVX512
#define SIMD_KERNELS(format) SIMD_KERNELS_OF(format, avx512)

#if SPRY_TMPL_TYPE == 64
#define V_CALL_256(name) _mm256_##name##_pd
#define V_CALL_128(name) _mm_##name##_pd
#define V_FROM_256 _mm512_castpd256_pd512
#define V_FROM_128 _mm512_castpd128_pd512
#define V_FROM_BITS _mm512_castsi512_pd
#define V_TO_BITS _mm512_castpd_si512
#else
#define V_CALL_256(name) _mm256_##name##_ps
#define V_CALL_128(name) _mm_##name##_ps
#define V_FROM_256 _mm512_castps256_ps512
#define V_FROM_128 _mm512_castps128_ps512
#define V_FROM_BITS _mm512_castsi512_ps
#define V_TO_BITS _mm512_castps_si512
#endif

#include "spmv/simd_common.h"

#ifdef SPRY_TMPL_CODE
static inline vec v_load_stored(const stored_t *p) {
    return _mm512_cvtps_pd(_mm256_loadu_ps(p));
}
#endif

/* Steps of sums of several rows: neighbours within each quarter of a register are added, those of a before those of b; and neighbouring
   quarters of the registers, those of a before those of b. */
static inline vec add_pairs(vec a, vec b) {
#if SPRY_TMPL_TYPE == 64
    return _mm512_add_pd(_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
#else
    return _mm512_add_ps(_mm512_shuffle_ps(a, b, 0x88), _mm512_shuffle_ps(a, b, 0xdd));
#endif
}

#if SPRY_TMPL_TYPE == 64
#define SHUFFLE_QUARTERS _mm512_shuffle_f64x2
static inline vec join(vec low, vec high) {
    return _mm512_insertf64x4(low, _mm512_castpd512_pd256(high), 1);
}
#else
#define SHUFFLE_QUARTERS _mm512_shuffle_f32x4
static inline vec join(vec low, vec high) {
    return _mm512_insertf32x8(low, _mm512_castps512_ps256(high), 1);
}
#endif

static inline vec add_quarters(vec a, vec b) {
    return V_CALL(add)(SHUFFLE_QUARTERS(a, b, 0x88), SHUFFLE_QUARTERS(a, b, 0xdd));
}

static inline vec v_sums(const vec *row) {
    vec part[4];
    for (int i = 0; i < 4; i++) {
        const vec *a = row + i * (LANES / 4);
#if SPRY_TMPL_TYPE == 64
        part[i] = add_pairs(a[0], a[1]);
#else
        part[i] = add_pairs(add_pairs(a[0], a[1]), add_pairs(a[2], a[3]));
#endif
    }
    return add_quarters(add_quarters(part[0], part[1]), add_quarters(part[2], part[3]));
}

/* Rows lie side by side in pairs, so far apart that the last step puts all sums in order. */
static inline vec v_sums_low(const vec *row) {
    vec pair[LANES / 2];
    for (int i = 0; i < LANES / 2; i++) {
        const vec *a = row + i + i / (LANES / 4) * (LANES / 4);
        pair[i] = join(a[0], a[LANES / 4]);
    }
#if SPRY_TMPL_TYPE == 64
    vec a = add_pairs(pair[0], pair[1]), b = add_pairs(pair[2], pair[3]);
#else
    vec a = add_pairs(add_pairs(pair[0], pair[1]), add_pairs(pair[2], pair[3]));
    vec b = add_pairs(add_pairs(pair[4], pair[5]), add_pairs(pair[6], pair[7]));
#endif
    return add_quarters(a, b);
}

static inline vec v_load_some(const val_t *p, uint64_t bits) {
    return V_CALL(maskz_loadu)((lanes_mask)bits, p);
}

static inline vec v_load_stored_first(const stored_t *p, int64_t n) {
#ifdef SPRY_TMPL_CODE
    return _mm512_cvtps_pd(_mm256_maskz_loadu_ps(first(n), p));
#else
    return v_load_first(p, n);
#endif
}

static inline void v_store_first(val_t *p, vec v, int64_t n) {
    V_CALL(mask_storeu)(p, first(n), v);
}

static inline vec v_load_low_first(const val_t *p, int low, int64_t n) {
    switch (low * (int)sizeof *p) {
    case 64:
        return v_load_first(p, n);
    case 32:
        return V_FROM_256(V_CALL_256(maskz_loadu)((__mmask8)first(n), p));
    default:
        return V_FROM_128(V_CALL_128(maskz_loadu)((__mmask8)first(n), p));
    }
}

static inline vec v_spread(const val_t *x, int n, const int32_t *at) {
#if SPRY_TMPL_TYPE == 64
    const __m512i from = _mm512_cvtepi32_epi64(_mm256_loadu_si256((const __m256i *)at));
#else
    const __m512i from = _mm512_loadu_si512(at);
#endif
    return V_CALL(permutexvar)(from, v_load_first(x, n));
}

#if SPRY_TMPL_TYPE == 64 && SPRY_TMPL_IDX == 32
static inline lanes_mask longer(const idx_t *len, idx_t k) {
    return _mm256_cmpgt_epi32_mask(_mm256_loadu_si256((const __m256i *)len), _mm256_set1_epi32(k));
}

static inline bool v_follow(const idx_t *idx) {
    const __m256i on = _mm256_add_epi32(_mm256_set1_epi32(*idx), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    return _mm256_cmpneq_epi32_mask(_mm256_loadu_si256((const __m256i *)idx), on) == 0;
}
#elif SPRY_TMPL_TYPE == 64
static inline lanes_mask longer(const idx_t *len, idx_t k) {
    return _mm512_cmpgt_epi64_mask(_mm512_loadu_si512(len), _mm512_set1_epi64(k));
}

static inline bool v_follow(const idx_t *idx) {
    const __m512i on = _mm512_add_epi64(_mm512_set1_epi64(*idx), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
    return _mm512_cmpneq_epi64_mask(_mm512_loadu_si512(idx), on) == 0;
}
#elif SPRY_TMPL_IDX == 32
static inline lanes_mask longer(const idx_t *len, idx_t k) {
    return _mm512_cmpgt_epi32_mask(_mm512_loadu_si512(len), _mm512_set1_epi32(k));
}

static inline bool v_follow(const idx_t *idx) {
    const __m512i on = _mm512_add_epi32(
        _mm512_set1_epi32(*idx), _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    return _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(idx), on) == 0;
}
#else
static inline lanes_mask longer(const idx_t *len, idx_t k) {
    __mmask8 low = _mm512_cmpgt_epi64_mask(_mm512_loadu_si512(len), _mm512_set1_epi64(k));
    __mmask8 high = _mm512_cmpgt_epi64_mask(_mm512_loadu_si512(len + 8), _mm512_set1_epi64(k));
    return (lanes_mask)(low | high << 8);
}

static inline bool v_follow(const idx_t *idx) {
    const __m512i on = _mm512_add_epi64(_mm512_set1_epi64(*idx), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
    const __m512i more = _mm512_add_epi64(on, _mm512_set1_epi64(8));
    return (_mm512_cmpneq_epi64_mask(_mm512_loadu_si512(idx), on) |
            _mm512_cmpneq_epi64_mask(_mm512_loadu_si512(idx + 8), more)) == 0;
}
#endif

static inline vec v_fma_longer(vec a, vec b, vec c, const idx_t *len, int64_t k) {
    return V_CALL(mask3_fmadd)(a, b, c, longer(len, (idx_t)k));
}

static inline vec v_fma_some(vec a, vec b, vec c, uint64_t bits) {
    return V_CALL(mask3_fmadd)(a, b, c, (lanes_mask)bits);
}

/* Some lanes; zero in the others, whose columns are not read. */
#ifdef SPRY_SIMD_GATHER
#define SIMD_GATHERS_FIRST

#if SPRY_TMPL_TYPE == 64 && SPRY_TMPL_IDX == 32
static inline vec gather_some(const val_t *x, const idx_t *idx, lanes_mask some) {
    return _mm512_mask_i32gather_pd(v_zero(), some, _mm256_maskz_loadu_epi32(some, idx), x, 8);
}
#elif SPRY_TMPL_TYPE == 64
static inline vec gather_some(const val_t *x, const idx_t *idx, lanes_mask some) {
    return _mm512_mask_i64gather_pd(v_zero(), some, _mm512_maskz_loadu_epi64(some, idx), x, 8);
}
#elif SPRY_TMPL_IDX == 32
static inline vec gather_some(const val_t *x, const idx_t *idx, lanes_mask some) {
    return _mm512_mask_i32gather_ps(v_zero(), some, _mm512_maskz_loadu_epi32(some, idx), x, 4);
}
#else
static inline vec gather_some(const val_t *x, const idx_t *idx, lanes_mask some) {
    __mmask8 low = (__mmask8)some, high = (__mmask8)(some >> 8);
    __m256 none = _mm256_setzero_ps();
    __m256 a = _mm512_mask_i64gather_ps(none, low, _mm512_maskz_loadu_epi64(low, idx), x, 4);
    __m256 b = _mm512_mask_i64gather_ps(none, high, _mm512_maskz_loadu_epi64(high, idx + 8), x, 4);
    return _mm512_insertf32x8(_mm512_castps256_ps512(a), b, 1);
}
#endif

/* All lanes, but the compiler does not know. Of a mask that it knows to be full it leaves out the zeros that others merge with, and then
   each gather waits for what the one before it has left in the register. */
static inline lanes_mask every_lane(void) {
    lanes_mask all = (lanes_mask)-1;
    __asm__("" : "+Yk"(all));
    return all;
}

#if SPRY_TMPL_TYPE == 64
static inline vec gather_at(const val_t *x, __m256i at) {
    return _mm512_mask_i32gather_pd(v_zero(), every_lane(), at, x, 8);
}

static inline vec v_gather_narrow(const val_t *x, const uint16_t *idx) {
    return gather_at(x, _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)idx)));
}
#else
static inline vec gather_at(const val_t *x, __m512i at) {
    return _mm512_mask_i32gather_ps(v_zero(), every_lane(), at, x, 4);
}

static inline vec v_gather_narrow(const val_t *x, const uint16_t *idx) {
    return gather_at(x, _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)idx)));
}
#endif

static inline vec v_gather(const val_t *x, const idx_t *idx) {
#if SPRY_TMPL_IDX == 64
    return gather_some(x, idx, every_lane());
#elif SPRY_TMPL_TYPE == 64
    return gather_at(x, _mm256_loadu_si256((const __m256i *)idx));
#else
    return gather_at(x, _mm512_loadu_si512(idx));
#endif
}

#else

#if SPRY_TMPL_TYPE == 64
static inline vec v_gather(const val_t *x, const idx_t *idx) {
    return _mm512_insertf64x4(_mm512_castpd256_pd512(gather4(x, idx)), gather4(x, idx + 4), 1);
}

static inline vec v_gather_narrow(const val_t *x, const uint16_t *idx) {
    return _mm512_insertf64x4(_mm512_castpd256_pd512(gather4_narrow(x, idx)), gather4_narrow(x, idx + 4), 1);
}
#else
static inline vec join_quarters(four a, four b, four c, four d) {
    const __m256 low = _mm256_insertf128_ps(_mm256_castps128_ps256(a), b, 1);
    const __m256 high = _mm256_insertf128_ps(_mm256_castps128_ps256(c), d, 1);
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

static inline vec v_gather(const val_t *x, const idx_t *idx) {
    return join_quarters(gather4(x, idx), gather4(x, idx + 4), gather4(x, idx + 8), gather4(x, idx + 12));
}

static inline vec v_gather_narrow(const val_t *x, const uint16_t *idx) {
    return join_quarters(gather4_narrow(x, idx), gather4_narrow(x, idx + 4), gather4_narrow(x, idx + 8),
                         gather4_narrow(x, idx + 12));
}
#endif

/* By single loads too, as the instruction takes several times as long: columns are written to where those find them, with 0 in place of
   what is none, where x has a value as well. */
static inline vec gather_some(const val_t *x, const idx_t *idx, lanes_mask some) {
    idx_t at[LANES];
#if SPRY_TMPL_IDX == 64
    for (int l = 0; l < LANES; l += 8)
        _mm512_storeu_si512(at + l, _mm512_maskz_loadu_epi64((__mmask8)(some >> l), idx + l));
#elif LANES == 8
    _mm256_storeu_si256((__m256i *)at, _mm256_maskz_loadu_epi32(some, idx));
#else
    _mm512_storeu_si512(at, _mm512_maskz_loadu_epi32(some, idx));
#endif
    return V_CALL(maskz_mov)(some, v_gather(x, at));
}

#endif

static inline vec v_gather_first(const val_t *x, const idx_t *idx, int64_t n) {
    return gather_some(x, idx, first(n));
}

static inline vec v_gather_longer(const val_t *x, const idx_t *idx, const idx_t *len, int64_t k) {
    return gather_some(x, idx, longer(len, (idx_t)k));
}

static inline vec v_load_stored_every(const stored_t *p, int64_t step) {
#if defined(SPRY_TMPL_CODE)
    return _mm512_cvtps_pd(every8(p, step));
#elif SPRY_TMPL_TYPE == 64
    return _mm512_insertf64x4(_mm512_castpd256_pd512(every4(p, step)), every4(p + 4 * step, step), 1);
#else
    return _mm512_insertf32x8(_mm512_castps256_ps512(every8(p, step)), every8(p + 8 * step, step), 1);
#endif
}

static inline void v_load_stored_two(const stored_t *p, int64_t step, vec *two) {
#if defined(SPRY_TMPL_CODE)
    __m256 stored[2];
    every8_two(p, step, stored);
    for (int i = 0; i < 2; i++)
        two[i] = _mm512_cvtps_pd(stored[i]);
#elif SPRY_TMPL_TYPE == 64
    __m256d low[2], high[2];
    every4_two(p, step, low);
    every4_two(p + 4 * step, step, high);
    for (int i = 0; i < 2; i++)
        two[i] = _mm512_insertf64x4(_mm512_castpd256_pd512(low[i]), high[i], 1);
#else
    __m256 low[2], high[2];
    every8_two(p, step, low);
    every8_two(p + 8 * step, step, high);
    for (int i = 0; i < 2; i++)
        two[i] = _mm512_insertf32x8(_mm512_castps256_ps512(low[i]), high[i], 1);
#endif
}

#endif
