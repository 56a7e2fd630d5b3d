/* SPDX-License-Identifier: BSD-3-Clause */
/* Schubfach: Giulietti, "The Schubfach way to render doubles", 2020. Of the decimals that round to a value,
   one with the fewest digits is found among four candidates on a grid of powers of ten that is just fine
   enough; of those with as few digits, the closest. Names are the paper's where it has one. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "io/powers.h"
#include "io/shortest.h"

/* A value is c * 2^q; `closer`: the next smaller one is only half as far away as the next larger. */
struct binary {
    uint64_t c;
    int q;
    bool closer;
};

/* digits * 10^exponent. */
struct shortest {
    uint64_t digits;
    int exponent;
};

/* Where the decimal point still stands among the digits or a few zeros; beyond there is an exponent. */
#define FIRST_POINT (-3)
#define LAST_POINT 16

static struct binary take_apart(uint64_t bits, int mantissa_bits, int exponent_bits) {
    uint64_t fraction = bits & ((UINT64_C(1) << mantissa_bits) - 1);
    int exponent = (int)(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
    int smallest = 2 - (1 << (exponent_bits - 1)) - mantissa_bits;
    if (!exponent)
        return (struct binary){fraction, smallest, false};
    return (struct binary){fraction | UINT64_C(1) << mantissa_bits, smallest + exponent - 1,
                           !fraction && exponent > 1};
}

/* g * c / 2^128, with a lowest bit that tells whether anything was cut off ("round to odd"). */
static uint64_t multiply(const uint64_t g[2], uint64_t c) {
    __extension__ unsigned __int128 lower = (unsigned __int128)g[1] * c;
    __extension__ unsigned __int128 upper = (unsigned __int128)g[0] * c + (uint64_t)(lower >> 64);
    return (uint64_t)(upper >> 64) | ((uint64_t)upper > 1);
}

/* floor(log10(2^q)), or floor(log10(3/4 * 2^q)). */
static int floor_log10(int q, bool three_quarters) {
    return (q * 1262611 - (three_quarters ? 524031 : 0)) >> 22;
}

static struct shortest shorten(struct binary value) {
    int k = floor_log10(value.q, value.closer);
    int h = value.q + floor_log2_power(-k) + 1;
    /* The paper's powers are rounded up unless they are exact; the table's are only from -27 on. */
    const uint64_t *power = spry_powers[-k - POWER_MIN];
    uint64_t g[2] = {power[0], power[1] + (-k < -27 || -k > 55)};
    /* Four times the value and the middles to its neighbours, on the grid of 10^k. */
    uint64_t center = multiply(g, 4 * value.c << h);
    uint64_t lower = multiply(g, (4 * value.c - (value.closer ? 1 : 2)) << h);
    uint64_t upper = multiply(g, (4 * value.c + 2) << h);
    /* The middles round to an even value, and only to that. */
    bool open = value.c & 1;
    lower += open;
    upper -= open;
    uint64_t s = center / 4;
    if (s >= 10) {
        uint64_t tens = s / 10;
        bool below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
        if (below != above)
            return (struct shortest){tens + above, k + 1};
    }
    bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
    if (below != above)
        return (struct shortest){s + above, k};
    uint64_t middle = 4 * s + 2;
    return (struct shortest){s + (center > middle || (center == middle && (s & 1))), k};
}

/* Digits without the zeros at their end, the last one at end[-1]. Returns the first. */
static char *put_digits(struct shortest *value, char *end) {
    while (value->digits && value->digits % 10 == 0) {
        value->digits /= 10;
        value->exponent++;
    }
    do
        *--end = (char)('0' + value->digits % 10);
    while (value->digits /= 10);
    return end;
}

static char *put(char *to, const char *from, int count) {
    memcpy(to, from, (size_t)count);
    return to + count;
}

static char *put_zeros(char *to, int count) {
    memset(to, '0', (size_t)count);
    return to + count;
}

/* "1.5e-7": `exponent` is that of the first digit. */
static char *put_scientific(char *text, const char *digits, int count, int exponent) {
    *text++ = digits[0];
    if (count > 1)
        *text++ = '.';
    text = put(text, digits + 1, count - 1);
    *text++ = 'e';
    if (exponent < 0)
        *text++ = '-';
    char buffer[4];
    struct shortest magnitude = {(uint64_t)(exponent < 0 ? -exponent : exponent), 0};
    char *end = buffer + sizeof buffer, *first = put_digits(&magnitude, end);
    text = put(text, first, (int)(end - first));
    return put_zeros(text, magnitude.exponent);
}

/* `point` digits before the decimal point; below zero, as many zeros behind it. */
static char *put_plain(char *text, const char *digits, int count, int point) {
    if (point >= count)
        return put_zeros(put(text, digits, count), point - count);
    if (point > 0) {
        text = put(text, digits, point);
        *text++ = '.';
        return put(text, digits + point, count - point);
    }
    text = put_zeros(put(text, "0.", 2), -point);
    return put(text, digits, count);
}

static size_t format(uint64_t bits, int mantissa_bits, int exponent_bits, char *text) {
    char *start = text;
    if (bits >> (mantissa_bits + exponent_bits))
        *text++ = '-';
    struct binary value = take_apart(bits, mantissa_bits, exponent_bits);
    struct shortest shortest = value.c ? shorten(value) : (struct shortest){0, 0};
    char buffer[20];
    char *end = buffer + sizeof buffer, *digits = put_digits(&shortest, end);
    int count = (int)(end - digits), point = count + shortest.exponent;
    text = point > LAST_POINT || point < FIRST_POINT ? put_scientific(text, digits, count, point - 1)
                                                     : put_plain(text, digits, count, point);
    return (size_t)(text - start);
}

static size_t format_special(double value, char *text) {
    const char *word = isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    memcpy(text, word, strlen(word));
    return strlen(word);
}

size_t spry_format_f64(double value, char *text) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return isfinite(value) ? format(bits, 52, 11, text) : format_special(value, text);
}

size_t spry_format_f32(float value, char *text) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return isfinite(value) ? format(bits, 23, 8, text) : format_special(value, text);
}
