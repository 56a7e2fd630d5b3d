/* SPDX-License-Identifier: BSD-3-Clause */
#include "problems.h"

PetscErrorCode poisson3d(MPI_Comm comm, PetscInt n, Mat *A) {
    const PetscInt stride[3] = {1, n, n * n};
    PetscInt begin, end;
    PetscFunctionBeginUser;
    PetscCheck(n >= 1 && n <= 1000, comm, PETSC_ERR_ARG_OUTOFRANGE,
               "a grid has 1 to 1000 points a side, not %" PetscInt_FMT, n);
    PetscCall(MatCreate(comm, A));
    PetscCall(MatSetSizes(*A, PETSC_DECIDE, PETSC_DECIDE, n * n * n, n * n * n));
    PetscCall(MatSetFromOptions(*A));
    PetscCall(MatSeqAIJSetPreallocation(*A, 7, NULL));
    PetscCall(MatMPIAIJSetPreallocation(*A, 7, NULL, 6, NULL));
    PetscCall(MatGetOwnershipRange(*A, &begin, &end));
    for (PetscInt row = begin; row < end; row++) {
        PetscCall(MatSetValue(*A, row, row, 6.0, INSERT_VALUES));
        for (int side = 0; side < 3; side++) {
            PetscInt place = row / stride[side] % n;
            if (place > 0)
                PetscCall(MatSetValue(*A, row, row - stride[side], -1.0, INSERT_VALUES));
            if (place < n - 1)
                PetscCall(MatSetValue(*A, row, row + stride[side], -1.0, INSERT_VALUES));
        }
    }
    PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}
