/* SPDX-License-Identifier: BSD-3-Clause */
/* A search in a sorted row (or column): the same in C and in device code. */
#ifndef SPRY_FORMATS_INDEX_FROM_H
#define SPRY_FORMATS_INDEX_FROM_H

#include "core/integers.h"
#include "core/tmpl.h"

/* The first of the sorted indices idx[low] … idx[high - 1] that is not below `index`; `high` if all are. */
SPRY_HOST_AND_DEVICE int64_t index_from(const idx_t *idx, int64_t low, int64_t high, int64_t index) {
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (idx[middle] < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many entries before entry k of such a row, which begins with entry `begin`, have its index. */
SPRY_HOST_AND_DEVICE int64_t repeats_before(const idx_t *idx, int64_t begin, int64_t k) {
    return k > begin && idx[k - 1] == idx[k] ? k - index_from(idx, begin, k, idx[k]) : 0;
}

#endif
