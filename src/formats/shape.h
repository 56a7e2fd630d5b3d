/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows by their shapes: where their values lie. */
#ifndef SPRY_FORMATS_SHAPE_H
#define SPRY_FORMATS_SHAPE_H

#include "formats/stencil.h"

/* Rows of a slice, at most: blocks of rows whose products are added up while they are near at hand hold whole slices. */
#define SPRY_SHAPE_HEIGHT_MOST 512

/* What the library chooses: a warp's rows, and several vector registers. */
#define SPRY_SHAPE_HEIGHT 32

/* A row: its offsets, and its first value; the others follow `height` apart. */
struct shape_row {
    struct stencil_entries entries;
    const val_t *val;
};

static inline struct shape_row shape_row(const spry_shape *shape, int64_t i) {
    const int64_t first = ((const ptr_t *)shape->first)[i / shape->height];
    return (struct shape_row){stencil_at(&shape->rows, stencil_number(&shape->rows, i)),
                              (const val_t *)shape->val + first + i % shape->height};
}

/* The row behind the slice of row i, or `last` if that comes before it. */
static inline int64_t shape_slice_end(const spry_shape *shape, int64_t i, int64_t last) {
    const int64_t end = (i / shape->height + 1) * shape->height;
    return end < last ? end : last;
}

#endif
