/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"

#include <petsc/private/petscimpl.h>
#include <stdlib.h>

/* A Krylov method takes some ten to a few hundred products until it has converged. */
#define USUAL_PRODUCTS 100.0

/* To transpose a matrix, and to convert that, takes about as long as this many products with the transpose. */
#define FEW_PRODUCTS 10

/* PETSc's parallelism is processes, each of which has one thread. Whoever sets OMP_NUM_THREADS wants others. */
static PetscInt usual_threads(void) {
    const char *wanted = getenv("OMP_NUM_THREADS");
    return wanted && *wanted ? 0 : 1;
}

static PetscErrorCode set_storage(const char *text, struct settings *settings) {
    PetscFunctionBegin;
    PetscCall(PetscStrcasecmp(text, "auto", &settings->automatic));
    if (!settings->automatic)
        PetscCheck(!spry_storage_parse(text, &settings->storage, NULL), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG,
                   "-mat_spry_format: %s is no storage; expected auto, or one such as csr or sell:8:512",
                   text);
    PetscFunctionReturn(0);
}

PetscErrorCode settings_read(Mat A, struct settings *settings) {
    char text[SPRY_STORAGE_TEXT] = "auto";
    PetscFunctionBegin;
    *settings =
        (struct settings){.products = USUAL_PRODUCTS, .transposed = FEW_PRODUCTS, .threads = usual_threads()};
    /* Nothing is communicated: of all processes, whose blocks are matrices of their own, the first one prints -help. */
    PetscOptionsBegin(PETSC_COMM_WORLD, ((PetscObject)A)->prefix, "Spry matrix options", "Mat");
    PetscOptionsObject->options = ((PetscObject)A)->options;
    PetscCall(PetscOptionsString("-mat_spry_format", "Storage that multiplies: auto, csr, sell:8:512, ...",
                                 "MATAIJSPRY", text, text, sizeof text, NULL));
    PetscCall(PetscOptionsBoundedInt("-mat_spry_measure",
                                     "Storages to build and to time before one is chosen", "MATAIJSPRY",
                                     settings->measure, &settings->measure, NULL, 0));
    PetscCall(PetscOptionsReal("-mat_spry_products",
                               "Products that the choice of a storage counts on (0: many)", "MATAIJSPRY",
                               settings->products, &settings->products, NULL));
    PetscCall(
        PetscOptionsBoundedInt("-mat_spry_transpose_after",
                               "Products with the transpose before it is made for more of them (-1: never)",
                               "MATAIJSPRY", settings->transposed, &settings->transposed, NULL, -1));
    PetscCall(PetscOptionsRangeInt(
        "-mat_spry_threads", "Threads of each process (0: OMP_NUM_THREADS, or all processors it may use)",
        "MATAIJSPRY", settings->threads, &settings->threads, NULL, 0, SPRY_MAX_THREADS));
    PetscOptionsEnd();
    PetscCheck(settings->products >= 0 && !PetscIsInfOrNanReal(settings->products), PETSC_COMM_SELF,
               PETSC_ERR_ARG_OUTOFRANGE, "-mat_spry_products is %g, expected a number from 0",
               (double)settings->products);
    PetscCall(set_storage(text, settings));
    PetscFunctionReturn(0);
}
