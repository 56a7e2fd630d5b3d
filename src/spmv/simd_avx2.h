/* SPDX-License-Identifier: BSD-3-Clause */
/* spmv/simd.h for AVX2 and FMA. */
#ifndef SPRY_SIMD_AVX2_H
#define SPRY_SIMD_AVX2_H

#define SIMD_NAME(format) format "_avx2" SIMD_WAY
#define SIMD_NEEDS SPRY_CPU_AVX2
#define SIMD_KERNELS(format) SIMD_KERNELS_OF(format, avx2)

#if SPRY_TMPL_TYPE == 64
#define V_FROM_BITS _mm256_castsi256_pd
#define V_TO_BITS _mm256_castpd_si256
#define V_MASKLOAD_128 _mm_maskload_pd
#define V_FROM_128 _mm256_castpd128_pd256
#else
#define V_FROM_BITS _mm256_castsi256_ps
#define V_TO_BITS _mm256_castps_si256
#define V_MASKLOAD_128 _mm_maskload_ps
#define V_FROM_128 _mm256_castps128_ps256
#endif

#include "spmv/simd_common.h"

#ifdef SPRY_TMPL_CODE
static inline vec v_load_stored(const stored_t *p) {
    return _mm256_cvtps_pd(_mm_loadu_ps(p));
}
#endif

#if SPRY_TMPL_TYPE == 64

static inline vec join(vec low, vec high) {
    return _mm256_insertf128_pd(low, _mm256_castpd256_pd128(high), 1);
}

static inline vec v_sums(const vec *row) {
    vec a = _mm256_hadd_pd(row[0], row[1]), b = _mm256_hadd_pd(row[2], row[3]);
    return _mm256_add_pd(_mm256_permute2f128_pd(a, b, 0x20), _mm256_permute2f128_pd(a, b, 0x31));
}

#else

static inline vec join(vec low, vec high) {
    return _mm256_insertf128_ps(low, _mm256_castps256_ps128(high), 1);
}

static inline vec v_sums(const vec *row) {
    vec a = _mm256_hadd_ps(_mm256_hadd_ps(row[0], row[1]), _mm256_hadd_ps(row[2], row[3]));
    vec b = _mm256_hadd_ps(_mm256_hadd_ps(row[4], row[5]), _mm256_hadd_ps(row[6], row[7]));
    return _mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
}

#endif

static inline vec v_sums_low(const vec *row) {
#if SPRY_TMPL_TYPE == 64
    return _mm256_hadd_pd(join(row[0], row[2]), join(row[1], row[3]));
#else
    return _mm256_hadd_ps(_mm256_hadd_ps(join(row[0], row[4]), join(row[1], row[5])),
                          _mm256_hadd_ps(join(row[2], row[6]), join(row[3], row[7])));
#endif
}

static inline vec v_load_stored_first(const stored_t *p, int64_t n) {
#ifdef SPRY_TMPL_CODE
    const __m128i some = _mm_cmpgt_epi32(_mm_set1_epi32((int)n), _mm_setr_epi32(0, 1, 2, 3));
    return _mm256_cvtps_pd(_mm_maskload_ps(p, some));
#else
    return v_load_first(p, n);
#endif
}

#if SPRY_TMPL_TYPE == 64
/* Halves of numbers are moved: the first and second of the number at[lane] of a register. */
static inline vec v_spread(const val_t *x, int n, const int32_t *at) {
    const __m256i from = _mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)at)),
                  half = _mm256_slli_epi64(from, 1),
                  halves = _mm256_or_si256(
                      half, _mm256_slli_epi64(_mm256_add_epi64(half, _mm256_set1_epi64x(1)), 32));
    return _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(v_load_first(x, n)), halves));
}
#else
static inline vec v_spread(const val_t *x, int n, const int32_t *at) {
    return _mm256_permutevar8x32_ps(v_load_first(x, n), _mm256_loadu_si256((const __m256i *)at));
}
#endif

