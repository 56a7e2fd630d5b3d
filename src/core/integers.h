/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of an integer array whose width is known only when running, for code that is compiled once for all
   index types: the branch goes the same way for all of an array, so it costs next to nothing. The bits of elements of any type.
   Sizes rounded up. A hash. */
#ifndef SPRY_INTEGERS_H
#define SPRY_INTEGERS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* In device code, what both sides call is compiled for both. */
#ifdef __CUDACC__
#define SPRY_HOST_AND_DEVICE static __host__ __device__ inline
#define SPRY_CONSTANT static __host__ __device__ constexpr
#else
#define SPRY_HOST_AND_DEVICE static inline
#define SPRY_CONSTANT static inline
#endif

SPRY_HOST_AND_DEVICE int64_t load_integer(const void *array, size_t size, int64_t k) {
    return size == sizeof(int64_t) ? ((const int64_t *)array)[k] : ((const int32_t *)array)[k];
}

static inline void store_integer(void *array, size_t size, int64_t k, int64_t value) {
    if (size == sizeof(int64_t))
        ((int64_t *)array)[k] = value;
    else
        ((int32_t *)array)[k] = (int32_t)value;
}

/* The bits of element k as a number, whatever type of so many bytes it has; 0 where these are none. */
static inline uint64_t load_bits(const void *array, size_t size, int64_t k) {
    const char *at = (const char *)array + (size_t)k * size;
    uint64_t wide;
    uint32_t narrow;
    uint16_t half;
    switch (size) {
    case sizeof wide:
        memcpy(&wide, at, sizeof wide);
        return wide;
    case sizeof narrow:
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    case sizeof half:
        memcpy(&half, at, sizeof half);
        return half;
    case sizeof(uint8_t):
        return *(const uint8_t *)at;
    default:
        return 0;
    }
}

/* Groups of `side` that cover so many. */
SPRY_HOST_AND_DEVICE int64_t spry_cover(int64_t n, int64_t side) {
    return n / side + (n % side > 0);
}

/* Bytes of the smallest unsigned integer with a bit for each of up to 64 places. */
SPRY_HOST_AND_DEVICE int spry_mask_bytes(int64_t places) {
    return places <= 8 ? 1 : places <= 16 ? 2 : places <= 32 ? 4 : 8;
}

/* 64 bits that look random, always the same for number i: the finalizer of splitmix64 (Steele, Lea and Flood, Fast splittable
   pseudorandom number generators, OOPSLA 2014). */
SPRY_HOST_AND_DEVICE uint64_t spry_hash(int64_t i) {
    uint64_t bits = ((uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

#endif
