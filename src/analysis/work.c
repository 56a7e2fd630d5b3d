/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/work.h"

#include <math.h>

#include "analysis/blocks.h"
#include "analysis/windows.h"
#include "codes/room.h"
#include "core/team.h"

/* Share of a cache that serves what is read again in each product, as the rest of the matrix passes through it too. A guess, by
   which prices were fitted (bench/selector/own_times.py). */
#define KEPT 0.5

int spry_parts_over(const struct spry_candidate *candidate, double entries) {
    return spry_part_count(candidate->context, (int64_t)entries + candidate->features->rows);
}

int spry_candidate_parts(const struct spry_candidate *candidate) {
    return spry_parts_over(candidate, (double)candidate->features->nnz);
}

double spry_even_parts(double rows, double block, int parts) {
    const double most = ceil(ceil(rows / block) / parts) * block;
    return rows > most ? rows / most : 1;
}

double spry_steps_left(int64_t longest, double steps) {
    return (double)longest > steps ? (double)longest - steps : 0;
}

/* Whether columns are put together before the kernel reads them. */
static bool decodes_columns(const struct spry_kernel *kernel, const spry_storage *storage) {
    return storage->columns != SPRY_COLUMNS_PLAIN && !kernel->reads_columns;
}

/* How often the one value of a table that has no more is written by a part: once for each slot of a buffer, which the longest unit of rows
   may ask to be so long that it leaves the nearest cache from product to product; then its bytes count. */
static double written_by_part(double slots, double unit, size_t value) {
    return unit > SPRY_DECODE_NEAR ? fmin(slots, unit) * (double)value : fmin(slots, SPRY_DECODE_NEAR);
}

/* What a part on a CPU decodes: bytes of codes of values, and columns. */
static double decoded_by_part(const struct spry_kernel *kernel, const struct spry_candidate *candidate) {
    const spry_storage *storage = &candidate->storage;
    const double slots = candidate->slots / spry_candidate_parts(candidate),
                 unit = (double)candidate->features->longest * fmax(1, (double)storage->parameter[0]);
    const spry_value_type type = candidate->csr->type;
    const int64_t values = spry_table_length(storage->values);
    double amount = decodes_columns(kernel, storage) ? slots : 0;
    if (values == 1)
        amount += written_by_part(slots, unit, spry_type_size(type));
    else if (values > 1)
        amount += slots * (double)spry_stored_size(type, storage->values);
    return amount;
}

/* The same of a multiprocessor, which has read the codes as it reads values: slots. */
static double decoded_on_gpu(const struct spry_kernel *kernel, const struct spry_candidate *candidate) {
    const spry_storage *storage = &candidate->storage;
    const int arrays = (spry_table_length(storage->values) > 1) + decodes_columns(kernel, storage);
    return arrays * candidate->slots / candidate->features->parts;
}

union spry_terms spry_work_of(const struct spry_kernel *kernel, const struct spry_candidate *candidate) {
    union spry_terms amounts = kernel->work(candidate);
    const bool on_cpu = candidate->context->backend == SPRY_CPU;
    amounts.decoding = on_cpu ? decoded_by_part(kernel, candidate) : decoded_on_gpu(kernel, candidate);
    return amounts;
}

/* The part of what is read that does not stay in a cache of so many bytes. */
static double past(double bytes, double cache) {
    return bytes > cache ? bytes - cache : 0;
}

/* A predictor that meets the same branches in the same order again knows so many by heart; of twice as many it has forgotten each
   before that one comes back. The order of what csr_avx512 learnt on a Zen 4, by its times when it went on and when other kernels had
   come between, by select_speed (docs/selector.md); on Emerald Rapids it seems to be half as many. */
#define LEARNT 8192.0

double spry_branch_misses(double changes, int parts) {
    const double each = changes / parts, forgotten = each / LEARNT - 1;
    return each * (forgotten < 0 ? 0 : forgotten < 1 ? forgotten : 1);
}

