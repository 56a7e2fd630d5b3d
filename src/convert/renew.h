/* SPDX-License-Identifier: BSD-3-Clause */
/* New values for a matrix whose rows threads take apart, some at a time. */
#ifndef SPRY_RENEW_H
#define SPRY_RENEW_H

#include "core/cover.h"
#include "formats/major.h"

/* Rows that make a unit, in layouts whose arrays have none of their own, such as slices. */
#define SPRY_RENEW_ROWS 16

/* What a layout does for a unit of its rows. */
struct NAME(spry_renewal) {
    int64_t units;
    /* Whether these rows have the entries that the matrix has there. */
    bool (*is_same)(const compressed_t *rows, const spry_matrix *matrix, int64_t unit);
    /* Take their values over. */
    void (*take)(const compressed_t *rows, const spry_matrix *matrix, int64_t unit);
};

/* All units are looked at before a value is written: with SPRY_ERROR_PATTERN, the matrix is as it was. */
spry_status NAME(spry_renew)(const spry_context *context, const compressed_t *rows, const spry_matrix *matrix,
                             const struct NAME(spry_renewal) * renewal);

/* Whether rows (columns) have the same lengths in both. */
bool NAME(spry_same_lengths)(const spry_context *context, const compressed_t *a, const compressed_t *b);

/* The same for arrays of CSR, or CSC, with all entries in the same order. */
spry_status NAME(spry_renew_compressed)(const spry_context *context, const compressed_t *source,
                                        const compressed_t *target);

/* Units that so many rows make, and the first row of one, or the end of them. */
static inline int64_t renew_units(int64_t rows) {
    return spry_cover(rows, SPRY_RENEW_ROWS);
}

static inline int64_t renew_row(const compressed_t *rows, int64_t unit) {
    const int64_t row = unit * SPRY_RENEW_ROWS;
    return row < rows->major ? row : rows->major;
}

#endif
