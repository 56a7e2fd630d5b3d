/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare.h"

#include <math.h>

static int faults, comparisons;

void expect(PetscBool holds, const char *what) {
    comparisons++;
    if (!holds && ++faults <= 20)
        (void)PetscPrintf(PETSC_COMM_SELF, "wrong: %s\n", what);
}

PetscErrorCode failed(int *status) {
    int mine[2] = {faults, comparisons}, all[2];
    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Allreduce(mine, all, 2, MPI_INT, MPI_SUM, PETSC_COMM_WORLD));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d comparisons, %d wrong\n", all[1], all[0]));
    *status = all[0] > 0 || all[1] == 0;
    PetscFunctionReturn(0);
}

/* Values that no two neighbours share. */
static PetscErrorCode fill(Vec v, PetscInt seed) {
    PetscInt begin, end;
    PetscScalar *values;
    PetscFunctionBeginUser;
    PetscCall(VecGetOwnershipRange(v, &begin, &end));
    PetscCall(VecGetArray(v, &values));
    for (PetscInt i = begin; i < end; i++)
        values[i - begin] = (PetscScalar)sin((double)(7 * i + seed));
    PetscCall(VecRestoreArray(v, &values));
    PetscFunctionReturn(0);
}

/* All of a vector on every process. */
static PetscErrorCode gather(Vec v, Vec *all) {
    VecScatter scatter;
    PetscFunctionBeginUser;
    PetscCall(VecScatterCreateToAll(v, &scatter, all));
    PetscCall(VecScatterBegin(scatter, v, *all, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecScatterEnd(scatter, v, *all, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecScatterDestroy(&scatter));
    PetscFunctionReturn(0);
}

/* What the rows here add to A x or Aᵀ x, and to the sum of absolute values. */
static PetscErrorCode add_rows(Mat A, PetscBool transposed, const PetscScalar *x, double *sum, double *size) {
    PetscInt begin, end;
    PetscFunctionBeginUser;
    PetscCall(MatGetOwnershipRange(A, &begin, &end));
    for (PetscInt row = begin; row < end; row++) {
        PetscInt count;
        const PetscInt *cols;
        const PetscScalar *values;
        PetscCall(MatGetRow(A, row, &count, &cols, &values));
        for (PetscInt k = 0; k < count; k++) {
            PetscInt to = transposed ? cols[k] : row, from = transposed ? row : cols[k];
            sum[to] += (double)values[k] * (double)x[from];
            size[to] += fabs((double)values[k] * (double)x[from]);
        }
        PetscCall(MatRestoreRow(A, row, &count, &cols, &values));
    }
    PetscFunctionReturn(0);
}

/* Compare y with the reference, plus `added` where there is one. */
static PetscErrorCode compare(Mat A, PetscBool transposed, Vec x, Vec added, Vec y, const char *what) {
    Vec all;
    PetscInt length, begin, end;
    const PetscScalar *values, *more = NULL;
    double *sum, *size;
    PetscBool right = PETSC_TRUE;
    PetscFunctionBeginUser;
    PetscCall(VecGetSize(y, &length));
    PetscCall(PetscCalloc2(length, &sum, length, &size));
    PetscCall(gather(x, &all));
    PetscCall(VecGetArrayRead(all, &values));
    PetscCall(add_rows(A, transposed, values, sum, size));
    PetscCall(VecRestoreArrayRead(all, &values));
    PetscCall(VecDestroy(&all));
    PetscCallMPI(
        MPI_Allreduce(MPI_IN_PLACE, sum, (PetscMPIInt)length, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD));
    PetscCallMPI(
        MPI_Allreduce(MPI_IN_PLACE, size, (PetscMPIInt)length, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD));
    PetscCall(VecGetOwnershipRange(y, &begin, &end));
    PetscCall(VecGetArrayRead(y, &values));
    if (added)
        PetscCall(VecGetArrayRead(added, &more));
    for (PetscInt i = begin; i < end; i++) {
        double extra = more ? (double)more[i - begin] : 0.0;
        double bound = 200 * (double)PETSC_MACHINE_EPSILON * (size[i] + fabs(extra));
        right = (PetscBool)(right && fabs((double)values[i - begin] - sum[i] - extra) <= bound);
    }
    if (added)
        PetscCall(VecRestoreArrayRead(added, &more));
    PetscCall(VecRestoreArrayRead(y, &values));
    PetscCall(PetscFree2(sum, size));
    expect(right, what);
    PetscFunctionReturn(0);
}

typedef PetscErrorCode (*product)(Mat, Vec, Vec);
typedef PetscErrorCode (*sum_of_products)(Mat, Vec, Vec, Vec);

static PetscErrorCode compare_one_way(Mat A, PetscBool transposed, Vec x, Vec y, const char *what) {
    product multiply = transposed ? MatMultTranspose : MatMult;
    sum_of_products multiply_and_add = transposed ? MatMultTransposeAdd : MatMultAdd;
    Vec z, was;
    char text[256];
    PetscFunctionBeginUser;
    PetscCall(VecDuplicate(y, &z));
    PetscCall(VecDuplicate(y, &was));
    PetscCall(VecSet(y, NAN));
    PetscCall(multiply(A, x, y));
    PetscCall(PetscSNPrintf(text, sizeof text, "%s: A%s x", what, transposed ? "ᵀ" : ""));
    PetscCall(compare(A, transposed, x, NULL, y, text));
    PetscCall(fill(y, 3));
    PetscCall(VecCopy(y, was));
    PetscCall(multiply_and_add(A, x, y, z));
    PetscCall(PetscSNPrintf(text, sizeof text, "%s: A%s x + y", what, transposed ? "ᵀ" : ""));
    PetscCall(compare(A, transposed, x, was, z, text));
    PetscCall(multiply_and_add(A, x, y, y));
    PetscCall(PetscSNPrintf(text, sizeof text, "%s: y += A%s x", what, transposed ? "ᵀ" : ""));
    PetscCall(compare(A, transposed, x, was, y, text));
    PetscCall(VecDestroy(&z));
    PetscCall(VecDestroy(&was));
    PetscFunctionReturn(0);
}

PetscErrorCode compare_products(Mat A, const char *what) {
    Vec right, left;
    PetscFunctionBeginUser;
    PetscCall(MatCreateVecs(A, &right, &left));
    PetscCall(fill(right, 1));
    PetscCall(compare_one_way(A, PETSC_FALSE, right, left, what));
    PetscCall(fill(left, 2));
    PetscCall(compare_one_way(A, PETSC_TRUE, left, right, what));
    PetscCall(VecDestroy(&right));
    PetscCall(VecDestroy(&left));
    PetscFunctionReturn(0);
}
