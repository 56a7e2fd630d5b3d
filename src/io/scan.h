/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers and blanks in text, without a check for its end: text is always followed by TEXT_PADDING zero
   bytes, which are neither digits nor blanks, so that eight characters can be looked at in one step. */
#ifndef SPRY_IO_SCAN_H
#define SPRY_IO_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/word.h"

#define TEXT_PADDING 64

/* A carriage return is a blank, so that lines may end with either "\n" or "\r\n". */
static inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* Whether a token ends before this character: blanks, line ends and the zero after the text. */
static inline bool ends_token(char c) {
    return is_blank(c) || c == '\n' || c == '\0';
}

static inline const char *skip_blanks(const char *p) {
    while (is_blank(*p))
        p++;
    return p;
}

/* To the next line end, or to `end` where there is none. */
static inline const char *skip_line(const char *p, const char *end) {
    const char *line_end = memchr(p, '\n', (size_t)(end - p));
    return line_end ? line_end : end;
}

/* From a comment to its line end, or to a zero byte before that: no text, perhaps a hole in a file, which is not to be
   looked through. */
static inline const char *skip_comment(const char *p, const char *end) {
    const char *line_end = skip_line(p, end), *zero = memchr(p, '\0', (size_t)(line_end - p));
    return zero ? zero : line_end;
}

/* Eight characters, the first in the lowest byte, with '0' taken off each: a digit becomes its value. */
static inline uint64_t load_eight(const char *p) {
    uint64_t eight;
    memcpy(&eight, p, sizeof eight);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    return eight ^ UINT64_C(0x3030303030303030);
}

/* How many of eight loaded characters are digits before the first other one. Adding 0x76 takes a byte over
   0x9 past 0x7f; what that carries into lies behind it and does not matter. */
static inline int leading_digits(uint64_t eight) {
    uint64_t other = (eight | (eight + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080);
    return other ? __builtin_ctzll(other) >> 3 : 8;
}

/* Value of the first `count` (0 to 8) of eight loaded digits: shifted so that zeros stand before them (in two
   steps, since a shift by 64 is undefined), then pairs, fours and eights are combined, each level by one
   multiplication for all of it. */
static inline uint64_t digits_value(uint64_t eight, int count) {
    eight = eight << (32 - 4 * count) << (32 - 4 * count);
    eight = eight * 10 + (eight >> 8);
    const uint64_t pair = UINT64_C(0x000000ff000000ff);
    uint64_t upper = (eight & pair) * (100 + (UINT64_C(1000000) << 32));
    uint64_t lower = ((eight >> 16) & pair) * (1 + (UINT64_C(10000) << 32));
    return (upper + lower) >> 32;
}

/* Digits of a row, column or count; past 64 bits the value stays at UINT64_MAX. Returns `p` itself and the
   value 0 when there is no digit. */
static inline const char *scan_unsigned(const char *p, uint64_t *value) {
    uint64_t eight = load_eight(p);
    int count = leading_digits(eight);
    uint64_t v = digits_value(eight, count);
    p += count;
    if (count == 8)
        for (; spry_is_digit(*p); p++)
            if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
                v = UINT64_MAX;
    *value = v;
    return p;
}

#endif
