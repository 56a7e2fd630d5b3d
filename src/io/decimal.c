/* SPDX-License-Identifier: BSD-3-Clause */
/* From the digits of a number to the nearest double. Three roads, from the common to the rare:
   both digits and power of ten exact in a double (Clinger 1990); a product with a 128-bit power of ten
   (Lemire, "Number parsing at a gigabyte per second", 2021, after Eisel; that 19 digits never need another
   road is in Mushtak and Lemire, "Fast number parsing without fallback", 2023); the C library, given the
   digits without a point, so that the user's locale has no say. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/decimal.h"
#include "io/powers.h"
#include "io/scan.h"

/* Any number of this many digits fits 64 bits. */
#define MOST_DIGITS 19

/* A double is told from its neighbours by 768 digits; what follows matters only by not being zero. */
#define DECISIVE_DIGITS 768

/* Past any exponent that could matter, and far from overflow. */
#define EXPONENT_LIMIT INT64_C(1000000000000000)

/* (-1)^negative * digits * 10^exponent. */
struct decimal {
    uint64_t digits;
    int64_t exponent;
    bool negative;
    int64_t count; /* of digits, leading zeros too; `digits` holds up to MOST_DIGITS behind those zeros */
};

static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const uint64_t small_powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The nearest double to digits * 10^exponent, digits > 0, by a product of 128 bits. */
static double multiply(uint64_t digits, int64_t exponent) {
    if (exponent < POWER_MIN)
        return 0.0;
    if (exponent > 308)
        return INFINITY;
    int q = (int)exponent;
    int shift = __builtin_clzll(digits);
    digits <<= shift;
    const uint64_t *power = spry_powers[q - POWER_MIN];
    __extension__ unsigned __int128 product = (unsigned __int128)digits * power[0];
    uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
    /* Bits past the 55 that are looked at all ones: the lower half of the power may carry into them. */
    if ((high & 0x1ff) == 0x1ff) {
        __extension__ unsigned __int128 correction = (unsigned __int128)digits * power[1];
        uint64_t carry = (uint64_t)(correction >> 64);
        low += carry;
        high += low < carry;
    }
    int top = (int)(high >> 63);
    uint64_t mantissa = high >> (top + 9);
    int64_t biased = floor_log2_power(q) + 64 + top - shift + 1022;
    if (biased <= 0) {
        /* Below the normal range there are fewer bits. No 19 digits lie exactly halfway down there. */
        if (biased <= -63)
            return 0.0;
        mantissa >>= 1 - biased;
        mantissa += mantissa & 1;
        return from_bits(mantissa >> 1);
    }
    /* Exactly halfway, which only these powers can give: to even. */
    if (low <= 1 && q >= -4 && q <= 23 && (mantissa & 3) == 1 && mantissa << (top + 9) == high)
        mantissa &= ~UINT64_C(1);
    mantissa += mantissa & 1;
    mantissa >>= 1;
    /* Rounding up may give 2^53, whose upper bit adds one to the exponent by itself. */
    uint64_t bits = mantissa + ((uint64_t)(biased - 1) << 52);
    return bits >= UINT64_C(0x7ff0000000000000) ? INFINITY : from_bits(bits);
}

/* The same, for digits that may be zero, and by the short road where that is exact. */
static inline double magnitude(uint64_t digits, int64_t exponent) {
    if (digits <= UINT64_C(1) << 53 && exponent >= -22 && exponent <= 22)
        return exponent < 0 ? (double)digits / exact_powers[-exponent]
                            : (double)digits * exact_powers[exponent];
    return digits ? multiply(digits, exponent) : 0.0;
}

/* Digits at `p` appended to `digits`, modulo 2^64. A step that finds no digit changes nothing, so that only
   the number of steps has to be predicted. */
static inline const char *scan_digits(const char *p, uint64_t *digits) {
    int count;
    do {
        uint64_t eight = load_eight(p);
        count = leading_digits(eight);
        *digits = *digits * small_powers[count] + digits_value(eight, count);
        p += count;
    } while (count == 8);
    return p;
}

/* An exponent from its letter on; null when it has no digits. */
static inline const char *scan_exponent(const char *p, int64_t *exponent) {
    p++;
    bool negative = *p == '-';
    p += negative || *p == '+';
    uint64_t value;
    const char *end = scan_unsigned(p, &value);
    if (end == p)
        return NULL;
    int64_t limited = value < EXPONENT_LIMIT ? (int64_t)value : EXPONENT_LIMIT;
    *exponent += negative ? -limited : limited;
    return end;
}

static inline bool is_exponent_letter(char c) {
    return (c | 0x20) == 'e' || (c | 0x20) == 'd';
}

