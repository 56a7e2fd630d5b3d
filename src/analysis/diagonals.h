/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many diagonals the rows of a slice lie on: the windows of the sample of rows are looked at as if they were slices. Offsets
 * are counted in a table of buckets, and how many there are follows from how many buckets are left empty: linear counting (Whang,
 * Vander-Zanden and Taylor, "A linear-time probabilistic counting algorithm for database applications", ACM TODS 15, 1990). Where
 * rows are long, one offset in some is counted, in whichever row it comes: rows that lie within each other have few diagonals,
 * though they begin on different ones.
 */
#ifndef SPRY_DIAGONALS_H
#define SPRY_DIAGONALS_H

#include "analysis/row_sample.h"
#include "analysis/work.h"

/* Entries of a row that are looked at, at most: those of a window are counted in 16 bits. */
#define SPRY_DIAGONAL_ENTRIES 1024
#define SPRY_DIAGONAL_BITS 13
#define SPRY_DIAGONAL_BUCKETS (1 << SPRY_DIAGONAL_BITS)
/* Entries of a window that are counted, about, at most: few beside the buckets, as neighbours do not meet in one by chance, which is
   what the count of the empty ones takes them to do. */
#define SPRY_DIAGONAL_COUNTED (SPRY_DIAGONAL_BUCKETS / 4)

/* How many of a row's entries are. */
SPRY_HOST_AND_DEVICE int64_t spry_diagonal_entries(int64_t length) {
    return length < SPRY_DIAGONAL_ENTRIES ? length : SPRY_DIAGONAL_ENTRIES;
}

/* One offset in 2^thinning is counted. */
SPRY_HOST_AND_DEVICE int spry_diagonal_thinning(int64_t looked_at) {
    int thinning = 0;
    while (looked_at >> thinning > SPRY_DIAGONAL_COUNTED)
        thinning++;
    return thinning;
}

/* The bucket of an offset, which is counted where there is that one. By multiplication with the golden ratio's fraction, which keeps
   neighbours apart (Knuth, The Art of Computer Programming 3, 6.4). */
SPRY_HOST_AND_DEVICE unsigned spry_diagonal_bucket(int64_t offset, int thinning) {
    return (unsigned)((uint64_t)offset * UINT64_C(0x9e3779b97f4a7c15) >>
                      (64 - SPRY_DIAGONAL_BITS - thinning));
}

/* Of a window of rows. */
struct spry_diagonal_window {
    int64_t all;       /* entries of its rows */
    int64_t longest;   /* entries of its longest row */
    int64_t looked_at; /* entries whose offsets were looked at, and counted as one in 2^thinning of them is */
    int64_t buckets;   /* that have any of these */
    int64_t full;      /* buckets that have as many as a window has rows */
};

/* Offsets that so many buckets are for: -m ln(1 - b/m) of m, by the first terms of its series, which come out the same everywhere. */
SPRY_HOST_AND_DEVICE int64_t spry_diagonals_counted(int64_t buckets) {
    const int64_t m = SPRY_DIAGONAL_BUCKETS, b = buckets;
    return b + b * b / (2 * m) + b * b * b / (3 * m * m) + b * b * b * b / (4 * m * m * m);
}

/* What the window counts for. Rows go on as they begin, as far as they were not looked at; each entry of the longest is on a diagonal
   of its own. */
SPRY_HOST_AND_DEVICE struct spry_diagonal_count spry_diagonals_of_window(struct spry_diagonal_window window) {
    const double thinned = (double)(1 << spry_diagonal_thinning(window.looked_at)),
                 scale = window.looked_at > 0 ? thinned * (double)window.all / (double)window.looked_at : 0;
    struct spry_diagonal_count count;
    count.entries = window.all;
    count.diagonals = (int64_t)(scale * (double)spry_diagonals_counted(window.buckets));
    count.diagonals = count.diagonals > window.longest ? count.diagonals : window.longest;
    count.full = (int64_t)(scale * (double)window.full);
    return count;
}

/* Look at the sample of a matrix on the host. */
void spry_look_at_diagonals(const spry_matrix *csr, struct spry_diagonal_count *count);

/* Of all slices of a matrix. */
struct spry_diagonal_estimate {
    double diagonals, full;
};

struct spry_diagonal_estimate spry_expected_diagonals(const struct spry_features *features);

#endif
