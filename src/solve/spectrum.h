/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_SPECTRUM_H
#define SPRY_SPECTRUM_H

#include "core/internal.h"

/* An estimate, from below, of the largest eigenvalue of M⁻¹ A for a symmetric positive definite matrix and such a
   preconditioner, which may be a diagonal. `inverse` is that of the matrix's diagonal, positive. SPRY_ERROR_INVALID where
   one turns out not to be positive definite. */
spry_status spry_largest_eigenvalue(spry_context *context, const spry_matrix *matrix, const void *inverse,
                                    const spry_operator *precond, double *largest);

#endif
