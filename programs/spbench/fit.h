/* SPDX-License-Identifier: BSD-3-Clause */
/* Prices that say which of several candidates is the fastest: time = sum of amount times price, over the terms of a cost. */
#ifndef SPRY_SPBENCH_FIT_H
#define SPRY_SPBENCH_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include <spry/spry.h>

#define FIT_TERMS SPRY_TERM_MOST

/* Something that was timed, and how much of each term it has. */
struct sample {
    const char *name; /* of what has the prices: a kernel, or a conversion's format */
    int owner;        /* the number of that name, from 0 */
    /* Samples with the same number compete, from 0: kernels that multiply by the same matrix; and those among them that do so
       from the same storage. */
    int contest, heat;
    double amount[FIT_TERMS];
    double seconds;   /* over 0 */
    double predicted; /* by the prices that there were before */
};

/*
 * Move prices, one for each term of each owner, to where they rank the samples of each contest best. They are not negative,
 * and stay near what they were where the samples do not say otherwise, the more so the larger `nearness` is. A term that no sample
 * of its owner has keeps its price. Samples that stand alone in their contests are predicted as well as possible. No price falls below that of
 * its term in `least`; null: there is no bound. False: no memory.
 */
bool fit_prices(const struct sample *samples, size_t count, const double *least, double nearness,
                double (*price)[FIT_TERMS], size_t owners);

/* The time of a sample at these prices. */
double fit_predict(const struct sample *sample, const double *price);

#endif
