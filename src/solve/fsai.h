/* SPDX-License-Identifier: BSD-3-Clause */
/* Factorised sparse approximate inverses of one pair of value and index type: members of spry_triangle_code. Matrices
   are square, in CSR, with base 0 and sorted rows; entries of A at the same place count as their sum. */
#ifndef SPRY_FSAI_H
#define SPRY_FSAI_H

#include "core/tmpl.h"
#include "solve/precond.h"
#include "solve/triangle.h"

/* Where G has entries: a new matrix with values that are not set. Each row ends with its diagonal entry. A has a
   positive diagonal. On the CPU. */
spry_status NAME(spry_fsai_pattern)(spry_context *context, const spry_matrix *csr,
                                    const struct spry_fsai_extent *extent, spry_matrix **factor);
/* The values of G, of the lower triangle of A with 1 + shift times its diagonal. No row of G has more than `most`
   entries. On a device it is not waited for. */
spry_status NAME(spry_fsai_fill)(spry_context *context, const spry_matrix *csr, double shift, int most,
                                 const spry_matrix *factor);

/* Of a pivot that is no larger than so much of what was on the diagonal, times the rows of the system, rounding may
   have made the sign. */
#if SPRY_TMPL_TYPE == 32
#define NO_PIVOT 1.2e-7
#else
#define NO_PIVOT 2.2e-16
#endif

#endif
