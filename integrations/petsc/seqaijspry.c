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
    struct block transpose;  /* of the matrix at the moment `transposed`, */
    struct moment
        transposed; /* since when there were `products` with the transpose: it is made when they are many */
    PetscInt products;
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
    PetscErrorCode (*setfromoptions)(Mat, option_items);
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
    if (spry) {
        PetscCall(block_destroy(&spry->block));
        PetscCall(block_destroy(&spry->transpose));
    }
    PetscCall(PetscFree(A->spptr));
    PetscFunctionReturn(0);
}

static PetscErrorCode look(Mat A, struct arrays *arrays, struct moment *now) {
    PetscScalar *val;
    PetscFunctionBegin;
    *arrays = (struct arrays){.rows = A->rmap->n, .cols = A->cmap->n};
    PetscCall(MatSeqAIJGetCSRAndMemType(A, &arrays->ptr, &arrays->idx, &val, NULL));
    arrays->val = val;
    *now = (struct moment){.matrix = A,
                           .nonzeros = A->nonzerostate,
                           .cols = arrays->cols,
                           .nnz = arrays_nnz(arrays),
                           .val = val};
    PetscCall(PetscObjectStateGet((PetscObject)A, &now->state));
    PetscFunctionReturn(0);
}

static PetscBool has_pattern_of(const struct moment *now, const struct moment *then) {
    return (PetscBool)(now->matrix == then->matrix && now->nonzeros == then->nonzeros &&
                       now->cols == then->cols && now->nnz == then->nnz && now->val == then->val);
}

static PetscBool is_same(const struct moment *now, const struct moment *then) {
    return (PetscBool)(has_pattern_of(now, then) && now->state == then->state);
}

/* The block as the matrix is now. It stays as it is while nothing changes the matrix, takes new values while its pattern stays,
 * and is made anew else. */
