/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said alike in every x86 instruction set. */
#ifndef SPRY_SIMD_COMMON_H
#define SPRY_SIMD_COMMON_H

#include <string.h>

/* Always inlined: GCC takes a function that does no more than ask for one without effect, and drops the calls of it that
   it has not inlined by then. */
INLINE void v_prefetch(const void *p) {
    _mm_prefetch((const char *)p, _MM_HINT_T1);
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

/* The same of narrow columns. */
static inline struct two at_two_narrow(const val_t *x, const uint16_t *idx) {
    uint32_t both;
    memcpy(&both, idx, sizeof both);
    return (struct two){x + (uint16_t)both, x + (both >> 16)};
}

/* A quarter or half of a v_gather. */
#if SPRY_TMPL_TYPE == 64
typedef __m256d four;
static inline four load_four(struct two low, struct two high) {
    const __m128d a = _mm_loadh_pd(_mm_load_sd(low.first), low.second);
    const __m128d b = _mm_loadh_pd(_mm_load_sd(high.first), high.second);
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(a), b, 1);
}
#else
typedef __m128 four;
static inline four load_four(struct two low, struct two high) {
    __m128 v = _mm_load_ss(low.first);
    v = _mm_insert_ps(v, _mm_load_ss(low.second), 0x10);
    v = _mm_insert_ps(v, _mm_load_ss(high.first), 0x20);
    return _mm_insert_ps(v, _mm_load_ss(high.second), 0x30);
}
#endif

static inline four gather4(const val_t *x, const idx_t *idx) {
    return load_four(at_two(x, idx), at_two(x, idx + 2));
}

static inline four gather4_narrow(const val_t *x, const uint16_t *idx) {
    return load_four(at_two_narrow(x, idx), at_two_narrow(x, idx + 2));
}
#endif

/* Sixteen bits may overflow where columns do not follow each other: the outer lanes tell. */
static inline bool v_follow_narrow(const uint16_t *idx) {
    if (idx[LANES - 1] - idx[0] != LANES - 1)
        return false;
#if LANES == 16
    const __m256i on =
        _mm256_add_epi16(_mm256_set1_epi16((short)idx[0]),
                         _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    return _mm256_movemask_epi8(_mm256_cmpeq_epi16(_mm256_loadu_si256((const __m256i *)idx), on)) == -1;
#else
    const __m128i on = _mm_add_epi16(_mm_set1_epi16((short)idx[0]), _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7)),
                  all = LANES == 8 ? _mm_loadu_si128((const __m128i *)idx)
                                   : _mm_loadl_epi64((const __m128i *)idx);
    const int own = LANES == 8 ? 0xffff : 0xff;
    return (_mm_movemask_epi8(_mm_cmpeq_epi16(all, on)) & own) == own;
#endif
}

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
