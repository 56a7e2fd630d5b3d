/* SPDX-License-Identifier: BSD-3-Clause */
/* How many blocks of a size the entries of a CSR matrix lie in. Its rows are sorted; where a caller's are not, the counts mean
   nothing. The same code runs on every backend. */
#ifndef SPRY_BLOCKS_H
#define SPRY_BLOCKS_H

#include "analysis/features.h"
#include "analysis/rows.h"

/* ---- a sample ---- */

/* So many entries are looked at, or all, each with the blocks of each size that it lies in: an entry of a block with n entries stands
   for 1/n blocks. */
#define SPRY_BLOCK_SAMPLES 48

/* Blocks that an entry lies in reach so many rows and columns away from it, and no further. */
#define SPRY_BLOCK_REACH (SPRY_BLOCK_MOST - 1)
#define SPRY_BLOCK_AROUND (2 * SPRY_BLOCK_REACH + 1)

SPRY_HOST_AND_DEVICE int spry_block_number(int64_t height, int64_t width) {
    return (int)((height - 1) * SPRY_BLOCK_MOST + width - 1);
}

SPRY_HOST_AND_DEVICE int64_t spry_block_samples(const struct spry_rows *a) {
    return a->entries < SPRY_BLOCK_SAMPLES ? a->entries : SPRY_BLOCK_SAMPLES;
}

/* An entry. */
struct spry_block_sample {
    int64_t row, column;
    bool is_repeated; /* occurs twice: it takes a block more then, and is taken to be alone */
};

/* Number s: an entry of those that it stands for. */
SPRY_HOST_AND_DEVICE struct spry_block_sample spry_block_sampled(const struct spry_rows *a, int64_t s) {
    const int64_t samples = spry_block_samples(a), share = a->entries / samples,
                  entry = spry_window_in_share(s, share, 1) + a->entries % samples * s / samples,
                  row = spry_row_of(a, entry), column = spry_column_of(a, entry);
    const bool is_repeated =
        (entry > spry_row_begin(a, row) && spry_column_of(a, entry - 1) == column) ||
        (entry + 1 < spry_row_begin(a, row + 1) && spry_column_of(a, entry + 1) == column);
    const struct spry_block_sample sample = {row, column, is_repeated};
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
