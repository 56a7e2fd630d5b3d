/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawings in SVG, in a page: each with a title and a description for those who hear it. They are PLOT_WIDTH units wide,
   as a telephone's page is, and are scaled by the page. */
#ifndef SPRY_SPBENCH_PLOT_H
#define SPRY_SPBENCH_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include <spry/spry.h>

#define PLOT_WIDTH 360

/* ---- axis.c ---- */

/* A logarithmic scale. */
struct axis {
    double low, high; /* over 0, low < high */
    double from, to;  /* where these are drawn */
};

/* Around all positive values from `low` to `high`, over a factor of `least` or more. */
struct axis axis_around(double low, double high, double least, double from, double to);
double axis_at(const struct axis *axis, double value);
/* Round values on it, AXIS_TICKS of them at most, from the lowest on, `room` or more from one to the next. Returns how
   many. */
#define AXIS_TICKS 8
int axis_ticks(const struct axis *axis, double room, double ticks[AXIS_TICKS]);
/* Lines across a plot and their values: upright ones, and below `bottom` the values; or level ones, and left of `left`
   the values. */
void axis_put_below(FILE *page, const struct axis *axis, double top, double bottom);
void axis_put_left(FILE *page, const struct axis *axis, double left, double right);

/* Begin a drawing, with what it shows in a few words and in a sentence. plot_end ends it. */
void plot_begin(FILE *page, double height, const char *title, const char *description);
void plot_end(FILE *page);

/* ---- plot_strips.c: one line for each of several things, with a mark on an axis that all share ---- */

struct strip {
    const char *label;
    double middle;
    double low, high; /* NaN: there is no line from one to the other */
    double q1, q3;    /* NaN: there is no box */
    double expected;  /* NaN: nothing was */
    bool first;       /* the best of them */
    char title[288];  /* all of it in words */
};

/* So many are drawn at most; further ones are left out. */
#define STRIPS_MOST 24

void plot_strips(FILE *page, const struct strip *strips, int count, const char *unit, const char *title,
                 const char *description);

/* ---- plot_roofline.c ---- */

struct roofline_point {
    const char *label;
    double intensity; /* operations a byte */
    double rate;      /* 10^9 operations a second */
    double roof;      /* the rate at which as many bytes are read, times the intensity; NaN: not known */
    bool first, picked;
    char title[288];
};

/* Williams, Waterman and Patterson: Roofline, Communications of the ACM 52 (2009). `memory` is in 10^9 bytes a second;
   NaN: not known. Points whose numbers are not over 0 are left out, and of labels all but the first few. */
void plot_roofline(FILE *page, const struct roofline_point *points, int count, double memory,
                   const char *title, const char *description);

/* ---- plot_lengths.c ---- */

/* How many rows have how many entries. */
void plot_lengths(FILE *page, const spry_row_lengths *lengths, const char *title, const char *description);

#endif
