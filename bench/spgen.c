/* SPDX-License-Identifier: BSD-3-Clause */
/* Write a generated matrix to a Matrix Market file: spgen poisson2d:20 poisson2d_20.mtx */
#include <stdio.h>
#include <stdlib.h>

#include "failure.h"
#include "generate.h"

static int complain(const char *what, const char *why) {
    fprintf(stderr, "spgen: %s: %s\n", what, why);
    return EXIT_FAILURE;
}

static spry_status write_matrix(spry_context *context, const char *spec, const char *path) {
    spry_matrix *matrix;
    spry_status status = generate_matrix(context, spec, SPRY_F64, &matrix);
    if (status == SPRY_OK)
        status = spry_write(context, path, matrix);
    spry_matrix_destroy(matrix);
    return status;
}

int main(int argc, char **argv) {
    spry_context *context;
    char why[256];
    if (argc != 3)
        return complain("usage", "spgen GENERATOR:PARAMETERS FILE (spbench --help lists the generators)");
    generate_explain(argv[1], why, sizeof why);
    if (*why)
        return complain(argv[1], why);
    spry_status status = spry_context_create(&context, NULL);
    if (status != SPRY_OK)
        return complain("context", spry_status_string(status));
    status = write_matrix(context, argv[1], argv[2]);
    if (status != SPRY_OK)
        complain(argv[2], failure_text(context, status));
    spry_context_destroy(context);
    return status == SPRY_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
