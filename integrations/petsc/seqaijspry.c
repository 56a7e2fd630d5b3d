/* SPDX-License-Identifier: BSD-3-Clause */
/* MATSEQAIJSPRY: a MATSEQAIJ whose products are Spry's. PETSc keeps the arrays, and does everything else. */
#include <petsc/private/matimpl.h>

#include "block.h"
#include "types.h"

/* When the block was made: of which matrix, and which state of it. */
struct moment {
    Mat matrix;
    PetscObjectState state, nonzeros;
    PetscInt cols, nnz;
    const PetscScalar *val;
};

struct seqaijspry {
    struct settings settings;
    struct block block;
    struct moment made;
    PetscBool values_change; /* they have, at least once, with the same pattern */
};

/* What MATSEQAIJ does where this type does something else. All matrices have the same. */
static struct {
    PetscErrorCode (*mult)(Mat, Vec, Vec);
    PetscErrorCode (*multadd)(Mat, Vec, Vec, Vec);
    PetscErrorCode (*multtranspose)(Mat, Vec, Vec);
    PetscErrorCode (*multtransposeadd)(Mat, Vec, Vec, Vec);
    PetscErrorCode (*duplicate)(Mat, MatDuplicateOption, Mat *);
    PetscErrorCode (*destroy)(Mat);
    PetscErrorCode (*view)(Mat, PetscViewer);
    PetscErrorCode (*convert)(Mat, MatType, MatReuse, Mat *);
    PetscErrorCode (*retrieve)(Mat);
    PetscErrorCode (*reset)(Mat);
} seqaij;

/* A matrix into which PETSc has merged another one may have lost what it had here. */
static PetscErrorCode get(Mat A, struct seqaijspry **spry) {
    PetscFunctionBegin;
    if (!A->spptr) {
        PetscCall(PetscNew(spry));
        A->spptr = *spry;
        PetscCall(settings_read(A, &(*spry)->settings));
    }
    *spry = A->spptr;
    PetscFunctionReturn(0);
}

static PetscErrorCode release(Mat A) {
    struct seqaijspry *spry = A->spptr;
    PetscFunctionBegin;
    if (spry)
        PetscCall(block_destroy(&spry->block));
    PetscCall(PetscFree(A->spptr));
    PetscFunctionReturn(0);
}

static PetscBool has_pattern_of(const struct moment *now, const struct moment *then) {
    return (PetscBool)(now->matrix == then->matrix && now->nonzeros == then->nonzeros &&
                       now->cols == then->cols && now->nnz == then->nnz && now->val == then->val);
}

/* The block as the matrix is now. It stays as it is while nothing changes the matrix, takes new values while its pattern stays,
 * and is made anew else. */
static PetscErrorCode current_block(Mat A, struct block **block) {
    struct seqaijspry *spry;
    struct arrays arrays = {.rows = A->rmap->n, .cols = A->cmap->n};
    struct moment now = {.matrix = A, .nonzeros = A->nonzerostate, .cols = A->cmap->n};
    PetscScalar *val;
    PetscBool kept = PETSC_FALSE;
    PetscFunctionBegin;
    PetscCall(get(A, &spry));
    *block = &spry->block;
    PetscCall(PetscObjectStateGet((PetscObject)A, &now.state));
    PetscCall(MatSeqAIJGetCSRAndMemType(A, &arrays.ptr, &arrays.idx, &val, NULL));
    arrays.val = now.val = val;
    now.nnz = arrays.rows > 0 && arrays.ptr ? arrays.ptr[arrays.rows] : 0;
    PetscBool same_pattern = has_pattern_of(&now, &spry->made);
    if (same_pattern && spry->made.state == now.state)
        PetscFunctionReturn(0);
    spry->made.matrix = NULL;
    if (same_pattern)
        PetscCall(block_update(*block, &kept));
    if (!kept) {
        spry->values_change = (PetscBool)(spry->values_change || same_pattern);
        PetscCall(block_make(*block, &spry->settings, &arrays, spry->values_change));
    }
    spry->made = now;
    PetscFunctionReturn(0);
}

/* y = A x or Aᵀ x, or with `add` this much more. */
static PetscErrorCode multiply(Mat A, spry_op op, Vec from, PetscBool add, Vec to) {
    struct block *block;
    const PetscScalar *x;
    PetscScalar *y;
    PetscFunctionBegin;
    PetscCall(current_block(A, &block));
    PetscCall(VecGetArrayRead(from, &x));
    PetscCall(add ? VecGetArray(to, &y) : VecGetArrayWrite(to, &y));
    PetscCall(block_multiply(block, op, x, add, y));
    PetscCall(add ? VecRestoreArray(to, &y) : VecRestoreArrayWrite(to, &y));
    PetscCall(VecRestoreArrayRead(from, &x));
    PetscCall(PetscLogFlops(2.0 * block->nnz - (add || op == SPRY_T ? 0 : block->filled)));
    PetscFunctionReturn(0);
}

