/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_FORMATS_ELL_H
#define SPRY_FORMATS_ELL_H

#include "core/cover.h"

/* Parts of a product begin at multiples of this many rows: one cache line of the narrowest array. */
#define SPRY_ELL_BLOCK 16

/* Slots from one column of the layout to the next: whole blocks, and never a multiple of 4 KiB in any
   array, where all the columns of a row would fall into one set of the cache. */
static inline int64_t spry_ell_stride(int64_t rows) {
    int64_t stride = spry_cover(rows, SPRY_ELL_BLOCK) * SPRY_ELL_BLOCK;
    return stride > 0 && stride % 512 == 0 ? stride + SPRY_ELL_BLOCK : stride;
}

#endif
