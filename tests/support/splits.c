/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "splits.h"

static struct exact exact_new(int64_t n) {
    struct exact exact = {n, test_malloc((size_t)(n * n) * sizeof(long double))};
    for (int64_t k = 0; k < n * n; k++)
        exact.value[k] = 0;
    return exact;
}

long double *exact_at(struct exact exact, int64_t i, int64_t j) {
    return &exact.value[i * exact.n + j];
}

static struct exact exact_of(const struct list *list) {
    struct exact exact = exact_new(list->rows);
    for (int64_t k = 0; k < list->nnz; k++)
        *exact_at(exact, list->row[k], list->col[k]) += list->val[k];
    return exact;
}

static struct split split_new(int64_t n) {
    return (struct split){exact_new(n), exact_new(n)};
}

void split_free(struct split *split) {
    free(split->left.value);
    free(split->right.value);
}

/* 1/(ω(2−ω)) (D + ωL) D⁻¹ and (D + ωU). */
static struct split ssor(const struct list *list, double omega) {
    struct exact a = exact_of(list);
    struct split m = split_new(a.n);
    for (int64_t i = 0; i < a.n; i++)
        for (int64_t j = 0; j < a.n; j++) {
            long double relaxed = (i == j ? 1 : omega) * *exact_at(a, i, j);
            if (j <= i)
                *exact_at(m.left, i, j) = relaxed / *exact_at(a, j, j) / (omega * (2 - omega));
            if (j >= i)
                *exact_at(m.right, i, j) = relaxed;
        }
    free(a.value);
    return m;
}

/* Gaussian elimination that forgets what is outside the pattern: with all values in `a` distinct from zero there. */
static struct split ilu0(const struct list *list, double shift) {
    struct exact a = exact_of(list);
    struct split m = split_new(a.n);
    for (int64_t i = 0; i < a.n; i++) {
        *exact_at(a, i, i) += shift * fabsl(*exact_at(a, i, i));
        for (int64_t k = 0; k < i; k++) {
            if (*exact_at(a, i, k) == 0)
                continue;
            *exact_at(a, i, k) /= *exact_at(a, k, k);
            for (int64_t j = k + 1; j < a.n; j++)
                if (*exact_at(a, i, j) != 0)
                    *exact_at(a, i, j) -= *exact_at(a, i, k) * *exact_at(a, k, j);
        }
        for (int64_t j = 0; j < a.n; j++)
            *exact_at(j < i ? m.left : m.right, i, j) = *exact_at(a, i, j);
        *exact_at(m.left, i, i) = 1;
    }
    free(a.value);
    return m;
}

struct split split_ic0(const struct list *list, double shift) {
    struct exact a = exact_of(list);
    struct split m = split_new(a.n);
    for (int64_t i = 0; i < a.n; i++) {
        *exact_at(a, i, i) += shift * fabsl(*exact_at(a, i, i));
        for (int64_t k = 0; k <= i; k++) {
            if (*exact_at(a, i, k) == 0)
                continue;
            long double rest = *exact_at(a, i, k);
            for (int64_t j = 0; j < k; j++)
                rest -= *exact_at(m.left, i, j) * *exact_at(m.left, k, j);
            *exact_at(m.left, i, k) = *exact_at(m.right, k, i) =
                k < i ? rest / *exact_at(m.left, k, k) : sqrtl(rest);
        }
    }
    free(a.value);
    return m;
}

struct split split_of(const struct list *list, const spry_precond_options *options) {
    return options->kind == SPRY_SSOR   ? ssor(list, options->omega ? options->omega : 1)
           : options->kind == SPRY_ILU0 ? ilu0(list, options->shift)
                                        : split_ic0(list, options->shift);
}

/* z = A y, with the sums of magnitudes. */
static void multiply(struct exact a, const long double *y, const long double *y_size, long double *z,
                     long double *z_size) {
    for (int64_t i = 0; i < a.n; i++) {
        z[i] = z_size[i] = 0;
        for (int64_t j = 0; j < a.n; j++) {
            z[i] += *exact_at(a, i, j) * y[j];
            z_size[i] += fabsl(*exact_at(a, i, j)) * y_size[j];
        }
    }
}

bool is_inverse(const struct split *m, const struct vector *x, const struct vector *y) {
    int64_t n = m->left.n;
    long double *work = test_malloc((size_t)(6 * n) * sizeof *work), *in = work, *in_size = work + n,
                *half = work + 2 * n, *half_size = work + 3 * n, *out = work + 4 * n,
                *out_size = work + 5 * n;
    long double epsilon = x->type == SPRY_F32 ? FLT_EPSILON : DBL_EPSILON;
    bool right = true;
    for (int64_t i = 0; i < n; i++) {
        in[i] = vector_get(y, i);
        in_size[i] = fabsl(in[i]);
    }
    multiply(m->right, in, in_size, half, half_size);
    multiply(m->left, half, half_size, out, out_size);
    for (int64_t i = 0; i < n; i++)
        right &= fabsl(out[i] - (long double)vector_get(x, i)) <= 200 * epsilon * out_size[i];
    free(work);
    return right;
}
