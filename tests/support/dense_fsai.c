/* SPDX-License-Identifier: BSD-3-Clause */
#include "dense_fsai.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static long double *new_dense(int64_t n) {
    size_t bytes = (size_t)(n * n) * sizeof(long double);
    return memset(test_malloc(bytes), 0, bytes);
}

long double *dense_list(const struct list *a) {
    long double *dense = new_dense(a->rows);
    for (int64_t k = 0; k < a->nnz; k++)
        dense[a->row[k] * a->rows + a->col[k]] += (long double)a->val[k];
    return dense;
}

/* Whether a path of `power` steps, or fewer, leads from i to j. */
static bool leads(const long double *a, int64_t n, int power, int64_t i, int64_t j) {
    bool found = i == j || a[i * n + j] != 0;
    for (int64_t k = 0; k < n && power > 1; k++)
        found |= a[i * n + k] != 0 && a[k * n + j] != 0;
    return found;
}

/* Gaussian elimination with the last unit vector on the right; the matrix is spoilt. */
static void solve_last(long double *system, int64_t size, long double *x) {
    for (int64_t r = 0; r < size; r++)
        x[r] = r == size - 1;
    for (int64_t k = 0; k < size; k++)
        for (int64_t r = k + 1; r < size; r++) {
            long double factor = system[r * size + k] / system[k * size + k];
            for (int64_t c = k; c < size; c++)
                system[r * size + c] -= factor * system[k * size + c];
            x[r] -= factor * x[k];
        }
    for (int64_t r = size - 1; r >= 0; r--) {
        for (int64_t c = r + 1; c < size; c++)
            x[r] -= system[r * size + c] * x[c];
        x[r] /= system[r * size + r];
    }
}

long double *dense_fsai(const struct list *list, int power, double shift) {
    int64_t n = list->rows, *place = test_malloc((size_t)n * sizeof *place);
    long double *a = dense_list(list), *g = new_dense(n), *system = new_dense(n),
                *x = test_malloc((size_t)n * sizeof *x);
    for (int64_t i = 0; i < n; i++) {
        int64_t size = 0;
        for (int64_t j = 0; j <= i; j++)
            if (leads(a, n, power, i, j))
                place[size++] = j;
        for (int64_t r = 0; r < size; r++)
            for (int64_t c = 0; c < size; c++)
                system[r * size + c] = a[place[r] * n + place[c]] * (r == c ? 1 + (long double)shift : 1);
        solve_last(system, size, x);
        for (int64_t r = 0; r < size; r++)
            g[i * n + place[r]] = x[r] / sqrtl(x[size - 1]);
    }
    free(a), free(system), free(x), free(place);
    return g;
}

/* From the last row of G, which the last row of W is a multiple of, up to the first. */
long double *dense_fsai_of(const long double *w, int64_t n) {
    long double *g = new_dense(n);
    for (int64_t i = n - 1; i >= 0; i--)
        for (int64_t j = i; j >= 0; j--) {
            long double sum = w[i * n + j];
            for (int64_t k = i + 1; k < n; k++)
                sum -= g[k * n + i] * g[k * n + j];
            g[i * n + j] = i == j ? sqrtl(sum) : sum / g[i * n + i];
        }
    return g;
}