static PetscErrorCode multiply_and_add(Mat A, spry_op op, Vec x, Vec y, Vec z) {
    PetscFunctionBegin;
    if (y != z)
        PetscCall(VecCopy(y, z));
    PetscCall(multiply(A, op, x, PETSC_TRUE, z));
    PetscFunctionReturn(0);
}

static PetscErrorCode mult(Mat A, Vec x, Vec y) {
    PetscFunctionBegin;
    PetscCall(multiply(A, SPRY_N, x, PETSC_FALSE, y));
    PetscFunctionReturn(0);
}

static PetscErrorCode mult_add(Mat A, Vec x, Vec y, Vec z) {
    PetscFunctionBegin;
    PetscCall(multiply_and_add(A, SPRY_N, x, y, z));
    PetscFunctionReturn(0);
}

static PetscErrorCode mult_transpose(Mat A, Vec x, Vec y) {
    PetscFunctionBegin;
    PetscCall(multiply(A, SPRY_T, x, PETSC_FALSE, y));
    PetscFunctionReturn(0);
}

static PetscErrorCode mult_transpose_add(Mat A, Vec x, Vec y, Vec z) {
    PetscFunctionBegin;
    PetscCall(multiply_and_add(A, SPRY_T, x, y, z));
    PetscFunctionReturn(0);
}

/* The copy is of this type, as PETSc makes it of the same name. */
static PetscErrorCode duplicate(Mat A, MatDuplicateOption values, Mat *copy) {
    struct seqaijspry *spry, *copied;
    PetscFunctionBegin;
    PetscCall(seqaij.duplicate(A, values, copy));
    PetscCall(get(A, &spry));
    PetscCall(get(*copy, &copied));
    copied->settings = spry->settings;
    PetscFunctionReturn(0);
}

static PetscErrorCode destroy(Mat A) {
    PetscFunctionBegin;
    PetscCall(release(A));
    PetscCall(seqaij.destroy(A));
    PetscFunctionReturn(0);
}

/* PETSc writes the values that it has stored without a word that there are new ones. */
static PetscErrorCode retrieve_values(Mat A) {
    PetscFunctionBegin;
    PetscCall(seqaij.retrieve(A));
    PetscCall(PetscObjectStateIncrease((PetscObject)A));
    PetscFunctionReturn(0);
}

/* Nor does it say that all entries are gone, and may come elsewhere. */
static PetscErrorCode reset_preallocation(Mat A) {
    PetscFunctionBegin;
    A->nonzerostate++;
    PetscCall(seqaij.reset(A));
    PetscFunctionReturn(0);
}

PetscErrorCode seqaijspry_describe(Mat A, char *text, size_t size) {
    struct block *block;
    PetscFunctionBegin;
    PetscCall(current_block(A, &block));
    PetscCall(block_describe(block, text, size));
    PetscFunctionReturn(0);
}

PetscErrorCode viewer_describes(PetscViewer viewer, PetscBool *describes) {
    PetscViewerFormat format;
    PetscFunctionBegin;
    PetscCall(PetscViewerGetFormat(viewer, &format));
    PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, describes));
    if (format != PETSC_VIEWER_DEFAULT && format != PETSC_VIEWER_ASCII_INFO &&
        format != PETSC_VIEWER_ASCII_INFO_DETAIL)
        *describes = PETSC_FALSE;
    PetscFunctionReturn(0);
}

static PetscErrorCode view(Mat A, PetscViewer viewer) {
    char text[1024];
    PetscBool describes;
    PetscFunctionBegin;
    PetscCall(seqaij.view(A, viewer));
    PetscCall(viewer_describes(viewer, &describes));
    if (describes && A->assembled && !A->factortype) {
        PetscCall(seqaijspry_describe(A, text, sizeof text));
        PetscCall(PetscViewerASCIIPrintf(viewer, "Spry: %s\n", text));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode compose(Mat A, PetscErrorCode (*from_seqaij)(Mat, MatType, MatReuse, Mat *),
                              PetscErrorCode (*to_seqaij)(Mat, MatType, MatReuse, Mat *),
                              PetscErrorCode (*retrieve)(Mat), PetscErrorCode (*reset)(Mat)) {
    PetscFunctionBegin;
    PetscCall(PetscObjectComposeFunction((PetscObject)A, "MatConvert_seqaij_seqaijspry_C", from_seqaij));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, "MatConvert_seqaijspry_seqaij_C", to_seqaij));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, "MatRetrieveValues_C", retrieve));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, "MatResetPreallocation_C", reset));
    PetscFunctionReturn(0);
}

