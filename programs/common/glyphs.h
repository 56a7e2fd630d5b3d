/* SPDX-License-Identifier: BSD-3-Clause */
/* The characters beyond ASCII that the program prints, and their stand-ins where the locale lacks them. */
#ifndef SPRY_COMMON_GLYPHS_H
#define SPRY_COMMON_GLYPHS_H

struct glyphs {
    const char *times, *micro, *dash, *range;
    const char *bar[9]; /* a cell filled to so many eighths */
    /* Of a chart: the axis down the left side, the same where it has a label, its foot, the axis along the bottom,
       and a level drawn across. */
    const char *axis, *tick, *foot, *floor, *level;
    int braille; /* 1: the locale has the characters of the Braille block */
};

/* By the locale of the environment (LC_CTYPE), which the first call adopts. */
const struct glyphs *glyphs(void);

/* Columns that a UTF-8 string takes, for characters one column wide. */
int glyphs_width(const char *text);
/* The same of its first `bytes` bytes. */
int glyphs_width_of(const char *text, int bytes);

#endif
