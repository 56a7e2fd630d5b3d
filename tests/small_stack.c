/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products, dense products and a solve on stacks of 64 KiB: that of the calling thread, made here, and those of OpenMP's,
 * which the environment says (OMP_STACKSIZE). Where they do not suffice, the program crashes or the numbers are wrong.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/backend.h"
#include "support/check.h"
#include "support/list.h"

#define STACK ((size_t)65536)
#define N 20000

static void expect(bool holds, const char *what, spry_context *context) {
    check(holds, "%s: wrong, or %s", what, spry_message(context));
}

/* A matrix with 4 on the diagonal, -1 above it and -2 below. */
static spry_matrix *make_matrix(spry_context *context, int32_t *ptr, int32_t *idx, double *val) {
    spry_matrix *matrix = NULL;
    int32_t k = 0;
    for (int32_t i = 0; i < N; i++) {
        ptr[i] = k;
        for (int32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++, k++) {
            idx[k] = j;
            val[k] = j < i ? -2 : j > i ? -1 : 4;
        }
    }
    ptr[N] = k;
    expect(spry_wrap_csr(context, SPRY_F64, SPRY_I32, N, N, &(spry_csr){ptr, idx, val, 0}, &matrix) ==
               SPRY_OK,
           "spry_wrap_csr", context);
    return matrix;
}

/* Products with ones, by every kernel: rows and columns within add up to 1. */
static void check_products(spry_context *context, const spry_matrix *source, const double *ones, double *y) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        spry_matrix *matrix = NULL;
        expect(spry_convert(context, source, (spry_format)format, NULL, &matrix) == SPRY_OK, "spry_convert",
               context);
        for (size_t k = 0; matrix && k < spry_kernel_count(); k++) {
            const spry_kernel *kernel = spry_kernel_at(k);
            if (!spry_kernel_takes(kernel, matrix) || !spry_kernel_runs(context, kernel))
                continue;
            int right = spry_spmv_with(context, kernel, 1, matrix, ones, 0, y) == SPRY_OK;
            for (int64_t i = 1; i + 1 < N; i++)
                right = right && y[i] == 1;
            expect(right, spry_kernel_describe(kernel).name, context);
        }
        spry_matrix_destroy(matrix);
    }
}

/* C = 2 A B with ones, by all strides that have a way of their own; each value is twice the length of the sums. */
static void check_gemm(spry_context *context, int64_t rows, int64_t depth, int64_t cols, double *ones,
                       double *c) {
    char what[64];
    for (int way = 0; way < 8; way++) {
        spry_view a = way & 1 ? spry_view_of_rows(ones, rows, depth, depth)
                              : spry_view_of_columns(ones, rows, depth, rows),
                  b = way & 2 ? spry_view_of_rows(ones, depth, cols, cols)
                              : spry_view_of_columns(ones, depth, cols, depth),
                  to = spry_view_of_columns(c, rows, cols, rows);
        if (way & 4) { /* every second value */
            b.row_stride *= 2;
            to.row_stride = 2;
            to.col_stride = 2 * rows;
        }
        int right = spry_gemm(context, SPRY_F64, 2, &a, &b, 0, &to) == SPRY_OK;
        for (int64_t j = 0; j < cols; j++)
            for (int64_t i = 0; i < rows; i++)
                right = right && c[i * to.row_stride + j * to.col_stride] == 2.0 * (double)depth;
        snprintf(what, sizeof what, "%d x %d x %d, way %d", (int)rows, (int)depth, (int)cols, way);
        expect(right, what, context);
    }
}

static void check_solve(spry_context *context, const spry_matrix *matrix, spry_method method, double *b,
                        double *x) {
    spry_operator a = spry_operator_of_matrix(matrix);
    spry_solver *solver = NULL;
    spry_solve_result result = {.size = sizeof result};
    for (int64_t i = 0; i < N; i++) {
        b[i] = i == 0 ? 3 : i == N - 1 ? 2 : 1;
        x[i] = 0;
    }
    int right =
        spry_solver_create(context, &a, NULL,
                           &(spry_solver_options){.size = sizeof(spry_solver_options), .method = method},
                           &solver) == SPRY_OK &&
        spry_solve(solver, b, x, &result) == SPRY_OK && result.outcome == SPRY_CONVERGED;
    for (int64_t i = 0; i < N; i++)
        right = right && fabs(x[i] - 1) < 1e-4;
    expect(right, spry_method_name(method), context);
    spry_solver_destroy(solver);
}

static void *run(void *unused) {
    static int32_t ptr[N + 1], idx[3 * N];
    static double val[3 * N], b[N], x[N], y[N];
    const int64_t count = 4000000;
    double *ones = test_malloc((size_t)count * sizeof *ones), *c = test_malloc((size_t)count * sizeof *c);
    for (int64_t i = 0; i < count; i++)
        ones[i] = 1;
    spry_context *context = test_context(3);
    spry_matrix *matrix = make_matrix(context, ptr, idx, val);
    check_products(context, matrix, ones, y);
    check_gemm(context, 1, 20000, 1, ones, c);
    check_gemm(context, 60, 20000, 1, ones, c);
    check_gemm(context, 20000, 60, 1, ones, c);
    check_gemm(context, 5000, 600, 1, ones, c);
    check_gemm(context, 64, 20000, 64, ones, c);
    check_gemm(context, 20000, 64, 64, ones, c);
    check_gemm(context, 64, 64, 20000, ones, c);
    check_gemm(context, 300, 300, 300, ones, c);
    check_solve(context, matrix, SPRY_GMRES, b, x);
    check_solve(context, matrix, SPRY_BICGSTAB, b, x);
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
    free(ones);
    free(c);
    return unused;
}

int main(void) {
    const char *size = getenv("OMP_STACKSIZE");
    pthread_attr_t attributes;
    pthread_t thread;
    if (!size || atoi(size) != (int)(STACK / 1024)) {
        fprintf(stderr, "OMP_STACKSIZE is %s, expected %d\n", size ? size : "not set", (int)(STACK / 1024));
        return 1;
    }
    if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, STACK) ||
        pthread_create(&thread, &attributes, run, NULL) || pthread_join(thread, NULL)) {
        fprintf(stderr, "no thread with a stack of %zu bytes\n", STACK);
        return 1;
    }
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
