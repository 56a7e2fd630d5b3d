/* SPDX-License-Identifier: BSD-3-Clause */
/* One look at a CSR matrix on the CPU. Most rows of most matrices are as long as the one before, so eight rows are compared
   with it at once, and counted one by one only where they differ. */
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/blocks.h"
#include "analysis/diagonals.h"
#include "analysis/features.h"
#include "analysis/rank.h"
#include "analysis/rows.h"
#include "analysis/spread.h"
#include "analysis/stencils.h"
#include "analysis/values.h"
#include "analysis/windows.h"
#include "core/cover.h"
#include "core/inline.h"
#include "core/integers.h"
#include "core/split.h"
#include "core/team.h"

/* ---- rows ---- */

/* What is given the size of a pointer is compiled once for each: the size is a constant wherever it ends up. */

/* Whether eight rows are all as long as that. */
INLINE bool are_alike(const void *ptr, size_t size, int64_t first, int64_t length) {
    int64_t differing = 0;
    for (int i = 0; i < SPRY_FEATURES_EIGHT; i++)
        differing |= spry_row_length(ptr, size, first + i) ^ length;
    return differing == 0;
}

/* Squares of lengths that have a counter of their own follow from it. */
INLINE void count_rows(struct spry_features *features, int64_t mean, int64_t length, int64_t rows) {
    features->by_row[spry_length_bin(length)] += rows;
    if (length >= SPRY_LENGTH_EXACT)
        features->squares += (double)rows * (double)(length - mean) * (double)(length - mean);
}

/* Count the rows from first to last - 1, eight at most. *before is the length of the row before them, and becomes that
   of the last. Gives that of the longest. */
INLINE int64_t count_eight(struct spry_features *features, const void *ptr, size_t size, int64_t mean,
                           int64_t first, int64_t last, int64_t *before) {
    if (last - first == SPRY_FEATURES_EIGHT && are_alike(ptr, size, first, *before)) {
        count_rows(features, mean, *before, SPRY_FEATURES_EIGHT);
        return *before;
    }
    int64_t shortest = INT64_MAX, longest = 0, changes = 0;
    for (int64_t row = first; row < last; row++) {
        int64_t length = spry_row_length(ptr, size, row);
        count_rows(features, mean, length, 1);
        changes += length != *before;
        shortest = length < shortest ? length : shortest;
        longest = length > longest ? length : longest;
        *before = length;
    }
    features->changes += changes;
    features->shortest = shortest < features->shortest ? shortest : features->shortest;
    features->longest = longest > features->longest ? longest : features->longest;
    return longest;
}

/* Count the rows from first, a multiple of 32, to last - 1. */
INLINE void count_all(struct spry_features *features, const void *ptr, size_t size, int64_t mean,
                      int64_t first, int64_t last) {
    /* It may belong to another part, but is as good a row of the matrix to begin with. */
    int64_t before = spry_row_length(ptr, size, first > 0 ? first - 1 : 0);
    features->shortest = features->longest = before;
    for (int64_t warp = first; warp < last; warp += SPRY_FEATURES_WARP) {
        int64_t end = warp + SPRY_FEATURES_WARP < last ? warp + SPRY_FEATURES_WARP : last, longest = 0;
        for (int64_t eight = warp; eight < end; eight += SPRY_FEATURES_EIGHT) {
            int64_t stop = eight + SPRY_FEATURES_EIGHT < end ? eight + SPRY_FEATURES_EIGHT : end;
            int64_t length = count_eight(features, ptr, size, mean, eight, stop, &before);
            features->by_eight[spry_length_bin(length)]++;
            longest = length > longest ? length : longest;
        }
        features->by_warp[spry_length_bin(longest)]++;
    }
}

/* ---- a sample of entries ---- */

/* A window's place in the matrix: an entry, its row, and the first entry of the next. Entries are counted from 0. */
struct place {
    int64_t entry, row, next;
};

INLINE struct place place_of(const struct spry_rows *rows, int64_t entry) {
    const int64_t row = spry_row_of(rows, entry);
    return (struct place){entry, row, spry_row_begin(rows, row + 1)};
}

INLINE void look_at_window(struct spry_features *features, const spry_matrix *csr, size_t size,
                           struct spry_sample sample, int64_t window) {
    const struct spry_rows rows = spry_rows_of(csr, size, spry_index_size(csr->index));
    struct place at = place_of(&rows, spry_sample_begin(sample, window));
    int64_t end = at.entry + sample.length, lines = 0;
    int64_t diagonal = spry_sample_diagonal(sample, at.row);
    double distance = 0;
    uint64_t line_before = SPRY_NO_LINE;
    if (at.entry > spry_row_begin(&rows, at.row))
        line_before = spry_line_of(spry_column_of(&rows, at.entry - 1));
    for (; at.entry < end; at.entry++) {
        if (at.entry == at.next) {
            while (at.entry == at.next)
                at.next = spry_row_begin(&rows, ++at.row + 1);
            diagonal = spry_sample_diagonal(sample, at.row);
            line_before = SPRY_NO_LINE;
        }
        int64_t column = spry_column_of(&rows, at.entry);
        lines += spry_line_of(column) != line_before;
        line_before = spry_line_of(column);
        distance += (double)(column > diagonal ? column - diagonal : diagonal - column);
    }
    features->sampled += sample.length;
    features->lines += lines;
    features->distance += distance;
}

