/* SPDX-License-Identifier: BSD-3-Clause */
/* How far `count` rows go that are summed side by side, LANES or a multiple of 8, in registers where these have what it takes: one by
   one, it would take as long as to add the entries of short rows. And whether rows are equally long. `count` is a constant. */
#ifndef SPRY_DEPTH_SIMD_H
#define SPRY_DEPTH_SIMD_H

#include "spmv/depth.h"
#include "spmv/simd.h"

#if defined(__AVX2__) && SPRY_TMPL_IDX == 32

/* The least of four lengths and the greatest of four others. Of complements that one is the least too. */
static inline struct depth fold_depth(__m128i least, __m128i most) {
    const __m128i past = _mm_xor_si128(most, _mm_set1_epi32(-1));
    const __m128i pairs = _mm_min_epi32(_mm_unpacklo_epi64(least, past), _mm_unpackhi_epi64(least, past));
    const __m128i both = _mm_min_epi32(pairs, _mm_shuffle_epi32(pairs, 0xb1));
    return (struct depth){_mm_cvtsi128_si32(both), ~_mm_extract_epi32(both, 2)};
}

static inline __m128i four_lengths(const idx_t *len) {
    return _mm_loadu_si128((const __m128i *)len);
}

static inline struct depth v_depth(const idx_t *len, int count) {
    __m128i least = four_lengths(len), most = least;
    for (int l = 4; l < count; l += 4) {
        least = _mm_min_epi32(least, four_lengths(len + l));
        most = _mm_max_epi32(most, four_lengths(len + l));
    }
    return fold_depth(least, most);
}

static inline bool v_equal(const idx_t *len, int count) {
    const __m256i first = _mm256_set1_epi32(*len);
    __m256i other = _mm256_setzero_si256();
    for (int r = 0; r < count; r += 8)
        other =
            _mm256_or_si256(other, _mm256_xor_si256(first, _mm256_loadu_si256((const __m256i *)(len + r))));
    return _mm256_testz_si256(other, other);
}

#else

static inline struct depth v_depth(const idx_t *len, int count) {
    return depth_of(len, count);
}

static inline bool v_equal(const idx_t *len, int count) {
    const struct depth depth = depth_of(len, count);
    return depth.shortest == depth.longest;
}

#endif

#endif
