/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/diagonals.h"

#include <math.h>

#include "analysis/rows.h"

/* The lengths of the rows from `first` on, which are no more than a window has. */
static struct spry_diagonal_window measure_window(const struct spry_rows *a, int64_t first, int64_t rows) {
    struct spry_diagonal_window window = {0};
    for (int64_t row = first; row < first + rows; row++) {
        const int64_t length = spry_row_length(a->ptr, a->ptr_size, row);
        window.all += length;
        window.looked_at += spry_diagonal_entries(length);
        window.longest = length > window.longest ? length : window.longest;
    }
    return window;
}

/* And their offsets. */
static struct spry_diagonal_window look_at_window(const struct spry_rows *a, int64_t first, int64_t rows) {
    struct spry_diagonal_window window = measure_window(a, first, rows);
    const int thinning = spry_diagonal_thinning(window.looked_at);
    uint16_t count[SPRY_DIAGONAL_BUCKETS] = {0};
    for (int64_t row = first; row < first + rows; row++) {
        const int64_t begin = spry_row_begin(a, row),
                      end = begin + spry_diagonal_entries(spry_row_length(a->ptr, a->ptr_size, row));
        for (int64_t k = begin; k < end; k++) {
            const unsigned bucket = spry_diagonal_bucket(spry_column_of(a, k) - row, thinning);
            if (bucket < SPRY_DIAGONAL_BUCKETS)
                count[bucket]++;
        }
    }
    for (int b = 0; b < SPRY_DIAGONAL_BUCKETS; b++) {
        window.buckets += count[b] > 0;
        window.full += count[b] >= SPRY_ROW_WINDOW;
    }
    return window;
}

void spry_look_at_diagonals(const spry_matrix *csr, struct spry_diagonal_count *count) {
    const struct spry_windows windows = spry_row_sample_of(csr->rows);
    const struct spry_rows a = spry_rows_of(csr, spry_pointer_size(csr->index), spry_index_size(csr->index));
    const int64_t rows = spry_row_sample_size(windows, csr->rows);
    for (int64_t s = 0; s < rows; s += SPRY_ROW_WINDOW) {
        const int64_t left = rows - s, some = left < SPRY_ROW_WINDOW ? left : SPRY_ROW_WINDOW;
        const struct spry_diagonal_count found =
            spry_diagonals_of_window(look_at_window(&a, spry_row_sampled(windows, s), some));
        count->entries += found.entries;
        count->diagonals += found.diagonals;
        count->full += found.full;
    }
}

/* Of rows longer than any of the sample: those of a slice lie on as many diagonals as they have entries, or on all that reach into the
   matrix. */
static double diagonals_of_longer(const struct spry_features *features, double entries, double reached) {
    const int64_t slices = spry_count_bins(features->by_warp, spry_length_bin(features->shapes.longest) + 1,
                                           SPRY_LENGTH_COUNTERS);
    return fmin(entries, (double)slices * reached);
}

/* As many for each entry as in the sample, and in no slice more than reach into the matrix. */
struct spry_diagonal_estimate spry_expected_diagonals(const struct spry_features *features) {
    const struct spry_diagonal_count *count = &features->diagonals;
    const double all = (double)features->nnz, looked_at = (double)count->entries,
                 longer = fmin(spry_entries_of_longer(features, features->shapes.longest), all),
                 reached = (double)(features->cols + SPRY_ROW_WINDOW - 1),
                 most = ceil((double)features->rows / SPRY_ROW_WINDOW) * reached;
    if (count->entries == 0)
        return (struct spry_diagonal_estimate){fmin(all, most), 0};
    const double found = diagonals_of_longer(features, longer, reached) +
                         (all - longer) * (double)count->diagonals / looked_at;
    return (struct spry_diagonal_estimate){fmin(found, most),
                                           (all - longer) * (double)count->full / looked_at};
}
