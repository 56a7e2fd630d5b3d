/* SPDX-License-Identifier: BSD-3-Clause */
/* Conjugate gradients without a matrix: the program computes y = A x itself, here the 5-point Laplacian of a grid, and
   is told of every iteration.
       cc matrix_free.c $(pkg-config --cflags --libs spry) -lm -o matrix_free */
#include <stdio.h>
#include <stdlib.h>

#include <spry/spry.h>

struct grid {
    int64_t side;
};

/* The value at a neighbour; beyond the edges it is zero. */
static double at(const struct grid *grid, const double *x, int64_t row, int64_t col) {
    int inside = row >= 0 && row < grid->side && col >= 0 && col < grid->side;
    return inside ? x[row * grid->side + col] : 0.0;
}

static spry_status laplacian(spry_context *context, void *user, const void *in, void *out) {
    const struct grid *grid = user;
    const double *x = in;
    double *y = out;
    (void)context;
    for (int64_t i = 0; i < grid->side; i++)
        for (int64_t j = 0; j < grid->side; j++)
            y[i * grid->side + j] = 4.0 * at(grid, x, i, j) - at(grid, x, i - 1, j) - at(grid, x, i + 1, j) -
                                    at(grid, x, i, j - 1) - at(grid, x, i, j + 1);
    return SPRY_OK;
}

/* Any number but 0 would end the solve. */
static int show(void *user, int64_t iteration, double residual) {
    (void)user;
    if (iteration % 20 == 0)
        printf("%4lld  %.3e\n", (long long)iteration, residual);
    return 0;
}

int main(void) {
    struct grid grid = {.side = 100};
    spry_operator a = {
        .size = sizeof a, .n = grid.side * grid.side, .type = SPRY_F64, .apply = laplacian, .user = &grid};
    spry_solver_options options = {.size = sizeof options, .method = SPRY_CG, .monitor = show};
    spry_context *context = NULL;
    spry_solver *solver = NULL;
    spry_solve_result result = {.size = sizeof result};
    double *b = malloc((size_t)a.n * sizeof *b), *x = malloc((size_t)a.n * sizeof *x);
    if (!b || !x)
        return EXIT_FAILURE;
    for (int64_t i = 0; i < a.n; i++)
        b[i] = 1.0;

    spry_status status = spry_context_create(&context, NULL);
    if (status == SPRY_OK)
        status = spry_solver_create(context, &a, NULL, &options, &solver);
    if (status == SPRY_OK)
        status = spry_solve(solver, b, x, &result);
    if (status == SPRY_OK)
        printf("%s after %lld iterations, |b - A x| / |b| = %.1e\n", spry_outcome_string(result.outcome),
               (long long)result.iterations, result.residual / result.norm_b);
    else
        fprintf(stderr, "%s: %s\n", spry_status_string(status), context ? spry_message(context) : "");

    spry_solver_destroy(solver);
    spry_context_destroy(context);
    free(b);
    free(x);
    return status == SPRY_OK && result.outcome == SPRY_CONVERGED ? EXIT_SUCCESS : EXIT_FAILURE;
}
