/* SPDX-License-Identifier: BSD-3-Clause */
/* The bits of elements of any type. */
#ifndef SPRY_BITS_H
#define SPRY_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

#endif
