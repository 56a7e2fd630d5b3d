/* SPDX-License-Identifier: BSD-3-Clause */
/* Ask what each format would take for 100 products, and why; then take the first: select matrix.mtx
       cc select.c $(pkg-config --cflags --libs spry) -lm -o select */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <spry/spry.h>

#define PRODUCTS 100
#define EXPLAINED 3

/* Every call returns a status; the context has the particulars. */
static void check(spry_context *context, spry_status status) {
    if (status == SPRY_OK)
        return;
    fprintf(stderr, "%s: %s\n", spry_status_string(status), context ? spry_message(context) : "");
    exit(EXIT_FAILURE);
}

static void print_choice(const spry_choice *choice) {
    char storage[SPRY_STORAGE_TEXT];
    spry_storage_text(&choice->storage, storage, sizeof storage);
    printf("%-18s", storage);
    if (!choice->possible) {
        printf("  not possible\n");
        return;
    }
    printf(" %11.1f %11.1f %10.3f", 1e6 * choice->seconds, 1e6 * choice->convert_seconds,
           1e-6 * choice->bytes);
    if (isinf(choice->pays_back_after))
        printf("      never\n");
    else
        printf(" %10.0f\n", choice->pays_back_after);
}

static void print_ranking(const spry_ranking *ranking) {
    char text[512];
    printf("%-18s %11s %11s %10s %10s\n", "storage", "product/us", "convert/us", "memory/MB", "pays back");
    for (int place = 0; place < spry_ranking_count(ranking); place++)
        print_choice(spry_ranking_choice(ranking, place));
    for (int place = 0; place < EXPLAINED; place++) {
        spry_explain(ranking, place, text, sizeof text);
        printf("\n%d. %s\n", place + 1, text);
    }
}

/* y = A 1, as often as was said, and its norm. */
static double multiply(spry_context *context, const spry_matrix *matrix) {
    size_t rows = (size_t)spry_matrix_rows(matrix), cols = (size_t)spry_matrix_cols(matrix);
    double *x = malloc((cols + 1) * sizeof *x), *y = malloc((rows + 1) * sizeof *y), squares = 0.0;
    if (!x || !y)
        check(NULL, SPRY_ERROR_MEMORY);
    for (size_t i = 0; i < cols; i++)
        x[i] = 1.0;
    for (int product = 0; product < PRODUCTS; product++)
        check(context, spry_spmv(context, SPRY_N, 1.0, matrix, x, 0.0, y));
    for (size_t i = 0; i < rows; i++)
        squares += y[i] * y[i];
    free(x);
    free(y);
    return sqrt(squares);
}

int main(int argc, char **argv) {
    spry_select_options options = {.size = sizeof options, .products = PRODUCTS};
    spry_context *context;
    spry_matrix *stored, *csr, *fast;
    spry_ranking *ranking;
    if (argc != 2) {
        fprintf(stderr, "usage: select FILE.mtx\n");
        return EXIT_FAILURE;
    }
    check(NULL, spry_context_create(&context, NULL));
    check(context, spry_read(context, argv[1], NULL, &stored, NULL));
    check(context, spry_convert(context, stored, SPRY_CSR, NULL, &csr));
    check(context, spry_select(context, csr, &options, &ranking));
    print_ranking(ranking);

    check(context, spry_convert_to(context, csr, &spry_ranking_choice(ranking, 0)->storage, NULL, &fast));
    double norm = multiply(context, fast);
    printf("\n%d products in %s, |A 1| = %.12g\n", PRODUCTS, spry_format_name(spry_matrix_format(fast)),
           norm);

    spry_ranking_destroy(ranking);
    spry_matrix_destroy(fast);
    spry_matrix_destroy(csr);
    spry_matrix_destroy(stored);
    spry_context_destroy(context);
    return EXIT_SUCCESS;
}
