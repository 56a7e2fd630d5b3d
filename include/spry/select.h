/* SPDX-License-Identifier: BSD-3-Clause */
/** @file select.h  Row-length statistics, what the choice of a format rests on. */
#ifndef SPRY_SELECT_H
#define SPRY_SELECT_H

#include "matrix.h"

/** Number of bins of the histogram of row lengths. */
#define SPRY_LENGTH_BINS 33

/** Lengths of the rows of a matrix, in entries. All zero when it has no rows. */
typedef struct spry_row_lengths {
    int64_t min, q1, median, q3, max; /**< quartiles by the nearest rank: each is the length of some row */
    double mean, std;                 /**< std: of the whole population */
    int64_t empty;                    /**< rows without entries */
    /** bin 0: empty rows; bin b > 0: rows with 2^(b-1) to 2^b - 1 entries; the last bin takes all longer ones
     */
    int64_t histogram[SPRY_LENGTH_BINS];
} spry_row_lengths;

#ifdef __cplusplus
extern "C" {
#endif

/** Compute the statistics of a matrix in CSR, in a few passes over its pointers. SPRY_ERROR_ARGUMENT for another
 *  format; SPRY_ERROR_MEMORY. */
SPRY_API spry_status spry_row_length_stats(spry_context *context, const spry_matrix *csr,
                                           spry_row_lengths *lengths);

#ifdef __cplusplus
}
#endif

#endif
