/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Solve a linear system with PETSc and print what came of it as a line of JSON, one for each scale:
 *
 *     petsc_solve -problem FILE [-ksp_type cg …] [-pc_type jacobi …]
 *
 * FILE holds the matrix and the right-hand side in PETSc's binary form. Method and preconditioner are chosen by
 * PETSc's own options; those of this program are
 *
 *     -scales S,T,…     multiply b by each of these: nothing but the roundings changes
 *     -shift S          precondition with A + S |diag A|
 *     -block K          rows of a diagonal block, for -pc_type vpbjacobi
 *     -true_residual    compute |b - A x| in every iteration and stop by that
 *     -time_limit S     seconds for all solves together; scales that are not begun by then are left out
 *     -repeat N         solves, of which the median time is given
 *     -solution FILE    write x
 */
#include <petscksp.h>

enum { MOST_REPEATS = 100, MOST_SCALES = 16 };

struct choices {
    char problem[PETSC_MAX_PATH_LEN], solution[PETSC_MAX_PATH_LEN];
    PetscReal scales[MOST_SCALES], shift, time_limit;
    PetscInt scale_count, block, repeat;
    PetscBool true_residual;
};

struct watch {
    void *usual;
    double deadline;
    PetscBool true_residual, late;
};

static PetscErrorCode read_choices(struct choices *c) {
    PetscBool given;
    *c = (struct choices){.scales = {1.0}, .scale_count = MOST_SCALES, .time_limit = 1e9, .repeat = 1};
    PetscCall(PetscOptionsGetString(NULL, NULL, "-problem", c->problem, sizeof c->problem, &given));
    PetscCheck(given, PETSC_COMM_WORLD, PETSC_ERR_USER, "-problem FILE is missing");
    PetscCall(PetscOptionsGetString(NULL, NULL, "-solution", c->solution, sizeof c->solution, NULL));
    PetscCall(PetscOptionsGetRealArray(NULL, NULL, "-scales", c->scales, &c->scale_count, &given));
    c->scale_count = given ? c->scale_count : 1;
    PetscCall(PetscOptionsGetReal(NULL, NULL, "-shift", &c->shift, NULL));
    PetscCall(PetscOptionsGetReal(NULL, NULL, "-time_limit", &c->time_limit, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-block", &c->block, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-repeat", &c->repeat, NULL));
    PetscCheck(c->repeat >= 1 && c->repeat <= MOST_REPEATS, PETSC_COMM_WORLD, PETSC_ERR_USER,
               "-repeat is from 1 to %d", MOST_REPEATS);
    PetscCall(PetscOptionsHasName(NULL, NULL, "-true_residual", &c->true_residual));
    return 0;
}

static PetscErrorCode read_problem(const struct choices *c, Mat *a, Vec *b) {
    PetscViewer file;
    PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, c->problem, FILE_MODE_READ, &file));
    PetscCall(MatCreate(PETSC_COMM_WORLD, a));
    PetscCall(MatSetType(*a, MATAIJ));
    PetscCall(MatLoad(*a, file));
    PetscCall(MatCreateVecs(*a, NULL, b));
    PetscCall(VecLoad(*b, file));
    PetscCall(PetscViewerDestroy(&file));
    return 0;
}

/* What the preconditioner is made of: A itself, or A with a heavier diagonal. */
static PetscErrorCode preconditioned_matrix(const struct choices *c, Mat a, Mat *p) {
    if (c->shift == 0.0) {
        PetscCall(PetscObjectReference((PetscObject)a));
        *p = a;
        return 0;
    }
    Vec diagonal;
    PetscCall(MatDuplicate(a, MAT_COPY_VALUES, p));
    PetscCall(MatCreateVecs(a, NULL, &diagonal));
    PetscCall(MatGetDiagonal(a, diagonal));
    PetscCall(VecAbs(diagonal));
    PetscCall(VecScale(diagonal, c->shift));
    PetscCall(MatDiagonalSet(*p, diagonal, ADD_VALUES));
    PetscCall(VecDestroy(&diagonal));
    return 0;
}

/* Blocks of the same number of rows, but for the last. */
static PetscErrorCode set_blocks(Mat p, PetscInt block) {
    PetscInt rows, *sizes;
    if (block == 0)
        return 0;
    PetscCall(MatGetLocalSize(p, &rows, NULL));
    PetscInt count = (rows + block - 1) / block;
    PetscCall(PetscMalloc1(count, &sizes));
    for (PetscInt i = 0; i < count; i++)
        sizes[i] = PetscMin(block, rows - i * block);
    PetscCall(MatSetVariableBlockSizes(p, count, sizes));
    PetscCall(PetscFree(sizes));
    return 0;
}

static PetscErrorCode true_norm(KSP ksp, PetscReal *norm) {
    Vec residual;
    PetscCall(KSPBuildResidual(ksp, NULL, NULL, &residual));
    PetscCall(VecNorm(residual, NORM_2, norm));
    PetscCall(VecDestroy(&residual));
    return 0;
}

static PetscErrorCode look(KSP ksp, PetscInt iteration, PetscReal norm, KSPConvergedReason *reason,
                           void *context) {
    struct watch *watch = context;
    if (watch->true_residual)
        PetscCall(true_norm(ksp, &norm));
    PetscCall(KSPConvergedDefault(ksp, iteration, norm, reason, watch->usual));
    watch->late = *reason == KSP_CONVERGED_ITERATING && MPI_Wtime() > watch->deadline;
    if (watch->late)
        *reason = KSP_DIVERGED_ITS;
    return 0;
}

