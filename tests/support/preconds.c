/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "preconds.h"

#define CHOICE(title, ...)                                                                                   \
    {                                                                                                        \
        title, {                                                                                             \
            .size = sizeof(spry_precond_options), __VA_ARGS__                                                \
        }                                                                                                    \
    }
const struct made_choice made_choices[MADE_CHOICES] = {
    CHOICE("Jacobi", .kind = SPRY_JACOBI),
    CHOICE("blocks", .kind = SPRY_BLOCK_JACOBI),
    CHOICE("blocks in f32", .kind = SPRY_BLOCK_JACOBI, .single = 1),
    CHOICE("Chebyshev", .kind = SPRY_CHEBYSHEV),
    CHOICE("Chebyshev in f32", .kind = SPRY_CHEBYSHEV, .degree = 5, .single = 1),
    CHOICE("Chebyshev over SSOR by sweeps", .kind = SPRY_CHEBYSHEV, .inner = SPRY_SSOR, .sweeps = 2),
    CHOICE("SSOR by sweeps", .kind = SPRY_SSOR, .omega = 1.25, .sweeps = 1),
    CHOICE("SSOR by colours", .kind = SPRY_SSOR, .omega = 1.25, .colours = 1),
    CHOICE("IC(0) by colours in f32", .kind = SPRY_IC0, .colours = 1, .single = 1),
    CHOICE("FSAI", .kind = SPRY_FSAI),
    CHOICE("IC(0) by sweeps in f32", .kind = SPRY_IC0, .sweeps = 3, .single = 1),
};

struct list definite(int64_t n) {
    static const int64_t offset[] = {1, 2, 7, 31};
    struct list list = list_new(n, n);
    uint64_t seed = 5;
    for (int64_t i = 0; i < n; i++) {
        list_add(&list, i, i, 8 + (double)test_below(&seed, 16) / 4);
        for (int k = 0; k < 4; k++) {
            double value = test_value(&seed);
            if (i + offset[k] >= n)
                continue;
            list_add(&list, i, i + offset[k], value);
            list_add(&list, i + offset[k], i, value);
        }
    }
    list_shuffle(&list, 3);
    return list;
}

struct list laplacian(int64_t n) {
    struct list list = list_new(n, n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++)
            list_add(&list, i, j, i == j ? 2 : -1);
    return list;
}

struct made made_in(spry_context *context, const struct list *list, spry_format format, spry_value_type type,
                    spry_index_type index, enum origin origin, const spry_precond_options *options) {
    struct made made = {.context = context};
    cr_assert_eq(build(context, list, format, type, index, origin, &made.built), SPRY_OK);
    made.status = spry_precond_create(context, made.built.matrix, options, &made.precond);
    cr_expect_eq(made.status == SPRY_OK, made.precond != NULL);
    return made;
}

struct made made_of(spry_context *context, const struct list *list, const spry_precond_options *options) {
    return made_in(context, list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, options);
}

void made_free(struct made *made) {
    spry_precond_destroy(made->precond);
    built_free(&made->built);
}

void made_update(struct made *made, const struct list *list) {
    struct built news = built_of(made->context, list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_assert_eq(spry_precond_update(made->context, made->precond, news.matrix), SPRY_OK, "%s",
                 spry_message(made->context));
    built_free(&news);
}

void made_apply(const struct made *made, const struct vector *x, struct vector *y) {
    vector_fill(y, NAN);
    struct placed x_there = vector_place(made->context, x), y_there = vector_place(made->context, y);
    cr_assert_eq(spry_precond_apply(made->context, made->precond, x_there.data, y_there.data), SPRY_OK, "%s",
                 spry_message(made->context));
    cr_assert_eq(vector_fetch(y, &y_there), SPRY_OK);
    cr_expect(vector_guarded(y));
    placed_free(&x_there);
    placed_free(&y_there);
}

double made_tolerance(spry_value_type type) {
    return type == SPRY_F32 ? 2e-5 : 1e-13;
}

void multiply_blocks(const struct list *a, int64_t block, const double *x, double *y) {
    memset(y, 0, (size_t)a->rows * sizeof *y);
    for (int64_t k = 0; k < a->nnz; k++)
        if (a->row[k] / block == a->col[k] / block)
            y[a->row[k]] += a->val[k] * x[a->col[k]];
}

void expect_solves(const struct list *list, int64_t block, const struct vector *x, const struct vector *y,
                   const char *what) {
    size_t bytes = (size_t)list->rows * sizeof(double);
    double *host = test_malloc(bytes), *back = test_malloc(bytes);
    for (int64_t i = 0; i < list->rows; i++)
        host[i] = vector_get(y, i);
    multiply_blocks(list, block, host, back);
    for (int64_t i = 0; i < list->rows; i++)
        cr_expect(fabs(back[i] - vector_get(x, i)) <= made_tolerance(x->type),
                  "%s, block %d, row %d: %g for %g", what, (int)block, (int)i, back[i], vector_get(x, i));
    free(host), free(back);
}
