/* SPDX-License-Identifier: BSD-3-Clause */
/* LANES rows of CSR side by side: how long they are, and which lanes of a register each of them still has.

   lengths               of LANES rows, in registers where there are such; lengths_of(ptr)
   any_longer(len, n)    whether one of them is longer than n
   all_are(len, n)       whether each is n
   lanes_first(n)        the first n lanes, as load_some takes them; where ALIKE_LANES is 0
   lanes_past(len, k, some)  which lanes each row has past its first k entries, as load_some takes it, for all rows at once:
                         to make such masks one by one takes longer than to add what they let through
   load_some(p, some)    these lanes, zero beyond, which is not read
   load_low_some         the same of LANES / 2 lanes, and anything beyond them, for v_sums_low
   PICKED                out of how many registers of products, side by side, rows are summed by picking: their first entries into
                         one register, then their second ones, and so on; 0 where that takes longer than to load row by row
   places_of(ptr)        where each row's first product is; next_places(at): the next one of each
   pick(part, at), pick_of_two(part, at)  the products at these places, of PICKED registers or of the first two
   add_longer(sum, v, len, k)  sum + v in the lanes of rows longer than k, sum in the others
   FOLDED                1 where rows of one length are summed from as many registers of products, 0 where there is no such way:
   places_of_every(length, k)  where entry k of each row of that length is
   pick_of(count, part, at)    the products at these places, of so many registers, a constant
   add_neighbours(a, b)        sums of two lanes each, those of a before those of b
   ALIKE_LANES           1 where rows of one length are summed faster a lane each, by single loads, than from a buffer, 0 where
                         masks make that the faster way */
#ifndef SPRY_CSR_GROUP_H
#define SPRY_CSR_GROUP_H

#include "spmv/simd.h"

#ifdef __AVX512F__

#define ALIKE_LANES 0
#define FOLDED 1

/* 32 bits each, cut off there; zero beyond LANES. */
typedef __m512i lengths;

#if SPRY_TMPL_PTR == 64
static inline __m256i eight_lengths(const ptr_t *ptr) {
    return _mm512_cvtsepi64_epi32(_mm512_sub_epi64(_mm512_loadu_si512(ptr + 1), _mm512_loadu_si512(ptr)));
}
#else
static inline __m256i eight_lengths(const ptr_t *ptr) {
    return _mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)(ptr + 1)),
                            _mm256_loadu_si256((const __m256i *)ptr));
}
#endif

static inline lengths lengths_of(const ptr_t *ptr) {
#if LANES == 8
    return _mm512_zextsi256_si512(eight_lengths(ptr));
#else
    return _mm512_inserti64x4(_mm512_castsi256_si512(eight_lengths(ptr)), eight_lengths(ptr + 8), 1);
#endif
}

static inline bool any_longer(lengths len, int n) {
    return _mm512_cmpgt_epi32_mask(len, _mm512_set1_epi32(n)) != 0;
}

static inline bool all_are(lengths len, int n) {
    return _mm512_mask_cmpneq_epi32_mask((lanes_mask)-1, len, _mm512_set1_epi32(n)) == 0;
}

static inline int32_t lanes_first(int n) {
    return (int32_t)first(n);
}

/* A shift by 32 or more leaves nothing, and one less than nothing is all lanes. */
static inline void lanes_past(lengths len, int k, int32_t *some) {
    const __m512i one = _mm512_set1_epi32(1),
                  left =
                      _mm512_max_epi32(_mm512_sub_epi32(len, _mm512_set1_epi32(k)), _mm512_setzero_si512()),
                  masks = _mm512_sub_epi32(_mm512_sllv_epi32(one, left), one);
#if LANES == 8
    _mm256_storeu_si256((__m256i *)some, _mm512_castsi512_si256(masks));
#else
    _mm512_storeu_si512(some, masks);
#endif
}

static inline vec load_some(const val_t *p, int32_t some) {
    return V_CALL(maskz_loadu)((lanes_mask)some, p);
}

static inline vec load_low_some(const val_t *p, int32_t some) {
    return V_FROM_256(V_CALL_256(maskz_loadu)((__mmask8)some, p));
}

/* As wide as values. */
typedef __m512i places;

#if SPRY_TMPL_TYPE == 64
#define PLACES(call) _mm512_##call##_epi64
#define PLACES_MASK(call) _mm512_##call##_epi64_mask
#else
#define PLACES(call) _mm512_##call##_epi32
#define PLACES_MASK(call) _mm512_##call##_epi32_mask
#endif

static inline places places_of(const ptr_t *ptr) {
#if SPRY_TMPL_TYPE == SPRY_TMPL_PTR
    const places at = _mm512_loadu_si512(ptr);
#elif SPRY_TMPL_TYPE == 64
    const places at = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)ptr));
#else
    const places at =
        _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(_mm512_loadu_si512(ptr))),
                           _mm512_cvtepi64_epi32(_mm512_loadu_si512(ptr + 8)), 1);
#endif
    return PLACES(sub)(at, PLACES(set1)(ptr[0]));
}

static inline places next_places(places at) {
    return PLACES(add)(at, PLACES(set1)(1));
}

static inline places places_of_every(int length, int k) {
#if LANES == 8
    return _mm512_setr_epi64(k, k + length, k + 2 * length, k + 3 * length, k + 4 * length, k + 5 * length,
                             k + 6 * length, k + 7 * length);
#else
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_add_epi32(_mm512_mullo_epi32(lane, _mm512_set1_epi32(length)), _mm512_set1_epi32(k));
#endif
}

