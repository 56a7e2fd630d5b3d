/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes as device code sees them. */
#ifndef SPRY_FORMATS_SHAPE_CUH
#define SPRY_FORMATS_SHAPE_CUH

#include "formats/stencil.cuh"

extern "C" {
#include "formats/sell.h"
}

struct shapes : stencils {
    int64_t height, slices;
    ptr_t *first;
    val_t *own;
};

static inline shapes shapes_of(const spry_matrix *matrix) {
    const spry_shape *shape = &matrix->shape;
    return {stencils_of(matrix), shape->height, spry_sell_slices(matrix->rows, shape->height),
            as<ptr_t>(shape->first), as<val_t>(shape->val)};
}

/* Rows have values of their own. A height is given where it is known as the code is compiled. */
template <int height = 0>
static __device__ inline row_values row_values_of(const shapes &a, uint32_t, int64_t row) {
    const int64_t step = height > 0 ? height : a.height;
    return {a.own + a.first[row / step] + row % step, step};
}

#endif
