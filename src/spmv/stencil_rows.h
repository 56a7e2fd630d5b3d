/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a kernel for stencils, which is compiled for x that is scaled and for x that is not. */
#ifndef SPRY_STENCIL_ROWS_H
#define SPRY_STENCIL_ROWS_H

#include "spmv/stencil.h"

/* What the kernel does, for both. */
INLINE void multiply_rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, struct input x,
                          val_t beta, val_t *y);

static void rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *right,
                 const val_t *x, val_t beta, val_t *y) {
    if (right)
        multiply_rows(matrix, begin, end, alpha, (struct input){x, right, true}, beta, y);
    else
        multiply_rows(matrix, begin, end, alpha, (struct input){x, NULL, false}, beta, y);
}

#endif
