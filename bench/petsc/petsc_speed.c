/* SPDX-License-Identifier: BSD-3-Clause */
/* Products and solves with Spry's matrices in PETSc, beside PETSc's own AIJ: petsc_speed [-grid N] [-matrices FILE,…]
 * [-rounds N] -dll_append LIBRARY [OPTIONS OF PETSC]
 *
 * Both have turns one after the other in each round; a time is the slowest process's, and what is printed the median. */
#include <float.h>
#include <math.h>
#include <petscksp.h>

#include "measuring/timing.h"
#include "problems.h"

enum { MOST_ROUNDS = 101, MOST_FILES = 64 };

/* One matrix in both types: AIJ, then Spry's. */
struct pair {
    Mat matrix[2];
    Vec x, y;
    KSP solver[2];
    PetscInt products; /* of a turn */
};

typedef PetscErrorCode (*turn)(struct pair *pair, int which);

static PetscErrorCode multiply(struct pair *pair, int which) {
    PetscFunctionBeginUser;
    for (PetscInt k = 0; k < pair->products; k++)
        PetscCall(MatMult(pair->matrix[which], pair->x, pair->y));
    PetscFunctionReturn(0);
}

static PetscErrorCode multiply_transposed(struct pair *pair, int which) {
    PetscFunctionBeginUser;
    for (PetscInt k = 0; k < pair->products; k++)
        PetscCall(MatMultTranspose(pair->matrix[which], pair->y, pair->x));
    PetscFunctionReturn(0);
}

static PetscErrorCode solve(struct pair *pair, int which) {
    PetscFunctionBeginUser;
    PetscCall(VecSet(pair->x, 0.0));
    PetscCall(KSPSolve(pair->solver[which], pair->y, pair->x));
    PetscFunctionReturn(0);
}

/* Seconds until the last process is done. */
static PetscErrorCode time_turn(struct pair *pair, turn call, int which, double *seconds) {
    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    double begin = MPI_Wtime();
    PetscCall(call(pair, which));
    *seconds = MPI_Wtime() - begin;
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD));
    PetscFunctionReturn(0);
}

static PetscErrorCode race(struct pair *pair, turn call, PetscInt rounds, struct spread spread[2]) {
    double sample[2][MOST_ROUNDS];
    PetscFunctionBeginUser;
    for (PetscInt round = 0; round < rounds; round++)
        for (int k = 0; k < 2; k++) {
            int which = (int)((round + k) % 2);
            PetscCall(time_turn(pair, call, which, &sample[which][round]));
        }
    for (int which = 0; which < 2; which++)
        spread[which] = timing_spread(sample[which], (int)rounds);
    PetscFunctionReturn(0);
}

/* |A|, as AIJ. */
static PetscErrorCode absolute(Mat A, Mat *result) {
    Mat block[2] = {NULL, NULL};
    PetscBool parallel;
    PetscFunctionBeginUser;
    PetscCall(MatDuplicate(A, MAT_COPY_VALUES, result));
    block[0] = *result;
    PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &parallel));
    if (parallel)
        PetscCall(MatMPIAIJGetSeqAIJ(*result, &block[0], &block[1], NULL));
    for (int k = 0; k < 2 && block[k]; k++) {
        PetscScalar *values;
        MatInfo info;
        PetscCall(MatGetInfo(block[k], MAT_LOCAL, &info));
        PetscCall(MatSeqAIJGetArray(block[k], &values));
        for (PetscInt i = 0; i < (PetscInt)info.nz_used; i++)
            values[i] = PetscAbsScalar(values[i]);
        PetscCall(MatSeqAIJRestoreArray(block[k], &values));
    }
    PetscFunctionReturn(0);
}

/* Of the values of both products, the largest difference over ε Σ |a x|. */
static PetscErrorCode largest_error(struct pair *pair, PetscBool transposed, PetscReal *error) {
    PetscErrorCode (*product)(Mat, Vec, Vec) = transposed ? MatMultTranspose : MatMult;
    Mat size_of;
    Vec from, to[3];
    PetscFunctionBeginUser;
    PetscCall(absolute(pair->matrix[0], &size_of));
    PetscCall(VecDuplicate(transposed ? pair->y : pair->x, &from));
    PetscCall(VecSetRandom(from, NULL));
    for (int k = 0; k < 3; k++)
        PetscCall(VecDuplicate(transposed ? pair->x : pair->y, &to[k]));
    PetscCall(product(pair->matrix[0], from, to[0]));
    PetscCall(product(pair->matrix[1], from, to[1]));
    PetscCall(product(size_of, from, to[2]));
    PetscCall(VecShift(to[2], (PetscScalar)DBL_MIN));
    PetscCall(VecAXPY(to[1], -1.0, to[0]));
    PetscCall(VecPointwiseDivide(to[1], to[1], to[2]));
    PetscCall(VecNorm(to[1], NORM_INFINITY, error));
    *error /= PETSC_MACHINE_EPSILON;
    for (int k = 0; k < 3; k++)
        PetscCall(VecDestroy(&to[k]));
    PetscCall(VecDestroy(&from));
    PetscCall(MatDestroy(&size_of));
    PetscFunctionReturn(0);
}

