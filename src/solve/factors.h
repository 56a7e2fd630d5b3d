/* SPDX-License-Identifier: BSD-3-Clause */
/* What preconditioners of two triangles have in common: M⁻¹ x is a substitution with the one, then with the other, or
   sweeps in the place of each. */
#ifndef SPRY_FACTORS_H
#define SPRY_FACTORS_H

#include "solve/sweeps.h"

/* precond->part. */
struct spry_factors {
    spry_matrix *matrix;       /* incomplete factors: in the place of a copy of A; else null */
    struct spry_square square; /* that, or A while its values are taken, with its diagonal */
    spry_matrix *transposed;   /* IC(0): the same in CSC, whose arrays are Lᵀ in CSR; else null */
    struct spry_square transposed_square; /* that with its diagonal */
    /* By triangle: the lower one is applied first. With sweeps, the lower substitution is there only for the order in which
       factors are made. */
    struct spry_substitution substitution[SPRY_TRIANGLE_COUNT];
    struct spry_sweeps sweeps[SPRY_TRIANGLE_COUNT];
};

/* Make precond->part, with its lower triangle and, if wanted, its upper one, without values. A is copied first where
   its factors take its place. SPRY_ERROR_INVALID where A has no entry on its diagonal, or two in one place of a copy.
   */
spry_status spry_factors_open(spry_context *context, spry_precond *precond, const spry_matrix *csr, bool copy,
                              bool upper);
/* Give IC(0) its upper triangle, without values. */
spry_status spry_factors_transpose(spry_context *context, spry_precond *precond);
/* Give a triangle values, which are those of a square matrix in CSR. Those of factors differ from row to row where A's need
   not. */
spry_status spry_factors_fill(spry_context *context, spry_precond *precond, spry_triangle triangle,
                              const struct spry_square *square, const struct spry_scaling *scaling);

/* As in struct spry_precond_code. */
spry_status spry_factors_apply(spry_context *context, const spry_precond *precond, const void *x, void *y);
void spry_factors_destroy(spry_precond *precond);
spry_status spry_factors_reserve(spry_context *context, const spry_precond *precond);

#endif
