/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics for callers, from one look at the matrix. */
#include <math.h>

#include "analysis/analysis.h"
#include "analysis/features.h"
#include "analysis/rank.h"
#include "core/sized.h"

static void fill_histogram(const struct spry_features *features, int64_t *histogram) {
    /* Bins of the features are parts of an octave. */
    for (int bin = 0; bin < SPRY_LENGTH_COUNTERS; bin++) {
        if (features->by_row[bin] == 0)
            continue;
        int64_t least = spry_bin_least(bin);
        int octave = least == 0 ? 0 : 64 - __builtin_clzll((unsigned long long)least);
        histogram[octave < SPRY_LENGTH_BINS ? octave : SPRY_LENGTH_BINS - 1] += features->by_row[bin];
    }
}

/* Nearest rank: the smallest length that so many quarters of the rows do not exceed. */
static int64_t rank_of(int64_t rows, int quarters) {
    return rows / 4 * quarters + (rows % 4 * quarters + 3) / 4;
}

/* A quartile rounded down to the bin of its length: exact below 128 entries, to an eighth from there on. */
static int64_t near_length(const struct spry_features *features, int quarters) {
    int64_t length = spry_bin_least(spry_bin_at_rank(features->by_row, rank_of(features->rows, quarters)));
    return length > features->shortest ? length : features->shortest;
}

/* Of a matrix with rows, quartiles as near as the features have them. */
static void fill_lengths(const struct spry_features *features, spry_row_lengths *lengths) {
    lengths->min = features->shortest;
    lengths->max = features->longest;
    lengths->mean = (double)features->nnz / (double)features->rows;
    lengths->std = sqrt(features->squares / (double)features->rows);
    lengths->empty = features->by_row[0];
    fill_histogram(features, lengths->histogram);
    lengths->q1 = near_length(features, 1);
    lengths->median = near_length(features, 2);
    lengths->q3 = near_length(features, 3);
}

/* A quartile as it is: the features have it, unless rows are long and differ. */
static spry_status sharpen(spry_context *context, const spry_matrix *csr,
                           const struct spry_features *features, int quarters, int64_t *quartile) {
    if (*quartile < SPRY_LENGTH_EXACT || features->shortest == features->longest)
        return SPRY_OK;
    return spry_length_at_rank(context, csr, features->longest, rank_of(features->rows, quarters), quartile);
}

static spry_status sharpen_all(spry_context *context, const spry_matrix *csr,
                               const struct spry_features *features, spry_row_lengths *lengths) {
    spry_status status = sharpen(context, csr, features, 1, &lengths->q1);
    if (!status)
        status = sharpen(context, csr, features, 2, &lengths->median);
    if (!status)
        status = sharpen(context, csr, features, 3, &lengths->q3);
    return status;
}

void spry_statistics_of(const struct spry_features *features, spry_statistics *statistics) {
    *statistics = (spry_statistics){
        .size = sizeof *statistics, .rows = features->rows, .cols = features->cols, .nnz = features->nnz};
    statistics->imbalance =
        features->nnz > 0 ? (double)features->largest_share * features->parts / (double)features->nnz : 1;
    if (features->sampled > 0) {
        statistics->lines = (double)features->lines / (double)features->sampled;
        statistics->bandwidth = features->distance / (double)features->sampled / (double)features->cols;
    }
    if (features->rows > 0)
        fill_lengths(features, &statistics->lengths);
}

spry_status spry_check_csr(spry_context *context, const spry_matrix *matrix, const char *call) {
    if (!matrix)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: the matrix is null", call);
    if (matrix->format != SPRY_CSR)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: the matrix is in %s, expected csr", call,
                         spry_format_name(matrix->format));
    return SPRY_OK;
}

static spry_status look_for(const char *call, spry_context *context, const spry_matrix *csr,
                            struct spry_features *features) {
    spry_status status = spry_check_csr(context, csr, call);
    if (!status)
        status = spry_check_place(context, csr, call);
    return status ? status : spry_analyse(context, csr, features);
}

SPRY_SIZED(spry_statistics, bandwidth, bandwidth);

spry_status spry_matrix_statistics(spry_context *context, const spry_matrix *csr,
                                   spry_statistics *statistics) {
    struct spry_features features;
    spry_statistics made = {.rows = 0};
    if (!context || !statistics)
        return spry_no_result(context, "spry_matrix_statistics");
    spry_status status = spry_check_sized(context, &spry_statistics_sized, statistics);
    if (status)
        return status;
    status = look_for("spry_matrix_statistics", context, csr, &features);
    if (!status) {
        spry_statistics_of(&features, &made);
        status = sharpen_all(context, csr, &features, &made.lengths);
    }
    spry_give(&spry_statistics_sized, &made, statistics);
    return status;
}

spry_status spry_row_length_stats(spry_context *context, const spry_matrix *csr, spry_row_lengths *lengths) {
    struct spry_features features;
    spry_statistics statistics;
    if (!context || !lengths)
        return spry_no_result(context, "spry_row_length_stats");
    *lengths = (spry_row_lengths){.min = 0};
    spry_status status = look_for("spry_row_length_stats", context, csr, &features);
    if (status)
        return status;
    spry_statistics_of(&features, &statistics);
    *lengths = statistics.lengths;
    return sharpen_all(context, csr, &features, lengths);
}
