/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of a sequential matrix as Spry multiplies by them. */
#ifndef PETSC_SPRY_BLOCK_H
#define PETSC_SPRY_BLOCK_H

#include "settings.h"

/* CSR arrays that PETSc keeps. */
struct arrays {
    PetscInt rows, cols;
    const PetscInt *ptr, *idx;
    const PetscScalar *val;
};

PetscInt arrays_nnz(const struct arrays *arrays);

struct block {
    spry_context *context;
    struct arrays arrays;
    PetscInt nnz;
    PetscInt filled; /* rows that have entries */
    PetscInt *
        row; /* filled: which rows these are, where most are empty; else null, and products go over all rows */
    PetscInt *ptr;       /* filled + 1: their pointers */
    PetscScalar *part;   /* filled: what belongs to them of a vector */
    spry_matrix *source; /* has the arrays, where they are not PETSc's */
    spry_matrix *lent;   /* the arrays, without a copy; null where there are no entries */
    spry_matrix *own; /* their copy in another storage; null where the arrays themselves multiply fastest */
    char why[512];    /* they were chosen; empty when the options say what to take */
};

/* Choose a storage for the arrays, and make it. They must live, and stay as they are, until block_clear or block_update.
 * With `values_change`, none that rests on the values. */
PetscErrorCode block_make(struct block *block, const struct settings *settings, const struct arrays *arrays,
                          PetscBool values_change);

/* The same for the transpose of the arrays, which need not live on. */
PetscErrorCode block_make_transpose(struct block *block, const struct settings *settings,
                                    const struct arrays *arrays);

/* Take over new values from the arrays. Not `kept` where the storage was chosen for the old values, or the pattern is another
 * one: the block is to be made anew then. */
PetscErrorCode block_update(struct block *block, PetscBool *kept);

/* y = A x, or with `add` this much more than it was. */
PetscErrorCode block_multiply(struct block *block, const PetscScalar *x, PetscBool add, PetscScalar *y);

/* In a few words: the storage, and its size. */
PetscErrorCode block_describe(const struct block *block, char *text, size_t size);

/* Release all but the context, for which there is block_destroy. */
PetscErrorCode block_clear(struct block *block);
PetscErrorCode block_destroy(struct block *block);

#endif
