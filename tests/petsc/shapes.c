/* SPDX-License-Identifier: BSD-3-Clause */
#include "shapes.h"

#include <stdlib.h>

static PetscScalar grid(PetscInt i, PetscInt j) {
    PetscInt apart = labs((long)(i - j));
    return i == j ? 4 : apart == 20 || (apart == 1 && (i + j) % 40 != 39) ? -1 : 0;
}

static PetscScalar scattered(PetscInt i, PetscInt j) {
    PetscInt mixed = (i * 7919 + j * 104729) % 1009;
    if (i == j)
        return 41;
    return mixed < 60 ? (PetscScalar)(mixed - 30.5) : 0;
}

static PetscScalar few_rows(PetscInt i, PetscInt j) {
    return i % 9 == 4 ? scattered(i, j) : 0;
}

static PetscScalar many_rows(PetscInt i, PetscInt j) {
    return i % 3 ? scattered(i, j) : 0;
}

static PetscScalar dense_row(PetscInt i, PetscInt j) {
    return i == 17 ? (PetscScalar)(j % 23 - 11.5) : i == j ? 2 : 0;
}

static PetscScalar dense_column(PetscInt i, PetscInt j) {
    return dense_row(j, i);
}

static PetscScalar last_columns(PetscInt i, PetscInt j) {
    return j >= 180 ? scattered(i, j) : 0;
}

static PetscScalar corner(PetscInt i, PetscInt j) {
    return i == 0 && j == 199 ? 3 : 0;
}

static PetscScalar nothing(PetscInt i, PetscInt j) {
    (void)i, (void)j;
    return 0;
}

const struct shape shapes[] = {
    {"grid", 400, 400, grid, EVENLY},
    {"scattered", 200, 200, scattered, EVENLY},
    {"wide", 30, 300, scattered, EVENLY},
    {"tall", 300, 30, scattered, EVENLY},
    {"few rows with entries", 300, 200, few_rows, EVENLY},
    {"some empty rows", 200, 200, many_rows, EVENLY},
    {"a dense row", 150, 150, dense_row, EVENLY},
    {"a dense column", 150, 150, dense_column, EVENLY},
    {"entries in the last columns", 200, 200, last_columns, EVENLY},
    {"one entry", 200, 200, corner, EVENLY},
    {"no entries", 50, 60, nothing, EVENLY},
    {"one row", 1, 200, scattered, EVENLY},
    {"one column", 200, 1, scattered, EVENLY},
    {"no rows", 0, 20, scattered, EVENLY},
    {"no columns", 20, 0, scattered, EVENLY},
    {"all on the first process", 200, 200, scattered, ALL_ON_THE_FIRST},
    {"nothing on the first process", 200, 200, scattered, NONE_ON_THE_FIRST},
};
const int shape_count = sizeof shapes / sizeof *shapes;

static PetscInt local_size(const struct shape *shape, PetscInt size) {
    PetscMPIInt rank, ranks;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    if (shape->spread == EVENLY || ranks == 1)
        return PETSC_DECIDE;
    return rank == (shape->spread == ALL_ON_THE_FIRST ? 0 : ranks - 1) ? size : 0;
}

PetscErrorCode make_shape(const struct shape *shape, Mat *A) {
    PetscInt begin, end;
    PetscFunctionBeginUser;
    PetscCall(MatCreate(PETSC_COMM_WORLD, A));
    PetscCall(MatSetSizes(*A, local_size(shape, shape->rows), local_size(shape, shape->cols), shape->rows,
                          shape->cols));
    PetscCall(MatSetFromOptions(*A));
    PetscCall(MatSeqAIJSetPreallocation(*A, 5, NULL));
    PetscCall(MatMPIAIJSetPreallocation(*A, 5, NULL, 5, NULL));
    PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    PetscCall(MatGetOwnershipRange(*A, &begin, &end));
    for (PetscInt i = begin; i < end; i++)
        for (PetscInt j = 0; j < shape->cols; j++)
            if (shape->entry(i, j) != 0)
                PetscCall(MatSetValue(*A, i, j, shape->entry(i, j), INSERT_VALUES));
    PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}
