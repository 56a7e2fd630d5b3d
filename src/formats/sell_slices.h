/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the slices of SELL lie. */
#ifndef SPRY_FORMATS_SELL_SLICES_H
#define SPRY_FORMATS_SELL_SLICES_H

#include "core/split.h"
#include "core/tmpl.h"
#include "formats/pointer.h"
#include "formats/sell.h"

/* A slice: its first slot, and how many slots a row has. */
struct slice {
    int64_t first, width;
};

/* The first slot of slice s; behind the last one, where that ends. */
static inline int64_t slice_begin(const spry_matrix *matrix, int64_t s) {
    return pointer_at(matrix, matrix->sell.ptr, s) * matrix->sell.unit;
}

static inline struct slice slice_at(const spry_matrix *matrix, int64_t s) {
    const int64_t first = slice_begin(matrix, s);
    return (struct slice){first, (slice_begin(matrix, s + 1) - first) / matrix->sell.height};
}

/* The row at a position, and the slot of its first entry; those of its others follow `height` apart. */
static inline int64_t row_at(const spry_sell *sell, int64_t p) {
    return sell->window > 1 ? ((const idx_t *)sell->perm)[p] : p;
}

static inline int64_t first_slot(const spry_matrix *matrix, int64_t p) {
    const int64_t height = matrix->sell.height;
    return slice_begin(matrix, p / height) + p % height;
}

/* Slots and rows before slice s. */
static inline int64_t slice_work_before(const spry_matrix *matrix, int64_t s) {
    return slice_begin(matrix, s) + s * matrix->sell.height;
}

/* The first slice that has no less than so many slots and rows before it. */
static inline int64_t slice_from(const spry_matrix *matrix, int64_t work) {
    return spry_unit_from(matrix, spry_sell_slices(matrix->rows, matrix->sell.height), work,
                          slice_work_before);
}

#endif
