/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/glyphs.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>

static const struct glyphs utf8 = {
    .times = "\u00d7",
    .micro = "\u00b5",
    .dash = "\u2013",
    .range = "\u2013",
    .bar = {"", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589", "\u2588"},
    .axis = "\u2502",
    .tick = "\u2524",
    .foot = "\u2514",
    .floor = "\u2500",
    .level = "\u2508",
    .braille = 1,
};

static const struct glyphs ascii = {
    .times = "x",
    .micro = "u",
    .dash = "-",
    .range = "-",
    .bar = {"", "", "", "", "#", "#", "#", "#", "#"},
    .axis = "|",
    .tick = "+",
    .foot = "+",
    .floor = "-",
    .level = "-",
    .braille = 0,
};

const struct glyphs *glyphs(void) {
    static const struct glyphs *chosen;
    if (!chosen) {
        setlocale(LC_CTYPE, "");
        chosen = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? &utf8 : &ascii;
    }
    return chosen;
}

int glyphs_width_of(const char *text, int bytes) {
    int width = 0;
    for (int i = 0; i < bytes; i++)
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

int glyphs_width(const char *text) {
    return glyphs_width_of(text, (int)strlen(text));
}
