/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ranks.h  The rows of one rank among many: what they multiply of its own part of x, and what of others'. */
#ifndef SPRY_RANKS_H
#define SPRY_RANKS_H

#include "matrix.h"

/** Which values of x a rank needs of others: its halo. */
typedef struct spry_halo spry_halo;

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Take apart the rows that a rank has of a matrix over `ranks` ranks (processes, threads, GPUs). x is spread over
 * them: rank r owns x[first[r]] to x[first[r + 1] - 1], and `first` has ranks + 1 values, from 0 to the columns of
 * the matrix; a rank may own nothing. The entries of `rows` in columns that `rank` owns go to `inner`, of as many
 * columns, and the others to `outer`, with a column for each value of the halo. Then
 *
 *     y = inner x + outer h
 *
 * for this rank's part x and the halo's values h. Nothing is communicated here: the halo says what is to be fetched,
 * and other ranks are told of it by the caller. Rows are not looked at, so they may be spread in another way than x
 * (rectangular matrices); for a solver, which takes square operators, there are first[rank + 1] - first[rank] of
 * them.
 *
 * @param rows   on the CPU, in any format (duplicates in COO are added up); with the columns of the whole matrix,
 *               which for 2^31 and more are 64-bit
 * @param inner  as `outer` in CSR with the types of `rows`, to be released by the caller: they share nothing with
 *               `rows`, and may be converted, cast to 32-bit indices or copied to a device
 * @param halo   to be released with spry_halo_destroy
 * @return SPRY_ERROR_ARGUMENT for null pointers, a rank that is none, a context that is not on the CPU, and where
 *         `first` falls or does not go from 0 to the columns; SPRY_ERROR_MEMORY. All three results are null then.
 */
SPRY_API spry_status spry_halo_create(spry_context *context, const spry_matrix *rows, int ranks,
                                      const int64_t *first, int rank, spry_matrix **inner,
                                      spry_matrix **outer, spry_halo **halo);
/** Null is allowed. */
SPRY_API void spry_halo_destroy(spry_halo *halo);

/** How many values the halo has. 0 for null. */
SPRY_API int64_t spry_halo_count(const spry_halo *halo);
/** Which: columns of the whole matrix, rising, so that those of one rank lie side by side. Null for null. */
SPRY_API const int64_t *spry_halo_columns(const spry_halo *halo);
/** Where each rank's begin: begin[r] to begin[r + 1] - 1 are to be fetched from rank r, of ranks + 1 values; none
 *  from the rank itself. Null for null. */
SPRY_API const int64_t *spry_halo_begin(const spry_halo *halo);

#ifdef __cplusplus
}
#endif

#endif
