/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices turned over: CSR to CSC and back is the same step, and so is sorting. */
#ifndef SPRY_TURN_H
#define SPRY_TURN_H

#include "formats/slices.h"

/* Write the entries of `from` by the other side into the arrays of `to`, base 0; indices rise within the
   new slices, duplicates stay in order. */
spry_status NAME(spry_turn)(spry_context *context, const slices_t *from, const slices_t *to);

/* Put the indices within each slice in rising order: turned over twice, which is linear in time and
   keeps duplicates in order. */
spry_status NAME(spry_sort_slices)(spry_context *context, const slices_t *slices);

#endif
