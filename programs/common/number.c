/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct number number_count(int64_t value) {
    struct number plain, number;
    char *out = number.text;
    snprintf(plain.text, sizeof plain.text, "%" PRId64, value);
    size_t digits = strlen(plain.text);
    for (size_t i = 0; i < digits; i++) {
        *out++ = plain.text[i];
        size_t left = digits - i - 1;
        if (left > 0 && left % 3 == 0 && plain.text[i] != '-')
            *out++ = ',';
    }
    *out = '\0';
    return number;
}

const char *number_plural(double count) {
    return count == 1 ? "" : "s";
}

/* The power of ten of the first digit, once rounded to three: 2 for 999, 3 for 999.9. */
static int rounded_exponent(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.2e", value);
    return atoi(strchr(text, 'e') + 1);
}

struct number number_short(double value) {
    struct number number;
    if (!isfinite(value) || fabs(value) >= 1e15) {
        snprintf(number.text, sizeof number.text, "%.3g", value);
        return number;
    }
    int exponent = value == 0.0 ? 0 : rounded_exponent(value);
    if (exponent >= 3)
        return number_count(llround(value));
    if (exponent < -4)
        return number_tiny(value);
    snprintf(number.text, sizeof number.text, "%.*f", 2 - exponent, value);
    return number;
}

/* How often a value is divided by a thousand, at most four times, until no more than three digits stand before its point. */
static int divide_by_thousands(double *value) {
    int times = 0;
    for (; *value >= 999.5 && times < 4; times++)
        *value /= 1000.0;
    return times;
}

struct number number_tick(double value) {
    static const char *const units[] = {"", "k", "M", "G", "T"};
    struct number number;
    if (value >= 1e3 && value < 1e4)
        return number_count(llround(value));
    const int unit = value < 1e15 ? divide_by_thousands(&value) : 0;
    snprintf(number.text, sizeof number.text, "%.3g%s", value, units[unit]);
    return number;
}

struct number number_seconds(double seconds) {
    struct number number;
    const bool small = seconds < 1.0;
    snprintf(number.text, sizeof number.text, "%.20s %s", number_short(small ? seconds * 1e3 : seconds).text,
             small ? "ms" : "s");
    return number;
}

struct number number_tiny(double value) {
    struct number number;
    snprintf(number.text, sizeof number.text, value == 0.0 ? "0" : "%.1e", value);
    return number;
}

struct number number_bytes(double bytes) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    struct number number;
    const int unit = divide_by_thousands(&bytes);
    snprintf(number.text, sizeof number.text, "%.*f %s",
             unit == 0 || bytes >= 99.95 ? 0
             : bytes >= 9.995            ? 1
                                         : 2,
             bytes, units[unit]);
    return number;
}
