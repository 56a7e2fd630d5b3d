/* SPDX-License-Identifier: BSD-3-Clause */
/* A curve of residuals over iterations in characters, with a logarithmic scale. */
#ifndef SPRY_SPSOLVE_CURVE_H
#define SPRY_SPSOLVE_CURVE_H

#include <stdint.h>

/* Lines that a curve takes. */
#define CURVE_LINES 14

/*
 * Print the `count` norms, 2 or more, as multiples of `scale`, to standard output, in lines of at most `width`
 * characters, 60 at least. A level is drawn across at `target`, also a multiple of scale.
 */
void curve_print(const double *norms, int64_t count, double scale, double target, int width);

#endif