static inline void v_store_first(val_t *p, vec v, int64_t n) {
    V_CALL(maskstore)(p, first(n), v);
}

static inline vec v_load_low_first(const val_t *p, int low, int64_t n) {
    if (low * (int)sizeof *p > 16)
        return v_load_first(p, n);
    return V_FROM_128(V_MASKLOAD_128(p, _mm256_castsi256_si128(first(n))));
}

static inline vec v_gather_first(const val_t *x, const idx_t *idx, int64_t n) {
    val_t value[LANES] = {0};
    for (int64_t r = 0; r < n; r++)
        value[r] = x[idx[r]];
    return v_load(value);
}

#if SPRY_TMPL_TYPE == 64 && SPRY_TMPL_IDX == 32
static inline __m256i longer(const idx_t *len, idx_t k) {
    return _mm256_cvtepi32_epi64(_mm_cmpgt_epi32(_mm_loadu_si128((const __m128i *)len), _mm_set1_epi32(k)));
}

static inline bool v_follow(const idx_t *idx) {
    const __m128i on = _mm_add_epi32(_mm_set1_epi32(*idx), _mm_setr_epi32(0, 1, 2, 3));
    return _mm_movemask_epi8(_mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)idx), on)) == 0xffff;
}
#elif SPRY_TMPL_TYPE == 64
static inline __m256i longer(const idx_t *len, idx_t k) {
    return _mm256_cmpgt_epi64(_mm256_loadu_si256((const __m256i *)len), _mm256_set1_epi64x(k));
}

static inline bool v_follow(const idx_t *idx) {
    const __m256i on = _mm256_add_epi64(_mm256_set1_epi64x(*idx), _mm256_setr_epi64x(0, 1, 2, 3));
    return _mm256_movemask_epi8(_mm256_cmpeq_epi64(_mm256_loadu_si256((const __m256i *)idx), on)) == -1;
}
#elif SPRY_TMPL_IDX == 32
static inline __m256i longer(const idx_t *len, idx_t k) {
    return _mm256_cmpgt_epi32(_mm256_loadu_si256((const __m256i *)len), _mm256_set1_epi32(k));
}

static inline bool v_follow(const idx_t *idx) {
    const __m256i on = _mm256_add_epi32(_mm256_set1_epi32(*idx), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    return _mm256_movemask_epi8(_mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)idx), on)) == -1;
}
#else
static inline __m256i longer(const idx_t *len, idx_t k) {
    __m256i low = _mm256_cmpgt_epi64(_mm256_loadu_si256((const __m256i *)len), _mm256_set1_epi64x(k));
    __m256i high = _mm256_cmpgt_epi64(_mm256_loadu_si256((const __m256i *)(len + 4)), _mm256_set1_epi64x(k));
    __m256 even = _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), 0x88);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(even), 0xd8);
}

static inline bool v_follow(const idx_t *idx) {
    const __m256i on = _mm256_add_epi64(_mm256_set1_epi64x(*idx), _mm256_setr_epi64x(0, 1, 2, 3));
    const __m256i more = _mm256_add_epi64(on, _mm256_set1_epi64x(4));
    const __m256i low = _mm256_cmpeq_epi64(_mm256_loadu_si256((const __m256i *)idx), on),
                  high = _mm256_cmpeq_epi64(_mm256_loadu_si256((const __m256i *)(idx + 4)), more);
    return _mm256_movemask_epi8(_mm256_and_si256(low, high)) == -1;
}
#endif

static inline vec v_fma_longer(vec a, vec b, vec c, const idx_t *len, int64_t k) {
    return V_CALL(blendv)(c, v_fma(a, b, c), V_FROM_BITS(longer(len, (idx_t)k)));
}

