/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices that go wrong easily, by a rule for their entries. */
#ifndef TESTS_PETSC_SHAPES_H
#define TESTS_PETSC_SHAPES_H

#include <petscmat.h>

struct shape {
    const char *name;
    PetscInt rows, cols;
    PetscScalar (*entry)(PetscInt row, PetscInt col);            /* 0: none there */
    enum { EVENLY, ALL_ON_THE_FIRST, NONE_ON_THE_FIRST } spread; /* of rows and columns over the processes */
};

extern const struct shape shapes[];
extern const int shape_count;

/* A matrix of the type that -mat_type says. */
PetscErrorCode make_shape(const struct shape *shape, Mat *A);

#endif
