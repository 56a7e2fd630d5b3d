/* SPDX-License-Identifier: BSD-3-Clause */
/* Print a page of plots whose numbers and labels are as wide as they get, for test_spbench_browser.py. */
#include <math.h>
#include <stdio.h>

#include "spbench/page.h"
#include "spbench/plot.h"

#define LABEL "MMMMMMMMMMMMMMMMMMMMMMMMMMMMMM"

static void put_strips(double low, double high) {
    struct strip strips[STRIPS_MOST];
    for (int i = 0; i < STRIPS_MOST; i++) {
        double middle = low * pow(high / low, i / (STRIPS_MOST - 1.0));
        strips[i] =
            (struct strip){LABEL, middle, middle, middle, middle, middle, middle, i % 2 == 0, "strip"};
    }
    plot_strips(stdout, strips, STRIPS_MOST, "products", "strips", "strips");
}

static void put_roofline(double low, double high) {
    struct roofline_point points[14];
    for (int i = 0; i < 14; i++) {
        double value = low * pow(high / low, i / 13.0);
        points[i] = (struct roofline_point){LABEL, value, value, value, i % 2 == 0, false, "point"};
    }
    plot_roofline(stdout, points, 14, 1.0, "roofline", "roofline");
}

static void put_lengths(int64_t least, int64_t most, int64_t rows) {
    spry_row_lengths lengths = {.min = least, .max = most, .empty = rows};
    for (int bin = 1; bin < SPRY_LENGTH_BINS; bin++)
        if (INT64_C(1) << (bin - 1) <= most && (INT64_C(1) << bin) > least)
            lengths.histogram[bin] = rows;
    plot_lengths(stdout, &lengths, "lengths", "lengths");
}

int main(void) {
    puts("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>plots</title>");
    page_put_style(stdout);
    puts("</head><body><main><div class=\"plots\">");
    /* From one power of ten to the next, a tick is at some time where the scale ends. */
    for (int power = -6; power < 16; power++) {
        double low = pow(10.0, power);
        for (int part = 10; part < 100; part += 15) {
            put_strips(low, low * part / 10.0);
            put_roofline(low, low * part / 10.0);
        }
    }
    put_lengths(0, 9, 1);
    put_lengths(1, 999999999, 99999999999);
    put_lengths(400000000, 999999999, 99999999999);
    puts("</div></main></body></html>");
    return 0;
}
