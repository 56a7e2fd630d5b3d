/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as a person reads them. */
#ifndef SPRY_COMMON_NUMBER_H
#define SPRY_COMMON_NUMBER_H

#include <stdint.h>

struct number {
    char text[28]; /* the longest: the least int64_t with its commas */
};

/* All digits, a comma between thousands: 1,234,567. */
struct number number_count(int64_t value);

/* What a word ends in that so many are counted of: "s", but of one. */
const char *number_plural(double count);

/* Three significant digits (1.23, 0.0123), whole and with commas from a thousand on: 12,345. */
struct number number_short(double value);

/* A round number beside a scale, short: 0.25, 1.5, 5,000, 20k, 1.5M (of powers of ten from 10^4 to 10^15). */
struct number number_tick(double value);

/* Two significant digits and an exponent: 2.1e-16. */
struct number number_tiny(double value);

/* The same of seconds with their unit, ms below one: "12.3 ms". */
struct number number_seconds(double seconds);

/* Three significant digits and a unit of powers of ten: "12.3 MB". */
struct number number_bytes(double bytes);

#endif
