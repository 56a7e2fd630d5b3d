/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses of Spry as errors of PETSc. */
#ifndef PETSC_SPRY_ERROR_H
#define PETSC_SPRY_ERROR_H

#include <petscsys.h>
#include <spry/spry.h>

/* What PETSc calls it. */
static inline PetscErrorCode spry_error_code(spry_status status) {
    switch (status) {
    case SPRY_ERROR_MEMORY:
        return PETSC_ERR_MEM;
    case SPRY_ERROR_UNSUPPORTED:
    case SPRY_ERROR_TOO_LARGE:
        return PETSC_ERR_SUP;
    case SPRY_ERROR_ARGUMENT:
        return PETSC_ERR_ARG_WRONG;
    case SPRY_ERROR_INVALID:
        return PETSC_ERR_ARG_CORRUPT;
    default:
        return PETSC_ERR_LIB;
    }
}

/* Return from a function of PETSc with the context's message where a call of Spry fails. */
#define SpryCall(context, call)                                                                              \
    do {                                                                                                     \
        spry_status spry_call_status = (call);                                                               \
        const char *spry_call_text = spry_message(context);                                                  \
        PetscCheck(!spry_call_status, PETSC_COMM_SELF, spry_error_code(spry_call_status), "Spry: %s",        \
                   *spry_call_text ? spry_call_text : spry_status_string(spry_call_status));                 \
    } while (0)

#endif
