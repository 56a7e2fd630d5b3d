/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils as device code sees them. */
#ifndef SPRY_FORMATS_STENCIL_CUH
#define SPRY_FORMATS_STENCIL_CUH

#include "formats/formats.cuh"

extern "C" {
#include "formats/stencil.h"
}

struct stencils {
    int64_t rows, cols, count;
    int number_size;
    void *number;
    ptr_t *ptr;
    idx_t *offset;
    val_t *val;
};

/* Those of a matrix by shapes too, which begins with a stencil without values. */
static inline stencils stencils_of(const spry_matrix *matrix) {
    const spry_stencil *stencil = &matrix->stencil;
    return {matrix->rows,
            matrix->cols,
            stencil->count,
            (int)stencil->number_size,
            stencil->number,
            as<ptr_t>(stencil->ptr),
            as<idx_t>(stencil->offset),
            as<val_t>(stencil->val)};
}

/* The number of a row's stencil. */
static __device__ inline uint32_t number_of(const stencils &a, int64_t row) {
    switch (a.number_size) {
    case 1:
        return __ldg(as<uint8_t>(a.number) + row);
    case 2:
        return __ldg(as<uint16_t>(a.number) + row);
    default:
        return __ldg(as<uint32_t>(a.number) + row);
    }
}

/* Entries of a stencil. */
static __device__ inline int64_t length_of(const stencils &a, uint32_t number) {
    return a.ptr[number + 1] - a.ptr[number];
}

/* The values of a row, `step` apart. */
struct row_values {
    const val_t *first;
    int64_t step;
};

static __device__ inline row_values row_values_of(const stencils &a, uint32_t number, int64_t) {
    return {a.val + a.ptr[number], 1};
}

#endif
