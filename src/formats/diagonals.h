/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the diagonals of DIA by slices lie: the same in C and in device code. */
#ifndef SPRY_FORMATS_DIAGONALS_H
#define SPRY_FORMATS_DIAGONALS_H

#include "core/tmpl.h"
#include "formats/dia.h"

struct diagonal_arrays {
    int64_t rows, cols, slices;
    ptr_t *first;
    idx_t *offset;
    uint32_t *mask;
    val_t *val;
};

static inline struct diagonal_arrays diagonal_arrays_of(const spry_matrix *matrix) {
    const spry_dia *dia = &matrix->dia;
    struct diagonal_arrays a;
    a.rows = matrix->rows;
    a.cols = matrix->cols;
    a.slices = spry_dia_slices(matrix->rows);
    a.first = (ptr_t *)dia->first;
    a.offset = (idx_t *)dia->offset;
    a.mask = (uint32_t *)dia->mask;
    a.val = (val_t *)dia->val;
    return a;
}

#endif
