/* SPDX-License-Identifier: BSD-3-Clause */
/* v_gather, v_gather_narrow and v_gather_longer of spmv/simd_avx2.h by the gather instruction, which reads nothing for the lanes that its
   mask leaves out. */
#ifndef SPRY_SIMD_AVX2_GATHER_H
#define SPRY_SIMD_AVX2_GATHER_H

/* All bits of a lane ask for it. */
#if SPRY_TMPL_TYPE == 64 && SPRY_TMPL_IDX == 32
static inline vec gather_some(const val_t *x, const idx_t *idx, __m256i some) {
    return _mm256_mask_i32gather_pd(v_zero(), x, _mm_loadu_si128((const __m128i *)idx),
                                    _mm256_castsi256_pd(some), 8);
}
#elif SPRY_TMPL_TYPE == 64
static inline vec gather_some(const val_t *x, const idx_t *idx, __m256i some) {
    return _mm256_mask_i64gather_pd(v_zero(), x, _mm256_loadu_si256((const __m256i *)idx),
                                    _mm256_castsi256_pd(some), 8);
}
#elif SPRY_TMPL_IDX == 32
static inline vec gather_some(const val_t *x, const idx_t *idx, __m256i some) {
    return _mm256_mask_i32gather_ps(v_zero(), x, _mm256_loadu_si256((const __m256i *)idx),
                                    _mm256_castsi256_ps(some), 4);
}
#else
static inline vec gather_some(const val_t *x, const idx_t *idx, __m256i some) {
    __m128 low = _mm_castsi128_ps(_mm256_castsi256_si128(some)),
           high = _mm_castsi128_ps(_mm256_extracti128_si256(some, 1)), none = _mm_setzero_ps();
    __m128 a = _mm256_mask_i64gather_ps(none, x, _mm256_loadu_si256((const __m256i *)idx), low, 4);
    __m128 b = _mm256_mask_i64gather_ps(none, x, _mm256_loadu_si256((const __m256i *)(idx + 4)), high, 4);
    return _mm256_insertf128_ps(_mm256_castps128_ps256(a), b, 1);
}
#endif

/* All lanes, but the compiler does not know. Of a mask that it knows to be full it leaves out the zeros that others merge with, and then
   each gather waits for what the one before it has left in the register. */
static inline __m256i every_lane(void) {
    __m256i all = _mm256_set1_epi32(-1);
    __asm__("" : "+x"(all));
    return all;
}

static inline vec v_gather(const val_t *x, const idx_t *idx) {
    return gather_some(x, idx, every_lane());
}

#if SPRY_TMPL_TYPE == 64
static inline vec v_gather_narrow(const val_t *x, const uint16_t *idx) {
    return _mm256_mask_i32gather_pd(v_zero(), x, _mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)idx)),
                                    _mm256_castsi256_pd(every_lane()), 8);
}
#else
static inline vec v_gather_narrow(const val_t *x, const uint16_t *idx) {
    return _mm256_mask_i32gather_ps(v_zero(), x, _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)idx)),
                                    _mm256_castsi256_ps(every_lane()), 4);
}
#endif

static inline vec v_gather_longer(const val_t *x, const idx_t *idx, const idx_t *len, int64_t k) {
    return gather_some(x, idx, longer(len, (idx_t)k));
}

#endif
