/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many rows share a stencil: a few windows of rows are looked at, on every backend the same ones. What share of all rows have a
 * stencil that no other has is taken to be the share of the sample's that were seen once (Good, "The population frequencies of
 * species and the estimation of population parameters", Biometrika 40, 1953).
 */
#ifndef SPRY_STENCILS_H
#define SPRY_STENCILS_H

#include "analysis/features.h"

/* Rows of a window, how many windows at least and at most, and one in so many of the rows. */
#define SPRY_STENCIL_WINDOW 32
#define SPRY_STENCIL_WINDOWS_LEAST 8
#define SPRY_STENCIL_WINDOWS 32
#define SPRY_STENCIL_SHARE 16
#define SPRY_STENCIL_SAMPLE (SPRY_STENCIL_WINDOW * SPRY_STENCIL_WINDOWS)
/* Stencils may alternate: a run is one of rows that have the stencil of the row so many before them, at most. */
#define SPRY_STENCIL_PERIODS 3
/* Entries of a row that its key is made from, at most. */
#define SPRY_STENCIL_ENTRIES 512

static inline struct spry_windows spry_stencil_windows_of(int64_t rows) {
    return spry_windows_in(rows, SPRY_STENCIL_WINDOW, SPRY_STENCIL_SHARE, SPRY_STENCIL_WINDOWS_LEAST,
                           SPRY_STENCIL_WINDOWS);
}

/* The row of the matrix that is the sample's row s. */
SPRY_HOST_AND_DEVICE int64_t spry_stencil_sampled(struct spry_windows windows, int64_t s) {
    return spry_window_in_share(s / SPRY_STENCIL_WINDOW, windows.share, SPRY_STENCIL_WINDOW) +
           s % SPRY_STENCIL_WINDOW;
}

/* Rows that are looked at: the last window is shorter where all rows are. */
SPRY_HOST_AND_DEVICE int64_t spry_stencil_sample_rows(struct spry_windows windows, int64_t rows) {
    const int64_t all = windows.count * SPRY_STENCIL_WINDOW;
    return rows < all ? rows : all;
}

/* What rows have in common, from the keys and lengths of the rows of the sample, in their order. */
struct spry_alike spry_count_alike(int64_t rows, const uint64_t *key, const int64_t *length);

/* Look at the sample of a matrix on the host: at the offsets of its rows, and, after that, at their values too. */
void spry_look_at_shapes(const spry_matrix *csr, struct spry_features *features);
void spry_look_at_stencils(const spry_matrix *csr, struct spry_features *features);

#endif