static PetscErrorCode make_pair(const char *path, PetscInt grid, struct pair *pair) {
    const char *types[] = {MATAIJ, "aijspry"};
    PetscFunctionBeginUser;
    *pair = (struct pair){.products = 1};
    for (int k = 0; k < 2; k++) {
        PetscCall(PetscOptionsSetValue(NULL, "-mat_type", types[k]));
        PetscCall(path ? matrix_market(PETSC_COMM_WORLD, path, &pair->matrix[k])
                       : poisson3d(PETSC_COMM_WORLD, grid, &pair->matrix[k]));
        PetscCall(KSPCreate(PETSC_COMM_WORLD, &pair->solver[k]));
        PetscCall(KSPSetOperators(pair->solver[k], pair->matrix[k], pair->matrix[k]));
        PetscCall(KSPSetFromOptions(pair->solver[k]));
    }
    PetscCall(MatCreateVecs(pair->matrix[0], &pair->x, &pair->y));
    PetscCall(VecSetRandom(pair->x, NULL));
    PetscFunctionReturn(0);
}

static PetscErrorCode destroy_pair(struct pair *pair) {
    PetscFunctionBeginUser;
    for (int k = 0; k < 2; k++) {
        PetscCall(KSPDestroy(&pair->solver[k]));
        PetscCall(MatDestroy(&pair->matrix[k]));
    }
    PetscCall(VecDestroy(&pair->x));
    PetscCall(VecDestroy(&pair->y));
    PetscFunctionReturn(0);
}

/* The first product of Spry's matrix makes its storage, and some products with the transpose that of the transpose; a turn
 * then is some 20 ms long. */
static PetscErrorCode prepare(struct pair *pair, double *first) {
    double once;
    PetscFunctionBeginUser;
    PetscCall(time_turn(pair, multiply, 1, first));
    pair->products = 12;
    PetscCall(multiply_transposed(pair, 1));
    pair->products = 1;
    PetscCall(VecSetRandom(pair->x, NULL));
    PetscCall(time_turn(pair, multiply, 0, &once));
    PetscCall(time_turn(pair, multiply, 0, &once));
    pair->products = (PetscInt)PetscMin(PetscMax(0.02 / once, 1), 10000);
    PetscFunctionReturn(0);
}

static PetscErrorCode measure(const char *path, PetscInt grid, PetscInt rounds) {
    struct pair pair;
    struct spread products[2], transposed[2], solves[2];
    PetscReal errors[2];
    PetscInt iterations[2];
    double first;
    MatInfo info;
    PetscFunctionBeginUser;
    PetscCall(make_pair(path, grid, &pair));
    PetscCall(prepare(&pair, &first));
    PetscCall(largest_error(&pair, PETSC_FALSE, &errors[0]));
    PetscCall(largest_error(&pair, PETSC_TRUE, &errors[1]));
    PetscCall(race(&pair, multiply_transposed, rounds, transposed));
    PetscCall(VecSetRandom(pair.x, NULL));
    PetscCall(race(&pair, multiply, rounds, products));
    PetscCall(race(&pair, solve, rounds, solves));
    for (int k = 0; k < 2; k++)
        PetscCall(KSPGetIterationNumber(pair.solver[k], &iterations[k]));
    PetscCall(MatGetInfo(pair.matrix[0], MAT_GLOBAL_SUM, &info));
    double turn_length = (double)pair.products;
    PetscCall(PetscPrintf(
        PETSC_COMM_WORLD,
        "%10.0f %9.1f %9.1f %6.2f %6.2f %8.1f %6" PetscInt_FMT " %6" PetscInt_FMT
        " %9.2f %9.2f %6.2f %6.1f %6.1f  %s\n",
        info.nz_used, products[0].median / turn_length * 1e6, products[1].median / turn_length * 1e6,
        products[0].median / products[1].median, transposed[0].median / transposed[1].median, first * 1e3,
        iterations[0], iterations[1], solves[0].median * 1e3, solves[1].median * 1e3,
        solves[0].median / solves[1].median, (double)errors[0], (double)errors[1], path ? path : "grid"));
    PetscCall(destroy_pair(&pair));
    PetscFunctionReturn(0);
}

static PetscErrorCode measure_all(void) {
    PetscInt grid = 100, rounds = 5, files = MOST_FILES;
    char *path[MOST_FILES];
    PetscBool some_grid, some_files;
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-grid", &grid, &some_grid));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-rounds", &rounds, NULL));
    PetscCall(PetscOptionsGetStringArray(NULL, NULL, "-matrices", path, &files, &some_files));
    PetscCheck(rounds >= 1 && rounds <= MOST_ROUNDS, PETSC_COMM_WORLD, PETSC_ERR_ARG_OUTOFRANGE,
               "1 to %d rounds", MOST_ROUNDS);
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%10s %9s %9s %6s %6s %8s %6s %6s %9s %9s %6s %6s %6s\n",
                          "nonzeros", "A x AIJ", "Spry us", "ratio", "T", "first ms", "its", "its",
                          "solve AIJ", "Spry ms", "ratio", "error", "T"));
    if (some_grid || !some_files)
        PetscCall(measure(NULL, grid, rounds));
    for (PetscInt k = 0; some_files && k < files; k++) {
        PetscCall(measure(path[k], 0, rounds));
        PetscCall(PetscFree(path[k]));
    }
    PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
    PetscCall(PetscInitialize(&argc, &argv, NULL, "Products and solves with Spry's matrices beside AIJ.\n"));
    PetscCall(measure_all());
    PetscCall(PetscFinalize());
    return 0;
}
