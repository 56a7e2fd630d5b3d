/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of the examples, of whatever type -mat_type says, by rows over the processes. */
#ifndef EXAMPLES_PETSC_PROBLEMS_H
#define EXAMPLES_PETSC_PROBLEMS_H

#include <petscmat.h>

/* The 7-point Laplacian of a grid of n × n × n points. */
PetscErrorCode poisson3d(MPI_Comm comm, PetscInt n, Mat *A);

/* A Matrix Market file: plain, .gz, or as an archive. Each process reads it, and keeps its own rows. */
PetscErrorCode matrix_market(MPI_Comm comm, const char *path, Mat *A);

#endif
