/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_SELECTOR_H
#define SPRY_SELECTOR_H

#include "analysis/features.h"
#include "core/table.h"

struct spry_hub; /* convert/convert.h */

/* Codes that each storage with plain values is compared with, at most. */
#define SPRY_CODES_COMPARED 2
#define SPRY_CHOICES_MOST                                                                                    \
    (SPRY_FORMAT_COUNT * SPRY_CANDIDATES_MOST * (1 + SPRY_CODES_COMPARED) * SPRY_COLUMN_CODE_COUNT)

/* What values_change is in options of programs that were compiled before it, and codes, came: they may update values at will, and
   read the arrays of a matrix. */
#define SPRY_BEFORE_CODES 2

struct spry_ranking {
    spry_statistics statistics;
    struct spry_values_seen values; /* of a sample */
    double products;
    bool measured;
    unsigned changing; /* or of 1 << spry_format: not possible as they rest on values, which will change */
    spry_allocator allocator; /* of this struct */
    int count;
    spry_choice choice[SPRY_CHOICES_MOST]; /* so many; what is behind them is not written */
};

/* What the options of a selection and those of a conversion that selects have in common: how many products will follow, and how many
   formats are timed. */
spry_status spry_check_products(spry_context *context, const char *call, double products, int measure);

/* Rank by prediction: what spry_select does, for conversions with these options. */
spry_status spry_predict(spry_context *context, const spry_matrix *csr, const spry_convert_options *how,
                         const spry_select_options *options, spry_ranking *ranking);

/*
 * Build and time the first options->measure formats of a ranking, and the hub's CSR, and rank by that. With `result`, which
 * may be null, the matrix of the first place is kept; where that is CSR, the arrays that the hub made are taken from it.
 */
spry_status spry_measure(spry_context *context, struct spry_hub *hub, const spry_convert_options *how,
                         const spry_select_options *options, spry_ranking *ranking, spry_matrix **result);

/* The place of that in a ranking. */
const spry_choice *spry_choice_of_csr(const spry_ranking *ranking);

/* Seconds of one product: measured, or else predicted. */
double spry_choice_seconds(const spry_choice *choice);

/* Whether a format that could not be made for this reason is passed over: it does not suit the matrix, the memory or
   the context. */
bool spry_is_passable(spry_status status);

/* Seconds of so many products and of the conversion; of one product alone where they are infinitely many. */
double spry_choice_total(const spry_choice *choice, double products);

/* Put the places in order, and say of each after how many products it pays back. */
void spry_ranking_order(spry_ranking *ranking);

#endif
