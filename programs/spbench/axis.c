/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "common/number.h"
#include "spbench/html.h"
#include "spbench/plot.h"

/* Bounds for numbers that a file may have: far from where logarithms and powers of ten end. */
#define LEAST 1e-30
#define MOST 1e30

static double bounded(double value) {
    return fmin(fmax(value, LEAST), MOST);
}

struct axis axis_around(double low, double high, double least, double from, double to) {
    double begin = bounded(low), end = fmax(bounded(high), begin);
    double short_of = least / (end / begin);
    double around = short_of > 1.0 ? sqrt(short_of) : 1.0;
    return (struct axis){begin / around / 1.08, end * around * 1.08, from, to};
}

double axis_at(const struct axis *axis, double value) {
    double part = log(bounded(value) / axis->low) / log(axis->high / axis->low);
    return axis->from + fmin(fmax(part, 0.0), 1.0) * (axis->to - axis->from);
}

/* The multiples of a power of ten that are taken when there is room for so many ticks in a decade. */
struct steps {
    int count;
    double step[9];
};

static int ticks_by(const struct axis *axis, const struct steps *steps, int decades, double *ticks) {
    int count = 0;
    for (int power = (int)floor(log10(axis->low)); power <= (int)ceil(log10(axis->high)); power++) {
        for (int i = 0; i < steps->count && ((power % decades) + decades) % decades == 0; i++) {
            double value = steps->step[i] * pow(10.0, power);
            if (value < axis->low || value > axis->high)
                continue;
            if (count == AXIS_TICKS)
                return AXIS_TICKS + 1;
            ticks[count++] = value;
        }
    }
    return count;
}

/* The finest steps of which there are few enough, and `room` between any two. */
#define FEW 5

static bool is_readable(const struct axis *axis, const double *ticks, int count, double room) {
    if (count > FEW)
        return false;
    for (int i = 1; i < count; i++)
        if (fabs(axis_at(axis, ticks[i]) - axis_at(axis, ticks[i - 1])) < room)
            return false;
    return true;
}

int axis_ticks(const struct axis *axis, double room, double ticks[AXIS_TICKS]) {
    static const struct steps ways[] = {
        {9, {1, 1.5, 2, 3, 4, 5, 6, 7, 8}}, {6, {1, 1.5, 2, 3, 5, 7}}, {3, {1, 2, 5}}, {2, {1, 3}}, {1, {1}}};
    const int last = sizeof ways / sizeof *ways - 1;
    for (int i = 0; i <= last; i++) {
        int count = ticks_by(axis, &ways[i], 1, ticks);
        if (is_readable(axis, ticks, count, room))
            return count;
    }
    for (int decades = 2; decades < 64; decades++) {
        int count = ticks_by(axis, &ways[last], decades, ticks);
        if (is_readable(axis, ticks, count, room))
            return count;
    }
    return 0;
}

void axis_put_below(FILE *page, const struct axis *axis, double top, double bottom) {
    double ticks[AXIS_TICKS];
    int count = axis_ticks(axis, 34.0, ticks);
    for (int i = 0; i < count; i++) {
        double x = axis_at(axis, ticks[i]);
        fprintf(page,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                x, top, x, bottom, x, bottom + 14, number_tick(ticks[i]).text);
    }
}

void axis_put_left(FILE *page, const struct axis *axis, double left, double right) {
    double ticks[AXIS_TICKS];
    int count = axis_ticks(axis, 14.0, ticks);
    for (int i = 0; i < count; i++) {
        double y = axis_at(axis, ticks[i]);
        fprintf(page,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                left, y, right, y, left - 5, y + 3.5, number_tick(ticks[i]).text);
    }
}

void plot_begin(FILE *page, double height, const char *title, const char *description) {
    fprintf(page, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\"><title>", PLOT_WIDTH, height);
    html_text(page, title);
    fputs("</title><desc>", page);
    html_text(page, description);
    fputs("</desc>\n", page);
}

void plot_end(FILE *page) {
    fputs("</svg>\n", page);
}
