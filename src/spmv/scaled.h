/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with a matrix between two diagonals, by kernels that multiply by these on the way. */
#ifndef SPRY_SPMV_SCALED_H
#define SPRY_SPMV_SCALED_H

#include "core/internal.h"

/* Whether the matrix's kernel for an operation does: that was settled when the matrix was made. */
bool spry_spmv_scales(const spry_matrix *matrix, spry_op op);
/* y = alpha L op(A) R x + beta y, by such a kernel. A diagonal is an array of its values; null: there is none. */
spry_status spry_spmv_scaled(spry_context *context, spry_op op, double alpha, const spry_matrix *matrix,
                             const void *left, const void *right, const void *x, double beta, void *y);

#endif
