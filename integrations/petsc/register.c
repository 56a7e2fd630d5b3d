/* SPDX-License-Identifier: BSD-3-Clause */
/* What PETSc calls when it has loaded the library (-dll_append). */
#include "types.h"

/* Named after the file, libspry_petsc.so. */
PETSC_EXTERN PetscErrorCode PetscDLLibraryRegister_spry_petsc(void);

PetscErrorCode PetscDLLibraryRegister_spry_petsc(void) {
    PetscInt major, minor;
    PetscFunctionBegin;
    PetscCall(PetscGetVersionNumber(&major, &minor, NULL, NULL));
    PetscCheck(major == PETSC_VERSION_MAJOR && minor == PETSC_VERSION_MINOR, PETSC_COMM_SELF, PETSC_ERR_SUP,
               "Spry's matrix types were compiled for PETSc %d.%d, and this is %" PetscInt_FMT
               ".%" PetscInt_FMT,
               PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, major, minor);
    PetscCall(MatRegister(MATSEQAIJSPRY, seqaijspry_create));
    PetscCall(MatRegister(MATMPIAIJSPRY, mpiaijspry_create));
    PetscCall(MatRegisterRootName(MATAIJSPRY, MATSEQAIJSPRY, MATMPIAIJSPRY));
    PetscCall(MatSeqAIJRegister(MATSEQAIJSPRY, seqaijspry_from_seqaij));
    PetscFunctionReturn(0);
}
