/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL-C-σ (Kreutzer, Hager, Wellein, Fehske and Bishop, "A unified sparse matrix data format for efficient general sparse
   matrix-vector multiplication on modern processors with wide SIMD units", SIAM J. Sci. Comput. 36, 2014). */
#ifndef SPRY_FORMATS_SELL_H
#define SPRY_FORMATS_SELL_H

#include "core/cover.h"
#include "core/internal.h"

/* Rows of a slice, at most: no vector register or warp is as wide, and sizes stay far from overflow. */
#define SPRY_SELL_HEIGHT_MOST 1024

/* Slices that cover so many rows. */
static inline int64_t spry_sell_slices(int64_t rows, int64_t height) {
    return spry_cover(rows, height);
}

/* The height and the window that the library chooses: as many rows as a vector register or a warp has lanes, and enough
   slices to a window for their rows to be about as long as each other. */
int64_t spry_sell_height(const spry_context *context, spry_value_type type);
int64_t spry_sell_window(int64_t height);

/* Whether that window may become twice as long where rows are so uneven that its slices are not full. Not on a GPU, where uneven
   rows are another layout's. */
bool spry_sell_window_grows(const spry_context *context, int64_t window, int64_t rows, int64_t nnz);

/* Whether it should become half as long, as threads would share more than half of the windows, if that costs few slots. */
bool spry_sell_window_shrinks(const spry_context *context, int64_t height, int64_t window, int64_t rows,
                              int64_t nnz);

/* How many slots it is worth, beside so many, to keep threads from writing the same lines of y: four for each of these rows, at most a
   quarter of the slots. */
int64_t spry_sell_unshared_worth(int64_t slots, int64_t rows);

/* The slots that shorter windows may lead to, in place of so many. No more where one row's slice has a sixteenth of them, as it matters
   which rows that shares a window with. */
int64_t spry_sell_slots_shrunk(int64_t slots, int64_t rows, int64_t longest, int64_t height);

/* Whether slices of rows as they are have so little padding, for so many entries, that sorting would not pay. */
static inline bool spry_sell_is_full(int64_t slots, int64_t entries) {
    return slots - entries <= entries / 16;
}

/* The same of sorted rows, and of sorting them in windows twice as long. */
static inline bool spry_sell_is_fuller(int64_t slots, int64_t entries) {
    return slots - entries <= entries / 32;
}

/* SPRY_ERROR_UNSUPPORTED: new values are found in sorted rows only. */
spry_status spry_refuse_sell_update(spry_context *context);

#endif
