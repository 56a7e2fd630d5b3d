/* SPDX-License-Identifier: BSD-3-Clause */
/* Solve A x = b with PETSc, where x is all ones: solve [-grid N | -matrix FILE] [OPTIONS OF PETSC]
 *
 * Nothing here is about Spry: which type the matrix is of, the options say. */
#include <petscksp.h>

#include "problems.h"

static PetscErrorCode make_matrix(Mat *A) {
    char path[PETSC_MAX_PATH_LEN];
    PetscInt n = 30;
    PetscBool file;
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-grid", &n, NULL));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-matrix", path, sizeof path, &file));
    PetscCall(file ? matrix_market(PETSC_COMM_WORLD, path, A) : poisson3d(PETSC_COMM_WORLD, n, A));
    PetscFunctionReturn(0);
}

static PetscErrorCode report(KSP solver, Vec x) {
    PetscInt iterations;
    PetscReal error;
    KSPConvergedReason reason;
    PetscFunctionBeginUser;
    PetscCall(KSPGetIterationNumber(solver, &iterations));
    PetscCall(KSPGetConvergedReason(solver, &reason));
    PetscCall(VecShift(x, -1.0));
    PetscCall(VecNorm(x, NORM_INFINITY, &error));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s after %" PetscInt_FMT " iterations, largest error %.1e\n",
                          KSPConvergedReasons[reason], iterations, (double)error));
    PetscFunctionReturn(0);
}

static PetscErrorCode solve(void) {
    Mat A;
    Vec x, b;
    KSP solver;
    PetscFunctionBeginUser;
    PetscCall(make_matrix(&A));
    PetscCall(MatCreateVecs(A, &x, &b));
    PetscCall(VecSet(x, 1.0));
    PetscCall(MatMult(A, x, b));
    PetscCall(VecSet(x, 0.0));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
    PetscCall(KSPSetOperators(solver, A, A));
    PetscCall(KSPSetFromOptions(solver));
    PetscCall(KSPSolve(solver, b, x));
    PetscCall(report(solver, x));
    PetscCall(KSPDestroy(&solver));
    PetscCall(VecDestroy(&b));
    PetscCall(VecDestroy(&x));
    PetscCall(MatDestroy(&A));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
    PetscCall(PetscInitialize(&argc, &argv, NULL, "Solve A x = b, where x is all ones.\n"));
    PetscCall(solve());
    PetscCall(PetscFinalize());
    return 0;
}
