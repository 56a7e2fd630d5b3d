/* SPDX-License-Identifier: BSD-3-Clause */
/* PETSc: MatMult and MatMultTranspose of a sequential AIJ matrix, with its inode detection. PETSc has processes, no threads. */
#include "peers/peer.h"

#include <petscmat.h>
#include <stdlib.h>

struct product {
    Mat a;
    Vec x, y;
    PetscErrorCode (*multiply)(Mat a, Vec x, Vec y);
};

static void version(int v[3]) {
    v[0] = PETSC_VERSION_MAJOR;
    v[1] = PETSC_VERSION_MINOR;
    v[2] = PETSC_VERSION_SUBMINOR;
}

/* Without its signal handler: a fault that is not PETSc's should not look like it. */
static int start(int threads) {
    (void)threads;
    return PetscOptionsSetValue(NULL, "-no_signal_handler", NULL) || PetscInitializeNoArguments() ||
           PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
}

static void stop(void) {
    (void)PetscFinalize();
}

static void destroy(void *product) {
    struct product *p = product;
    (void)MatDestroy(&p->a);
    (void)VecDestroy(&p->x);
    (void)VecDestroy(&p->y);
    free(p);
}

/* A copy with PETSc's own layout, as a program that assembles its matrix has it. */
static int fill(struct product *p, const struct peer_problem *problem) {
    Mat view;
    if (MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, problem->rows, problem->cols, (PetscInt *)problem->ptr,
                                  (PetscInt *)problem->idx, (PetscScalar *)problem->val, &view))
        return 1;
    int failed = MatDuplicate(view, MAT_COPY_VALUES, &p->a) || MatAssemblyBegin(p->a, MAT_FINAL_ASSEMBLY) ||
                 MatAssemblyEnd(p->a, MAT_FINAL_ASSEMBLY);
    return MatDestroy(&view) || failed;
}

static void *create(const struct peer_problem *problem, int variant) {
    (void)variant;
    struct product *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->multiply = problem->product.op == SPRY_T ? MatMultTranspose : MatMult;
    if (fill(p, problem) ||
        VecCreateSeqWithArray(PETSC_COMM_SELF, 1, peer_x_length(problem), problem->x, &p->x) ||
        VecCreateSeqWithArray(PETSC_COMM_SELF, 1, peer_y_length(problem), problem->y, &p->y)) {
        destroy(p);
        return NULL;
    }
    return p;
}

static int multiply(void *product) {
    const struct product *p = product;
    return p->multiply(p->a, p->x, p->y) != 0;
}

const struct peer peer_petsc = {
    .name = "PETSc",
    .call = "MatMult or MatMultTranspose, AIJ",
    .one_thread = 1,
    .transposes = 1,
    .kind = PEER_OPEN,
    .version = version,
    .start = start,
    .stop = stop,
    .create = create,
    .multiply = multiply,
    .destroy = destroy,
};
