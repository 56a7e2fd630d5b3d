/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/html.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/json.h"

#define DASH "\u2013"

/* The character that the bytes begin with. Returns how many it takes; 0: it is no UTF-8 (RFC 3629). */
static int decode(const char *text, uint32_t *character) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    int count = byte[0] < 0x80             ? 1
                : (byte[0] & 0xe0) == 0xc0 ? 2
                : (byte[0] & 0xf0) == 0xe0 ? 3
                : (byte[0] & 0xf8) == 0xf0 ? 4
                                           : 0;
    *character = count < 2 ? byte[0] : byte[0] & (0x7fu >> count);
    for (int i = 1; i < count; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
        *character = *character << 6 | (byte[i] & 0x3f);
    }
    return count > 0 && *character >= least[count] ? count : 0;
}

static bool is_between(uint32_t character, uint32_t low, uint32_t high) {
    return low <= character && character <= high;
}

/* XML 1.0 allows it, it is no control, and no mark that turns the direction of text. */
static bool is_shown(uint32_t character) {
    return character == '\t' || character == '\n' ||
           (is_between(character, 0x20, 0x10ffff) && !is_between(character, 0x7f, 0x9f) &&
            !is_between(character, 0xd800, 0xdfff) && (character & 0xfffe) != 0xfffe &&
            !is_between(character, 0x200e, 0x200f) && !is_between(character, 0x202a, 0x202e) &&
            !is_between(character, 0x2066, 0x2069));
}

/* One character; returns the bytes that it took. */
static int put_character(FILE *page, const char *text) {
    uint32_t character;
    int count = decode(text, &character);
    switch (character) {
    case '&':
        fputs("&amp;", page);
        return 1;
    case '<':
        fputs("&lt;", page);
        return 1;
    case '>':
        fputs("&gt;", page);
        return 1;
    case '"':
        fputs("&quot;", page);
        return 1;
    default:
        break;
    }
    if (count > 0 && is_shown(character))
        fwrite(text, 1, (size_t)count, page);
    else
        fputs("\ufffd", page);
    return count > 0 ? count : 1;
}

void html_text(FILE *page, const char *text) {
    html_text_cut(page, text, INT_MAX);
}

void html_text_cut(FILE *page, const char *text, int most) {
    for (int i = 0; i < most && *text; i++)
        text += put_character(page, text);
    if (*text)
        fputs("\u2026", page);
}

void html_real(FILE *page, double value, struct number (*shown)(double value)) {
    if (isfinite(value))
        fprintf(page, "<data value=\"%.*g\">%s</data>", JSON_DIGITS, value, shown(value).text);
    else
        fputs(DASH, page);
}

void html_figure(FILE *page, const json_t *value, struct number (*shown)(double value)) {
    if (json_is_integer(value))
        fprintf(page, "<data value=\"%" JSON_INTEGER_FORMAT "\">%s</data>", json_integer_value(value),
                shown((double)json_integer_value(value)).text);
    else
        html_real(page, json_is_real(value) ? json_real_value(value) : NAN, shown);
}

struct number html_whole(double value) {
    return fabs(value) < 9e18 ? number_count(llround(value)) : number_short(value);
}
