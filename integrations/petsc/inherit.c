/* SPDX-License-Identifier: BSD-3-Clause */
/* What PETSc finds by the name of a matrix's type, for types that it does not know. */
#include <petsc/private/matimpl.h>

#include "types.h"

/* The type that PETSc knows. */
static PetscErrorCode known_type(Mat A, const char **type) {
    PetscBool sequential, parallel;
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)A, MATSEQAIJSPRY, &sequential));
    PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJSPRY, &parallel));
    *type = sequential ? MATSEQAIJ : parallel ? MATMPIAIJ : ((PetscObject)A)->type_name;
    PetscFunctionReturn(0);
}

/* One of the two matrices knows how they are multiplied, by the names of their types. */
static PetscErrorCode set_product(Mat C) {
    Mat A = C->product->A, B = C->product->B;
    PetscErrorCode (*set)(Mat);
    const char *left, *right;
    char name[128];
    PetscFunctionBegin;
    PetscCall(known_type(A, &left));
    PetscCall(known_type(B, &right));
    PetscCall(PetscSNPrintf(name, sizeof name, "MatProductSetFromOptions_%s_%s_C", left, right));
    PetscCall(PetscObjectQueryFunction((PetscObject)A, name, &set));
    if (!set)
        PetscCall(PetscObjectQueryFunction((PetscObject)B, name, &set));
    if (set)
        PetscCall(set(C));
    PetscFunctionReturn(0);
}

PetscErrorCode inherit_products(Mat A, const char *type, const char *dense) {
    char name[128];
    PetscFunctionBegin;
    PetscCall(PetscSNPrintf(name, sizeof name, "MatProductSetFromOptions_%s_%s_C", dense, type));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, name, set_product));
    PetscCall(PetscSNPrintf(name, sizeof name, "MatProductSetFromOptions_%s_%s_C", type, dense));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, name, set_product));
    PetscFunctionReturn(0);
}

PetscErrorCode conversion_target(Mat A, MatReuse reuse, Mat existing, Mat *target) {
    PetscFunctionBegin;
    *target = existing;
    if (reuse == MAT_INITIAL_MATRIX)
        PetscCall(MatDuplicate(A, MAT_COPY_VALUES, target));
    if (reuse == MAT_REUSE_MATRIX) {
        PetscCall(MatCopy(A, existing, SAME_NONZERO_PATTERN));
        *target = NULL;
    }
    PetscFunctionReturn(0);
}

/* As an AIJ matrix first: PETSc knows how to convert that. */
PetscErrorCode convert_through_aij(Mat A, MatType type, MatReuse reuse, Mat *result) {
    Mat aij = A;
    MatReuse first = reuse == MAT_INPLACE_MATRIX ? MAT_INPLACE_MATRIX : MAT_INITIAL_MATRIX;
    PetscFunctionBegin;
    PetscCall(MatConvert(A, MATAIJ, first, &aij));
    PetscCall(MatConvert(aij, type, reuse, reuse == MAT_INPLACE_MATRIX ? &aij : result));
    if (reuse == MAT_INPLACE_MATRIX)
        *result = aij;
    else
        PetscCall(MatDestroy(&aij));
    PetscFunctionReturn(0);
}
