/* SPDX-License-Identifier: BSD-3-Clause */
/* The bits of elements of any type. */
#ifndef SPRY_BITS_H
#define SPRY_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/host_device.h"

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

/* Make an unsigned integer of so many bytes element k of an array of such; of none, nothing is written. */
SPRY_HOST_AND_DEVICE void store_bits(void *array, size_t size, int64_t k, uint64_t bits) {
    switch (size) {
    case sizeof(uint64_t):
        ((uint64_t *)array)[k] = bits;
        break;
    case sizeof(uint32_t):
        ((uint32_t *)array)[k] = (uint32_t)bits;
        break;
    case sizeof(uint16_t):
        ((uint16_t *)array)[k] = (uint16_t)bits;
        break;
    case sizeof(uint8_t):
        ((uint8_t *)array)[k] = (uint8_t)bits;
        break;
    default:
        break;
    }
}

SPRY_HOST_AND_DEVICE int count_bits(uint64_t bits) {
#ifdef __CUDA_ARCH__
    return __popcll(bits);
#else
    return __builtin_popcountll(bits);
#endif
}

#endif
