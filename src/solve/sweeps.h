/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Jacobi sweeps on a triangle in the place of its substitution (Anzt, Chow, Dongarra, “Iterative sparse triangular solves for
 * preconditioning”, Euro-Par 2015): with T = D (1 − G), where G is strictly triangular, z_0 = D⁻¹ b and
 * z_{k+1} = D⁻¹ b + G z_k. After as many sweeps as there are levels that is the solution. What so many sweeps make of b is
 * linear in b, and with the transposed triangle it is the transpose of that.
 */
#ifndef SPRY_SWEEPS_H
#define SPRY_SWEEPS_H

#include "solve/precond.h"
#include "solve/triangle.h"

struct spry_sweeps {
    struct spry_substitution triangle; /* G in CSR, and D⁻¹ */
    spry_matrix *matrix;               /* G, to be multiplied with */
};

/* Find the triangle of a square matrix with that pattern. Released in any case. */
spry_status spry_sweeps_open(spry_context *context, const struct spry_square *square,
                             const struct spry_pattern *pattern, spry_triangle triangle,
                             struct spry_sweeps *sweeps);
/* Take values, as spry_substitution_fill; the first time, keep G in `storage` or, where that is null, in whichever is
   fastest. */
spry_status spry_sweeps_fill(spry_context *context, const struct spry_square *square,
                             const struct spry_scaling *scaling, const spry_storage *storage,
                             struct spry_sweeps *sweeps);
/* x after so many sweeps for b; neither overlaps the other or z, which is n values to work in. */
spry_status spry_sweep(spry_context *context, const struct spry_sweeps *sweeps, int count, const void *b,
                       void *z, void *x);
void spry_sweeps_release(struct spry_sweeps *sweeps);

#endif