double spry_remainders(const struct spry_features *features, int piece) {
    int64_t exact = 0, others = spry_count_bins(features->by_row, SPRY_LENGTH_EXACT, SPRY_LENGTH_COUNTERS);
    for (int bin = 0; bin < SPRY_LENGTH_EXACT; bin++)
        exact += features->by_row[bin] * (bin & (piece - 1));
    return (double)exact + (double)others * (piece - 1) / 2;
}

/* A run of alike rows has all groups but the one in which it begins. Rows that alternate do not follow each other. */
double spry_apart_share(const struct spry_features *features, int lanes) {
    const struct spry_alike *shapes = &features->shapes;
    const double apart = spry_expected_runs(features, shapes) * (lanes - 1), rows = (double)features->rows;
    return shapes->period == 1 && apart < rows ? apart / rows : 1;
}

double spry_uneven_share(const struct spry_features *features, int lanes) {
    const double rows = (double)features->rows;
    return rows > 0 ? 1 - pow(1 - (double)features->changes / rows, lanes - 1) : 0;
}

double spry_window_share(const struct spry_features *features) {
    if (features->sampled == 0 || features->cols == 0)
        return 1;
    /* The entries of a row lie within twice their mean distance from the diagonal, on both sides of it. */
    double share = 4 * features->distance / (double)features->sampled / (double)features->cols;
    return share < 1 ? share : 1;
}

/* Streams that are followed in full, and from where on none gains by it: each row of ELL and JDS is two, of columns and
   of values. Measured by the width of bands from memory, on a Zen 4 by the profile of then; the command is not known any more. */
#define FOLLOWED 8.0
#define UNFOLLOWED 16.0

double spry_unfollowed(double streams) {
    double share = (streams - FOLLOWED) / (UNFOLLOWED - FOLLOWED);
    return share < 0 ? 0 : share < 1 ? share : 1;
}

union spry_terms spry_traffic(const struct spry_candidate *candidate, double bytes, int processors) {
    const struct spry_features *features = candidate->features;
    const spry_context *context = candidate->context;
    /* What a multiprocessor has in its own cache is lost between products. */
    double value = (double)spry_type_size(candidate->csr->type), cache = (double)context->cache_bytes,
           inner = (double)context->inner_bytes,
           held = context->backend == SPRY_CPU ? KEPT * inner * processors : 0,
           x = (double)features->cols * value, all = bytes + x + (double)features->rows * value,
           window = spry_window_share(features) * x,
           lines = features->sampled > 0 ? (double)features->lines / (double)features->sampled *
                                               (double)features->nnz / processors
                                         : 0;
    union spry_terms amounts = {.at = {0}};
    amounts.start = context->backend != SPRY_CPU || processors > 1;
    amounts.far = past(all, (double)context->lasting_bytes);
    amounts.near = past(all < cache ? all : cache, held) / processors;
    amounts.lines = window > 0 ? lines * past(window, KEPT * inner) / window : 0;
    amounts.misses = window > 0 ? lines * past(window, KEPT * cache) / window : 0;
    return amounts;
}

/* Slots of groups of so many rows, each as wide as its longest row. */
static double group_slots(const struct spry_features *features, int lanes, int64_t width) {
    const int64_t *longest = lanes == 1                     ? features->by_row
                             : lanes == SPRY_FEATURES_EIGHT ? features->by_eight
                                                            : features->by_warp;
    return lanes * spry_sum_within(longest, width);
}

/* What is counted for few and for many is taken to go like a power of their number in between. */
static double between(double of_few, int64_t few, double of_many, int64_t many, int64_t number) {
    return of_few > 0 ? of_few * pow(of_many / of_few,
                                     log((double)number / (double)few) / log((double)many / (double)few))
                      : 0;
}

double spry_group_steps(const struct spry_features *features, int lanes, int64_t width) {
    if (lanes == SPRY_FEATURES_EIGHT || lanes == SPRY_FEATURES_WARP)
        return group_slots(features, lanes, width) / lanes;
    int few = lanes < SPRY_FEATURES_EIGHT ? 1 : SPRY_FEATURES_EIGHT;
    int many = lanes < SPRY_FEATURES_EIGHT ? SPRY_FEATURES_EIGHT : SPRY_FEATURES_WARP;
    return between(group_slots(features, few, width), few, group_slots(features, many, width), many, lanes) /
           lanes;
}

