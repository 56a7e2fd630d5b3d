/* SPDX-License-Identifier: BSD-3-Clause */
/* How many blocks of a size the entries of a CSR matrix lie in. Its rows are sorted; where a caller's are not, the counts mean
   nothing. The same code runs on every backend. */
#ifndef SPRY_BLOCKS_H
#define SPRY_BLOCKS_H

#include "analysis/features.h"
#include "core/integers.h"

/* Rows or columns of a block, at most: a mask of its places has 64 bits. */
#define SPRY_BLOCK_MOST 8

/* Rows or columns of blocks that cover so many. */
SPRY_HOST_AND_DEVICE int64_t spry_cover(int64_t n, int64_t side) {
    return n / side + (n % side > 0);
}

/* CSR with integers of so many bytes, which are constants wherever these functions end up. */
struct spry_rows {
    const void *ptr, *idx;
    size_t ptr_size, idx_size;
    int64_t count;
    int base;
};

SPRY_HOST_AND_DEVICE int64_t spry_row_begin(const struct spry_rows *a, int64_t row) {
    return load_integer(a->ptr, a->ptr_size, row) - a->base;
}

SPRY_HOST_AND_DEVICE int64_t spry_column_of(const struct spry_rows *a, int64_t entry) {
    return load_integer(a->idx, a->idx_size, entry) - a->base;
}

/* Rows that a row of blocks is made from, side by side: the entries that are left of each. */
struct spry_band {
    int64_t next[SPRY_BLOCK_MOST], end[SPRY_BLOCK_MOST];
    int rows;
};

/* The band that begins with row `first`; `most` entries of each row are looked at. */
SPRY_HOST_AND_DEVICE struct spry_band spry_band_at(const struct spry_rows *a, int64_t first, int height,
                                                   int64_t most) {
    struct spry_band band;
    band.rows = (int)(a->count - first < height ? a->count - first : height);
    for (int r = 0; r < band.rows; r++) {
        band.next[r] = spry_row_begin(a, first + r);
        band.end[r] = spry_row_begin(a, first + r + 1);
        if (band.end[r] - band.next[r] > most)
            band.end[r] = band.next[r] + most;
    }
    return band;
}

SPRY_HOST_AND_DEVICE int64_t spry_band_entries(const struct spry_band *band) {
    int64_t entries = 0;
    for (int r = 0; r < band->rows; r++)
        entries += band->end[r] - band->next[r];
    return entries;
}

/* The least column of blocks in which an entry is left, or -1. */
SPRY_HOST_AND_DEVICE int64_t spry_next_blocks(const struct spry_rows *a, const struct spry_band *band,
                                              int width) {
    int64_t least = -1;
    for (int r = 0; r < band->rows; r++) {
        const int64_t column = band->next[r] < band->end[r] ? spry_column_of(a, band->next[r]) : -1;
        least = column >= 0 && (least < 0 || column < least) ? column : least;
    }
    return least < 0 ? -1 : least / width;
}

/* Pass by the entries in a column of blocks; `passed` becomes how many. Gives how many blocks they take: as many as the most
   frequent of them. */
SPRY_HOST_AND_DEVICE int64_t spry_pass_blocks(const struct spry_rows *a, struct spry_band *band,
                                              int64_t column, int width, int64_t *passed) {
    const int64_t limit = (column + 1) * width;
    int64_t most = 1, total = 0;
    for (int r = 0; r < band->rows; r++) {
        int64_t k = band->next[r], equal = 1, before = -1;
        for (; k < band->end[r]; k++) {
            const int64_t here = spry_column_of(a, k);
            if (here >= limit)
                break;
            equal = here == before ? equal + 1 : 1;
            most = equal > most ? equal : most;
            before = here;
        }
        total += k - band->next[r];
        band->next[r] = k;
    }
    *passed = total;
    return most;
}

