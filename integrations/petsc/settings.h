/* SPDX-License-Identifier: BSD-3-Clause */
/* What the options -mat_spry_… say. */
#ifndef PETSC_SPRY_SETTINGS_H
#define PETSC_SPRY_SETTINGS_H

#include <petscmat.h>
#include <spry/spry.h>

struct settings {
    PetscBool automatic;  /* choose a storage for each matrix */
    spry_storage storage; /* otherwise this one */
    PetscInt measure;     /* storages to build and to time */
    PetscReal products;   /* that a choice counts on; 0: many */
    PetscInt
        transposed; /* products with the transpose that are PETSc's own, before it is made for more; -1: all of them */
    PetscInt threads; /* of each process; 0: as OMP_NUM_THREADS says */
};

/* From the options database, with the matrix's prefix. */
PetscErrorCode settings_read(Mat A, struct settings *settings);

#endif
