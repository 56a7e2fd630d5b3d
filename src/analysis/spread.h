/* SPDX-License-Identifier: BSD-3-Clause */
/* Over how many columns rows that lie next to each other spread: whether narrow columns have room for what they have in common. */
#ifndef SPRY_SPREAD_H
#define SPRY_SPREAD_H

#include "analysis/features.h"

/* Look at a few windows of rows, the first and the last among them, as what wraps around is there; and at a few rows of each. */
void spry_look_at_spread(const spry_matrix *csr, struct spry_features *features);

/* Whether a matrix has no more columns than narrow ones tell apart, so that wherever entries lie there is room. */
bool spry_has_few_columns(int64_t cols);

/* Whether the columns of any so many rows in order should lie close enough together for the code. What the sample has not seen may
   lie further apart: a conversion finds out, and the next storage is taken. */
bool spry_expects_columns(const struct spry_features *features, int64_t rows, spry_column_code code);

#endif
