/* SPDX-License-Identifier: BSD-3-Clause */
/* Products that are added to another vector on the way, for polynomials. */
#ifndef SPRY_SPMV_ADDING_H
#define SPRY_SPMV_ADDING_H

#include "core/table.h"

/* Whether the matrix's kernel does so: that was settled when the matrix was made. */
bool spry_spmv_adds(const spry_matrix *matrix);
/* y = alpha A x + beta y, and the addition, by such a kernel, with a square A. x, y and z do not overlap. */
spry_status spry_spmv_adding(spry_context *context, double alpha, const spry_matrix *matrix, const void *x,
                             double beta, void *y, const struct spry_addition *addition);

#endif
