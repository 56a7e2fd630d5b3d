/* SPDX-License-Identifier: BSD-3-Clause */
/* Rankings of formats, and what they say. */
#ifndef TEST_RANKINGS_H
#define TEST_RANKINGS_H

#include <stdbool.h>

#include "build.h"

struct built csr_of(spry_context *context, const char *scenario, spry_value_type type, spry_index_type index);

enum { PLACES_MOST = 8 * SPRY_FORMAT_COUNT };

/* What a ranking says, and the ranking itself. */
struct ranking {
    spry_statistics statistics;
    double products;
    int measured;
    int count;
    spry_choice choice[PLACES_MOST];
    const spry_ranking *handle;
};

/* It stays until end_rankings. */
struct ranking ranking_of(spry_context *context, const spry_matrix *csr, const spry_select_options *options);
void end_rankings(void);

/* The first place of a format with plain values. */
const spry_choice *choice_of(const struct ranking *ranking, spry_format format);
/* Whether a place is that of CSR with plain values, which is there. */
bool is_there(const spry_choice *choice);
/* The place of the storage that a choice is of. */
const spry_choice *choice_like(const struct ranking *ranking, const spry_choice *choice);
/* How much of a term of cost a product would have. */
double amount_of(const spry_choice *choice, const char *term);
/* What a ranking is ordered by. */
double total_of(const spry_choice *choice, double products);
/* Whether two numbers that are worked out differently are the same. */
bool are_close(double a, double b);

#endif
