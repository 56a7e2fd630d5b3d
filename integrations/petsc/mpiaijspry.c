/* SPDX-License-Identifier: BSD-3-Clause */
/* MATMPIAIJSPRY: a MATMPIAIJ whose two blocks on each process are MATSEQAIJSPRY. */
#include <petsc/private/matimpl.h>

#include "types.h"

typedef PetscErrorCode (*preallocator)(Mat, PetscInt, const PetscInt[], PetscInt, const PetscInt[]);

/* What MATMPIAIJ does where this type does something else. All matrices have the same. */
static struct {
    PetscErrorCode (*assemblyend)(Mat, MatAssemblyType);
    PetscErrorCode (*view)(Mat, PetscViewer);
    PetscErrorCode (*convert)(Mat, MatType, MatReuse, Mat *);
    PetscErrorCode (*setfromoptions)(Mat, option_items);
    preallocator preallocate;
} mpiaij;

static PetscErrorCode adopt_blocks(Mat A) {
    Mat diagonal, rest;
    PetscFunctionBegin;
    PetscCall(MatMPIAIJGetSeqAIJ(A, &diagonal, &rest, NULL));
    if (diagonal)
        PetscCall(seqaijspry_adopt(diagonal, ((PetscObject)A)->prefix));
    if (rest)
        PetscCall(seqaijspry_adopt(rest, ((PetscObject)A)->prefix));
    PetscFunctionReturn(0);
}

static PetscErrorCode preallocate(Mat A, PetscInt diagonal, const PetscInt each_diagonal[], PetscInt rest,
                                  const PetscInt each_rest[]) {
    PetscFunctionBegin;
    PetscCall(mpiaij.preallocate(A, diagonal, each_diagonal, rest, each_rest));
    PetscCall(adopt_blocks(A));
    PetscFunctionReturn(0);
}

/* Blocks may be new ones: PETSc replaces them when new columns come, and when entries are given as coordinates. */
static PetscErrorCode assembly_end(Mat A, MatAssemblyType mode) {
    PetscFunctionBegin;
    PetscCall(mpiaij.assemblyend(A, mode));
    PetscCall(adopt_blocks(A));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_from_options(Mat A, option_items items) {
    Mat block[2];
    PetscFunctionBegin;
    if (mpiaij.setfromoptions)
        PetscCall(mpiaij.setfromoptions(A, items));
    PetscCall(adopt_blocks(A));
    PetscCall(MatMPIAIJGetSeqAIJ(A, &block[0], &block[1], NULL));
    for (int k = 0; k < 2; k++)
        if (block[k])
            PetscCall(seqaijspry_read_settings(block[k]));
    PetscFunctionReturn(0);
}

/* Of the first process, or in detail of all. */
static PetscErrorCode describe_blocks(Mat A, PetscViewer viewer) {
    PetscViewerFormat format;
    PetscMPIInt rank;
    Mat block[2];
    char text[2][1024];
    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_rank(PetscObjectComm((PetscObject)A), &rank));
    PetscCall(PetscViewerGetFormat(viewer, &format));
    PetscCall(MatMPIAIJGetSeqAIJ(A, &block[0], &block[1], NULL));
    PetscCall(PetscViewerASCIIPushSynchronized(viewer));
    if (rank == 0 || format == PETSC_VIEWER_ASCII_INFO_DETAIL) {
        for (int k = 0; k < 2; k++)
            PetscCall(seqaijspry_describe(block[k], text[k], sizeof text[k]));
        PetscCall(PetscViewerASCIISynchronizedPrintf(viewer, "Spry, diagonal block of process %d: %s\n", rank,
                                                     text[0]));
        PetscCall(PetscViewerASCIISynchronizedPrintf(viewer, "Spry, off-diagonal block of process %d: %s\n",
                                                     rank, text[1]));
    }
    PetscCall(PetscViewerFlush(viewer));
    PetscCall(PetscViewerASCIIPopSynchronized(viewer));
    PetscFunctionReturn(0);
}