/* ---- shares of threads ---- */

/* Where a thread's share of the rows begins: whole warps of them, or none. */
static int64_t part_begin(int64_t rows, int part, int parts) {
    int64_t warps = spry_cover(rows, SPRY_FEATURES_WARP);
    int64_t row = spry_share(warps, part, parts) * SPRY_FEATURES_WARP;
    return row < rows ? row : rows;
}

/* One thread's share of the rows, and of the windows. */
INLINE void look_at_part(struct spry_features *features, const spry_matrix *csr, size_t size, int part,
                         int parts) {
    count_all(features, csr->csr.ptr, size, spry_rounded_mean(csr), part_begin(csr->rows, part, parts),
              part_begin(csr->rows, part + 1, parts));
    struct spry_sample sample = spry_sample_of(csr);
    int64_t window = spry_share(sample.windows, part, parts),
            end = spry_share(sample.windows, part + 1, parts);
    for (; window < end; window++)
        look_at_window(features, csr, size, sample, window);
}

static void features_part(struct spry_features *features, const spry_matrix *csr, int part, int parts) {
    if (spry_pointer_size(csr->index) == sizeof(int32_t))
        look_at_part(features, csr, sizeof(int32_t), part, parts);
    else
        look_at_part(features, csr, sizeof(int64_t), part, parts);
}

static void add_counters(int64_t *count, const int64_t *more) {
    for (int bin = 0; bin < SPRY_LENGTH_COUNTERS; bin++)
        count[bin] += more[bin];
}

static void add_part(struct spry_features *features, const struct spry_features *part) {
    features->shortest = part->shortest < features->shortest ? part->shortest : features->shortest;
    features->longest = part->longest > features->longest ? part->longest : features->longest;
    features->changes += part->changes;
    features->squares += part->squares;
    add_counters(features->by_row, part->by_row);
    add_counters(features->by_eight, part->by_eight);
    add_counters(features->by_warp, part->by_warp);
    features->sampled += part->sampled;
    features->lines += part->lines;
    features->distance += part->distance;
}

static void features_in_parts(struct spry_features *features, const spry_matrix *csr, int parts) {
    features->shortest = INT64_MAX;
#pragma omp parallel for ordered num_threads(spry_team(parts)) schedule(static, 1)
    for (int p = 0; p < parts; p++) {
        struct spry_features mine;
        memset(&mine, 0, sizeof mine);
        features_part(&mine, csr, p, parts);
#pragma omp ordered
        add_part(features, &mine);
    }
}

static int64_t largest_share(const spry_matrix *csr, int parts) {
    size_t size = spry_pointer_size(csr->index);
    int64_t rows = csr->rows, run = spry_features_run(rows, parts), largest = 0;
    for (int64_t first = 0; first < rows; first += run) {
        int64_t last = first + run < rows ? first + run : rows;
        int64_t entries = load_integer(csr->csr.ptr, size, last) - load_integer(csr->csr.ptr, size, first);
        largest = entries > largest ? entries : largest;
    }
    return largest;
}

static void look_at_values(spry_context *context, const spry_matrix *csr, struct spry_features *features) {
    const struct spry_value_sample sample = spry_value_sample_of(csr);
    const size_t size = spry_type_size(csr->type);
    double values[SPRY_VALUES_MOST]; /* wide enough for any type */
    for (int64_t s = 0; s < sample.count; s += sample.length)
        memcpy((char *)values + (size_t)s * size,
               (const char *)csr->csr.val + (size_t)spry_value_sampled(sample, s) * size,
               (size_t)sample.length * size);
    spry_count_values(context, csr->type, sample.count, values, &features->values);
}

static void values_on_cpu(spry_context *context, const spry_matrix *csr, struct spry_features *features) {
    spry_look_at_stencils(csr, features);
    look_at_values(context, csr, features);
}

static spry_status features_on_cpu(spry_context *context, const spry_matrix *csr,
                                   struct spry_features *features) {
    /* A row takes about as long to count as two entries to multiply. */
    int parts = spry_part_count(context, 2 * csr->rows);
    memset(features, 0, sizeof *features);
    if (parts == 1)
        features_part(features, csr, 0, 1);
    else
        features_in_parts(features, csr, parts);
    features->parts = context->threads;
    features->largest_share = largest_share(csr, context->threads);
    spry_look_at_windows(csr, features);
    spry_look_at_spread(csr, features);
    spry_look_at_shapes(csr, features);
    spry_look_at_diagonals(csr, &features->diagonals);
    spry_look_at_blocks(csr, &features->blocks);
    values_on_cpu(context, csr, features);
    return SPRY_OK;
}

const struct spry_analysis spry_cpu_analysis = {
    .features = features_on_cpu, .values = values_on_cpu, .length_at_rank = spry_cpu_length_at_rank};
