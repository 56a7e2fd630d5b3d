/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics for callers, from one look at the matrix. */
#include <math.h>

#include "analysis/rank.h"
#include "analysis/survey.h"

static void fill_histogram(const struct spry_survey *survey, int64_t *histogram) {
    /* Bins of the survey are parts of an octave. */
    for (int bin = 0; bin < SPRY_LENGTH_COUNTERS; bin++) {
        if (survey->by_row[bin] == 0)
            continue;
        int64_t least = spry_bin_least(bin);
        int octave = least == 0 ? 0 : 64 - __builtin_clzll((unsigned long long)least);
        histogram[octave < SPRY_LENGTH_BINS ? octave : SPRY_LENGTH_BINS - 1] += survey->by_row[bin];
    }
}

/* Nearest rank: the smallest length that so many quarters of the rows do not exceed. */
static int64_t rank_of(int64_t rows, int quarters) {
    return rows / 4 * quarters + (rows % 4 * quarters + 3) / 4;
}

/* To an eighth, where it is the length of 128 entries and more. */
static int64_t near_length(const struct spry_survey *survey, int quarters) {
    int64_t length = spry_bin_least(spry_bin_at_rank(survey->by_row, rank_of(survey->rows, quarters)));
    return length > survey->shortest ? length : survey->shortest;
}

/* Of a matrix with rows, quartiles as near as the survey has them. */
static void fill_lengths(const struct spry_survey *survey, spry_row_lengths *lengths) {
    lengths->min = survey->shortest;
    lengths->max = survey->longest;
    lengths->mean = (double)survey->nnz / (double)survey->rows;
    lengths->std = sqrt(survey->squares / (double)survey->rows);
    lengths->empty = survey->by_row[0];
    fill_histogram(survey, lengths->histogram);
    lengths->q1 = near_length(survey, 1);
    lengths->median = near_length(survey, 2);
    lengths->q3 = near_length(survey, 3);
}

/* A quartile as it is: the survey has it, unless rows are long and differ. */
static spry_status sharpen(spry_context *context, const spry_matrix *csr, const struct spry_survey *survey,
                           int quarters, int64_t *quartile) {
    if (*quartile < SPRY_LENGTH_EXACT || survey->shortest == survey->longest)
        return SPRY_OK;
    return spry_length_at_rank(context, csr, survey->longest, rank_of(survey->rows, quarters), quartile);
}

static spry_status sharpen_all(spry_context *context, const spry_matrix *csr,
                               const struct spry_survey *survey, spry_row_lengths *lengths) {
    spry_status status = sharpen(context, csr, survey, 1, &lengths->q1);
    if (!status)
        status = sharpen(context, csr, survey, 2, &lengths->median);
    if (!status)
        status = sharpen(context, csr, survey, 3, &lengths->q3);
    return status;
}

void spry_statistics_of(const struct spry_survey *survey, spry_statistics *statistics) {
    *statistics = (spry_statistics){.rows = survey->rows, .cols = survey->cols, .nnz = survey->nnz};
    statistics->imbalance =
        survey->nnz > 0 ? (double)survey->largest_share * survey->parts / (double)survey->nnz : 1;
    if (survey->sampled > 0) {
        statistics->lines = (double)survey->lines / (double)survey->sampled;
        statistics->bandwidth = survey->distance / (double)survey->sampled / (double)survey->cols;
    }
    if (survey->rows > 0)
        fill_lengths(survey, &statistics->lengths);
}

static spry_status look_for(const char *call, spry_context *context, const spry_matrix *csr,
                            struct spry_survey *survey) {
    if (!csr || csr->format != SPRY_CSR)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s wants a matrix in csr", call);
    spry_status status = spry_check_place(context, csr, call);
    return status ? status : spry_look(context, csr, survey);
}

spry_status spry_matrix_statistics(spry_context *context, const spry_matrix *csr,
                                   spry_statistics *statistics) {
    struct spry_survey survey;
    if (!context || !statistics)
        return SPRY_ERROR_ARGUMENT;
    *statistics = (spry_statistics){.rows = 0};
    spry_status status = look_for("spry_matrix_statistics", context, csr, &survey);
    if (status)
        return status;
    spry_statistics_of(&survey, statistics);
    return sharpen_all(context, csr, &survey, &statistics->lengths);
}

spry_status spry_row_length_stats(spry_context *context, const spry_matrix *csr, spry_row_lengths *lengths) {
    struct spry_survey survey;
    spry_statistics statistics;
    if (!context || !lengths)
        return SPRY_ERROR_ARGUMENT;
    *lengths = (spry_row_lengths){.min = 0};
    spry_status status = look_for("spry_row_length_stats", context, csr, &survey);
    if (status)
        return status;
    spry_statistics_of(&survey, &statistics);
    *lengths = statistics.lengths;
    return sharpen_all(context, csr, &survey, lengths);
}
