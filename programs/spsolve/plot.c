/* SPDX-License-Identifier: BSD-3-Clause */
#include "spsolve/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/terminal.h"
#include "spsolve/curve.h"

/* Seconds between two drawings: often enough to look alive. */
#define PAUSE 0.2
#define LEAST_WIDTH 60 /* what curve_print needs */

/* Up so many lines, and erase to the end of the screen (ECMA-48 CUU and ED). */
#define UP "\033[%dA"
#define ERASE_BELOW "\033[J"

/* A width to draw in, and whether a curve can be replaced by the next one there. */
static int width_of_page(bool *replaceable) {
    struct winsize window = {0};
    const char *kind = getenv("TERM");
    *replaceable = isatty(STDOUT_FILENO) && kind && strcmp(kind, "dumb") != 0;
    if (!*replaceable || ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0)
        return terminal_page();
    /* The last column stays free: some terminals begin a new line once it is filled. */
    int width = window.ws_col - 1 < terminal_page() ? window.ws_col - 1 : terminal_page();
    *replaceable = width >= LEAST_WIDTH && (window.ws_row == 0 || window.ws_row > CURVE_LINES);
    return width < LEAST_WIDTH ? LEAST_WIDTH : width;
}

static void draw(struct plot *plot) {
    bool replaceable;
    int width = width_of_page(&replaceable);
    if (plot->drawn)
        printf(UP ERASE_BELOW, CURVE_LINES);
    curve_print(plot->norms, plot->count, plot->scale, plot->target, width);
    fflush(stdout);
    plot->drawn = true;
    plot->drawn_at = clock_now();
}

/* Of one norm there is no curve, and of b = 0 no scale. */
static bool is_curve(const struct plot *plot) {
    return plot->count > 1 && plot->scale > 0.0 && isfinite(plot->scale);
}

static bool grow(struct plot *plot) {
    int64_t capacity = plot->capacity == 0 ? 1024 : 2 * plot->capacity;
    double *norms = realloc(plot->norms, (size_t)capacity * sizeof *norms);
    plot->no_memory = !norms;
    if (!norms)
        return false;
    plot->norms = norms;
    plot->capacity = capacity;
    return true;
}

bool plot_begin(struct plot *plot, double norm, double target, bool show) {
    *plot = (struct plot){.scale = norm, .target = target, .drawn_at = clock_now()};
    width_of_page(&plot->live);
    plot->live &= show;
    return plot_add(plot, 0, norm) == 0;
}

int64_t plot_last(const struct plot *plot) {
    return plot->count - 1;
}

int plot_add(struct plot *plot, int64_t iteration, double norm) {
    while (iteration >= plot->capacity)
        if (!grow(plot))
            return -1;
    plot->norms[iteration] = norm;
    plot->count = iteration + 1;
    if (plot->live && is_curve(plot) && clock_now() - plot->drawn_at > PAUSE)
        draw(plot);
    return 0;
}

void plot_finish(struct plot *plot) {
    if (!is_curve(plot))
        return;
    draw(plot);
    putchar('\n');
}

void plot_free(struct plot *plot) {
    free(plot->norms);
    plot->norms = NULL;
}
