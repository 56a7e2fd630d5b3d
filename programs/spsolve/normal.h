/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The normal equations A C² Aᵀ y = b, whose solution gives that of A x = b as x = C² Aᵀ y. Their residual is b - A x
 * itself, their matrix is symmetric and never indefinite, and a singular A does no harm where a solution exists; but its
 * condition is the square of A's. C is a diagonal matrix that makes columns alike.
 */
#ifndef SPRY_SPSOLVE_NORMAL_H
#define SPRY_SPSOLVE_NORMAL_H

#include "spsolve/scale.h"

struct normal {
    spry_context *context;
    const struct system *system;
    spry_matrix *scaled;  /* A C in CSR */
    const double *column; /* of C, on the host; the caller's */
    void *t;              /* n values where it is solved */
};

/* `csr` is A on the host. To be closed in either case. */
spry_status normal_open(struct normal *normal, const struct system *system, const spry_matrix *csr,
                        const struct scale *scale);
/* The product with A C² Aᵀ, as long as `normal` stays where it is. */
spry_operator normal_operator(struct normal *normal);
/* x += C² Aᵀ y. */
spry_status normal_add(struct normal *normal, const void *y, void *x);
void normal_close(struct normal *normal);

#endif
