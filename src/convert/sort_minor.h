/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_SORT_MINOR_H
#define SPRY_SORT_MINOR_H

#include "formats/major.h"

/* Put the indices within each row (column) in rising order, and keep duplicates in order. Base 0. Takes memory for as many entries again
   where a row is long. */
spry_status NAME(spry_sort_minor)(spry_context *context, const compressed_t *compressed);

#endif
