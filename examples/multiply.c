/* SPDX-License-Identifier: BSD-3-Clause */
/* Read a matrix, let the library choose its format, multiply: multiply matrix.mtx
       cc multiply.c $(pkg-config --cflags --libs spry) -lm -o multiply */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <spry/spry.h>

/* Every call returns a status; the context has the particulars. */
static void check(spry_context *context, spry_status status) {
    if (status == SPRY_OK)
        return;
    fprintf(stderr, "%s: %s\n", spry_status_string(status), context ? spry_message(context) : "");
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv) {
    spry_context *context = NULL;
    spry_matrix *stored, *fast;
    if (argc != 2) {
        fprintf(stderr, "usage: multiply FILE.mtx\n");
        return EXIT_FAILURE;
    }
    check(NULL, spry_context_create(&context, NULL));
    check(context, spry_read(context, argv[1], NULL, &stored, NULL));
    check(context, spry_convert(context, stored, SPRY_AUTO, NULL, &fast));

    size_t rows = (size_t)spry_matrix_rows(fast), cols = (size_t)spry_matrix_cols(fast);
    double *x = malloc((cols + 1) * sizeof *x), *y = malloc((rows + 1) * sizeof *y), squares = 0.0;
    if (!x || !y)
        return EXIT_FAILURE;
    for (size_t i = 0; i < cols; i++)
        x[i] = 1.0;
    check(context, spry_spmv(context, SPRY_N, 1.0, fast, x, 0.0, y));
    for (size_t i = 0; i < rows; i++)
        squares += y[i] * y[i];
    printf("%zu x %zu in %s, |A 1| = %.12g\n", rows, cols, spry_format_name(spry_matrix_format(fast)),
           sqrt(squares));

    free(x);
    free(y);
    spry_matrix_destroy(fast);
    spry_matrix_destroy(stored);
    spry_context_destroy(context);
    return EXIT_SUCCESS;
}
