/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "spbench/html.h"
#include "spbench/plot.h"

/* A line's height, and where the axis begins and ends. */
#define LINE 17.0
#define LEFT 150.0
#define RIGHT (PLOT_WIDTH - 22.0)
#define TOP 6.0
#define LABEL_MOST 21

static void widen(double value, double *low, double *high) {
    if (value > 0.0 && isfinite(value)) {
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
}

static struct axis axis_of(const struct strip *strips, int count) {
    double low = INFINITY, high = 0.0;
    for (int i = 0; i < count; i++) {
        const double values[] = {strips[i].middle, strips[i].low, strips[i].high, strips[i].expected};
        for (size_t j = 0; j < sizeof values / sizeof *values; j++)
            widen(values[j], &low, &high);
    }
    return axis_around(low, high, 2.0, LEFT, RIGHT);
}

static void put_diamond(FILE *page, const char *kind, double x, double y, double size) {
    fprintf(page, "<path class=\"%s\" d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz\"/>", kind, x - size, y,
            size, -size, size, size, -size, size);
}

static void put_strip(FILE *page, const struct axis *axis, const struct strip *strip, double y) {
    double x = axis_at(axis, strip->middle);
    fputs("<g><title>", page);
    html_text(page, strip->title);
    fprintf(page, "</title><text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">",
            strip->first ? "label first" : "label", LEFT - 8, y + 4);
    html_text_cut(page, strip->label, LABEL_MOST);
    fputs("</text>", page);
    if (isfinite(strip->low) && isfinite(strip->high))
        fprintf(page, "<line class=\"range\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                axis_at(axis, strip->low), y, axis_at(axis, strip->high), y);
    if (isfinite(strip->q1) && isfinite(strip->q3)) {
        double q1 = axis_at(axis, strip->q1), q3 = axis_at(axis, strip->q3);
        fprintf(page, "<rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"8\"/>", q1, y - 4,
                q3 - q1);
    }
    if (isfinite(strip->expected))
        put_diamond(page, "expected", axis_at(axis, strip->expected), y, 4.5);
    if (strip->first)
        put_diamond(page, "mark", x, y, 5.5);
    else
        fprintf(page, "<circle class=\"mark\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\"/>", x, y);
    fputs("</g>\n", page);
}

void plot_strips(FILE *page, const struct strip *strips, int count, const char *unit, const char *title,
                 const char *description) {
    int drawn = count < STRIPS_MOST ? count : STRIPS_MOST;
    struct axis axis = axis_of(strips, drawn);
    double bottom = TOP + drawn * LINE;
    plot_begin(page, bottom + 36, title, description);
    axis_put_below(page, &axis, TOP, bottom);
    for (int i = 0; i < drawn; i++)
        put_strip(page, &axis, &strips[i], TOP + (i + 0.5) * LINE);
    fprintf(page, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", (LEFT + RIGHT) / 2,
            bottom + 30);
    html_text(page, unit);
    fputs("</text>\n", page);
    plot_end(page);
}