/* Of the rows of a sample of windows: slots for each entry. */
static double sorted_fill(const struct spry_features *features, int lanes) {
    double entries = (double)features->window_entries, eight = (double)features->sorted_eight / entries,
           sixteen = (double)features->sorted_sixteen / entries,
           warp = (double)features->sorted_warp / entries;
    if (lanes < SPRY_FEATURES_EIGHT)
        return between(1, 1, eight, SPRY_FEATURES_EIGHT, lanes);
    return lanes < SPRY_FEATURES_SIXTEEN
               ? between(eight, SPRY_FEATURES_EIGHT, sixteen, SPRY_FEATURES_SIXTEEN, lanes)
               : between(sixteen, SPRY_FEATURES_SIXTEEN, warp, SPRY_FEATURES_WARP, lanes);
}

double spry_entries_of_longer(const struct spry_features *features, int64_t length) {
    double entries = 0;
    for (int bin = spry_length_bin(length) + 1; bin < SPRY_LENGTH_COUNTERS; bin++)
        entries += (double)features->by_row[bin] * spry_bin_length(bin);
    return entries;
}

/* Slots for each entry where all rows are sorted, as if they were one window, but for those longer than any of the sample. */
static double least_fill(const struct spry_features *features, int lanes) {
    int64_t rank = 0;
    double entries = 0, slots = 0;
    for (int bin = spry_length_bin(features->window_longest); bin > 0; bin--) {
        const int64_t rows = features->by_row[bin];
        const double length = rows > 0 ? spry_bin_length(bin) : 0;
        entries += (double)rows * length;
        slots += (double)spry_groups_begun(rank, rank + rows, lanes) * length;
        rank += rows;
    }
    return entries > 0 ? slots / entries : 1;
}

/* Of windows of so many rows: between rows as they are and those of the sample, or between these and all rows. */
static double window_fill(const struct spry_features *features, int lanes, int64_t window,
                          double as_they_are) {
    const double fill = sorted_fill(features, lanes);
    const int64_t sorted = features->rows < SPRY_WINDOW_ROWS ? features->rows : SPRY_WINDOW_ROWS;
    if (lanes < window && window < sorted)
        return 1 + between(fmax(as_they_are, fill) - 1, lanes, fill - 1, sorted, window);
    if (window <= SPRY_WINDOW_ROWS || features->rows <= SPRY_WINDOW_ROWS)
        return fill;
    return 1 + between(fill - 1, SPRY_WINDOW_ROWS, fmin(least_fill(features, lanes), fill) - 1,
                       features->rows, window < features->rows ? window : features->rows);
}

double spry_slice_slots(const struct spry_features *features, int lanes, int64_t window) {
    const double as_they_are = lanes * spry_group_steps(features, lanes, features->longest);
    if (window == 1 || features->window_entries == 0)
        return as_they_are;
    /* Rows longer than any of the sample are rare, and alone in their slices. */
    const double rare = spry_entries_of_longer(features, features->window_longest),
                 slots = ((double)features->nnz - rare) *
                             window_fill(features, lanes, window, as_they_are / (double)features->nnz) +
                         rare * lanes;
    return slots < as_they_are ? slots : as_they_are;
}

struct spry_block_estimate spry_estimate_blocks(const struct spry_block_counts *counts, int64_t entries,
                                                int64_t height, int64_t width) {
    /* As many as all entries fill. */
    const double most = (double)entries / (double)(height * width);
    if (counts->entries == 0 || height * width == 1)
        return (struct spry_block_estimate){most, most};
    const struct spry_block_count *count = &counts->of[spry_block_number(height, width)];
    const double each = (double)entries / (double)counts->entries,
                 blocks = (double)entries - each * (double)count->saved / SPRY_BLOCK_UNIT,
                 full = most * ((double)count->full / (double)counts->entries);
    return (struct spry_block_estimate){blocks > most ? blocks : most, full};
}

struct spry_block_estimate spry_blocks_of(const struct spry_features *features, int64_t height,
                                          int64_t width) {
    return spry_estimate_blocks(&features->blocks, features->nnz, height, width);
}
