/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/diagonals.h"

#include "core/integers.h"

/* The rows of a window side by side: where the entries lie that are left of each, and the offset of the next one. */
struct band {
    const spry_matrix *csr;
    int64_t first, next[SPRY_STENCIL_WINDOW], end[SPRY_STENCIL_WINDOW], offset[SPRY_STENCIL_WINDOW];
    int rows;
    int64_t all, longest; /* entries of all rows, and of the longest */
};

static void find_offset(struct band *band, int r) {
    const spry_matrix *csr = band->csr;
    band->offset[r] = band->next[r] < band->end[r]
                          ? load_integer(csr->csr.idx, spry_index_size(csr->index), band->next[r]) -
                                csr->csr.base - (band->first + r)
                          : INT64_MAX;
}

static struct band band_at(const spry_matrix *csr, int64_t first, int rows) {
    const size_t size = spry_pointer_size(csr->index);
    struct band band = {.csr = csr, .first = first, .rows = rows};
    for (int r = 0; r < SPRY_STENCIL_WINDOW; r++) {
        band.next[r] = r < rows ? load_integer(csr->csr.ptr, size, first + r) - csr->csr.base : 0;
        band.end[r] = r < rows ? load_integer(csr->csr.ptr, size, first + r + 1) - csr->csr.base : 0;
        const int64_t length = band.end[r] - band.next[r],
                      some = length < SPRY_DIAGONAL_ENTRIES ? length : SPRY_DIAGONAL_ENTRIES;
        band.end[r] = band.next[r] + some;
        band.all += length;
        band.longest = length > band.longest ? length : band.longest;
        find_offset(&band, r);
    }
    return band;
}

/* Pass by the next diagonal. Gives how many rows have an entry on it; 0: there is none. */
static int64_t pass_diagonal(struct band *band) {
    int64_t least = INT64_MAX, count = 0;
    for (int r = 0; r < SPRY_STENCIL_WINDOW; r++)
        least = band->offset[r] < least ? band->offset[r] : least;
    if (least == INT64_MAX)
        return 0;
    for (int r = 0; r < band->rows; r++)
        if (band->offset[r] == least) {
            count++;
            band->next[r]++;
            find_offset(band, r);
        }
    return count;
}

/* How many diagonals the rows lie on, and how many of those all of them do. Where they are many more than entries a row, the others are
   taken to be like those that were passed. */
static void count_window(struct band *band, struct spry_diagonal_count *count) {
    int64_t passed = 0, diagonals = 0, full = 0, rows;
    bool many = false;
    while (!many && (rows = pass_diagonal(band)) > 0) {
        passed += rows;
        diagonals++;
        full += rows == SPRY_STENCIL_WINDOW;
        many = spry_diagonals_are_many(diagonals, passed, band->longest);
    }
    count->entries += band->all;
    count->diagonals += many ? spry_diagonals_alike(diagonals, passed, band->all)
                             : spry_diagonals_scaled(diagonals, band->longest);
    count->full += many ? 0 : spry_diagonals_scaled(full, band->longest);
}

void spry_look_at_diagonals(const spry_matrix *csr, struct spry_diagonal_count *count) {
    const struct spry_stencil_windows windows = spry_stencil_windows_of(csr->rows);
    const int64_t rows = spry_stencil_sample_rows(windows, csr->rows);
    for (int64_t s = 0; s < rows; s += SPRY_STENCIL_WINDOW) {
        const int64_t left = rows - s;
        struct band band = band_at(csr, spry_stencil_sampled(windows, s),
                                   (int)(left < SPRY_STENCIL_WINDOW ? left : SPRY_STENCIL_WINDOW));
        count_window(&band, count);
    }
}

/* As many for each entry as in the sample; rows longer than any of it are taken to lie apart from all others. */
struct spry_diagonal_estimate spry_expected_diagonals(const struct spry_features *features) {
    const struct spry_diagonal_count *count = &features->diagonals;
    const double all = (double)features->nnz, looked_at = (double)count->entries,
                 longer = spry_entries_of_longer(features, features->shapes.longest),
                 rare = longer < all ? longer : all;
    if (count->entries == 0)
        return (struct spry_diagonal_estimate){all, 0};
    return (struct spry_diagonal_estimate){rare + (all - rare) * (double)count->diagonals / looked_at,
                                           (all - rare) * (double)count->full / looked_at};
}