/* All bits of the lanes whose bit is set. */
#if SPRY_TMPL_TYPE == 64
static inline __m256i mask_of_bits(uint64_t bits) {
    const __m256i own = _mm256_setr_epi64x(1, 2, 4, 8);
    return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x((long long)bits), own), own);
}
#else
static inline __m256i mask_of_bits(uint64_t bits) {
    const __m256i own = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), own), own);
}
#endif

static inline vec v_load_some(const val_t *p, uint64_t bits) {
    return V_CALL(maskload)(p, mask_of_bits(bits));
}

static inline vec v_fma_some(vec a, vec b, vec c, uint64_t bits) {
    return V_CALL(blendv)(c, v_fma(a, b, c), V_FROM_BITS(mask_of_bits(bits)));
}

#ifdef SPRY_SIMD_GATHER
#include "spmv/simd_avx2_gather.h"
#else

#if SPRY_TMPL_TYPE == 64
static inline vec v_gather(const val_t *x, const idx_t *idx) {
    return gather4(x, idx);
}

static inline vec v_gather_narrow(const val_t *x, const uint16_t *idx) {
    return gather4_narrow(x, idx);
}
#else
static inline vec v_gather(const val_t *x, const idx_t *idx) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(gather4(x, idx)), gather4(x, idx + 4), 1);
}

static inline vec v_gather_narrow(const val_t *x, const uint16_t *idx) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(gather4_narrow(x, idx)), gather4_narrow(x, idx + 4),
                                1);
}
#endif

static inline vec v_gather_longer(const val_t *x, const idx_t *idx, const idx_t *len, int64_t k) {
#define AT(r) x[len[r] > k ? idx[r] : 0]
#if SPRY_TMPL_TYPE == 64
    return _mm256_setr_pd(AT(0), AT(1), AT(2), AT(3));
#else
    return _mm256_setr_ps(AT(0), AT(1), AT(2), AT(3), AT(4), AT(5), AT(6), AT(7));
#endif
#undef AT
}

#endif

static inline vec v_load_stored_every(const stored_t *p, int64_t step) {
#if defined(SPRY_TMPL_CODE)
    return _mm256_cvtps_pd(every4(p, step));
#elif SPRY_TMPL_TYPE == 64
    return every4(p, step);
#else
    return every8(p, step);
#endif
}

static inline void v_load_stored_two(const stored_t *p, int64_t step, vec *two) {
#if defined(SPRY_TMPL_CODE)
    __m128 stored[2];
    every4_two(p, step, stored);
    for (int i = 0; i < 2; i++)
        two[i] = _mm256_cvtps_pd(stored[i]);
#elif SPRY_TMPL_TYPE == 64
    every4_two(p, step, two);
#else
    every8_two(p, step, two);
#endif
}

/* The values of x at four columns, `step` apart. */
#if SPRY_TMPL_TYPE == 64
static inline __m256d gather_every4(const val_t *x, const idx_t *idx, int64_t step) {
    const __m128d a = _mm_loadh_pd(_mm_load_sd(x + idx[0]), x + idx[step]);
    const __m128d b = _mm_loadh_pd(_mm_load_sd(x + idx[2 * step]), x + idx[3 * step]);
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(a), b, 1);
}
#else
static inline __m128 gather_every4(const val_t *x, const idx_t *idx, int64_t step) {
    __m128 v = _mm_load_ss(x + idx[0]);
    v = _mm_insert_ps(v, _mm_load_ss(x + idx[step]), 0x10);
    v = _mm_insert_ps(v, _mm_load_ss(x + idx[2 * step]), 0x20);
    return _mm_insert_ps(v, _mm_load_ss(x + idx[3 * step]), 0x30);
}
#endif

static inline vec v_gather_every(const val_t *x, const idx_t *idx, int64_t step) {
#if SPRY_TMPL_TYPE == 64
    return gather_every4(x, idx, step);
#else
    return _mm256_insertf128_ps(_mm256_castps128_ps256(gather_every4(x, idx, step)),
                                gather_every4(x, idx + 4 * step, step), 1);
#endif
}

#endif