/* Blocks of a band; `full` becomes how many of them have no padding. */
SPRY_HOST_AND_DEVICE int64_t spry_band_blocks(const struct spry_rows *a, struct spry_band *band, int height,
                                              int width, int64_t *full) {
    int64_t count = 0, column, passed;
    *full = 0;
    while ((column = spry_next_blocks(a, band, width)) >= 0) {
        const int64_t blocks = spry_pass_blocks(a, band, column, width, &passed);
        count += blocks;
        *full += passed == blocks * height * width ? blocks : 0;
    }
    return count;
}

/* What the band that begins with row `first` has. Where not all of its entries are looked at, the others are
   taken to be like them. */
SPRY_HOST_AND_DEVICE struct spry_block_count spry_count_band(const struct spry_rows *a, int64_t first,
                                                             int height, int width, int64_t most) {
    struct spry_band band = spry_band_at(a, first, height, most);
    struct spry_block_count count = {0, 0, 0};
    const int64_t seen = spry_band_entries(&band);
    if (seen == 0)
        return count;
    count.entries = spry_row_begin(a, first + band.rows) - spry_row_begin(a, first);
    count.blocks = spry_band_blocks(a, &band, height, width, &count.full);
    if (count.entries > seen) {
        const double more = (double)count.entries / (double)seen;
        count.blocks = (int64_t)((double)count.blocks * more + 0.5);
        count.full = (int64_t)((double)count.full * more + 0.5);
    }
    return count;
}

/* ---- a sample ---- */

/* A group is so many rows, of which so many entries each are looked at, or less, so that they end with a block where blocks are
   full. One group in so many is looked at. */
#define SPRY_BLOCK_ROWS 8
#define SPRY_BLOCK_ENTRIES 24
#define SPRY_BLOCK_SHARE 64
#define SPRY_BLOCK_GROUPS_LEAST 24
#define SPRY_BLOCK_GROUPS_MOST 64

/* Squares of 2 to SPRY_BLOCK_MOST rows are counted. */
SPRY_HOST_AND_DEVICE int spry_block_side(int choice) {
    return choice + 2;
}

/* How many groups of a matrix with so many rows are looked at; all of its rows where there are few. */
SPRY_HOST_AND_DEVICE int64_t spry_block_groups(int64_t rows) {
    const int64_t all = spry_cover(rows, SPRY_BLOCK_ROWS);
    int64_t some = all / SPRY_BLOCK_SHARE;
    some = some < SPRY_BLOCK_GROUPS_LEAST ? SPRY_BLOCK_GROUPS_LEAST : some;
    some = some < SPRY_BLOCK_GROUPS_MOST ? some : SPRY_BLOCK_GROUPS_MOST;
    return all < some ? all : some;
}

/* What the bands of blocks of one size that begin in a group have. */
SPRY_HOST_AND_DEVICE struct spry_block_count spry_count_group(const struct spry_rows *a, int64_t group,
                                                              int choice) {
    const int64_t all = spry_cover(a->count, SPRY_BLOCK_ROWS), groups = spry_block_groups(a->count),
                  begin = (all / groups * group + all % groups * group / groups) * SPRY_BLOCK_ROWS,
                  end = begin + SPRY_BLOCK_ROWS < a->count ? begin + SPRY_BLOCK_ROWS : a->count;
    const int side = spry_block_side(choice);
    struct spry_block_count count = {0, 0, 0};
    for (int64_t first = spry_cover(begin, side) * side; first < end; first += side) {
        const struct spry_block_count more =
            spry_count_band(a, first, side, side, SPRY_BLOCK_ENTRIES / side * side);
        count.entries += more.entries;
        count.blocks += more.blocks;
        count.full += more.full;
    }
    return count;
}

/* Count the blocks of a sample of rows on the host; `count` has SPRY_BLOCK_CHOICES. */
void spry_look_at_blocks(const spry_matrix *csr, struct spry_block_count *count);

#endif