static inline vec pick_of_two(const vec *part, places at) {
    return V_CALL(permutex2var)(part[0], at, part[1]);
}

#if LANES == 16
#define PICKED 4
static inline vec pick(const vec *part, places at) {
    const lanes_mask past = _mm512_test_epi32_mask(at, _mm512_set1_epi32(2 * LANES));
    return V_CALL(mask_blend)(past, pick_of_two(part, at), pick_of_two(part + 2, at));
}
#else
#define PICKED 2
#define pick pick_of_two
#endif

static inline vec add_neighbours(vec a, vec b) {
    const vec part[2] = {a, b};
    return V_CALL(add)(pick_of_two(part, places_of_every(2, 0)), pick_of_two(part, places_of_every(2, 1)));
}

INLINE vec pick_of(int count, const vec *part, places at) {
    if (count == 1)
        return part[0];
    vec picked = pick_of_two(part, at);
    for (int n = 2; n < count; n++)
        picked =
            V_CALL(mask_permutexvar)(picked, PLACES_MASK(cmpge)(at, PLACES(set1)(n * LANES)), at, part[n]);
    return picked;
}

static inline vec add_longer(vec sum, vec v, lengths len, int k) {
    return V_CALL(mask_add)(sum, (lanes_mask)_mm512_cmpgt_epi32_mask(len, _mm512_set1_epi32(k)), sum, v);
}

#elif defined(__AVX2__)

#define ALIKE_LANES 1
#define PICKED 0
#define FOLDED 0

/* 32 bits each, cut off there. */
#if LANES == 8
typedef __m256i lengths;
#define LENGTHS_CALL(call) _mm256_##call
#define ALL_BITS -1
#else
typedef __m128i lengths;
#define LENGTHS_CALL(call) _mm_##call
#define ALL_BITS 0xffff
#endif

#if SPRY_TMPL_PTR == 64
static inline __m128i four_lengths(const ptr_t *ptr) {
    const __m256i most = _mm256_set1_epi64x(INT32_MAX),
                  len = _mm256_sub_epi64(_mm256_loadu_si256((const __m256i *)(ptr + 1)),
                                         _mm256_loadu_si256((const __m256i *)ptr)),
                  some = _mm256_blendv_epi8(len, most, _mm256_cmpgt_epi64(len, most)),
                  low = _mm256_permutevar8x32_epi32(some, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    return _mm256_castsi256_si128(low);
}

static inline lengths lengths_of(const ptr_t *ptr) {
#if LANES == 8
    return _mm256_setr_m128i(four_lengths(ptr), four_lengths(ptr + 4));
#else
    return four_lengths(ptr);
#endif
}
#elif LANES == 8
static inline lengths lengths_of(const ptr_t *ptr) {
    return _mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)(ptr + 1)),
                            _mm256_loadu_si256((const __m256i *)ptr));
}
#else
static inline lengths lengths_of(const ptr_t *ptr) {
    return _mm_sub_epi32(_mm_loadu_si128((const __m128i *)(ptr + 1)), _mm_loadu_si128((const __m128i *)ptr));
}
#endif

static inline bool any_longer(lengths len, int n) {
    return LENGTHS_CALL(movemask_epi8)(LENGTHS_CALL(cmpgt_epi32)(len, LENGTHS_CALL(set1_epi32)(n))) != 0;
}

static inline bool all_are(lengths len, int n) {
    return LENGTHS_CALL(movemask_epi8)(LENGTHS_CALL(cmpeq_epi32)(len, LENGTHS_CALL(set1_epi32)(n))) ==
           ALL_BITS;
}

static inline void lanes_past(lengths len, int k, int32_t *some) {
    const lengths left = LENGTHS_CALL(min_epi32)(LENGTHS_CALL(sub_epi32)(len, LENGTHS_CALL(set1_epi32)(k)),
                                                 LENGTHS_CALL(set1_epi32)(LANES));
    memcpy(some, &left, sizeof left);
}

static inline vec load_some(const val_t *p, int32_t some) {
    return v_load_first(p, some);
}

static inline vec load_low_some(const val_t *p, int32_t some) {
    return v_load_low_first(p, LANES / 2, some);
}

#else

#define ALIKE_LANES 1
#define PICKED 0
#define FOLDED 0

typedef struct {
    int32_t of[LANES];
} lengths;

static inline lengths lengths_of(const ptr_t *ptr) {
    lengths len;
    for (int r = 0; r < LANES; r++)
        len.of[r] = (int32_t)(ptr[r + 1] - ptr[r] < INT32_MAX ? ptr[r + 1] - ptr[r] : INT32_MAX);
    return len;
}

static inline bool any_longer(lengths len, int n) {
    bool longer = false;
    for (int r = 0; r < LANES; r++)
        longer |= len.of[r] > n;
    return longer;
}

static inline bool all_are(lengths len, int n) {
    bool other = false;
    for (int r = 0; r < LANES; r++)
        other |= len.of[r] != n;
    return !other;
}

static inline void lanes_past(lengths len, int k, int32_t *some) {
    for (int r = 0; r < LANES; r++) {
        const int32_t left = len.of[r] - k;
        some[r] = left < LANES ? left : LANES;
    }
}

static inline vec load_some(const val_t *p, int32_t some) {
    return v_load_first(p, some);
}

static inline vec load_low_some(const val_t *p, int32_t some) {
    return v_load_low_first(p, LANES / 2, some);
}

#endif

#endif
