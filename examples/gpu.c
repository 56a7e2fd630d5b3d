/* SPDX-License-Identifier: BSD-3-Clause */
/* The same program on a GPU or, where there is none, on the CPU: gpu matrix.mtx
       cc gpu.c $(pkg-config --cflags --libs spry) -lm -o gpu */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <spry/spry.h>

static void check(spry_context *context, spry_status status) {
    if (status == SPRY_OK)
        return;
    fprintf(stderr, "%s: %s\n", spry_status_string(status), spry_message(context));
    exit(EXIT_FAILURE);
}

/* Options are all that differs: from here on, everything is where the context works. */
static spry_context *make_context(void) {
    spry_context_options options = {.size = sizeof options, .backend = SPRY_CUDA};
    spry_context *context;
    char reason[256];
    if (spry_cuda_devices(reason, sizeof reason) == 0) {
        fprintf(stderr, "on the CPU: %s\n", reason);
        options.backend = SPRY_CPU;
    }
    check(NULL, spry_context_create(&context, &options));
    return context;
}

int main(int argc, char **argv) {
    spry_matrix *stored, *fast;
    void *x, *y;
    if (argc != 2) {
        fprintf(stderr, "usage: gpu FILE.mtx\n");
        return EXIT_FAILURE;
    }
    spry_context *context = make_context();
    check(context, spry_read(context, argv[1], NULL, &stored, NULL));
    check(context, spry_convert(context, stored, SPRY_AUTO, NULL, &fast));

    size_t rows = (size_t)spry_matrix_rows(fast), cols = (size_t)spry_matrix_cols(fast);
    double *vector = malloc(((rows > cols ? rows : cols) + 1) * sizeof *vector), squares = 0.0;
    if (!vector)
        return EXIT_FAILURE;
    for (size_t i = 0; i < cols; i++)
        vector[i] = 1.0;
    check(context, spry_array_new(context, cols * sizeof(double), &x));
    check(context, spry_array_new(context, rows * sizeof(double), &y));
    check(context, spry_array_put(context, x, vector, cols * sizeof(double)));
    check(context, spry_spmv(context, SPRY_N, 1.0, fast, x, 0.0, y));
    check(context, spry_array_get(context, y, vector, rows * sizeof(double)));
    for (size_t i = 0; i < rows; i++)
        squares += vector[i] * vector[i];
    printf("%zu x %zu in %s on %s, |A 1| = %.12g\n", rows, cols, spry_format_name(spry_matrix_format(fast)),
           spry_backend_name(spry_matrix_backend(fast)), sqrt(squares));

    free(vector);
    spry_array_free(context, x, cols * sizeof(double));
    spry_array_free(context, y, rows * sizeof(double));
    spry_matrix_destroy(fast);
    spry_matrix_destroy(stored);
    spry_context_destroy(context);
    return EXIT_SUCCESS;
}
