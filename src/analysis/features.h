/* SPDX-License-Identifier: BSD-3-Clause */
/* All that one look at a CSR matrix gives: how long its rows are, how they follow each other, and, of a few of its
   entries, where they lie. Everything that is counted is a whole number, so it is the same in whatever order threads
   and blocks add up. */
#ifndef SPRY_FEATURES_H
#define SPRY_FEATURES_H

#include "analysis/bins.h"
#include "analysis/strata.h"
#include "core/internal.h"

/* Rows that are processed side by side: by the lanes of a vector register, and by those of a warp. */
#define SPRY_FEATURES_EIGHT 8
#define SPRY_FEATURES_SIXTEEN 16
#define SPRY_FEATURES_WARP 32

/* Lanes of a GPU that share a row, each with so many entries at a time, go through a loop; the numbers of them that rounds
   are counted for: 2, 4, 8, 16, 32, 128, 512. */
#define SPRY_ROUND_ENTRIES 4
#define SPRY_ROUND_CHOICES 7

/* A sample is at most so many windows of at most so many entries each, and one in so many of the nonzeros: to look at
   one takes about five times as long as to multiply it, so the sample takes a third of a product. */
#define SPRY_SAMPLE_WINDOWS 256
#define SPRY_SAMPLE_WINDOW 32
#define SPRY_SAMPLE_SHARE 16
/* Columns that are taken for one cache line of x, whatever the type of its values: 64 bytes of doubles. */
#define SPRY_LINE_COLUMNS 8
#define SPRY_NO_LINE UINT64_MAX

/* Of a sample of rows: how many kinds of them there are, and how kinds come back. */
struct spry_alike {
    int64_t sampled; /* entries of the sample's rows */
    int64_t longest; /* entries of its longest row */
    int64_t kinds;   /* different rows */
    int64_t entries; /* of one row of each kind */
    int64_t once;    /* kinds seen once */
    int64_t single;  /* entries of these */
    int64_t period;  /* 1 to SPRY_STENCIL_PERIODS: a row is compared with the row so many before it */
    int64_t breaks;  /* rows that differ from that one */
    int64_t broken;  /* entries of these */
};

/* Rows or columns of a block, at most: a mask of its places has 64 bits. */
#define SPRY_BLOCK_MOST 8
#define SPRY_BLOCK_SIZES (SPRY_BLOCK_MOST * SPRY_BLOCK_MOST)
#define SPRY_BLOCK_UNIT 65536

/* Of the entries of a sample, and one size of blocks: how many fewer blocks they lie in than they are, in units of
   1/SPRY_BLOCK_UNIT block, and how many lie in blocks without padding. */
struct spry_block_count {
    int64_t saved, full;
};

/* How many entries a sample has; and each size by its number: see analysis/blocks.h. */
struct spry_block_counts {
    int64_t entries;
    struct spry_block_count of[SPRY_BLOCK_SIZES];
};

/* Of windows of rows, taken for slices of DIA, all of them together. */
struct spry_diagonal_count {
    int64_t entries;   /* of their rows */
    int64_t diagonals; /* that those of each window lie on */
    int64_t full;      /* diagonals that all rows of the window have an entry on */
};

/* Of a sample of values. */
struct spry_values_seen {
    int64_t sampled; /* values of the sample */
    int64_t kinds;   /* different ones */
    int64_t once;    /* values that it has once */
    int64_t twice;   /* and twice */
    unsigned kept;   /* or of 1 << spry_value_code: codes without a table that keep all of them */
};

struct spry_features {
    int64_t rows, cols, nnz;
    int64_t shortest, longest;
    int64_t changes; /* rows not as long as the one before: where a branch predictor has something to learn */
    double squares;  /* of the differences from the mean length, added up */
    int64_t largest_share; /* most entries in one of `parts` runs of equally many rows */
    int parts;             /* threads of the context, or multiprocessors of its device */

    int64_t by_row[SPRY_LENGTH_COUNTERS];   /* how many rows have a length */
    int64_t by_eight[SPRY_LENGTH_COUNTERS]; /* the same of the longest of each 8 rows in order */
    int64_t by_warp[SPRY_LENGTH_COUNTERS];  /* and of each 32 */

    /* On a GPU: how often its warps would go through that loop, for each number of lanes, all of them together. A warp goes
       as often as the longest of its rows asks for. On the CPU zero. */
    int64_t rounds[SPRY_ROUND_CHOICES];
    /* Of a sample of windows whose rows are sorted by length; lengths count as the least of their bin. */
    int64_t window_longest; /* entries of the longest row of all windows */
    int64_t window_entries; /* entries of the windows */
    int64_t sorted_eight;   /* slots, when each 8 rows are padded to their longest */
    int64_t sorted_sixteen; /* the same of each 16 */
    int64_t sorted_warp;    /* and of each 32 */
    int64_t spread; /* columns from the first to the last that such a window has, at most; on a GPU all */
    struct spry_block_counts blocks;

