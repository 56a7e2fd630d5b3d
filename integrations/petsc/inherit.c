/* SPDX-License-Identifier: BSD-3-Clause */
/* What PETSc finds by the name of a matrix's type, for types that it does not know. */
#include <petsc/private/matimpl.h>

#include "types.h"

typedef PetscErrorCode (*product_setter)(Mat);

/* The dense matrix, on the right, knows how to be multiplied by AIJ matrices. */
static PetscErrorCode set_product_with_dense(Mat C) {
    Mat dense = C->product->B;
    product_setter set;
    char name[128];
    PetscBool parallel;
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)dense, MATMPIDENSE, &parallel));
    PetscCall(PetscSNPrintf(name, sizeof name, "MatProductSetFromOptions_%s_%s_C",
                            parallel ? MATMPIAIJ : MATSEQAIJ, ((PetscObject)dense)->type_name));
    PetscCall(PetscObjectQueryFunction((PetscObject)dense, name, &set));
    if (set)
        PetscCall(set(C));
    PetscFunctionReturn(0);
}

PetscErrorCode inherit_products(Mat A, const char *from, const char *to, const char *dense) {
    product_setter set;
    char name[128];
    PetscFunctionBegin;
    PetscCall(PetscSNPrintf(name, sizeof name, "MatProductSetFromOptions_%s_%s_C", dense, from));
    PetscCall(PetscObjectQueryFunction((PetscObject)A, name, &set));
    PetscCall(PetscSNPrintf(name, sizeof name, "MatProductSetFromOptions_%s_%s_C", dense, to));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, name, set));
    PetscCall(PetscSNPrintf(name, sizeof name, "MatProductSetFromOptions_%s_%s_C", to, dense));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, name, set_product_with_dense));
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
