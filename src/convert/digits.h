/* SPDX-License-Identifier: BSD-3-Clause */
/* What sorting by digits (radix sort) takes at a time. */
#ifndef SPRY_DIGITS_H
#define SPRY_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

#define SPRY_DIGIT_BITS 10
#define SPRY_DIGITS (1 << SPRY_DIGIT_BITS)

/* Bits of a digit: so many that there are no more digits than keys, as it would take longer to count these. */
static inline int spry_digit_bits(int64_t keys) {
    int bits = 1;
    while (bits < SPRY_DIGIT_BITS && (int64_t)2 << bits <= keys)
        bits++;
    return bits;
}

/* Whether a number, not negative, has any from this bit on, which may be past its last. */
static inline bool spry_has_digits(int64_t number, int shift) {
    return shift < 63 && number >> shift > 0;
}

#endif
