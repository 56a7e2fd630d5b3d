/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many rows share a stencil, of a sample of them. What share of all rows have a stencil that no other has is taken to be the
 * share of the sample's that were seen once (Good, "The population frequencies of species and the estimation of population
 * parameters", Biometrika 40, 1953).
 */
#ifndef SPRY_STENCILS_H
#define SPRY_STENCILS_H

#include "analysis/features.h"
#include "analysis/row_sample.h"

/* Stencils may alternate: a run is one of rows that have the stencil of the row so many before them, at most. */
#define SPRY_STENCIL_PERIODS 3
/* Entries of a row that its key is made from, at most. */
#define SPRY_STENCIL_ENTRIES 512

/* What rows have in common, from the keys and lengths of the rows of the sample, in their order. */
struct spry_alike spry_count_alike(int64_t rows, const uint64_t *key, const int64_t *length);

/* Look at the sample of a matrix on the host: at the offsets of its rows, and, after that, at their values too. */
void spry_look_at_shapes(const spry_matrix *csr, struct spry_features *features);
void spry_look_at_stencils(const spry_matrix *csr, struct spry_features *features);

#endif
