/* SPDX-License-Identifier: BSD-3-Clause */
/* The input is a small system with a method and a preconditioner. The solve ends, within its iterations; when it says
   that it converged, the residual that is computed here in long double is within the tolerance. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "../support/reference.h"
#include "fuzz.h"

#define MOST 14
#define ITERATIONS 300

/* With a diagonal, and symmetric, as often as not. */
static struct list take_system(struct bytes *bytes) {
    int64_t n = take_below(bytes, MOST);
    struct list list = list_new(n, n);
    int kind = take_byte(bytes), entries = n ? take_below(bytes, 4 * MOST) : 0;
    for (int64_t i = 0; i < n && kind & 1; i++)
        list_add(&list, i, i, take_value(bytes, false) + (kind & 2 ? 8 : 0));
    for (int k = 0; k < entries; k++) {
        int64_t row = take_below(bytes, (int)n), col = take_below(bytes, (int)n);
        double value = take_value(bytes, (kind & 24) == 24);
        list_add(&list, row, col, value);
        if (kind & 4 && row != col)
            list_add(&list, col, row, value);
    }
    return list;
}

static spry_precond *take_precond(struct bytes *bytes, spry_context *context, const spry_matrix *matrix) {
    int kind = take_below(bytes, SPRY_PRECOND_COUNT + 2);
    spry_precond_options options = {.size = sizeof options,
                                    .kind = (spry_precond_kind)kind,
                                    .block = take_below(bytes, 8),
                                    .omega = take_below(bytes, 8) / 4.0,
                                    .degree = take_below(bytes, 8),
                                    .shift = take_below(bytes, 4) / 4.0,
                                    .inner = (spry_precond_kind)take_below(bytes, SPRY_PRECOND_COUNT),
                                    .sweeps = take_below(bytes, 4),
                                    .single = take_below(bytes, 2),
                                    .power = take_below(bytes, 3),
                                    .entries = take_below(bytes, 8)};
    spry_precond *precond = NULL;
    if (kind >= SPRY_PRECOND_COUNT)
        return NULL;
    spry_status status = spry_precond_create(context, matrix, &options, &precond);
    MUST(!status || status == SPRY_ERROR_INVALID || status == SPRY_ERROR_ARGUMENT, "%s: %s",
         spry_status_string(status), spry_message(context));
    return precond;
}

/* |b - A x|, and how far rounding may move it. */
static long double true_residual(const struct list *list, const struct vector *b, const struct vector *x,
                                 long double *slack) {
    struct reference reference = reference_new(list, SPRY_N, x);
    long double squares = 0, magnitude = 0;
    for (int64_t i = 0; i < b->count; i++) {
        long double off = (long double)vector_get(b, i) - reference.sum[i];
        squares += off * off;
        magnitude += fabsl((long double)vector_get(b, i)) + reference.magnitude[i];
    }
    *slack = magnitude * 8 * (MOST + 2) * (b->type == SPRY_F32 ? FLT_EPSILON : (long double)DBL_EPSILON);
    reference_free(&reference);
    return sqrtl(squares);
}

static void check(const spry_solver_options *options, const spry_solve_result *result,
                  const struct list *list, const struct vector *b, const struct vector *x) {
    MUST((unsigned)result->outcome < SPRY_OUTCOME_COUNT && result->outcome != SPRY_RUNNING, "outcome %d",
         (int)result->outcome);
    MUST(result->iterations >= 0 && result->iterations <= options->iterations, "%d iterations",
         (int)result->iterations);
    MUST(vector_guarded(x), "wrote beside x");
    if (result->outcome != SPRY_CONVERGED)
        return;
    double relative = options->relative > 0 || options->absolute > 0 ? options->relative
                      : b->type == SPRY_F32                          ? 1e-5
                                                                     : 1e-8;
    long double slack, residual = true_residual(list, b, x, &slack), norm = 0;
    for (int64_t i = 0; i < b->count; i++)
        norm += (long double)vector_get(b, i) * (long double)vector_get(b, i);
    long double tolerance = fmaxl(relative * sqrtl(norm), options->absolute);
    if (norm == 0) { /* whatever A holds */
        for (int64_t i = 0; i < x->count; i++)
            MUST(vector_get(x, i) == 0, "b is zero, x[%d] = %g", (int)i, vector_get(x, i));
        return;
    }
    MUST(isfinite(residual), "%s has converged to what is not finite", spry_method_name(options->method));
    MUST(residual <= tolerance * 1.0001L + slack, "%s has converged to %Lg, wanted %Lg",
         spry_method_name(options->method), residual, tolerance);
    MUST(fabsl((long double)result->residual - residual) <= 1e-4L * residual + slack,
         "says %g, but it is %Lg", result->residual, residual);
}

static void solve(spry_context *context, struct bytes *bytes, const struct list *list,
                  const spry_matrix *matrix, const spry_precond *precond) {
    static const double tolerances[] = {0, 1e-3, 1e-12, 1e-30};
    spry_value_type type = spry_matrix_type(matrix);
    spry_solver_options options = {.size = sizeof options,
                                   .method = (spry_method)take_below(bytes, SPRY_METHOD_COUNT),
                                   .relative = tolerances[take_below(bytes, 4)],
                                   .absolute = tolerances[take_below(bytes, 4)],
                                   .iterations = 1 + take_below(bytes, 250),
                                   .restart = take_below(bytes, 12),
                                   .use_guess = take_below(bytes, 2),
                                   .history = 1};
    spry_operator a = spry_operator_of_matrix(matrix), m = {0};
    if (precond)
        m = spry_operator_of_precond(precond);
    spry_solver *solver;
    spry_status status = spry_solver_create(context, &a, precond ? &m : NULL, &options, &solver);
    MUST(!status, "%s: %s", spry_status_string(status), spry_message(context));
    struct vector b = vector_new(type, list->rows, NAN), x = vector_new(type, list->rows, 1234.5);
    for (int64_t i = 0; i < b.count; i++) {
        vector_set(&b, i, take_value(bytes, false));
        vector_set(&x, i, options.use_guess ? take_value(bytes, false) : NAN);
    }
    spry_solve_result result = {.size = sizeof result};
    status = spry_solve(solver, b.data, x.data, &result);
    MUST(!status || status == SPRY_ERROR_ARGUMENT, "%s: %s", spry_status_string(status),
         spry_message(context));
    if (!status)
        check(&options, &result, list, &b, &x);
    spry_solver_destroy(solver);
    vector_free(&b);
    vector_free(&x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct bytes bytes = {data, size};
    spry_context *context = fuzz_context(take_below(&bytes, 2) ? 3 : 1);
    spry_value_type type = (spry_value_type)take_below(&bytes, SPRY_TYPE_COUNT);
    spry_format format = (spry_format)take_below(&bytes, SPRY_FORMAT_COUNT);
    spry_index_type index = (spry_index_type)take_below(&bytes, SPRY_INDEX_COUNT);
    struct list list = take_system(&bytes);
    list_round(&list, type);
    struct built built;
    spry_status status = build(context, &list, format, type, index, CONVERTED, &built);
    MUST(!status, "%s", spry_message(context));
    spry_precond *precond = take_precond(&bytes, context, built.matrix);
    solve(context, &bytes, &list, built.matrix, precond);
    spry_precond_destroy(precond);
    built_free(&built);
    list_free(&list);
    return 0;
}
