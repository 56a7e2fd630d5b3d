/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that look random, the same on every machine. */
#ifndef SPRY_COMMON_RANDOM_H
#define SPRY_COMMON_RANDOM_H

#include <stdint.h>

/* SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
static inline uint64_t random_next(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Even in (0, 1): 52 bits and a half, so that neither end is met. */
static inline double random_fraction(uint64_t *state) {
    return ((double)(random_next(state) >> 12) + 0.5) * 0x1p-52;
}

/* Even in (-1, 1). */
static inline double random_signed(uint64_t *state) {
    return 2.0 * random_fraction(state) - 1.0;
}

#endif
