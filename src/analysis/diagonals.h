/* SPDX-License-Identifier: BSD-3-Clause */
/* How many diagonals the rows of a slice lie on: the windows of the sample of stencils are looked at as if they were slices, on every
   backend the same ones. */
#ifndef SPRY_DIAGONALS_H
#define SPRY_DIAGONALS_H

#include "analysis/stencils.h"
#include "analysis/work.h"

/* Entries of a row that are looked at, at most. */
#define SPRY_DIAGONAL_ENTRIES 64
/* Slots for an entry from which on it matters little how many: no look goes on. */
#define SPRY_DIAGONAL_FILL 4

/* Whether so many diagonals of a window, with so many entries, say enough: that there is far more padding than entries. The first
   diagonals of a window may be those of few rows, so it is half of those of its longest row before they do. */
SPRY_HOST_AND_DEVICE bool spry_diagonals_are_many(int64_t diagonals, int64_t entries, int64_t longest) {
    const int64_t some = longest < SPRY_DIAGONAL_ENTRIES ? longest : SPRY_DIAGONAL_ENTRIES;
    return diagonals > 8 + some / 2 && diagonals * SPRY_STENCIL_WINDOW > SPRY_DIAGONAL_FILL * entries;
}

/* Of diagonals that so many were found of, with the first entries of rows, those of whole rows: in proportion to the longest, as each of
   its entries is on another one. */
SPRY_HOST_AND_DEVICE int64_t spry_diagonals_scaled(int64_t found, int64_t longest) {
    return longest > SPRY_DIAGONAL_ENTRIES
               ? (int64_t)((double)found * (double)longest / SPRY_DIAGONAL_ENTRIES)
               : found;
}

/* The same of those that so many entries of `all` were found on, by entries. */
SPRY_HOST_AND_DEVICE int64_t spry_diagonals_alike(int64_t found, int64_t entries, int64_t all) {
    return (int64_t)((double)found * (double)all / (double)entries);
}

/* Look at the sample of a matrix on the host. */
void spry_look_at_diagonals(const spry_matrix *csr, struct spry_diagonal_count *count);

/* Of all slices of a matrix. */
struct spry_diagonal_estimate {
    double diagonals, full;
};

struct spry_diagonal_estimate spry_expected_diagonals(const struct spry_features *features);

#endif
