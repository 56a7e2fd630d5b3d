/* SPDX-License-Identifier: BSD-3-Clause */
/* The sample of rows by which stencils, shapes and diagonals are counted: a few windows of rows, on every backend the same ones. */
#ifndef SPRY_ROW_SAMPLE_H
#define SPRY_ROW_SAMPLE_H

#include "analysis/strata.h"

/* Rows of a window, how many windows at least and at most, and one in so many of the rows. */
#define SPRY_ROW_WINDOW 32
#define SPRY_ROW_WINDOWS_LEAST 8
#define SPRY_ROW_WINDOWS 32
#define SPRY_ROW_SHARE 16
#define SPRY_ROW_SAMPLE (SPRY_ROW_WINDOW * SPRY_ROW_WINDOWS)

static inline struct spry_windows spry_row_sample_of(int64_t rows) {
    return spry_windows_in(rows, SPRY_ROW_WINDOW, SPRY_ROW_SHARE, SPRY_ROW_WINDOWS_LEAST, SPRY_ROW_WINDOWS);
}

/* The row of the matrix that is the sample's row s. */
SPRY_HOST_AND_DEVICE int64_t spry_row_sampled(struct spry_windows windows, int64_t s) {
    return spry_window_in_share(s / SPRY_ROW_WINDOW, windows.share, SPRY_ROW_WINDOW) + s % SPRY_ROW_WINDOW;
}

/* Rows that are looked at: the last window is shorter where all rows are. */
SPRY_HOST_AND_DEVICE int64_t spry_row_sample_size(struct spry_windows windows, int64_t rows) {
    const int64_t all = windows.count * SPRY_ROW_WINDOW;
    return rows < all ? rows : all;
}

#endif
