/* SPDX-License-Identifier: BSD-3-Clause */
/* How far rows that are summed side by side go. */
#ifndef SPRY_DEPTH_H
#define SPRY_DEPTH_H

#include "core/tmpl.h"

/* Shortest and longest of some rows. */
struct depth {
    int64_t all, some;
};

static inline struct depth depth_of(const idx_t *len, int64_t count) {
    idx_t all = len[0], some = len[0];
    for (int64_t r = 1; r < count; r++) {
        all = len[r] < all ? len[r] : all;
        some = len[r] > some ? len[r] : some;
    }
    return (struct depth){all, some};
}

#endif
