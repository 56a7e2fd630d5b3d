/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods and preconditioners of PETSc take as many iterations with Spry's matrices as with PETSc's own. */
#include <petscksp.h>

#include "compare.h"
#include "problems.h"

static const char *methods[] = {
    "-ksp_type cg -pc_type jacobi",   "-ksp_type cg -pc_type bjacobi -sub_pc_type icc",
    "-ksp_type cg -pc_type gamg",     "-ksp_type gmres -pc_type bjacobi",
    "-ksp_type gmres -pc_type none",  "-ksp_type bcgs -pc_type sor",
    "-ksp_type fgmres -pc_type asm",  "-ksp_type lsqr -pc_type none",
    "-ksp_type bicg -pc_type jacobi", "-ksp_type preonly -pc_type redundant",
};
enum { METHODS = sizeof methods / sizeof *methods };

/* A grid whose rows say different things in different places, so that nothing is a stencil. */
static PetscErrorCode make_matrix(MatType type, PetscBool uneven, Mat *A) {
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsSetValue(NULL, "-mat_type", type));
    PetscCall(poisson3d(PETSC_COMM_WORLD, 12, A));
    if (uneven) {
        Vec v;
        PetscInt begin, end;
        PetscCall(MatCreateVecs(*A, &v, NULL));
        PetscCall(VecGetOwnershipRange(v, &begin, &end));
        for (PetscInt i = begin; i < end; i++)
            PetscCall(VecSetValue(v, i, (PetscScalar)(1 + i % 17) / 16, INSERT_VALUES));
        PetscCall(VecAssemblyBegin(v));
        PetscCall(VecAssemblyEnd(v));
        PetscCall(MatDiagonalSet(*A, v, ADD_VALUES));
        PetscCall(VecDestroy(&v));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode solve(MatType type, PetscBool uneven, PetscInt *iterations, PetscReal *error) {
    Mat A;
    Vec x, b;
    KSP solver;
    PetscFunctionBeginUser;
    PetscCall(make_matrix(type, uneven, &A));
    PetscCall(MatCreateVecs(A, &x, &b));
    PetscCall(VecSet(x, 1.0));
    PetscCall(MatMult(A, x, b));
    PetscCall(VecSet(x, 0.0));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
    PetscCall(KSPSetOperators(solver, A, A));
    PetscCall(KSPSetFromOptions(solver));
    PetscCall(KSPSolve(solver, b, x));
    PetscCall(KSPGetIterationNumber(solver, iterations));
    PetscCall(VecShift(x, -1.0));
    PetscCall(VecNorm(x, NORM_INFINITY, error));
    PetscCall(KSPDestroy(&solver));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscCall(MatDestroy(&A));
    PetscFunctionReturn(0);
}

static PetscErrorCode compare_solvers(const char *method, PetscBool uneven) {
    PetscInt aij, spry;
    PetscReal error;
    char text[256];
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsInsertString(NULL, method));
    PetscCall(solve(MATAIJ, uneven, &aij, &error));
    PetscCall(solve("aijspry", uneven, &spry, &error));
    PetscCall(PetscSNPrintf(text, sizeof text,
                            "%s%s: %" PetscInt_FMT " iterations as AIJ, %" PetscInt_FMT " here, error %g",
                            method, uneven ? ", uneven" : "", aij, spry, (double)error));
    expect((PetscBool)(aij == spry && aij > 0 && error < 1e-3), text);
    PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
    int status;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    for (int k = 0; k < METHODS; k++) {
        PetscCall(compare_solvers(methods[k], PETSC_FALSE));
        PetscCall(compare_solvers(methods[k], PETSC_TRUE));
    }
    PetscCall(failed(&status));
    PetscCall(PetscFinalize());
    return status;
}
