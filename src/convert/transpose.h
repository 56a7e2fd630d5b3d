/* SPDX-License-Identifier: BSD-3-Clause */
/* Transposition: CSR to CSC and back is the same step. */
#ifndef SPRY_TRANSPOSE_H
#define SPRY_TRANSPOSE_H

#include "formats/major.h"

/* Write the entries of `from` by the other side into the arrays of `to`, base 0; indices rise within the
   new rows (columns), duplicates stay in order. */
spry_status NAME(spry_transpose_compressed)(spry_context *context, const compressed_t *from,
                                            const compressed_t *to);

#endif
