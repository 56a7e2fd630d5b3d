/* SPDX-License-Identifier: BSD-3-Clause */
/* How many blocks of a size the entries of a CSR matrix lie in. Its rows are sorted; where a caller's are not, the counts mean
   nothing. The same code runs on every backend. */
#ifndef SPRY_BLOCKS_H
#define SPRY_BLOCKS_H

#include "analysis/features.h"
#include "core/integers.h"

/* Rows or columns of a block, at most: a mask of its places has 64 bits. */
#define SPRY_BLOCK_MOST 8

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

/* The band that begins with row `first`. */
SPRY_HOST_AND_DEVICE struct spry_band spry_band_at(const struct spry_rows *a, int64_t first, int height) {
    struct spry_band band;
    band.rows = (int)(a->count - first < height ? a->count - first : height);
    for (int r = 0; r < band.rows; r++) {
        band.next[r] = spry_row_begin(a, first + r);
        band.end[r] = spry_row_begin(a, first + r + 1);
    }
    return band;
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

/* Pass by the entries in a column of blocks. Gives how many blocks they take: as many as the most frequent of them. */
SPRY_HOST_AND_DEVICE int64_t spry_pass_blocks(const struct spry_rows *a, struct spry_band *band,
                                              int64_t column, int width) {
    const int64_t limit = (column + 1) * width;
    int64_t most = 1;
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
        band->next[r] = k;
    }
    return most;
}

/* Blocks of a band. */
SPRY_HOST_AND_DEVICE int64_t spry_band_blocks(const struct spry_rows *a, struct spry_band *band, int width) {
    int64_t count = 0, column;
    while ((column = spry_next_blocks(a, band, width)) >= 0)
        count += spry_pass_blocks(a, band, column, width);
    return count;
}

/* ---- a sample ---- */

/* Of one row in so many, one entry is looked at, with the blocks of each size that it lies in: an entry of a block with n entries
   stands for 1/n blocks. */
#define SPRY_BLOCK_SHARE 128
#define SPRY_BLOCK_SAMPLES_LEAST 48
#define SPRY_BLOCK_SAMPLES_MOST 128
/* Entries of a row count as so many at most, so that sums do not overflow. */
#define SPRY_BLOCK_WEIGHT_MOST (1 << 20)

/* Squares of 2 to SPRY_BLOCK_MOST rows are counted. */
SPRY_HOST_AND_DEVICE int spry_block_side(int choice) {
    return choice + 2;
}

/* How many rows of so many are looked at; all of them where there are few. */
SPRY_HOST_AND_DEVICE int64_t spry_block_samples(int64_t rows) {
    int64_t some = rows / SPRY_BLOCK_SHARE;
    some = some < SPRY_BLOCK_SAMPLES_LEAST ? SPRY_BLOCK_SAMPLES_LEAST : some;
    some = some < SPRY_BLOCK_SAMPLES_MOST ? some : SPRY_BLOCK_SAMPLES_MOST;
    return rows < some ? rows : some;
}

/* An entry of the sample, in row `row`, whose entries are begin … end - 1. It is alone if no entry is in the column before it or after
   it, and taken to be if it occurs twice, as it takes a block more then. */
struct spry_block_sample {
    int64_t row, begin, end, entry, column;
    bool is_alone;
};

/* Number s: a row of those that it stands for, and an entry of that, both by a fixed hash, so that no period of the matrix agrees
   with them. The row may have no entry. */
SPRY_HOST_AND_DEVICE struct spry_block_sample spry_block_sampled(const struct spry_rows *a, int64_t s) {
    const int64_t samples = spry_block_samples(a->count), share = a->count / samples;
    const uint64_t mixed = (uint64_t)(s + 1) * UINT64_C(0x9e3779b97f4a7c15);
    struct spry_block_sample sample = {0, 0, 0, 0, 0, true};
    sample.row = share * s + a->count % samples * s / samples + (int64_t)(mixed >> 40) % share;
    sample.begin = spry_row_begin(a, sample.row);
    sample.end = spry_row_begin(a, sample.row + 1);
    if (sample.begin == sample.end)
        return sample;
    sample.entry = sample.begin + (int64_t)(mixed >> 8 & UINT32_MAX) % (sample.end - sample.begin);
    sample.column = spry_column_of(a, sample.entry);
    const int64_t before =
                      sample.entry > sample.begin ? sample.column - spry_column_of(a, sample.entry - 1) : 2,
                  after =
                      sample.entry + 1 < sample.end ? spry_column_of(a, sample.entry + 1) - sample.column : 2;
    sample.is_alone = (before != 1 && after != 1) || before == 0 || after == 0;
    return sample;
}

/* Entries of the sample's row in the columns `first` … `first` + side - 1, at most `side`. */
SPRY_HOST_AND_DEVICE int spry_sample_own(const struct spry_rows *a, const struct spry_block_sample *sample,
                                         int64_t first, int side) {
    int count = 1;
    for (int64_t k = sample->entry - 1; k >= sample->begin && count < side; k--, count++)
        if (spry_column_of(a, k) < first)
            break;
    for (int64_t k = sample->entry + 1; k < sample->end && count < side; k++, count++)
        if (spry_column_of(a, k) >= first + side)
            break;
    return count;
}

/* The same of any row, whose entries have to be found. */
SPRY_HOST_AND_DEVICE int spry_row_within(const struct spry_rows *a, int64_t row, int64_t first, int side) {
    int64_t k = spry_row_begin(a, row);
    const int64_t end = spry_row_begin(a, row + 1);
    for (int64_t left = end - k; left > 0;) {
        const int64_t half = left / 2;
        const bool is_before = spry_column_of(a, k + half) < first;
        k += is_before ? half + 1 : 0;
        left = is_before ? left - half - 1 : half;
    }
    int count = 0;
    for (; k < end && count < side && spry_column_of(a, k) < first + side; k++)
        count++;
    return count;
}

/* Entries in row r of the block of side × side that the sample lies in. Where its own row has less than half of its places, or the
   sample is alone, the block is not worth a look: the other rows are taken to be empty. */
SPRY_HOST_AND_DEVICE int spry_sample_row(const struct spry_rows *a, const struct spry_block_sample *sample,
                                         int side, int r) {
    const int64_t first = sample->column / side * side, row = sample->row / side * side + r;
    if (r >= side || row >= a->count || sample->begin == sample->end)
        return 0;
    const int own = sample->is_alone ? 1 : spry_sample_own(a, sample, first, side);
    if (row == sample->row)
        return own;
    return sample->is_alone || 2 * own < side ? 0 : spry_row_within(a, row, first, side);
}

/* What a sample stands for that lies in a block of so many entries. */
SPRY_HOST_AND_DEVICE struct spry_block_count spry_sample_counts(const struct spry_block_sample *sample,
                                                                int side, int entries) {
    int64_t weight = sample->end - sample->begin;
    weight = weight < SPRY_BLOCK_WEIGHT_MOST ? weight : SPRY_BLOCK_WEIGHT_MOST;
    struct spry_block_count count = {0, 0, weight};
    if (weight > 0) {
        count.blocks = weight * SPRY_BLOCK_UNIT / entries;
        count.full = entries == side * side ? weight : 0;
    }
    return count;
}

/* Count the blocks of the sample on the host; `count` has SPRY_BLOCK_CHOICES. */
void spry_look_at_blocks(const spry_matrix *csr, struct spry_block_count *count);

#endif
