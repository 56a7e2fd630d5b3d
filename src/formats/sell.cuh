/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL-C-σ as device code sees it. */
#ifndef SPRY_FORMATS_SELL_CUH
#define SPRY_FORMATS_SELL_CUH

#include "formats/formats.cuh"

extern "C" {
#include "formats/sell.h"
}

struct slices {
    int64_t rows, count, height, unit;
    ptr_t *ptr;
    idx_t *len;
    column_array idx;
    idx_t *perm; /* null where rows are not sorted */
    value_array val;
};

static inline slices slices_of(const spry_matrix *matrix) {
    const spry_sell *sell = &matrix->sell;
    return {matrix->rows,
            spry_sell_slices(matrix->rows, sell->height),
            sell->height,
            sell->unit,
            as<ptr_t>(sell->ptr),
            as<idx_t>(sell->len),
            column_array_of(matrix, sell->idx),
            sell->window > 1 ? as<idx_t>(sell->perm) : nullptr,
            value_array_of(matrix, sell->val)};
}

/* The row at a position that there is. */
static __device__ inline int64_t row_at(const slices &a, int64_t p) {
    return a.perm ? a.perm[p] : p;
}

/* The first slot of slice s; past the last one, where that ends. */
static __device__ inline int64_t slice_begin(const slices &a, int64_t s) {
    return (int64_t)a.ptr[s] * a.unit;
}

/* Slots of each row of slice s. */
static __device__ inline int64_t slice_width(const slices &a, int64_t s) {
    return (slice_begin(a, s + 1) - slice_begin(a, s)) / a.height;
}

#endif
