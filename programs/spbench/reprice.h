/* SPDX-License-Identifier: BSD-3-Clause */
/* New prices from measured times, in a part of a machine profile. */
#ifndef SPRY_SPBENCH_REPRICE_H
#define SPRY_SPBENCH_REPRICE_H

#include <stdbool.h>

#include <jansson.h>

#include "spbench/fit.h"

/* What prices are worth for the samples, before and now. */
struct reprice_worth {
    double error;  /* mean of |predicted / measured - 1| */
    double regret; /* geometric mean of the time of what is picked in a contest over the fastest's */
};

struct reprice_report {
    size_t samples;
    struct reprice_worth before, now;
};

/*
 * Replace the prices in an object of the form {name: {term: nanoseconds}}. Names that have samples get
 * prices of their own, those of the rest change as much as times differ from what was predicted.
 * `term_name` gives null past the last term, `least` and `nearness` are those of fit_prices. The samples are put in order and their
 * owners numbered. False when memory ran out.
 */
bool reprice(json_t *owners, const char *(*term_name)(int term), const double *least, double nearness,
             struct sample *samples, size_t count, struct reprice_report *report);

#endif
