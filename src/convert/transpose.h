/* SPDX-License-Identifier: BSD-3-Clause */
/* Transposition: CSR to CSC and back is the same step, and so is sorting. */
#ifndef SPRY_TRANSPOSE_H
#define SPRY_TRANSPOSE_H

#include "formats/major.h"

/* Write the entries of `from` by the other side into the arrays of `to`, base 0; indices rise within the
   new rows (columns), duplicates stay in order. */
spry_status NAME(spry_transpose_compressed)(spry_context *context, const compressed_t *from,
                                            const compressed_t *to);

/* Put the indices within each row (column) in rising order, and keep duplicates in order: by transposing twice, which is linear
   in time, or, where columns outnumber the entries, by sorting each row. */
spry_status NAME(spry_sort_minor)(spry_context *context, const compressed_t *compressed);

#endif
