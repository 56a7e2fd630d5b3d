/* SPDX-License-Identifier: BSD-3-Clause */
/* How far rows that are summed side by side go. */
#ifndef SPRY_DEPTH_H
#define SPRY_DEPTH_H

#include "core/tmpl.h"

/* Entries of the shortest and of the longest of some rows. */
struct depth {
    int64_t shortest, longest;
};

static inline struct depth depth_of(const idx_t *len, int64_t count) {
    idx_t shortest = len[0], longest = len[0];
    for (int64_t r = 1; r < count; r++) {
        shortest = len[r] < shortest ? len[r] : shortest;
        longest = len[r] > longest ? len[r] : longest;
    }
    return (struct depth){shortest, longest};
}

#endif
