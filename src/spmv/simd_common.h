/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said alike in every x86 instruction set. */
#ifndef SPRY_SIMD_COMMON_H
#define SPRY_SIMD_COMMON_H

#include <string.h>

/* Always inlined: GCC takes a function that does no more than ask for one without effect, and drops the calls of it that
   it has not inlined by then. */
INLINE void v_prefetch(const void *p) {
#ifdef SPRY_SIMD_GATHER
    (void)p;
#else
    _mm_prefetch((const char *)p, _MM_HINT_T1);
#endif
}

#ifndef SPRY_TMPL_CODE
static inline vec v_load_stored(const stored_t *p) {
    return v_load(p);
}
#endif

#ifndef SPRY_SIMD_GATHER
/* The values of x at two columns. Those of 32 bits, which are not below zero, are read together: loads are what there is
   most of. */
struct two {
    const val_t *first, *second;
};

static inline struct two at_two(const val_t *x, const idx_t *idx) {
#if SPRY_TMPL_IDX == 32
    uint64_t both;
    memcpy(&both, idx, sizeof both);
    return (struct two){x + (uint32_t)both, x + (both >> 32)};
#else
    return (struct two){x + idx[0], x + idx[1]};
#endif
}

/* A quarter or half of a v_gather. */
#if SPRY_TMPL_TYPE == 64
static inline __m256d gather4(const val_t *x, const idx_t *idx) {
    const struct two low = at_two(x, idx), high = at_two(x, idx + 2);
    const __m128d a = _mm_loadh_pd(_mm_load_sd(low.first), low.second);
    const __m128d b = _mm_loadh_pd(_mm_load_sd(high.first), high.second);
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(a), b, 1);
}
#else
static inline __m128 gather4(const val_t *x, const idx_t *idx) {
    const struct two low = at_two(x, idx), high = at_two(x, idx + 2);
    __m128 v = _mm_load_ss(low.first);
    v = _mm_insert_ps(v, _mm_load_ss(low.second), 0x10);
    v = _mm_insert_ps(v, _mm_load_ss(high.first), 0x20);
    return _mm_insert_ps(v, _mm_load_ss(high.second), 0x30);
}
#endif
#endif

/* Four values of the matrix, `step` apart. */
#if SPRY_TMPL_TYPE == 64 && !defined(SPRY_TMPL_CODE)
static inline __m256d every4(const stored_t *p, int64_t step) {
    const __m128d a = _mm_loadh_pd(_mm_load_sd(p), p + step);
    const __m128d b = _mm_loadh_pd(_mm_load_sd(p + 2 * step), p + 3 * step);
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(a), b, 1);
}

/* The same of p and of p + 1, which lie beside each other. */
static inline void every4_two(const stored_t *p, int64_t step, __m256d *two) {
    const __m256d even =
        _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_loadu_pd(p + 2 * step), 1);
    const __m256d odd =
        _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p + step)), _mm_loadu_pd(p + 3 * step), 1);
    two[0] = _mm256_unpacklo_pd(even, odd);
    two[1] = _mm256_unpackhi_pd(even, odd);
}
#else
static inline __m128 every4(const stored_t *p, int64_t step) {
    __m128 v = _mm_load_ss(p);
    v = _mm_insert_ps(v, _mm_load_ss(p + step), 0x10);
    v = _mm_insert_ps(v, _mm_load_ss(p + 2 * step), 0x20);
    return _mm_insert_ps(v, _mm_load_ss(p + 3 * step), 0x30);
}

/* The same of p and of p + 1, which lie beside each other. */
static inline void every4_two(const stored_t *p, int64_t step, __m128 *two) {
    const __m128 none = _mm_setzero_ps();
    const __m128 a = _mm_loadh_pi(_mm_loadl_pi(none, (const __m64 *)p), (const __m64 *)(p + step));
    const __m128 b =
        _mm_loadh_pi(_mm_loadl_pi(none, (const __m64 *)(p + 2 * step)), (const __m64 *)(p + 3 * step));
    two[0] = _mm_shuffle_ps(a, b, 0x88);
    two[1] = _mm_shuffle_ps(a, b, 0xdd);
}

static inline void every8_two(const stored_t *p, int64_t step, __m256 *two) {
    __m128 low[2], high[2];
    every4_two(p, step, low);
    every4_two(p + 4 * step, step, high);
    for (int i = 0; i < 2; i++)
        two[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(low[i]), high[i], 1);
}

static inline __m256 every8(const stored_t *p, int64_t step) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(every4(p, step)), every4(p + 4 * step, step), 1);
}
#endif

#endif
