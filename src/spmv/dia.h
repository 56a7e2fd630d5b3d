/* SPDX-License-Identifier: BSD-3-Clause */
/* DIA by slices: what its kernels are made of. */
#ifndef SPRY_SPMV_DIA_H
#define SPRY_SPMV_DIA_H

#include "formats/dia.h"
#include "formats/pointer.h"
#include "spmv/parts.h"

/* A slice: its diagonals, of which there are `count`. */
struct dia_slice {
    int64_t count;
    const idx_t *offset;
    const uint32_t *mask;
    const val_t *val;
};

/* The slice that begins with a row. */
static inline struct dia_slice dia_slice_at(const spry_matrix *matrix, int64_t row) {
    const spry_dia *dia = &matrix->dia;
    const int64_t s = row / SPRY_DIA_ROWS, first = pointer_at(matrix, dia->first, s);
    return (struct dia_slice){pointer_at(matrix, dia->first, s + 1) - first,
                              (const idx_t *)dia->offset + first, (const uint32_t *)dia->mask + first,
                              (const val_t *)dia->val + first * SPRY_DIA_ROWS};
}

/* `lanes` rows of a slice side by side. */
union spry_terms SHARED(spry_dia_work)(const struct spry_candidate *candidate, int lanes);

#endif
