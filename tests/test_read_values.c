/* SPDX-License-Identifier: BSD-3-Clause */
/* Decimal numbers give the nearest double, and the nearest float, whatever the locale. */
#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/locales.h"

/* A number as text and its nearest values, which the compiler finds by its own means. */
struct number {
    const char *text;
    double f64;
    float f32;
};

#define SAME(number)                                                                                         \
    { #number, number, number##f }

static const struct number numbers[] = {
    SAME(0.0),
    SAME(1.0),
    SAME(1.),
    SAME(.5),
    SAME(2.5e0),
    SAME(1e22),
    SAME(1e23),
    SAME(1E-7),
    SAME(1e+5),
    {"0", 0, 0},
    {"-0", -0.0, -0.0f},
    {"+2.5", 2.5, 2.5f},
    {"-.5", -.5, -.5f},
    {"007", 7, 7},
    {"1.5D+02", 150, 150},
    {"1.5d2", 150, 150},
    {"-1D-2", -0.01, -0.01f},
    {"nan", NAN, NAN},
    {"NaN", NAN, NAN},
    {"inf", INFINITY, INFINITY},
    {"-Inf", -INFINITY, -INFINITY},
    {"+INFINITY", INFINITY, INFINITY},
    /* Many digits. */
    SAME(0.1000000000000000055511151231257827021181583404541015625),
    SAME(3.141592653589793238462643383279),
    SAME(1234567890123456789012.0),
    SAME(0.00000000000000000000000000012345678901234567),
    SAME(99999999999999999999.0),
    SAME(123456789012345678.0),
    SAME(0.0001234567890123456789),
    /* Halfway between two doubles, then just off it: 2^53 + 1. */
    {"9007199254740993", 9007199254740992.0, 9007199254740992.0f},
    {"9007199254740993.0", 9007199254740992.0, 9007199254740992.0f},
    {"9007199254740993.00000000000000000000000000000000000001", 9007199254740994.0, 9007199254740992.0f},
    {"9007199254740992.99999999999999999999999999999999999999", 9007199254740992.0, 9007199254740992.0f},
    {"9007199254740995", 9007199254740996.0, 9007199254740996.0f},
    /* Halfway between two floats: 1 + 2^-24, 1 + 3 * 2^-24; then closer to one than a double can tell. */
    {"1.000000059604644775390625", 0x1.000001p0, 1.0f},
    {"1.000000178813934326171875", 0x1.000003p0, 0x1.000004p0f},
    {"1.00000005960464477539062500000000000000000000000001", 0x1.000001p0, 0x1.000002p0f},
    {"1.00000005960464477539062499999999999999999999999999", 0x1.000001p0, 1.0f},
    {"-1.00000005960464477539062500000000000000000000000001", -0x1.000001p0, -0x1.000002p0f},
    {"16777217", 16777217, 16777216.0f},
    /* The ends of the ranges. */
    {"1.7976931348623157e308", 0x1.fffffffffffffp1023, INFINITY},
    {"1.7976931348623158e308", 0x1.fffffffffffffp1023, INFINITY},
    {"1.7976931348623159e308", INFINITY, INFINITY},
    {"1e310", INFINITY, INFINITY},
    {"-1e99999999999999999999", -INFINITY, -INFINITY},
    {"3.4028235677973367e38", 0x1.ffffffp127, INFINITY},
    {"3.4028235677973366e38", 0x1.ffffffp127, 0x1.fffffep127f},
    {"2.2250738585072014e-308", 0x1p-1022, 0},
    {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022, 0},
    {"4.9406564584124654e-324", 0x1p-1074, 0},
    {"2.4703282292062328e-324", 0x1p-1074, 0},
    {"2.4703282292062327e-324", 0, 0},
    {"1e-400", 0, 0},
    {"-1e-99999999999999999999", -0.0, -0.0f},
    {"0e99999999999999999999", 0, 0},
    {"1.1754943508222875e-38", 0x1p-126, 0x1p-126f},
    {"7.0064923216240854e-46", 0x1.0000000000000p-150, 0x1p-149f},
    {"7.0064923216240853e-46", 0x1p-150, 0},
    {"1.4012984643248171e-45", 0x1p-149, 0x1p-149f},
    /* Integers past what doubles hold exactly, and past 64 bits. */
    {"9223372036854775807", 0x1p63, 0x1p63f},
    {"18446744073709551615", 0x1p64, 0x1p64f},
    {"-19223372036854775808", -19223372036854775808.0, -19223372036854775808.0f},
};
#define NUMBERS (sizeof numbers / sizeof *numbers)

static bool same(double a, double b) {
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

/* All numbers in one array. */
static char *text_of_numbers(const char *field) {
    char *text = test_malloc(8192);
    int used = sprintf(text, "%%%%MatrixMarket matrix array %s general\n%zu 1\n", field, NUMBERS);
    for (size_t i = 0; i < NUMBERS; i++)
        used += sprintf(text + used, "%s\n", numbers[i].text);
    return text;
}

static void check_numbers(void) {
    char *text = text_of_numbers("real");
    spry_context *context = test_context(2);
    for (int as_f32 = 0; as_f32 < 2; as_f32++) {
        spry_matrix *matrix;
        spry_read_options options = {.size = sizeof options, .as_f32 = as_f32};
        cr_assert_eq(spry_read_memory(context, "t", text, strlen(text), &options, &matrix, NULL), SPRY_OK,
                     "%s", spry_message(context));
        cr_assert_eq(spry_matrix_type(matrix), as_f32 ? SPRY_F32 : SPRY_F64);
        for (size_t i = 0; i < NUMBERS; i++) {
            double got = get_value(spry_matrix_coo(matrix)->val, spry_matrix_type(matrix), (int64_t)i);
            double expected = as_f32 ? (double)numbers[i].f32 : numbers[i].f64;
            cr_expect(same(got, expected), "%s: got %a, expected %a", numbers[i].text, got, expected);
        }
        spry_matrix_destroy(matrix);
    }
    spry_context_destroy(context);
    free(text);
}

Test(read_values, nearest) {
    check_numbers();
}

Test(read_values, locale) {
    if (!adopt_locale("de_DE"))
        cr_skip_test("no localedef, or no German locale for it");
    char number[10];
    snprintf(number, sizeof number, "%.1f", 0.5);
    cr_assert_str_eq(number, "0,5");
    check_numbers();
    setlocale(LC_ALL, "C");
}

/* An integer field takes the same digits to the same values. */
Test(read_values, integers) {
    spry_context *context = test_context(1);
    for (size_t i = 0; i < NUMBERS; i++) {
        if (strspn(numbers[i].text, "+-0123456789") != strlen(numbers[i].text))
            continue;
        char text[200];
        spry_matrix *matrix;
        snprintf(text, sizeof text, "%%%%MatrixMarket matrix array integer general\n1 1\n%s",
                 numbers[i].text);
        cr_assert_eq(spry_read_memory(context, "t", text, strlen(text), NULL, &matrix, NULL), SPRY_OK);
        cr_expect(same(*(const double *)spry_matrix_coo(matrix)->val, numbers[i].f64), "%s", numbers[i].text);
        spry_matrix_destroy(matrix);
    }
    spry_context_destroy(context);
}

/* Random digits, points and exponents against the C library, which rounds to nearest too. */
static size_t random_number(uint64_t *state, char *text) {
    int64_t before = test_below(state, 24), behind = test_below(state, 24),
            power = test_below(state, 680) - 340;
    size_t used = 0;
    if (test_below(state, 2))
        text[used++] = '-';
    text[used++] = (char)('0' + test_below(state, 10));
    while (before--)
        text[used++] = (char)('0' + test_below(state, 10));
    text[used++] = '.';
    while (behind--)
        text[used++] = (char)('0' + test_below(state, 10));
    if (test_below(state, 2))
        used += (size_t)sprintf(text + used, "e%d", (int)power);
    text[used++] = '\n';
    return used;
}

Test(read_values, random) {
    enum { COUNT = 100000, MOST = 64 };
    char *text = test_malloc(COUNT * MOST + 100);
    uint64_t state = 1;
    size_t used = (size_t)sprintf(text, "%%%%MatrixMarket matrix array real general\n%d 1\n", COUNT),
           first = used;
    for (int i = 0; i < COUNT; i++)
        used += random_number(&state, text + used);
    text[used] = '\0';
    spry_context *context = test_context(2);
    for (int as_f32 = 0; as_f32 < 2; as_f32++) {
        spry_matrix *matrix;
        spry_read_options options = {.size = sizeof options, .as_f32 = as_f32};
        cr_assert_eq(spry_read_memory(context, "t", text, used, &options, &matrix, NULL), SPRY_OK);
        char *p = text + first;
        for (int i = 0; i < COUNT; i++) {
            double got = get_value(spry_matrix_coo(matrix)->val, spry_matrix_type(matrix), i);
            char *end;
            double expected = as_f32 ? (double)strtof(p, &end) : strtod(p, &end);
            cr_assert(same(got, expected), "%.*s: got %a, expected %a", (int)(end - p), p, got, expected);
            p = end;
        }
        spry_matrix_destroy(matrix);
    }
    spry_context_destroy(context);
    free(text);
}
