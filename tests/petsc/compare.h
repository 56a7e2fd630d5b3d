/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of a matrix beside those that its rows give, one entry after the other. */
#ifndef TESTS_PETSC_COMPARE_H
#define TESTS_PETSC_COMPARE_H

#include <petscmat.h>

/* All six products of a matrix: A and Aᵀ, alone, added to a third vector, and added in place. What is wrong is printed with
 * `what`, and counted. */
PetscErrorCode compare_products(Mat A, const char *what);

/* Count and print what does not hold, on each process. */
void expect(PetscBool holds, const char *what);

/* Of all processes: 0 when nothing was wrong, and something was compared. */
PetscErrorCode failed(int *status);

#endif
