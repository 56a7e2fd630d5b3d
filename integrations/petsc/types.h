/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix types, and what they need of each other. */
#ifndef PETSC_SPRY_TYPES_H
#define PETSC_SPRY_TYPES_H

#include "settings.h"

#define MATAIJSPRY "aijspry"
#define MATSEQAIJSPRY "seqaijspry"
#define MATMPIAIJSPRY "mpiaijspry"

/* Constructors, for MatRegister. */
PetscErrorCode seqaijspry_create(Mat A);
PetscErrorCode mpiaijspry_create(Mat A);

/* Make a seqaij matrix a seqaijspry one; for MatSeqAIJRegister too. */
PetscErrorCode seqaijspry_from_seqaij(Mat A, MatType type, MatReuse reuse, Mat *result);

/* Make a block of a parallel matrix a seqaijspry one whose options have this prefix. */
PetscErrorCode seqaijspry_adopt(Mat block, const char *prefix);

/* Read the options again, for the next product. */
PetscErrorCode seqaijspry_read_settings(Mat A);

/* What PETSc hands to a type that reads options: a pointer by itself since 3.23. */
#if PETSC_VERSION_LT(3, 23, 0)
typedef PetscOptionItems *option_items;
#else
typedef PetscOptionItems option_items;
#endif

/* How a matrix multiplies, and why so, in a line. Chosen now where there was no product since the last change. */
PetscErrorCode seqaijspry_describe(Mat A, char *text, size_t size);

/* Whether a viewer is for such a line. */
PetscErrorCode viewer_describes(PetscViewer viewer, PetscBool *describes);

/* PETSc looks for what it does by names of types. Let what it does with AIJ matrices be done with a matrix of another name too:
 * products with dense ones ("seqdense", "mpidense"), and conversions to whatever type. */
PetscErrorCode inherit_products(Mat A, const char *type, const char *dense);
PetscErrorCode convert_through_aij(Mat A, MatType type, MatReuse reuse, Mat *result);

/* The matrix that a conversion changes in place: `existing`, or with MAT_INITIAL_MATRIX a copy of A. Null where A's values have been
 * copied into `existing` (MAT_REUSE_MATRIX), which is all that there is to do. */
PetscErrorCode conversion_target(Mat A, MatReuse reuse, Mat existing, Mat *target);

#endif
