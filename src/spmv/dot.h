/* SPDX-License-Identifier: BSD-3-Clause */
/* Products that add up Σ w[i] y[i] on the way, for solvers, which do with the partial sums what they like. */
#ifndef SPRY_DOT_H
#define SPRY_DOT_H

#include "core/internal.h"

/* How many partial sums the product with this matrix gives; 0 where its kernel gives none. */
int64_t spry_dot_partials(const spry_matrix *matrix);
/* y = A x, and so many partial sums where the context works. */
spry_status spry_spmv_partials(spry_context *context, const spry_matrix *matrix, const void *x, void *y,
                               const void *w, double *partial);

#endif
