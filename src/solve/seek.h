/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking for columns in sorted rows, of one type of index. */
#ifndef SPRY_SEEK_H
#define SPRY_SEEK_H

#include "formats/major.h"

/* The first place from `low` on whose column is `column` or a later one. It steps ahead, twice as far each time: where
   what is looked for is far ahead, most of the row is leapt over. */
static inline ptr_t seek(const idx_t *idx, int64_t low, int64_t end, idx_t column) {
    int64_t step = 1;
    for (; step <= end - low && idx[low + step - 1] < column; step *= 2)
        low += step;
    return (ptr_t)index_from(idx, low, step <= end - low ? low + step - 1 : end, column);
}

#endif
