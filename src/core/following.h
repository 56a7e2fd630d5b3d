/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that follow the one before: as long as it, and with its columns, each one further on, as most rows of a band or of a stencil
   do. A bit a row: bit i % 64 of word i / 64. */
#ifndef SPRY_FOLLOWING_H
#define SPRY_FOLLOWING_H

#include <stdint.h>

#define SPRY_FOLLOWING_ROWS 64

/* The first row behind row i that does not follow, or `end`; i < end. */
static inline int64_t spry_following_end(const uint64_t *following, int64_t i, int64_t end) {
    for (int64_t row = i + 1; row < end; row += SPRY_FOLLOWING_ROWS - row % SPRY_FOLLOWING_ROWS) {
        const uint64_t others = ~following[row / SPRY_FOLLOWING_ROWS] >> row % SPRY_FOLLOWING_ROWS;
        if (others == 0)
            continue;
        row += __builtin_ctzll(others);
        return row < end ? row : end;
    }
    return end;
}

#endif