static PetscErrorCode view(Mat A, PetscViewer viewer) {
    PetscBool describes;
    PetscFunctionBegin;
    PetscCall(mpiaij.view(A, viewer));
    PetscCall(viewer_describes(viewer, &describes));
    if (describes && A->assembled)
        PetscCall(describe_blocks(A, viewer));
    PetscFunctionReturn(0);
}

static PetscErrorCode from_mpiaij(Mat A, MatType type, MatReuse reuse, Mat *result);
static PetscErrorCode to_mpiaij(Mat A, MatType type, MatReuse reuse, Mat *result);

static PetscErrorCode compose(Mat A, PetscErrorCode (*from)(Mat, MatType, MatReuse, Mat *),
                              PetscErrorCode (*to)(Mat, MatType, MatReuse, Mat *),
                              preallocator preallocation) {
    PetscFunctionBegin;
    PetscCall(PetscObjectComposeFunction((PetscObject)A, "MatConvert_mpiaij_mpiaijspry_C", from));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, "MatConvert_mpiaijspry_mpiaij_C", to));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, "MatMPIAIJSetPreallocation_C", preallocation));
    PetscFunctionReturn(0);
}

static PetscErrorCode to_mpiaij(Mat A, MatType type, MatReuse reuse, Mat *result) {
    Mat B, block[2];
    (void)type;
    PetscFunctionBegin;
    PetscCall(conversion_target(A, reuse, *result, &B));
    if (!B)
        PetscFunctionReturn(0);
    PetscCall(MatMPIAIJGetSeqAIJ(B, &block[0], &block[1], NULL));
    for (int k = 0; k < 2; k++)
        if (block[k])
            PetscCall(MatConvert(block[k], MATSEQAIJ, MAT_INPLACE_MATRIX, &block[k]));
    B->ops->assemblyend = mpiaij.assemblyend;
    B->ops->view = mpiaij.view;
    B->ops->convert = mpiaij.convert;
    B->ops->setfromoptions = mpiaij.setfromoptions;
    PetscCall(compose(B, NULL, NULL, mpiaij.preallocate));
    PetscCall(PetscObjectChangeTypeName((PetscObject)B, MATMPIAIJ));
    *result = B;
    PetscFunctionReturn(0);
}

/* In place. */
static PetscErrorCode take_over(Mat A) {
    PetscFunctionBegin;
    mpiaij.assemblyend = A->ops->assemblyend;
    mpiaij.view = A->ops->view;
    mpiaij.convert = A->ops->convert;
    mpiaij.setfromoptions = A->ops->setfromoptions;
    PetscCall(PetscObjectQueryFunction((PetscObject)A, "MatMPIAIJSetPreallocation_C", &mpiaij.preallocate));
    A->ops->assemblyend = assembly_end;
    A->ops->view = view;
    A->ops->convert = convert_through_aij;
    A->ops->setfromoptions = set_from_options;
    PetscCall(compose(A, from_mpiaij, to_mpiaij, preallocate));
    PetscCall(inherit_products(A, MATMPIAIJSPRY, MATMPIDENSE));
    PetscCall(PetscObjectChangeTypeName((PetscObject)A, MATMPIAIJSPRY));
    PetscCall(adopt_blocks(A));
    PetscFunctionReturn(0);
}

static PetscErrorCode from_mpiaij(Mat A, MatType type, MatReuse reuse, Mat *result) {
    Mat B;
    (void)type;
    PetscFunctionBegin;
    PetscCall(conversion_target(A, reuse, *result, &B));
    if (!B)
        PetscFunctionReturn(0);
    PetscCall(take_over(B));
    *result = B;
    PetscFunctionReturn(0);
}

PetscErrorCode mpiaijspry_create(Mat A) {
    PetscFunctionBegin;
    PetscCall(MatSetType(A, MATMPIAIJ));
    PetscCall(take_over(A));
    PetscFunctionReturn(0);
}
