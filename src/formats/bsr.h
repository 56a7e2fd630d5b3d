/* SPDX-License-Identifier: BSD-3-Clause */
/* BSR: the matrix in small dense blocks, with a mask each where not all of them are full. */
#ifndef SPRY_FORMATS_BSR_H
#define SPRY_FORMATS_BSR_H

#include "analysis/blocks.h"

/* The mask of a block in which each place is an entry. */
SPRY_HOST_AND_DEVICE uint64_t spry_bsr_full_mask(int64_t places) {
    return UINT64_MAX >> (64 - places);
}

/* What the arrays of a matrix with the types and rows of one would take, its values kept in a code. */
double spry_bsr_bytes(const spry_matrix *like, spry_value_code code, int64_t height, int64_t width,
                      double blocks, bool full);

/* Rows and columns of a block. */
struct spry_block_size {
    int64_t height, width;
};

/* The size of blocks that takes the fewest bytes for the types, rows and entries of a matrix, given the counts of its sample; single
   entries where none takes clearly less. */
struct spry_block_size spry_bsr_size(const spry_matrix *like, const struct spry_block_counts *counts);

/* Set that size for a new matrix. */
void spry_bsr_set_size(spry_matrix *matrix, const struct spry_block_counts *counts);

/* Set the number of blocks of a new matrix, and with it whether there are masks. */
void spry_bsr_set_blocks(spry_matrix *matrix, int64_t blocks);

/* The arrays of a matrix that has so many blocks. */
spry_status spry_bsr_block_arrays(spry_context *context, spry_matrix *matrix);

/* SPRY_ERROR_UNSUPPORTED: new values are found in sorted rows only. */
spry_status spry_refuse_bsr_update(spry_context *context);

#endif