/* The parts of a number; null when it has no digits, or an exponent without them. */
static inline const char *scan_decimal(const char *p, struct decimal *decimal) {
    decimal->negative = *p == '-';
    p += decimal->negative || *p == '+';
    decimal->digits = 0;
    decimal->exponent = 0;
    const char *first = p;
    p = scan_digits(p, &decimal->digits);
    decimal->count = p - first;
    if (*p == '.') {
        const char *point = ++p;
        p = scan_digits(p, &decimal->digits);
        decimal->exponent = point - p;
        decimal->count += p - point;
    }
    if (!decimal->count)
        return NULL;
    return is_exponent_letter(*p) ? scan_exponent(p, &decimal->exponent) : p;
}

/* What is left of a number once leading zeros and digits beyond a limit are gone. */
struct significant {
    char digit[DECISIVE_DIGITS];
    int count;
    int64_t exponent; /* of the last digit kept */
    bool dropped;     /* a digit other than zero was */
};

/* The first `limit` significant digits of the number at `text`, which scan_decimal found sound. */
static void take_significant(const char *text, int limit, struct significant *taken) {
    struct decimal decimal;
    scan_decimal(text, &decimal);
    taken->count = 0;
    taken->exponent = decimal.exponent;
    taken->dropped = false;
    const char *p = text + (*text == '-' || *text == '+');
    for (; spry_is_digit(*p) || *p == '.'; p++) {
        if (*p == '.' || (*p == '0' && taken->count == 0))
            continue;
        if (taken->count < limit) {
            taken->digit[taken->count++] = *p;
        } else {
            taken->exponent++;
            taken->dropped |= *p != '0';
        }
    }
}

/* By the C library: text of digits and an exponent, which means the same in every locale. */
static void ask_library(const char *text, double *value, float *narrow) {
    struct significant taken;
    take_significant(text, DECISIVE_DIGITS, &taken);
    char plain[DECISIVE_DIGITS + 32] = "0";
    memcpy(plain + 1, taken.digit, (size_t)taken.count);
    int64_t exponent = taken.exponent - taken.dropped;
    snprintf(plain + 1 + taken.count, 30, "%se%" PRId64, taken.dropped ? "1" : "", exponent);
    if (value)
        *value = strtod(plain, NULL);
    if (narrow)
        *narrow = strtof(plain, NULL);
}

/* Zeros before the first other digit: "0.000123" has four of them. */
static int64_t leading_zeros(const char *text) {
    int64_t count = 0;
    for (const char *p = text + (*text == '-' || *text == '+'); *p == '0' || *p == '.'; p++)
        count += *p == '0';
    return count;
}

/* More digits than 64 bits hold: the value lies between those of the first 19 and of one more in the last. */
static double long_magnitude(const char *text) {
    struct significant taken;
    take_significant(text, MOST_DIGITS, &taken);
    uint64_t digits = 0;
    for (int i = 0; i < taken.count; i++)
        digits = digits * 10 + (uint64_t)(taken.digit[i] - '0');
    double below = magnitude(digits, taken.exponent);
    if (!taken.dropped || below == magnitude(digits + 1, taken.exponent))
        return below;
    double exact;
    ask_library(text, &exact, NULL);
    return exact;
}

/* nan, inf and infinity, which printf may have written. */
static const char *scan_special(const char *text, double *value) {
    static const struct {
        const char *name;
        size_t length;
        double value;
    } specials[] = {{"infinity", 8, INFINITY}, {"inf", 3, INFINITY}, {"nan", 3, NAN}};
    const char *p = text + (*text == '-' || *text == '+');
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        if (spry_is_word(p, specials[i].length, specials[i].name)) {
            *value = *text == '-' ? -specials[i].value : specials[i].value;
            return p + specials[i].length;
        }
    return NULL;
}

const char *spry_scan_real(const char *text, double *value) {
    struct decimal decimal;
    const char *end = scan_decimal(text, &decimal);
    if (!end)
        return decimal.count ? NULL : scan_special(text, value);
    bool whole = decimal.count <= MOST_DIGITS || decimal.count - leading_zeros(text) <= MOST_DIGITS;
    double size = whole ? magnitude(decimal.digits, decimal.exponent) : long_magnitude(text);
    *value = decimal.negative ? -size : size;
    return end;
}

const char *spry_scan_integer(const char *text, double *value) {
    bool negative = *text == '-';
    const char *first = text + (negative || *text == '+');
    uint64_t digits = 0;
    const char *end = scan_digits(first, &digits);
    if (end == first)
        return NULL;
    if (!ends_token(*end))
        return NULL;
    double size = end - first <= MOST_DIGITS ? (double)digits : long_magnitude(text);
    *value = negative ? -size : size;
    return end;
}

float spry_narrow(const char *text, double value) {
    /* Rounding twice differs from rounding once only where the first rounding fell halfway between two
       floats; below the normal floats halfway is elsewhere for each exponent, so all of them are asked. */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bool halfway = (bits & 0x1fffffff) == 0x10000000;
    bool tiny = value != 0.0 && fabs(value) < 0x1p-126;
    if ((!halfway && !tiny) || !isfinite(value))
        return (float)value;
    float narrow;
    ask_library(text, NULL, &narrow);
    return value < 0 ? -narrow : narrow;
}
