/* SPDX-License-Identifier: BSD-3-Clause */
/* Powers of ten in 128 bits, which reading and writing decimals share. */
#ifndef SPRY_IO_POWERS_H
#define SPRY_IO_POWERS_H

#include <stdint.h>

#define POWER_MIN (-342)
#define POWER_MAX 324

/*
 * The leading 128 bits of 10^q are in spry_powers[q - POWER_MIN], high half first, with the highest bit set.
 * They are exact for 0 <= q <= 55, rounded up for -27 <= q < 0, where a value can lie halfway between two
 * doubles, and rounded down elsewhere. Made by tools/powers_of_ten.py.
 */
extern const uint64_t spry_powers[POWER_MAX - POWER_MIN + 1][2];

/* floor(log2(10^q)), for |q| up to 1233. */
static inline int floor_log2_power(int q) {
    return (int)(((int64_t)q * 1741647) >> 19);
}

#endif
