/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many values of a matrix are different, and what codes keep them: a few windows of values are looked at, on every backend the
 * same ones. How many there are that the sample has not seen is estimated from those that it has seen once, and twice (Chao,
 * "Nonparametric estimation of the number of classes in a population", Scandinavian Journal of Statistics 11, 1984). That is a lower
 * bound, so a code may be expected to hold that does not: a conversion finds out, and the next storage is taken.
 */
#ifndef SPRY_ANALYSIS_VALUES_H
#define SPRY_ANALYSIS_VALUES_H

#include "analysis/features.h"
#include "analysis/kinds.h"

/* Values of a window, those that are looked at at least and at most, and one in so many of all. */
#define SPRY_VALUES_WINDOW 8
#define SPRY_VALUES_LEAST 256
#define SPRY_VALUES_MOST SPRY_KINDS_MOST
#define SPRY_VALUES_SHARE 16

/* So many values, in windows of `length`, one in each `share` values; or all, as one window each. */
struct spry_value_sample {
    int64_t count, length, share;
};

/* Of a matrix with plain values; in others there is nothing to look at. */
static inline struct spry_value_sample spry_value_sample_of(const spry_matrix *csr) {
    int64_t some = csr->nnz / SPRY_VALUES_SHARE;
    if (csr->values != SPRY_VALUES_PLAIN || !csr->csr.val)
        return (struct spry_value_sample){0, 1, 1};
    if (csr->nnz <= SPRY_VALUES_LEAST)
        return (struct spry_value_sample){csr->nnz, 1, 1};
    some = some < SPRY_VALUES_LEAST ? SPRY_VALUES_LEAST : some < SPRY_VALUES_MOST ? some : SPRY_VALUES_MOST;
    some -= some % SPRY_VALUES_WINDOW;
    return (struct spry_value_sample){some, SPRY_VALUES_WINDOW, csr->nnz / (some / SPRY_VALUES_WINDOW)};
}

/* Where value s of the sample lies. */
SPRY_HOST_AND_DEVICE int64_t spry_value_sampled(struct spry_value_sample sample, int64_t s) {
    return spry_window_in_share(s / sample.length, sample.share, sample.length) + s % sample.length;
}

/* What so many values on the host have in common, the sample of a matrix. */
void spry_count_values(spry_context *context, spry_value_type type, int64_t count, const void *values,
                       struct spry_values_seen *seen);

/* Different values that a matrix should have, as far as the sample tells; 0: nothing was looked at. */
double spry_expected_values(const struct spry_features *features);

/* Whether a code should keep all values of a matrix. False where nothing was looked at. */
bool spry_expects_code(const struct spry_features *features, spry_value_code code);

#endif
