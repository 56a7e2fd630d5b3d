/* SPDX-License-Identifier: BSD-3-Clause */
/* One look at a CSR matrix, wherever it is, and what it has of an earlier one. */
#include "analysis/features.h"

#include <string.h>

#include "analysis/analysis.h"
#include "codes/matrix_columns.h"
#include "core/backend.h"

/* What the squares of lengths that have a counter of their own add up to. */
static double short_squares(const struct spry_features *features, int64_t mean) {
    double squares = 0;
    for (int64_t length = features->shortest; length <= features->longest && length < SPRY_LENGTH_EXACT;
         length++)
        squares += (double)features->by_row[length] * (double)(length - mean) * (double)(length - mean);
    return squares;
}

/* At a matrix with rows, whose columns are plain. */
static spry_status look(spry_context *context, const spry_matrix *csr, struct spry_features *features) {
    spry_status status = context->code->analysis->features(context, csr, features);
    if (status)
        return status;
    features->rows = csr->rows;
    features->cols = csr->cols;
    features->nnz = csr->nnz;
    /* From the whole number to the mean. No more than half of the sum goes: lengths are whole numbers themselves. */
    int64_t rounded = spry_rounded_mean(csr);
    double beyond = (double)(csr->nnz - csr->rows * rounded);
    features->squares += short_squares(features, rounded) - beyond * beyond / (double)csr->rows;
    return SPRY_OK;
}

spry_status spry_analyse(spry_context *context, const spry_matrix *csr, struct spry_features *features) {
    if (csr->rows == 0) {
        memset(features, 0, sizeof *features);
        features->cols = csr->cols;
        features->parts = 1;
        return SPRY_OK;
    }
    spry_matrix plain = *csr;
    void *columns;
    if (csr->columns == SPRY_COLUMNS_PLAIN)
        return look(context, csr, features);
    spry_status status = spry_decode_columns(context, csr, &columns);
    if (!status) {
        spry_view_columns(&plain, columns);
        status = look(context, &plain, features);
    }
    spry_close_columns(context, &plain, columns);
    return status;
}

/* Shares of threads depend on how many there are; a device is the same wherever its matrices are used. */
spry_status spry_features_of(spry_context *context, const spry_matrix *csr, struct spry_features *space,
                             const struct spry_features **features) {
    const struct spry_features *kept = csr->features;
    bool serves = kept && (context->backend != SPRY_CPU || kept->parts == context->threads);
    *features = serves ? kept : space;
    return serves ? SPRY_OK : spry_analyse(context, csr, space);
}

/* Whether the values are those that the matrix was made with: a caller may change what it wrapped in place. */
static bool are_as_made(const spry_matrix *csr) {
    return csr->updates == 0 && spry_matrix_owns(csr, csr->csr.val);
}

spry_status spry_features_now(spry_context *context, const spry_matrix *csr, struct spry_features *features) {
    const struct spry_features *kept;
    spry_status status = spry_features_of(context, csr, features, &kept);
    if (status || kept == features)
        return status;
    if (are_as_made(csr)) {
        *features = *kept;
        return SPRY_OK;
    }
    if (!context->code->analysis->values || csr->columns != SPRY_COLUMNS_PLAIN)
        return spry_analyse(context, csr, features);
    *features = *kept;
    context->code->analysis->values(context, csr, features);
    return SPRY_OK;
}