static PetscErrorCode make_solver(const struct choices *c, Mat a, struct watch *watch, KSP *ksp) {
    KSPNormType norm;
    Mat p;
    PetscCall(preconditioned_matrix(c, a, &p));
    PetscCall(set_blocks(p, c->block));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, ksp));
    PetscCall(KSPSetOperators(*ksp, a, p));
    PetscCall(KSPSetFromOptions(*ksp));
    watch->true_residual = c->true_residual;
    watch->late = PETSC_FALSE;
    watch->deadline = MPI_Wtime() + c->time_limit;
    PetscCall(KSPConvergedDefaultCreate(&watch->usual));
    PetscCall(KSPGetNormType(*ksp, &norm));
    if (norm != KSP_NORM_NONE)
        PetscCall(KSPSetConvergenceTest(*ksp, look, watch, NULL));
    PetscCall(MatDestroy(&p));
    return 0;
}

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The median time of a solve, after the preconditioner was set up. A failure of that shows in the reason. */
static PetscErrorCode solve(const struct choices *c, KSP ksp, Vec b, Vec x, double *setup, double *seconds) {
    double each[MOST_REPEATS], begin = MPI_Wtime();
    PetscCall(KSPSetUp(ksp));
    *setup = MPI_Wtime() - begin;
    for (PetscInt i = 0; i < c->repeat; i++) {
        PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
        begin = MPI_Wtime();
        PetscCall(KSPSolve(ksp, b, x));
        each[i] = MPI_Wtime() - begin;
    }
    qsort(each, (size_t)c->repeat, sizeof *each, by_value);
    *seconds = each[c->repeat / 2];
    return 0;
}

static PetscErrorCode print_result(KSP ksp, const struct watch *watch, Mat a, Vec b, Vec x, double setup,
                                   double seconds) {
    KSPConvergedReason reason;
    const char *words;
    PetscInt iterations;
    PetscReal norm_b, norm_r;
    Vec r;
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCall(KSPGetConvergedReasonString(ksp, &words));
    PetscCall(KSPGetIterationNumber(ksp, &iterations));
    PetscCall(VecDuplicate(b, &r));
    PetscCall(MatMult(a, x, r));
    PetscCall(VecAYPX(r, -1.0, b));
    PetscCall(VecNorm(r, NORM_2, &norm_r));
    PetscCall(VecNorm(b, NORM_2, &norm_b));
    PetscCall(VecDestroy(&r));
    double relative = norm_r / norm_b;
    PetscCall(PetscPrintf(
        PETSC_COMM_WORLD,
        "{\"outcome\": \"%s\", \"converged\": %s, \"iterations\": %lld, \"relative_residual\": %.6e, "
        "\"setup_seconds\": %.6e, \"solve_seconds\": %.6e, \"seconds_per_iteration\": %.6e}\n",
        watch->late ? "time" : words, reason > 0 ? "true" : "false", (long long)iterations,
        PetscIsInfOrNanReal(relative) ? -1.0 : relative, setup, seconds, seconds / PetscMax(iterations, 1)));
    return 0;
}

static PetscErrorCode write_solution(const struct choices *c, Vec x) {
    PetscViewer file;
    if (!c->solution[0])
        return 0;
    PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, c->solution, FILE_MODE_WRITE, &file));
    PetscCall(VecView(x, file));
    PetscCall(PetscViewerDestroy(&file));
    return 0;
}

static PetscErrorCode solve_scaled(const struct choices *c, KSP ksp, const struct watch *watch, Mat a,
                                   Vec unit_b, Vec x) {
    double setup = 0.0, seconds = 0.0;
    Vec b;
    PetscCall(VecDuplicate(unit_b, &b));
    for (PetscInt i = 0; i < c->scale_count && (i == 0 || MPI_Wtime() < watch->deadline); i++) {
        PetscCall(VecAXPBY(b, c->scales[i], 0.0, unit_b));
        PetscCall(solve(c, ksp, b, x, &setup, &seconds));
        PetscCall(print_result(ksp, watch, a, b, x, setup, seconds));
    }
    PetscCall(VecDestroy(&b));
    return 0;
}

static PetscErrorCode run(void) {
    struct choices choices;
    struct watch watch;
    Mat a;
    Vec b, x;
    KSP ksp;
    PetscCall(read_choices(&choices));
    PetscCall(read_problem(&choices, &a, &b));
    PetscCall(VecDuplicate(b, &x));
    PetscCall(make_solver(&choices, a, &watch, &ksp));
    PetscCall(solve_scaled(&choices, ksp, &watch, a, b, x));
    PetscCall(write_solution(&choices, x));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(KSPConvergedDefaultDestroy(watch.usual));
    PetscCall(MatDestroy(&a));
    PetscCall(VecDestroy(&b));
    PetscCall(VecDestroy(&x));
    return 0;
}

int main(int argc, char **argv) {
    if (PetscInitialize(&argc, &argv, NULL, NULL))
        return 1;
    int failed = run() != 0;
    return PetscFinalize() || failed;
}