static PetscErrorCode current_block(Mat A, struct block **block) {
    struct seqaijspry *spry;
    struct arrays arrays;
    struct moment now;
    PetscBool kept = PETSC_FALSE;
    PetscFunctionBegin;
    PetscCall(get(A, &spry));
    *block = &spry->block;
    PetscCall(look(A, &arrays, &now));
    if (is_same(&now, &spry->made))
        PetscFunctionReturn(0);
    PetscBool same_pattern = has_pattern_of(&now, &spry->made);
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

/* The transpose as the matrix is now; null for the first few products, as it would not pay for these. */
static PetscErrorCode current_transpose(Mat A, struct block **block) {
    struct seqaijspry *spry;
    struct arrays arrays;
    struct moment now;
    PetscFunctionBegin;
    PetscCall(get(A, &spry));
    PetscCall(look(A, &arrays, &now));
    if (!is_same(&now, &spry->transposed)) {
        PetscCall(block_clear(&spry->transpose));
        spry->transposed = now;
        spry->products = 0;
    }
    PetscInt few = spry->settings.transposed;
    *block = few >= 0 && spry->products >= few ? &spry->transpose : NULL;
    if (*block && spry->products == few)
        PetscCall(block_make_transpose(*block, &spry->settings, &arrays));
    if (spry->products <= few)
        spry->products++;
    PetscFunctionReturn(0);
}

/* y = A x, or with `add` this much more. */
static PetscErrorCode multiply(struct block *block, Vec from, PetscBool add, Vec to) {
    const PetscScalar *x;
    PetscScalar *y;
    PetscFunctionBegin;
    PetscCall(VecGetArrayRead(from, &x));
    PetscCall(add ? VecGetArray(to, &y) : VecGetArrayWrite(to, &y));
    PetscCall(block_multiply(block, x, add, y));
    PetscCall(add ? VecRestoreArray(to, &y) : VecRestoreArrayWrite(to, &y));
    PetscCall(VecRestoreArrayRead(from, &x));
    PetscCall(PetscLogFlops(2.0 * block->nnz - (add ? 0 : block->filled)));
    PetscFunctionReturn(0);
}

static PetscErrorCode multiply_and_add(struct block *block, Vec x, Vec y, Vec z) {
    PetscFunctionBegin;
    if (y != z)
        PetscCall(VecCopy(y, z));
    PetscCall(multiply(block, x, PETSC_TRUE, z));
    PetscFunctionReturn(0);
}

static PetscErrorCode mult(Mat A, Vec x, Vec y) {
    struct block *block;
    PetscFunctionBegin;
    PetscCall(current_block(A, &block));
    PetscCall(multiply(block, x, PETSC_FALSE, y));
    PetscFunctionReturn(0);
}

static PetscErrorCode mult_add(Mat A, Vec x, Vec y, Vec z) {
    struct block *block;
    PetscFunctionBegin;
    PetscCall(current_block(A, &block));
    PetscCall(multiply_and_add(block, x, y, z));
    PetscFunctionReturn(0);
}

static PetscErrorCode mult_transpose(Mat A, Vec x, Vec y) {
    struct block *transpose;
    PetscFunctionBegin;
    PetscCall(current_transpose(A, &transpose));
    PetscCall(transpose ? multiply(transpose, x, PETSC_FALSE, y) : seqaij.multtranspose(A, x, y));
    PetscFunctionReturn(0);
}

static PetscErrorCode mult_transpose_add(Mat A, Vec x, Vec y, Vec z) {
    struct block *transpose;
    PetscFunctionBegin;
    PetscCall(current_transpose(A, &transpose));
    PetscCall(transpose ? multiply_and_add(transpose, x, y, z) : seqaij.multtransposeadd(A, x, y, z));
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

/* What was made by the old settings goes, its contexts too, which have so many threads. */
PetscErrorCode seqaijspry_read_settings(Mat A) {
    struct seqaijspry *spry;
    PetscFunctionBegin;
    PetscCall(get(A, &spry));
    PetscCall(settings_read(A, &spry->settings));
    PetscCall(block_destroy(&spry->block));
    PetscCall(block_destroy(&spry->transpose));
    spry->made.matrix = spry->transposed.matrix = NULL;
    PetscFunctionReturn(0);
}

static PetscErrorCode set_from_options(Mat A, option_items items) {
    PetscFunctionBegin;
    if (seqaij.setfromoptions)
        PetscCall(seqaij.setfromoptions(A, items));
    PetscCall(seqaijspry_read_settings(A));
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
    if (*block->why) {
        PetscCall(PetscStrlcat(text, ": ", size));
        PetscCall(PetscStrlcat(text, block->why, size));
    }
    struct seqaijspry *spry = A->spptr;
    if (spry->transpose.nnz > 0) {
        char transpose[256];
        PetscCall(block_describe(&spry->transpose, transpose, sizeof transpose));
        PetscCall(PetscStrlcat(text, "; its transpose: ", size));
        PetscCall(PetscStrlcat(text, transpose, size));
    }
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
    Mat B;
    (void)type;
    PetscFunctionBegin;
    PetscCall(conversion_target(A, reuse, *result, &B));
    if (!B)
        PetscFunctionReturn(0);
    PetscCall(release(B));
    B->ops->mult = seqaij.mult;
    B->ops->multadd = seqaij.multadd;
    B->ops->multtranspose = seqaij.multtranspose;
    B->ops->multtransposeadd = seqaij.multtransposeadd;
    B->ops->duplicate = seqaij.duplicate;
    B->ops->destroy = seqaij.destroy;
    B->ops->view = seqaij.view;
    B->ops->convert = seqaij.convert;
    B->ops->setfromoptions = seqaij.setfromoptions;
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
    seqaij.setfromoptions = A->ops->setfromoptions;
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
    A->ops->setfromoptions = set_from_options;
    PetscCall(compose(A, seqaijspry_from_seqaij, to_seqaij, retrieve_values, reset_preallocation));
    PetscCall(inherit_products(A, MATSEQAIJSPRY, MATSEQDENSE));
    PetscCall(PetscObjectChangeTypeName((PetscObject)A, MATSEQAIJSPRY));
    PetscCall(get(A, &spry));
    PetscFunctionReturn(0);
}

PetscErrorCode seqaijspry_from_seqaij(Mat A, MatType type, MatReuse reuse, Mat *result) {
    Mat B;
    PetscBool already, plain;
    (void)type;
    PetscFunctionBegin;
    PetscCall(conversion_target(A, reuse, *result, &B));
    if (!B)
        PetscFunctionReturn(0);
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
    PetscBool same;
    PetscFunctionBegin;
    PetscCall(PetscStrcmp(prefix, ((PetscObject)block)->prefix, &same));
    if (!same)
        PetscCall(PetscObjectSetOptionsPrefix((PetscObject)block, prefix));
    PetscCall(seqaijspry_from_seqaij(block, MATSEQAIJSPRY, MAT_INPLACE_MATRIX, &block));
    if (!same)
        PetscCall(seqaijspry_read_settings(block));
    PetscFunctionReturn(0);
}

PetscErrorCode seqaijspry_create(Mat A) {
    PetscFunctionBegin;
    PetscCall(MatSetType(A, MATSEQAIJ));
    PetscCall(seqaijspry_from_seqaij(A, MATSEQAIJSPRY, MAT_INPLACE_MATRIX, &A));
    PetscFunctionReturn(0);
}
