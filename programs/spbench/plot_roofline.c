/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "common/number.h"
#include "spbench/html.h"
#include "spbench/plot.h"

#define LEFT 48.0
#define RIGHT 224.0
#define TOP 8.0
#define BOTTOM 216.0
/* Labels stand in a column of their own, and a line leads from each to its point. */
#define LABEL_X 236.0
#define LABEL_MOST 19
#define LABELS 14
#define LABEL_LINE 13.5

struct plane {
    struct axis intensity, rate;
};

static bool is_drawn(const struct roofline_point *point) {
    return point->intensity > 0.0 && point->rate > 0.0 && isfinite(point->intensity) && isfinite(point->rate);
}

/* Around all points and the ends of their roofs. */
static struct plane plane_of(const struct roofline_point *points, int count) {
    double left = INFINITY, right = 0.0, low = INFINITY, high = 0.0;
    for (int i = 0; i < count; i++) {
        const struct roofline_point *point = &points[i];
        if (!is_drawn(point))
            continue;
        left = fmin(left, point->intensity);
        right = fmax(right, point->intensity);
        low = fmin(low, point->rate);
        high = fmax(high, isfinite(point->roof) ? fmax(point->roof, point->rate) : point->rate);
    }
    return (struct plane){axis_around(left, right, 4.0, LEFT, RIGHT),
                          axis_around(low, high, 4.0, BOTTOM, TOP)};
}

/* As far as it lies within the plane: rate = memory * intensity. */
static void put_memory(FILE *page, const struct plane *plane, double memory) {
    double left = fmax(plane->intensity.low, plane->rate.low / memory);
    double right = fmin(plane->intensity.high, plane->rate.high / memory);
    if (!(memory > 0.0) || !(left < right))
        return;
    fprintf(page,
            "<line class=\"roof\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"><title>memory: %s "
            "GB/s</title></line>\n",
            axis_at(&plane->intensity, left), axis_at(&plane->rate, left * memory),
            axis_at(&plane->intensity, right), axis_at(&plane->rate, right * memory),
            number_short(memory).text);
}

static void put_own_roof(FILE *page, const struct plane *plane, const struct roofline_point *point) {
    double x = axis_at(&plane->intensity, point->intensity), y = axis_at(&plane->rate, point->roof);
    if (isfinite(point->roof) && point->roof > 0.0)
        fprintf(page, "<path class=\"own-roof\" d=\"M%.1f %.1fV%.1fM%.1f %.1fh10\"/>", x,
                axis_at(&plane->rate, point->rate), y, x - 5, y);
}

static void put_point(FILE *page, const struct plane *plane, const struct roofline_point *point) {
    double x = axis_at(&plane->intensity, point->intensity), y = axis_at(&plane->rate, point->rate);
    fputs("<g><title>", page);
    html_text(page, point->title);
    fputs("</title>", page);
    put_own_roof(page, plane, point);
    if (point->picked)
        fprintf(page, "<circle class=\"ring\" cx=\"%.1f\" cy=\"%.1f\" r=\"7.5\"/>", x, y);
    if (point->first)
        fprintf(page, "<path class=\"mark\" d=\"M%.1f %.1fl5.5 -5.5l5.5 5.5l-5.5 5.5z\"/>", x - 5.5, y);
    else
        fprintf(page, "<circle class=\"mark\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>", x, y);
    fputs("</g>\n", page);
}

/* ---- labels ---- */

struct label {
    const struct roofline_point *point;
    double x, y; /* of its point */
    double at;   /* of its text */
};

static int compare_labels(const void *left, const void *right) {
    const struct label *a = left, *b = right;
    return a->y != b->y ? (a->y < b->y ? -1 : 1) : (a->x > b->x) - (a->x < b->x);
}

/* Each as near to its point as the others leave room for: down from the top, then up again from the bottom. */
static void spread(struct label *labels, int count) {
    for (int i = 0; i < count; i++)
        labels[i].at = fmax(labels[i].y, i > 0 ? labels[i - 1].at + LABEL_LINE : TOP + 4);
    for (int i = count - 1; i >= 0; i--)
        labels[i].at = fmin(labels[i].at, i < count - 1 ? labels[i + 1].at - LABEL_LINE : BOTTOM);
}

static void put_labels(FILE *page, const struct plane *plane, const struct roofline_point *points,
                       int count) {
    struct label labels[LABELS];
    int used = 0;
    for (int i = 0; i < count && used < LABELS; i++)
        if (is_drawn(&points[i]))
            labels[used++] = (struct label){.point = &points[i],
                                            .x = axis_at(&plane->intensity, points[i].intensity),
                                            .y = axis_at(&plane->rate, points[i].rate)};
    qsort(labels, (size_t)used, sizeof *labels, compare_labels);
    spread(labels, used);
    for (int i = 0; i < used; i++) {
        const struct label *label = &labels[i];
        fprintf(
            page,
            "<path class=\"leader\" d=\"M%.1f %.1fL%.1f %.1f\"/><text class=\"%s\" x=\"%.1f\" y=\"%.1f\">",
            label->x + 6, label->y, LABEL_X - 4, label->at, label->point->first ? "label first" : "label",
            LABEL_X, label->at + 4);
        html_text_cut(page, label->point->label, LABEL_MOST);
        fputs("</text>\n", page);
    }
}

void plot_roofline(FILE *page, const struct roofline_point *points, int count, double memory,
                   const char *title, const char *description) {
    struct plane plane = plane_of(points, count);
    plot_begin(page, BOTTOM + 36, title, description);
    axis_put_below(page, &plane.intensity, TOP, BOTTOM);
    axis_put_left(page, &plane.rate, LEFT, RIGHT);
    put_memory(page, &plane, memory);
    put_labels(page, &plane, points, count);
    for (int i = count - 1; i >= 0; i--)
        if (is_drawn(&points[i]))
            put_point(page, &plane, &points[i]);
    fprintf(page,
            "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">operations a byte</text>"
            "<text class=\"tick\" transform=\"translate(12 %.1f) rotate(-90)\" "
            "text-anchor=\"middle\">GFLOP/s</text>\n",
            (LEFT + RIGHT) / 2, BOTTOM + 30, (TOP + BOTTOM) / 2);
    plot_end(page);
}
