/* SPDX-License-Identifier: BSD-3-Clause */
/* What poisson_cg.c does, on a GPU or, where there is none, on the CPU: gpu_solve [POINTS-A-SIDE]
       cc gpu_solve.c $(pkg-config --cflags --libs spry) -lm -o gpu_solve */
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

/* Options are all that differs: what is made in this context is where it works. */
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

/* Wrap the arrays, which are the host's, and copy the matrix to where the context works. */
static spry_matrix *copy_matrix(spry_context *context, int64_t n, const spry_csr *arrays) {
    spry_context *host;
    spry_matrix *wrapped, *matrix;
    check(NULL, spry_context_create(&host, NULL));
    check(host, spry_wrap_csr(host, SPRY_F64, SPRY_I32, n, n, arrays, &wrapped));
    check(context, spry_matrix_copy(context, wrapped, &matrix));
    spry_matrix_destroy(wrapped);
    spry_context_destroy(host);
    return matrix;
}

/* b and x are where the context works too. */
static spry_solve_result solve(spry_context *context, const spry_matrix *matrix, const void *b, void *x) {
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

/* x = A⁻¹ b for vectors on the host. */
static spry_solve_result solve_there(spry_context *context, const spry_matrix *matrix, const double *b,
                                     double *x) {
    size_t bytes = (size_t)spry_matrix_rows(matrix) * sizeof *b;
    void *b_there, *x_there;
    check(context, spry_array_new(context, bytes, &b_there));
    check(context, spry_array_new(context, bytes, &x_there));
    check(context, spry_array_put(context, b_there, b, bytes));
    spry_solve_result result = solve(context, matrix, b_there, x_there);
    check(context, spry_array_get(context, x_there, x, bytes));
    spry_array_free(context, b_there, bytes);
    spry_array_free(context, x_there, bytes);
    return result;
}

int main(int argc, char **argv) {
    int side = argc > 1 ? atoi(argv[1]) : 100;
    if (side < 1 || side > 10000) {
        fprintf(stderr, "usage: gpu_solve [POINTS-A-SIDE]\n");
        return EXIT_FAILURE;
    }
    size_t n = (size_t)side * (size_t)side;
    int32_t *ptr = allocate(n + 1, sizeof *ptr), *idx = allocate(5 * n, sizeof *idx);
    double *val = allocate(5 * n, sizeof *val), *b = allocate(n, sizeof *b), *x = allocate(n, sizeof *x);
    assemble(side, ptr, idx, val);
    for (size_t i = 0; i < n; i++)
        b[i] = load(side, i) / ((side + 1.0) * (side + 1.0)); /* the matrix is the Laplacian times h² */

    spry_csr arrays = {.ptr = ptr, .idx = idx, .val = val};
    spry_context *context = make_context();
    spry_matrix *matrix = copy_matrix(context, (int64_t)n, &arrays);
    spry_solve_result result = solve_there(context, matrix, b, x);
    printf("on %s: %s after %lld iterations, |b - A x| / |b| = %.1e, largest error %.1e\n",
           spry_backend_name(spry_context_backend(context)), spry_outcome_string(result.outcome),
           (long long)result.iterations, result.residual / result.norm_b, largest_error(side, x));

    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
    free(ptr);
    free(idx);
    free(val);
    free(b);
    free(x);
    return result.outcome == SPRY_CONVERGED ? EXIT_SUCCESS : EXIT_FAILURE;
}
