/* SPDX-License-Identifier: BSD-3-Clause */
/* Prices that explain measured times: time = sum of amount times price, over the terms of a cost. */
#ifndef SPRY_SPBENCH_FIT_H
#define SPRY_SPBENCH_FIT_H

#include <stddef.h>

#include <spry/spry.h>

#define FIT_TERMS SPRY_TERM_MOST

/* Something that was timed, and how much of each term it has. */
struct sample {
    const char *name; /* of what has the prices: a kernel, or a conversion's format */
    double amount[FIT_TERMS];
    double seconds;
    double predicted; /* by the prices that there were before */
};

/*
 * Non-negative prices of least squared relative errors, for samples of one name. Terms that the samples do
 * not tell apart stay near their price in `prior`, those that they say nothing of stay at it.
 */
void fit_prices(const struct sample *samples, size_t count, const double *prior, double *price);

/* The time of a sample at these prices. */
double fit_predict(const struct sample *sample, const double *price);

#endif
