/* SPDX-License-Identifier: BSD-3-Clause */
#include "spsolve/curve.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/glyphs.h"
#include "common/number.h"

#define ROWS (CURVE_LINES - 2)
#define MAX_COLUMNS 100
#define LABEL 7 /* columns for "1e-300" */
/* Dots of a cell: 2 × 4 in Braille, 1 × 2 in ASCII. */
#define DOTS_ACROSS 2
#define DOTS_DOWN 4

/* What is drawn: dot d of a cell is bit d, counted row by row. */
struct canvas {
    int columns, across, down; /* cells in a row; dots in a cell */
    double top, bottom;        /* logarithms at the upper edge, a whole number, and at the lower one */
    unsigned char dots[ROWS][MAX_COLUMNS];
};

struct curve {
    const double *norms;
    int64_t count;
    double scale;
};

/* ---- numbers to places ---- */

/* Norm i as a logarithm within the canvas: zero is at its lower edge, what is not finite at its upper one. */
static double level(const struct canvas *canvas, const struct curve *curve, int64_t i) {
    double value = curve->norms[i] / curve->scale;
    if (!isfinite(value))
        return canvas->top;
    return value > 0.0 ? fmax(log10(value), canvas->bottom) : canvas->bottom;
}

/* The level at a place between two iterations, on a straight line from one to the other. */
static double level_between(const struct canvas *canvas, const struct curve *curve, double at) {
    int64_t left = (int64_t)at;
    if (left >= curve->count - 1)
        return level(canvas, curve, curve->count - 1);
    double part = at - (double)left;
    return (1.0 - part) * level(canvas, curve, left) + part * level(canvas, curve, left + 1);
}

/* The row of dots at a level, from the top. */
static int dot_row(const struct canvas *canvas, double at) {
    int rows = ROWS * canvas->down;
    int row = (int)((canvas->top - at) / (canvas->top - canvas->bottom) * rows);
    return row < 0 ? 0 : row >= rows ? rows - 1 : row;
}

/* What all norms, and the target, are between. */
static void set_range(struct canvas *canvas, const struct curve *curve, double target) {
    double low = target, high = target;
    for (int64_t i = 0; i < curve->count; i++) {
        double value = curve->norms[i] / curve->scale;
        if (isfinite(value) && value > 0.0) {
            low = fmin(low, value);
            high = fmax(high, value);
        }
    }
    canvas->top = ceil(log10(high) - 0.01); /* rounding above a power of ten does not open the next decade */
    canvas->bottom = fmin(log10(low), canvas->top - 1.0);
}

/* ---- drawing ---- */

static void set_dot(struct canvas *canvas, int row, int column) {
    int dot = row % canvas->down * canvas->across + column % canvas->across;
    canvas->dots[row / canvas->down][column / canvas->across] |= (unsigned char)(1u << dot);
}

/* All levels that the curve takes between the places `from` and `to`, as a column of dots without gaps. */
static void draw_column(struct canvas *canvas, const struct curve *curve, int column, double from,
                        double to) {
    double first = level_between(canvas, curve, from), last = level_between(canvas, curve, to);
    double low = fmin(first, last), high = fmax(first, last);
    for (int64_t i = (int64_t)ceil(from); (double)i <= to; i++) {
        double at = level(canvas, curve, i);
        low = fmin(low, at);
        high = fmax(high, at);
    }
    for (int row = dot_row(canvas, high); row <= dot_row(canvas, low); row++)
        set_dot(canvas, row, column);
}

static void draw(struct canvas *canvas, const struct curve *curve) {
    int columns = canvas->columns * canvas->across;
    double last = (double)(curve->count - 1), step = last / columns;
    for (int column = 0; column < columns; column++)
        draw_column(canvas, curve, column, column * step, fmin((column + 1) * step, last));
}

/* ---- printing ---- */

static void put_braille(unsigned dots) {
    /* Unicode's order of the dots: down the left column, down the right one, then the two at the bottom. */
    static const unsigned char bit[DOTS_ACROSS * DOTS_DOWN] = {0x01, 0x08, 0x02, 0x10,
                                                               0x04, 0x20, 0x40, 0x80};
    unsigned code = 0x2800;
    for (int dot = 0; dot < DOTS_ACROSS * DOTS_DOWN; dot++)
        code |= dots >> dot & 1 ? bit[dot] : 0u;
    putchar(0xe0 | code >> 12);
    putchar(0x80 | (code >> 6 & 0x3f));
    putchar(0x80 | (code & 0x3f));
}

static void put_cell(const struct canvas *canvas, int row, int column, int target_row) {
    unsigned dots = canvas->dots[row][column];
    if (dots == 0)
        fputs(row == target_row ? glyphs()->level : " ", stdout);
    else if (canvas->down == DOTS_DOWN)
        put_braille(dots);
    else
        putchar(" '.:"[dots]);
}

/* Print the power of ten that stands beside a row, if there is one, and the axis. */
static void put_label(const struct canvas *canvas, int row) {
    int decades = (int)(canvas->top - canvas->bottom), step = (decades + 3) / 4;
    for (int decade = 0; decade <= decades; decade += step)
        if (dot_row(canvas, canvas->top - decade) / canvas->down == row) {
            char label[16];
            snprintf(label, sizeof label, "1e%+03d", (int)canvas->top - decade);
            printf("%*s %s", LABEL, label, glyphs()->tick);
            return;
        }
    printf("%*s %s", LABEL, "", glyphs()->axis);
}

/* The axis of iterations, and how far it goes. */
static void put_foot(const struct canvas *canvas, const struct curve *curve) {
    char text[96];
    int64_t last = curve->count - 1;
    snprintf(text, sizeof text, "|b - A x| / |b| = %s, iteration %s",
             number_tiny(curve->norms[last] / curve->scale).text, number_count(last).text);
    printf("%*s %s", LABEL, "", glyphs()->foot);
    for (int column = 0; column < canvas->columns; column++)
        fputs(glyphs()->floor, stdout);
    printf("\n%*s  0%*s\n", LABEL, "", canvas->columns - 1, text);
}

void curve_print(const double *norms, int64_t count, double scale, double target, int width) {
    const struct curve curve = {norms, count, scale};
    int room = width - LABEL - 2;
    struct canvas canvas = {
        .columns = room < MAX_COLUMNS ? room : MAX_COLUMNS,
        .across = glyphs()->braille ? DOTS_ACROSS : 1,
        .down = glyphs()->braille ? DOTS_DOWN : 2,
    };
    set_range(&canvas, &curve, target);
    draw(&canvas, &curve);
    int target_row = dot_row(&canvas, log10(target)) / canvas.down;
    for (int row = 0; row < ROWS; row++) {
        put_label(&canvas, row);
        for (int column = 0; column < canvas.columns; column++)
            put_cell(&canvas, row, column, target_row);
        putchar('\n');
    }
    put_foot(&canvas, &curve);
}
