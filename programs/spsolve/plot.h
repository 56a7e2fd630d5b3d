/* SPDX-License-Identifier: BSD-3-Clause */
/* The residuals of a solve: kept as they come, and shown as a curve that grows in a terminal. */
#ifndef SPRY_SPSOLVE_PLOT_H
#define SPRY_SPSOLVE_PLOT_H

#include <stdbool.h>

#include <spry/spry.h>

struct plot {
    double *norms; /* norms[i] is that of iteration i */
    int64_t count, capacity;
    double scale, target; /* see curve_print */
    bool live;            /* redrawn while norms come */
    bool drawn;           /* a curve is on the terminal, with the cursor below it */
    double drawn_at;      /* seconds */
    bool no_memory;
};

/* Begin with the norm of iteration 0, which is also the scale. With `show`, the curve grows on standard output if that
   is a terminal. False when memory ran out. */
bool plot_begin(struct plot *plot, double norm, double target, bool show);

/* Keep a norm, with those before it, and draw now and then. Returns other than 0 when memory ran out, which
   plot->no_memory tells too. */
int plot_add(struct plot *plot, int64_t iteration, double norm);

/* The iteration of the last norm. */
int64_t plot_last(const struct plot *plot);

/* Print the whole curve, in place of the one that grew. */
void plot_finish(struct plot *plot);

void plot_free(struct plot *plot);

#endif
