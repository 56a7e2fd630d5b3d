/* SPDX-License-Identifier: BSD-3-Clause */
/* Solve with a matrix from a file that need not be symmetric, by GMRES with incomplete LU factors:
   file_gmres matrix.mtx
       cc file_gmres.c $(pkg-config --cflags --libs spry) -lm -o file_gmres */
#include <stdio.h>
#include <stdlib.h>

#include <spry/spry.h>

static void check(spry_context *context, spry_status status) {
    if (status == SPRY_OK)
        return;
    fprintf(stderr, "%s: %s\n", spry_status_string(status), context ? spry_message(context) : "");
    exit(EXIT_FAILURE);
}

/* The factors are made from any format; the fast one is for the products. */
static spry_solve_result solve(spry_context *context, const spry_matrix *stored, const double *b, double *x) {
    spry_precond_options how = {.size = sizeof how, .kind = SPRY_ILU0};
    spry_solver_options options = {.size = sizeof options, .method = SPRY_GMRES, .restart = 30};
    spry_matrix *fast;
    spry_precond *precond;
    spry_solver *solver;
    spry_solve_result result = {.size = sizeof result};
    check(context, spry_convert(context, stored, SPRY_AUTO, NULL, &fast));
    check(context, spry_precond_create(context, stored, &how, &precond));
    spry_operator a = spry_operator_of_matrix(fast), m = spry_operator_of_precond(precond);
    check(context, spry_solver_create(context, &a, &m, &options, &solver));
    check(context, spry_solve(solver, b, x, &result));
    spry_solver_destroy(solver);
    spry_precond_destroy(precond);
    spry_matrix_destroy(fast);
    return result;
}

int main(int argc, char **argv) {
    spry_context *context;
    spry_matrix *stored;
    if (argc != 2) {
        fprintf(stderr, "usage: file_gmres FILE.mtx\n");
        return EXIT_FAILURE;
    }
    check(NULL, spry_context_create(&context, NULL));
    check(context, spry_read(context, argv[1], NULL, &stored, NULL));

    size_t n = (size_t)spry_matrix_rows(stored);
    double *b = malloc((n + 1) * sizeof *b), *x = malloc((n + 1) * sizeof *x);
    if (!b || !x)
        return EXIT_FAILURE;
    for (size_t i = 0; i < n; i++)
        b[i] = 1.0;
    spry_solve_result result = solve(context, stored, b, x);
    printf("%s after %lld iterations, |b - A x| / |b| = %.1e\n", spry_outcome_string(result.outcome),
           (long long)result.iterations, result.residual / result.norm_b);

    free(b);
    free(x);
    spry_matrix_destroy(stored);
    spry_context_destroy(context);
    return result.outcome == SPRY_CONVERGED ? EXIT_SUCCESS : EXIT_FAILURE;
}
