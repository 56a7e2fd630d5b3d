/* SPDX-License-Identifier: BSD-3-Clause */
/* How many blocks of a size the entries of a CSR matrix lie in. Its rows are sorted; where a caller's are not, the counts mean
   nothing. The same code runs on every backend. */
#ifndef SPRY_BLOCKS_H
#define SPRY_BLOCKS_H

#include "analysis/features.h"
#include "analysis/rows.h"
#include "core/bits.h"

/* ---- a sample ---- */

/* Entries of so many windows are looked at, one behind the other, or all that there are: in each window one of those that have an entry
   beside them in their row, and one of those that have none, with the blocks of each size that it lies in. It stands for all of its
   kind in the window, and an entry of a block with n entries for 1/n blocks: a few that lie apart can make most blocks. */
#define SPRY_BLOCK_WINDOWS 48
#define SPRY_BLOCK_WINDOW 16
#define SPRY_BLOCK_KINDS 2

/* Blocks that an entry lies in reach so many rows and columns away from it, and no further. */
#define SPRY_BLOCK_REACH (SPRY_BLOCK_MOST - 1)
#define SPRY_BLOCK_AROUND (2 * SPRY_BLOCK_REACH + 1)

SPRY_HOST_AND_DEVICE int spry_block_number(int64_t height, int64_t width) {
    return (int)((height - 1) * SPRY_BLOCK_MOST + width - 1);
}

SPRY_HOST_AND_DEVICE int64_t spry_block_windows(const struct spry_rows *a) {
    return a->entries < SPRY_BLOCK_WINDOWS ? a->entries : SPRY_BLOCK_WINDOWS;
}

/* Entries that follow each other, through rows. */
struct spry_block_window {
    int64_t begin;
    int length;
};

SPRY_HOST_AND_DEVICE struct spry_block_window spry_block_window_of(const struct spry_rows *a, int64_t w) {
    const int64_t windows = spry_block_windows(a), share = a->entries / windows,
                  length = share < SPRY_BLOCK_WINDOW ? share : SPRY_BLOCK_WINDOW;
    const struct spry_block_window window = {
        spry_window_in_share(w, share, length) + a->entries % windows * w / windows, (int)length};
    return window;
}

/* How many columns an entry of a row is away from the nearer one of those before and behind it: 1 from a neighbour, 0 where it occurs
   twice. */
SPRY_HOST_AND_DEVICE int64_t spry_nearest_column(const struct spry_rows *a, int64_t row, int64_t entry) {
    const int64_t column = spry_column_of(a, entry);
    int64_t nearest = INT64_MAX;
    if (entry > spry_row_begin(a, row))
        nearest = column - spry_column_of(a, entry - 1);
    if (entry + 1 < spry_row_begin(a, row + 1)) {
        const int64_t behind = spry_column_of(a, entry + 1) - column;
        nearest = behind < nearest ? behind : nearest;
    }
    return nearest;
}

/* Those of a window that are of kind k, a bit each, of which `beside` says which have an entry beside them. */
SPRY_HOST_AND_DEVICE unsigned spry_of_kind(const struct spry_block_window *window, unsigned beside, int k) {
    const unsigned all = (1u << window->length) - 1;
    return k == 0 ? beside & all : ~beside & all;
}

/* Which one of those of a kind, a bit each, is looked at in window w, the same on every backend, and how many there are: none at all
   perhaps. */
struct spry_block_choice {
    int place, weight;
};

SPRY_HOST_AND_DEVICE struct spry_block_choice spry_block_chosen(int64_t w, unsigned kind) {
    struct spry_block_choice choice = {0, count_bits(kind)};
    for (int n = choice.weight > 0 ? (int)(spry_hash(w) % (uint64_t)choice.weight) : 0; n > 0; n--)
        kind &= kind - 1;
    for (; kind > 0 && !(kind & 1); kind >>= 1)
        choice.place++;
    return choice;
}

/* An entry. */
struct spry_block_sample {
    int64_t row, column;
    int weight;       /* entries of its window that it stands for, itself among them */
    bool is_repeated; /* occurs twice: it takes a block more then, and is taken to be alone */
};

SPRY_HOST_AND_DEVICE struct spry_block_sample spry_block_sampled(const struct spry_rows *a, int64_t row,
                                                                 int64_t entry, int weight) {
    const struct spry_block_sample sample = {row, spry_column_of(a, entry), weight,
                                             spry_nearest_column(a, row, entry) == 0};
    return sample;
}

/* The first entry of a row that lies in a column or behind it. */
SPRY_HOST_AND_DEVICE int64_t spry_entry_from(const struct spry_rows *a, int64_t row, int64_t column) {
    int64_t k = spry_row_begin(a, row);
    for (int64_t left = spry_row_begin(a, row + 1) - k; left > 0;) {
        const int64_t half = left / 2;
        const bool is_before = spry_column_of(a, k + half) < column;
        k += is_before ? half + 1 : 0;
        left = is_before ? left - half - 1 : half;
    }
    return k;
}

/* The entries around a sample in a row SPRY_BLOCK_REACH - r above it, a bit for each column, that of its own column in the middle. */
SPRY_HOST_AND_DEVICE unsigned spry_row_around(const struct spry_rows *a,
                                              const struct spry_block_sample *sample, int r) {
    const int64_t row = sample->row - SPRY_BLOCK_REACH + r, first = sample->column - SPRY_BLOCK_REACH;
    if (r == SPRY_BLOCK_REACH && sample->is_repeated)
        return 1u << SPRY_BLOCK_REACH;
    if (row < 0 || row >= a->count || sample->is_repeated)
        return 0;
    const int64_t from = spry_entry_from(a, row, first), end = spry_row_begin(a, row + 1);
    unsigned bits = 0;
    for (int64_t k = from; k < end && k < from + SPRY_BLOCK_AROUND; k++) {
        const int64_t place = spry_column_of(a, k) - first;
        if (place >= 0 && place < SPRY_BLOCK_AROUND)
            bits |= 1u << place;
#ifndef __CUDA_ARCH__ /* where loads do not wait for each other */
        else
            break;
#endif
    }
    return bits;
}

/* Whether no entry is beside the sample, above it or below it: who else is in its blocks is not worth a look then. */
SPRY_HOST_AND_DEVICE bool spry_is_alone(const uint16_t *around) {
    const unsigned own = 1u << SPRY_BLOCK_REACH, beside = own << 1 | own >> 1;
    return !(around[SPRY_BLOCK_REACH] & beside) &&
           !((around[SPRY_BLOCK_REACH - 1] | around[SPRY_BLOCK_REACH + 1]) & own);
}

/* What an entry saves if it is in a block with so many, in units of 1/SPRY_BLOCK_UNIT block. Of rows that are not sorted it may not be
   found itself. */
SPRY_HOST_AND_DEVICE int spry_block_saving(int entries) {
    return entries > 0 ? SPRY_BLOCK_UNIT - SPRY_BLOCK_UNIT / entries : 0;
}

/* Count the blocks of the sample on the host. */
void spry_look_at_blocks(const spry_matrix *csr, struct spry_block_counts *counts);

#endif
