/* SPDX-License-Identifier: BSD-3-Clause */
#include <spry/spry.h>

#include "problems.h"

/* The file in CSR, in PETSc's types. */
static spry_status read_csr(spry_context *context, const char *path, spry_matrix **csr) {
    spry_read_options options = {.size = sizeof options,
                                 .as_f32 = sizeof(PetscScalar) == sizeof(float),
                                 .index_set = 1,
                                 .index = sizeof(PetscInt) == sizeof(int64_t) ? SPRY_I64 : SPRY_I32};
    spry_matrix *stored = NULL;
    *csr = NULL;
    spry_status status = spry_read(context, path, &options, &stored, NULL);
    if (!status)
        status = spry_convert(context, stored, SPRY_CSR, NULL, csr);
    spry_matrix_destroy(stored);
    return status;
}

/* The rows of this process, whose pointers begin with 0. */
static PetscErrorCode keep_rows(Mat A, const spry_csr *csr) {
    PetscInt rows, begin, *ptr;
    PetscFunctionBeginUser;
    PetscCall(MatSetUp(A));
    PetscCall(MatGetLocalSize(A, &rows, NULL));
    PetscCall(MatGetOwnershipRange(A, &begin, NULL));
    const PetscInt *from = (const PetscInt *)csr->ptr + begin, first = from[0];
    PetscCall(PetscMalloc1(rows + 1, &ptr));
    for (PetscInt i = 0; i <= rows; i++)
        ptr[i] = from[i] - first;
    const PetscInt *idx = (const PetscInt *)csr->idx + first;
    const PetscScalar *val = (const PetscScalar *)csr->val + first;
    PetscCall(MatSeqAIJSetPreallocationCSR(A, ptr, idx, val));
    PetscCall(MatMPIAIJSetPreallocationCSR(A, ptr, idx, val));
    PetscCall(PetscFree(ptr));
    PetscFunctionReturn(0);
}

PetscErrorCode matrix_market(MPI_Comm comm, const char *path, Mat *A) {
    spry_context_options options = {.size = sizeof options, .threads = 1};
    spry_context *context;
    spry_matrix *csr;
    PetscFunctionBeginUser;
    PetscCheck(!spry_context_create(&context, &options), PETSC_COMM_SELF, PETSC_ERR_MEM,
               "no memory for a context");
    PetscCheck(!read_csr(context, path, &csr), PETSC_COMM_SELF, PETSC_ERR_FILE_READ, "%s",
               spry_message(context));
    PetscCall(MatCreate(comm, A));
    PetscCall(MatSetSizes(*A, PETSC_DECIDE, PETSC_DECIDE, (PetscInt)spry_matrix_rows(csr),
                          (PetscInt)spry_matrix_cols(csr)));
    PetscCall(MatSetFromOptions(*A));
    PetscCall(keep_rows(*A, spry_matrix_csr(csr)));
    spry_matrix_destroy(csr);
    spry_context_destroy(context);
    PetscFunctionReturn(0);
}