    int64_t alike_rows;         /* rows of the sample that the next three are of */
    struct spry_alike stencils; /* rows are of a kind that have the same offsets and values */
    struct spry_alike shapes;   /* that have the same offsets */
    struct spry_diagonal_count diagonals;
    /* Of another sample, of values; nothing where the matrix has them in a code, or has none. */
    struct spry_values_seen values;

    /* Of a sample of entries. The diagonal goes from corner to corner. */
    int64_t sampled; /* entries of it */
    int64_t lines;   /* entries in another line of x than the entry before, or first in their row */
    double distance; /* columns between entries and the diagonal: a whole number */
};

/* Look at a CSR matrix that lies where the context works, in one pass over its row pointers; narrow columns are decoded
   first. SPRY_ERROR_MEMORY, or on a device SPRY_ERROR_DEVICE. */
spry_status spry_analyse(spry_context *context, const spry_matrix *csr, struct spry_features *features);

/* What the matrix has of it from when it was made, where that serves the context too; or else looked at now, in *space. What rests
   on values, stencils among it, is that of the values then: they may be others by now. */
spry_status spry_features_of(spry_context *context, const spry_matrix *csr, struct spry_features *space,
                             const struct spry_features **features);

/* The same with what rests on values as they are now. */
spry_status spry_features_now(spry_context *context, const spry_matrix *csr, struct spry_features *features);

/* What it says of the matrix, with quartiles to an eighth where rows are long. */
void spry_statistics_of(const struct spry_features *features, spry_statistics *statistics);

/* ---- rounds of a GPU ---- */

SPRY_CONSTANT int spry_round_lanes(int choice) {
    return choice < 5 ? 2 << choice : 128 << 2 * (choice - 5);
}

/* The choice that is this number of lanes. */
SPRY_CONSTANT int spry_round_choice(int lanes) {
    int choice = 0;
    while (spry_round_lanes(choice) < lanes)
        choice++;
    return choice;
}

/* Times through the loop for a row. */
SPRY_HOST_AND_DEVICE int64_t spry_rounds_of(int64_t length, int lanes) {
    return (length + SPRY_ROUND_ENTRIES * lanes - 1) / (SPRY_ROUND_ENTRIES * lanes);
}

/* ---- what both backends do alike ---- */

/* The whole number nearest to the mean length. Differences from it are whole numbers too, and their squares add up
   without rounding as long as a double holds the sum. */
static inline int64_t spry_rounded_mean(const spry_matrix *csr) {
    return csr->nnz / csr->rows + (csr->nnz % csr->rows > csr->rows / 2);
}

/* Rows in a run, when they are dealt out in so many. */
static inline int64_t spry_features_run(int64_t rows, int parts) {
    return spry_cover(rows, parts);
}

/* Windows of entries, one in each of as many shares of all. */
struct spry_sample {
    int64_t windows, length, share;
    double slope; /* columns a row, along the diagonal */
};

static inline struct spry_sample spry_sample_of(const spry_matrix *csr) {
    const int64_t most = SPRY_SAMPLE_WINDOWS * SPRY_SAMPLE_WINDOW, few = csr->nnz / SPRY_SAMPLE_SHARE;
    const int64_t entries = few < most ? few : most;
    struct spry_sample sample = {.slope = (double)csr->cols / (double)csr->rows};
    if (entries == 0)
        return sample;
    sample.windows = spry_cover(entries, SPRY_SAMPLE_WINDOW);
    sample.length = entries / sample.windows;
    sample.share = csr->nnz / sample.windows;
    return sample;
}

/* The first entry of a window. */
SPRY_HOST_AND_DEVICE int64_t spry_sample_begin(struct spry_sample sample, int64_t window) {
    return spry_window_in_share(window, sample.share, sample.length);
}

/* The column in which the diagonal crosses a row. */
SPRY_HOST_AND_DEVICE int64_t spry_sample_diagonal(struct spry_sample sample, int64_t row) {
    return (int64_t)((double)row * sample.slope);
}

/* The line of x that a column's value lies in. */
SPRY_HOST_AND_DEVICE uint64_t spry_line_of(int64_t column) {
    return (uint64_t)column / SPRY_LINE_COLUMNS;
}

#endif