static PetscErrorCode to_seqaij(Mat A, MatType type, MatReuse reuse, Mat *result) {
    Mat B = *result;
    (void)type;
    PetscFunctionBegin;
    if (reuse == MAT_REUSE_MATRIX) {
        PetscCall(MatCopy(A, B, SAME_NONZERO_PATTERN));
        PetscFunctionReturn(0);
    }
    if (reuse == MAT_INITIAL_MATRIX)
        PetscCall(MatDuplicate(A, MAT_COPY_VALUES, &B));
    PetscCall(release(B));
    B->ops->mult = seqaij.mult;
    B->ops->multadd = seqaij.multadd;
    B->ops->multtranspose = seqaij.multtranspose;
    B->ops->multtransposeadd = seqaij.multtransposeadd;
    B->ops->duplicate = seqaij.duplicate;
    B->ops->destroy = seqaij.destroy;
    B->ops->view = seqaij.view;
    B->ops->convert = seqaij.convert;
    PetscCall(compose(B, NULL, NULL, seqaij.retrieve, seqaij.reset));
    PetscCall(PetscObjectChangeTypeName((PetscObject)B, MATSEQAIJ));
    *result = B;
    PetscFunctionReturn(0);
}

static PetscErrorCode remember_seqaij(Mat A) {
    PetscFunctionBegin;
    seqaij.mult = A->ops->mult;
    seqaij.multadd = A->ops->multadd;
    seqaij.multtranspose = A->ops->multtranspose;
    seqaij.multtransposeadd = A->ops->multtransposeadd;
    seqaij.duplicate = A->ops->duplicate;
    seqaij.destroy = A->ops->destroy;
    seqaij.view = A->ops->view;
    seqaij.convert = A->ops->convert;
    PetscCall(PetscObjectQueryFunction((PetscObject)A, "MatRetrieveValues_C", &seqaij.retrieve));
    PetscCall(PetscObjectQueryFunction((PetscObject)A, "MatResetPreallocation_C", &seqaij.reset));
    PetscFunctionReturn(0);
}

/* In place. */
static PetscErrorCode take_over(Mat A) {
    struct seqaijspry *spry;
    PetscFunctionBegin;
    PetscCall(remember_seqaij(A));
    A->ops->mult = mult;
    A->ops->multadd = mult_add;
    A->ops->multtranspose = mult_transpose;
    A->ops->multtransposeadd = mult_transpose_add;
    A->ops->duplicate = duplicate;
    A->ops->destroy = destroy;
    A->ops->view = view;
    A->ops->convert = convert_through_aij;
    PetscCall(compose(A, seqaijspry_from_seqaij, to_seqaij, retrieve_values, reset_preallocation));
    PetscCall(inherit_products(A, MATSEQAIJ, MATSEQAIJSPRY, MATSEQDENSE));
    PetscCall(PetscObjectChangeTypeName((PetscObject)A, MATSEQAIJSPRY));
    PetscCall(get(A, &spry));
    PetscFunctionReturn(0);
}

PetscErrorCode seqaijspry_from_seqaij(Mat A, MatType type, MatReuse reuse, Mat *result) {
    Mat B = *result;
    PetscBool already, plain;
    (void)type;
    PetscFunctionBegin;
    if (reuse == MAT_REUSE_MATRIX) {
        PetscCall(MatCopy(A, B, SAME_NONZERO_PATTERN));
        PetscFunctionReturn(0);
    }
    if (reuse == MAT_INITIAL_MATRIX)
        PetscCall(MatDuplicate(A, MAT_COPY_VALUES, &B));
    PetscCall(PetscObjectTypeCompare((PetscObject)B, MATSEQAIJSPRY, &already));
    PetscCall(PetscObjectTypeCompare((PetscObject)B, MATSEQAIJ, &plain));
    PetscCheck(already || plain, PETSC_COMM_SELF, PETSC_ERR_ARG_INCOMP,
               "a %s matrix cannot be made %s: convert it to %s first", ((PetscObject)B)->type_name,
               MATSEQAIJSPRY, MATSEQAIJ);
    if (!already)
        PetscCall(take_over(B));
    *result = B;
    PetscFunctionReturn(0);
}

PetscErrorCode seqaijspry_adopt(Mat block, const char *prefix) {
    struct seqaijspry *spry;
    PetscBool same;
    PetscFunctionBegin;
    PetscCall(PetscStrcmp(prefix, ((PetscObject)block)->prefix, &same));
    if (!same)
        PetscCall(PetscObjectSetOptionsPrefix((PetscObject)block, prefix));
    PetscCall(seqaijspry_from_seqaij(block, MATSEQAIJSPRY, MAT_INPLACE_MATRIX, &block));
    PetscCall(get(block, &spry));
    if (!same)
        PetscCall(settings_read(block, &spry->settings));
    PetscFunctionReturn(0);
}

PetscErrorCode seqaijspry_create(Mat A) {
    PetscFunctionBegin;
    PetscCall(MatSetType(A, MATSEQAIJ));
    PetscCall(seqaijspry_from_seqaij(A, MATSEQAIJSPRY, MAT_INPLACE_MATRIX, &A));
    PetscFunctionReturn(0);
}
