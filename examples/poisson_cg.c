/* SPDX-License-Identifier: BSD-3-Clause */
/* Poisson's equation on the unit square, in arrays of the program's own, by conjugate gradients with an incomplete
   Cholesky factor: poisson_cg [POINTS-A-SIDE]
       cc poisson_cg.c $(pkg-config --cflags --libs spry) -lm -o poisson_cg */
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

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory)
        check(NULL, SPRY_ERROR_MEMORY);
    return memory;
}

/* The 5-point Laplacian of a grid of side × side points, row by row, columns rising. */
static void assemble(int side, int32_t *ptr, int32_t *idx, double *val) {
    static const int dx[] = {0, -1, 0, 1, 0}, dy[] = {-1, 0, 0, 0, 1};
    int32_t nnz = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            ptr[y * side + x] = nnz;
            for (int k = 0; k < 5; k++) {
                int u = x + dx[k], v = y + dy[k];
                if (u >= 0 && u < side && v >= 0 && v < side) {
                    idx[nnz] = v * side + u;
                    val[nnz++] = k == 2 ? 4.0 : -1.0;
                }
            }
        }
    ptr[side * side] = nnz;
}

static double hump(double x) {
    return x * (1.0 - x);
}

/* The solution that is looked for, u = x (1 - x) y (1 - y), at point i of the grid. The differences of the Laplacian are
   exact for it, so all error is the solver's. */
static double exact(int side, size_t i) {
    size_t n = (size_t)side;
    double h = 1.0 / (side + 1);
    return hump(h * (double)(i % n + 1)) * hump(h * (double)(i / n + 1));
}

/* -Δu at point i. */
static double load(int side, size_t i) {
    size_t n = (size_t)side;
    double h = 1.0 / (side + 1);
    return 2.0 * (hump(h * (double)(i % n + 1)) + hump(h * (double)(i / n + 1)));
}

static double largest_error(int side, const double *x) {
    double largest = 0.0;
    for (size_t i = 0; i < (size_t)side * (size_t)side; i++)
        largest = fmax(largest, fabs(x[i] - exact(side, i)));
    return largest;
}

static spry_solve_result solve(spry_context *context, const spry_matrix *matrix, const double *b, double *x) {
    spry_precond_options how = {.size = sizeof how, .kind = SPRY_IC0};
    spry_solver_options options = {.size = sizeof options, .method = SPRY_CG, .relative = 1e-10};
    spry_precond *precond;
    spry_solver *solver;
    spry_solve_result result = {.size = sizeof result};
    check(context, spry_precond_create(context, matrix, &how, &precond));
    spry_operator a = spry_operator_of_matrix(matrix), m = spry_operator_of_precond(precond);
    check(context, spry_solver_create(context, &a, &m, &options, &solver));
    check(context, spry_solve(solver, b, x, &result));
    spry_solver_destroy(solver);
    spry_precond_destroy(precond);
    return result;
}

int main(int argc, char **argv) {
    int side = argc > 1 ? atoi(argv[1]) : 100;
    if (side < 1 || side > 10000) {
        fprintf(stderr, "usage: poisson_cg [POINTS-A-SIDE]\n");
        return EXIT_FAILURE;
    }
    size_t n = (size_t)side * (size_t)side;
    int32_t *ptr = allocate(n + 1, sizeof *ptr), *idx = allocate(5 * n, sizeof *idx);
    double *val = allocate(5 * n, sizeof *val), *b = allocate(n, sizeof *b), *x = allocate(n, sizeof *x);
    assemble(side, ptr, idx, val);
    for (size_t i = 0; i < n; i++)
        b[i] = load(side, i) / ((side + 1.0) * (side + 1.0)); /* the matrix is the Laplacian times h² */

    spry_context *context;
    spry_matrix *matrix;
    spry_csr arrays = {.ptr = ptr, .idx = idx, .val = val};
    check(NULL, spry_context_create(&context, NULL));
    check(context, spry_wrap_csr(context, SPRY_F64, SPRY_I32, (int64_t)n, (int64_t)n, &arrays, &matrix));
    spry_solve_result result = solve(context, matrix, b, x);
    printf("%s after %lld iterations, |b - A x| / |b| = %.1e, largest error %.1e\n",
           spry_outcome_string(result.outcome), (long long)result.iterations, result.residual / result.norm_b,
           largest_error(side, x));

    spry_matrix_destroy(matrix); /* the arrays stay ours */
    spry_context_destroy(context);
    free(ptr);
    free(idx);
    free(val);
    free(b);
    free(x);
    return result.outcome == SPRY_CONVERGED ? EXIT_SUCCESS : EXIT_FAILURE;
}
