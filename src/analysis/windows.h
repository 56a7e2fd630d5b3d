/* SPDX-License-Identifier: BSD-3-Clause */
/* What sorting rows by length within windows saves: a few windows are looked at, on every backend the same ones. */
#ifndef SPRY_WINDOWS_H
#define SPRY_WINDOWS_H

#include "analysis/features.h"

/* Rows of a window, and how many windows are looked at: one in eight, but all where there are few. */
#define SPRY_WINDOW_ROWS 512
#define SPRY_WINDOWS_SHARE 8
#define SPRY_WINDOWS_LEAST 8
#define SPRY_WINDOWS_MOST 64

static inline struct spry_windows spry_windows_of(int64_t rows) {
    return spry_windows_in(rows, SPRY_WINDOW_ROWS, SPRY_WINDOWS_SHARE, SPRY_WINDOWS_LEAST, SPRY_WINDOWS_MOST);
}

/* The first row of a window. */
SPRY_HOST_AND_DEVICE int64_t spry_window_begin(struct spry_windows windows, int64_t w) {
    return spry_window_in_share(w, windows.share, SPRY_WINDOW_ROWS);
}

/* What a window adds to the sums of the features. */
struct spry_window_sums {
    int64_t longest, entries, eight, sixteen, warp;
};

/* Slots of groups of so many rows whose first one has a rank from `begin` to `end` - 1. */
SPRY_HOST_AND_DEVICE int64_t spry_groups_begun(int64_t begin, int64_t end, int64_t lanes) {
    return ((end + lanes - 1) / lanes - (begin + lanes - 1) / lanes) * lanes;
}

/* Given how many of its rows have a length of each bin: the longest come first. */
SPRY_HOST_AND_DEVICE struct spry_window_sums spry_sum_window(const int32_t *count) {
    struct spry_window_sums sums = {0, 0, 0, 0, 0};
    int64_t rank = 0;
    for (int bin = SPRY_LENGTH_COUNTERS - 1; bin > 0; bin--) {
        int64_t rows = count[bin], least = rows > 0 ? spry_bin_least(bin) : 0;
        sums.longest = rank == 0 ? least : sums.longest;
        sums.entries += rows * least;
        sums.eight += spry_groups_begun(rank, rank + rows, SPRY_FEATURES_EIGHT) * least;
        sums.sixteen += spry_groups_begun(rank, rank + rows, SPRY_FEATURES_SIXTEEN) * least;
        sums.warp += spry_groups_begun(rank, rank + rows, SPRY_FEATURES_WARP) * least;
        rank += rows;
    }
    return sums;
}

/* Look at the windows of a matrix on the host, and add what they have to the features, where it is zero before. */
void spry_look_at_windows(const spry_matrix *csr, struct spry_features *features);

#endif
