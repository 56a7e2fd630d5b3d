/* SPDX-License-Identifier: BSD-3-Clause */
/* The products of each shape in each storage. */
#include "compare.h"
#include "shapes.h"

static const char *storages[] = {"auto", "csr",       "coo", "csc",     "ell",   "hyb",
                                 "jds",  "sell:8:64", "bsr", "stencil", "shape", "sell:4:1+narrow"};
enum { STORAGES = sizeof storages / sizeof *storages };

static PetscErrorCode compare_shapes(const char *storage) {
    char text[128];
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsSetValue(NULL, "-mat_spry_format", storage));
    PetscCall(PetscOptionsSetValue(NULL, "-mat_spry_transpose_after", "0"));
    for (int k = 0; k < shape_count; k++) {
        Mat A;
        PetscCall(make_shape(&shapes[k], &A));
        PetscCall(PetscSNPrintf(text, sizeof text, "%s in %s", shapes[k].name, storage));
        PetscCall(compare_products(A, text));
        PetscCall(MatDestroy(&A));
    }
    PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
    int status;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    for (int k = 0; k < STORAGES; k++)
        PetscCall(compare_shapes(storages[k]));
    PetscCall(failed(&status));
    PetscCall(PetscFinalize());
    return status;
}
