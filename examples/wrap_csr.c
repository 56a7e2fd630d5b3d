/* SPDX-License-Identifier: BSD-3-Clause */
/* Multiply with CSR arrays that a program already has, without a copy of them.
       cc wrap_csr.c $(pkg-config --cflags --libs spry) -lm -o wrap_csr */
#include <stdio.h>
#include <stdlib.h>

#include <spry/spry.h>

int main(void) {
    /*  4 -1  0
     * -1  4 -1    counted from 1, as Fortran codes keep it
     *  0 -1  4  */
    int32_t ptr[] = {1, 3, 6, 8};
    int32_t idx[] = {1, 2, 1, 2, 3, 2, 3};
    double val[] = {4, -1, -1, 4, -1, -1, 4};
    spry_csr arrays = {.ptr = ptr, .idx = idx, .val = val, .base = 1};

    double x[] = {1, 2, 3}, y[3] = {0};
    spry_context *context = NULL;
    spry_matrix *matrix = NULL;
    spry_status status = spry_context_create(&context, NULL);
    if (status == SPRY_OK)
        status = spry_wrap_csr(context, SPRY_F64, SPRY_I32, 3, 3, &arrays, &matrix);
    if (status == SPRY_OK)
        status = spry_spmv(context, SPRY_N, 1.0, matrix, x, 0.0, y);
    if (status == SPRY_OK)
        printf("y = %g %g %g\n", y[0], y[1], y[2]);
    else
        fprintf(stderr, "%s: %s\n", spry_status_string(status), context ? spry_message(context) : "");

    spry_matrix_destroy(matrix); /* the arrays stay ours */
    spry_context_destroy(context);
    return status == SPRY_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
