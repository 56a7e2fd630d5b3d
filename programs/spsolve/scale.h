/* SPDX-License-Identifier: BSD-3-Clause */
/* Equilibration: diagonal matrices R and C such that the largest entry of each row and column of R A C is about 1. */
#ifndef SPRY_SPSOLVE_SCALE_H
#define SPRY_SPSOLVE_SCALE_H

#include <stdbool.h>

#include "spsolve/system.h"

struct scale {
    double *row, *column; /* the diagonals of R and C: positive. They are equal for a symmetric A */
};

/* For a square CSR matrix on the host; without `equilibrate` both are ones. False when memory ran out. To be freed in either case. */
bool scale_open(struct scale *scale, const spry_matrix *csr, bool equilibrate);
void scale_free(struct scale *scale);

#endif
