/* SPDX-License-Identifier: BSD-3-Clause */
/* The four methods, against solutions that are known. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support/systems.h"

static double alternating(int64_t i) {
    return i % 2 ? -1.0 - (double)i : 1.0 + (double)i;
}

Test(solve, every_method_format_and_type) {
    for (int threads = 1; threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
                FOR_METHODS(method) {
                    double skew = wants_symmetric(method) ? 0 : 0.3;
                    struct system system = system_new(context, grid_list(12, skew, 0), (spry_format)format,
                                                      (spry_value_type)type);
                    check_solution(&system, NULL, method);
                    system_free(&system);
                }
        spry_context_destroy(context);
    }
}

Test(solve, every_method_and_preconditioner) {
    spry_context *context = test_context(2);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        FOR_METHODS(method)
    for (int kind = 0; kind < SPRY_PRECOND_COUNT; kind++) {
        bool symmetric =
            wants_symmetric(method) || kind == SPRY_IC0 || kind == SPRY_CHEBYSHEV || kind == SPRY_FSAI;
        if (wants_symmetric(method) && kind == SPRY_ILU0)
            continue;
        struct system system =
            system_new(context, grid_list(14, symmetric ? 0 : 0.4, 0), SPRY_CSR, (spry_value_type)type);
        spry_precond *precond;
        spry_precond_options options = {.size = sizeof options, .kind = (spry_precond_kind)kind};
        cr_assert_eq(spry_precond_create(context, system.a.matrix, &options, &precond), SPRY_OK, "%s",
                     spry_message(context));
        spry_operator operator= spry_operator_of_precond(precond);
        check_solution(&system, &operator, method);
        spry_precond_destroy(precond);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* Preconditioners in f32, by sweeps and over others, under methods in f64: x is as accurate, and iterations hardly
   more. Where cases are few, each under one method or two. */
static int64_t iterations_with(struct system *system, const spry_precond_options *options,
                               spry_method method) {
    spry_precond *precond;
    cr_assert_eq(spry_precond_create(system->context, system->a.matrix, options, &precond), SPRY_OK, "%s",
                 spry_message(system->context));
    spry_operator operator= spry_operator_of_precond(precond);
    spry_solver_options few = {.size = sizeof few, .method = method, .relative = 1e-6};
    check_solution(system, &operator, method);
    const spry_solve_result result = system_solve(system, &operator, & few);
    cr_expect_eq(result.outcome, SPRY_CONVERGED);
    spry_precond_destroy(precond);
    return result.iterations;
}

Test(solve, preconditioners_in_f32) {
    static const spry_precond_options kinds[] = {
        {.size = sizeof *kinds, .kind = SPRY_BLOCK_JACOBI},
        {.size = sizeof *kinds, .kind = SPRY_SSOR},
        {.size = sizeof *kinds, .kind = SPRY_SSOR, .sweeps = 2},
        {.size = sizeof *kinds, .kind = SPRY_IC0, .sweeps = 3},
        {.size = sizeof *kinds, .kind = SPRY_CHEBYSHEV},
        {.size = sizeof *kinds, .kind = SPRY_CHEBYSHEV, .degree = 2, .inner = SPRY_IC0}};
    spry_context *context = test_context(2);
    struct system system = system_new(context, grid_list(14, 0, 0), SPRY_SELL, SPRY_F64);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        FOR_METHODS(method) {
            if (test_has_few_cases() && (k + method) % 3 > 0)
                continue;
            spry_precond_options options = kinds[k];
            const int64_t plain = iterations_with(&system, &options, method);
            options.single = 1;
            const int64_t single = iterations_with(&system, &options, method);
            cr_expect(single <= plain + 2, "%s, kind %d: %d iterations, %d in f32", spry_method_name(method),
                      (int)k, (int)plain, (int)single);
        }
    system_free(&system);
    spry_context_destroy(context);
}

/* Values that f32 does not have end a solve, whichever they are. GMRES sees no more than that it gets no further. */
Test(solve, out_of_the_range_of_f32) {
    spry_context *context = test_context(1);
    for (int sign = -1; sign <= 1; sign += 2)
        FOR_METHODS(method) {
            struct system system = system_new(context, grid_list(6, 0, 0), SPRY_CSR, SPRY_F64);
            const spry_precond_options options = {
                .size = sizeof options, .kind = SPRY_CHEBYSHEV, .single = 1};
            spry_precond *precond;
            vector_fill(&system.b, sign < 0 ? 1e-60 : 1e60);
            placed_free(&system.b_there);
            system.b_there = vector_place(context, &system.b);
            cr_assert_eq(spry_precond_create(context, system.a.matrix, &options, &precond), SPRY_OK);
            spry_operator operator= spry_operator_of_precond(precond);
            spry_solver_options choices = {.size = sizeof choices, .method = method, .iterations = 50};
            const spry_outcome outcome = system_solve(&system, &operator, & choices).outcome;
            cr_expect(outcome == SPRY_INDEFINITE || outcome == SPRY_BREAKDOWN || outcome == SPRY_NOT_FINITE ||
                          (outcome == SPRY_STAGNATED && method == SPRY_GMRES),
                      "%s: %s", spry_method_name(method), spry_outcome_string(outcome));
            spry_precond_destroy(precond);
            system_free(&system);
        }
    spry_context_destroy(context);
}

/* MINRES and the methods for general matrices do not mind eigenvalues of both signs. */
Test(solve, indefinite) {
    spry_context *context = test_context(2);
    struct system system = system_new(context, grid_list(9, 0, 1.3), SPRY_CSR, SPRY_F64);
    check_solution(&system, NULL, SPRY_MINRES);
    check_solution(&system, NULL, SPRY_GMRES);
    spry_solver_options options = {.size = sizeof options, .method = SPRY_CG};
    cr_expect_eq(system_solve(&system, NULL, &options).outcome, SPRY_INDEFINITE);
    system_free(&system);

    system = system_new(context, diagonal_list(40, alternating), SPRY_CSR, SPRY_F64);
    check_solution(&system, NULL, SPRY_MINRES);
    spry_solve_result result = system_solve(&system, NULL, &options);
    cr_expect_eq(result.outcome, SPRY_INDEFINITE, "%s", spry_outcome_string(result.outcome));
    system_free(&system);
    spry_context_destroy(context);
}

/* An indefinite preconditioner is reported too. */
static spry_status negate(spry_context *context, void *n, const void *x, void *y) {
    return spry_axpby(context, SPRY_NUMBER_F64, *(int64_t *)n, -1, x, 0, y);
}

Test(solve, indefinite_preconditioner) {
    spry_context *context = test_context(2);
    struct system system = system_new(context, grid_list(5, 0, 0), SPRY_CSR, SPRY_F64);
    int64_t n = 25;
    spry_operator precond = {.size = sizeof precond, .n = 25, .type = SPRY_F64, .apply = negate, .user = &n};
    for (spry_method method = SPRY_CG; method <= SPRY_MINRES; method++) {
        spry_solver_options options = {.size = sizeof options, .method = method};
        cr_expect_eq(system_solve(&system, &precond, &options).outcome, SPRY_INDEFINITE, "%s",
                     spry_method_name(method));
    }
    system_free(&system);
    spry_context_destroy(context);
}

/* One that turns indefinite on the way is no better. */
static spry_status negate_later(spry_context *context, void *applied, const void *x, void *y) {
    return spry_axpby(context, SPRY_NUMBER_F64, 25, (*(int *)applied)++ > 0 ? -1 : 1, x, 0, y);
}

Test(solve, preconditioner_that_turns_indefinite) {
    spry_context *context = test_context(2);
    struct system system = system_new(context, grid_list(5, 0, 0), SPRY_CSR, SPRY_F64);
    int applied;
    spry_operator precond = {
        .size = sizeof precond, .n = 25, .type = SPRY_F64, .apply = negate_later, .user = &applied};
    for (spry_method method = SPRY_CG; method <= SPRY_MINRES; method++) {
        spry_solver_options options = {.size = sizeof options, .method = method};
        applied = 0;
        spry_solve_result result = system_solve(&system, &precond, &options);
        cr_expect_eq(result.outcome, SPRY_INDEFINITE, "%s: %s", spry_method_name(method),
                     spry_outcome_string(result.outcome));
        cr_expect(result.iterations <= 1);
    }
    system_free(&system);
    spry_context_destroy(context);
}

/* Ones in the first half of the diagonal and nothing in the second: b is out of the matrix's reach, and after two
   iterations, exact in binary, MINRES has no direction left. */
static double one_then_none(int64_t i) {
    return i < 2 ? 1 : 0;
}

Test(solve, out_of_reach) {
    spry_context *context = test_context(1);
    struct system system = system_new(context, diagonal_list(4, one_then_none), SPRY_CSR, SPRY_F64);
    system_fill_b(&system, 1);
    spry_solver_options options = {.size = sizeof options, .method = SPRY_MINRES};
    spry_solve_result result = system_solve(&system, NULL, &options);
    cr_expect_eq(result.outcome, SPRY_BREAKDOWN, "%s", spry_outcome_string(result.outcome));
    cr_expect_float_eq(result.residual, sqrt(2), 1e-14);
    system_free(&system);
    spry_context_destroy(context);
}

/* ---- functions that fail ---- */

static spry_status fail_silently(spry_context *context, void *user, const void *x, void *y) {
    (void)context, (void)user, (void)x, (void)y;
    return SPRY_ERROR_IO;
}

static spry_status fail_in_a_call(spry_context *context, void *user, const void *x, void *y) {
    (void)user, (void)x;
    return spry_axpby(context, SPRY_NUMBER_F64, -1, 1, y, 0, y);
}

static void expect_failure(const struct system *system, const spry_operator *a, const spry_operator *precond,
                           spry_status status, const char *words) {
    spry_context *context = system->context;
    spry_solver *solver;
    cr_assert_eq(spry_solver_create(context, a, precond, NULL, &solver), SPRY_OK);
    cr_expect_eq(spry_solve(solver, NULL, x_of(system), NULL), SPRY_ERROR_ARGUMENT); /* an older message */
    cr_expect_eq(spry_solve(solver, b_of(system), x_of(system), NULL), status);
    cr_expect(strstr(spry_message(context), words), "%s: \"%s\"", words, spry_message(context));
    spry_solver_destroy(solver);
}

/* The message is that of the call that failed last: the function's, or one in its place, or the older one where none failed. */
Test(solve, failing_functions) {
    spry_context *context = test_context(1);
    struct system system = system_new(context, grid_list(5, 0, 0), SPRY_CSR, SPRY_F64);
    const spry_operator silent = {.size = sizeof silent, .n = 25, .type = SPRY_F64, .apply = fail_silently},
                        inner = {.size = sizeof inner, .n = 25, .type = SPRY_F64, .apply = fail_in_a_call};
    expect_failure(&system, &silent, NULL, SPRY_ERROR_IO, "the operator failed: input/output error");
    expect_failure(&system, &system.operator, & silent, SPRY_ERROR_IO,
                   "the preconditioner failed: input/output error");
    expect_failure(&system, &inner, NULL, SPRY_ERROR_ARGUMENT, "spry_axpby: ");
    expect_failure(&system, &system.operator, NULL, SPRY_OK, "spry_solve: b or x is null");
    system_free(&system);
    spry_context_destroy(context);
}

/* ---- arguments ---- */

static void expect_refused(const struct system *system, spry_operator a, const spry_operator *precond,
                           spry_solver_options options, const char *word) {
    spry_solver *solver;
    cr_expect_eq(spry_solver_create(system->context, &a, precond, &options, &solver), SPRY_ERROR_ARGUMENT,
                 "%s", word);
    cr_expect_null(solver);
    cr_expect(strstr(spry_message(system->context), word), "%s: %s", word, spry_message(system->context));
}

Test(solve, arguments) {
    spry_context *context = test_context(1);
    struct system system = system_new(context, grid_list(4, 0, 0), SPRY_CSR, SPRY_F64);
    spry_operator good = system.operator, bad = good;
    spry_solver *solver = NULL;
    cr_expect_eq(spry_solver_create(NULL, &good, NULL, NULL, &solver), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_solver_create(context, NULL, NULL, NULL, &solver), SPRY_ERROR_ARGUMENT);
    expect_refused(&system, (spry_operator){.size = sizeof(spry_operator), .n = -1}, NULL,
                   (spry_solver_options){.size = sizeof(spry_solver_options)}, "square");
    expect_refused(&system, (spry_operator){.size = sizeof(spry_operator), .n = 3, .type = SPRY_F64}, NULL,
                   (spry_solver_options){.size = sizeof(spry_solver_options)}, "function");
    expect_refused(&system,
                   (spry_operator){.size = sizeof(spry_operator), .n = 3, .type = (spry_value_type)5}, NULL,
                   (spry_solver_options){.size = sizeof(spry_solver_options)}, "type");
    expect_refused(
        &system,
        (spry_operator){.size = sizeof(spry_operator), .n = 3, .type = SPRY_F64, .diagonal = b_of(&system)},
        NULL, (spry_solver_options){.size = sizeof(spry_solver_options)}, "function");
    bad.n = 15;
    expect_refused(&system, good, &bad, (spry_solver_options){.size = sizeof(spry_solver_options)}, "15");
    bad = good;
    bad.type = SPRY_F32;
    expect_refused(&system, good, &bad, (spry_solver_options){.size = sizeof(spry_solver_options)}, "f32");
    expect_refused(&system, good, NULL,
                   (spry_solver_options){.size = sizeof(spry_solver_options), .method = (spry_method)77},
                   "77");
    expect_refused(&system, good, NULL,
                   (spry_solver_options){.size = sizeof(spry_solver_options), .relative = -1}, "-1");
    expect_refused(&system, good, NULL,
                   (spry_solver_options){.size = sizeof(spry_solver_options), .absolute = NAN}, "absolute");
    expect_refused(&system, good, NULL,
                   (spry_solver_options){.size = sizeof(spry_solver_options), .relative = INFINITY},
                   "relative inf");
    expect_refused(&system, good, NULL,
                   (spry_solver_options){.size = sizeof(spry_solver_options), .absolute = INFINITY},
                   "absolute inf");
    expect_refused(&system, good, NULL,
                   (spry_solver_options){.size = sizeof(spry_solver_options), .divergence = INFINITY},
                   "divergence inf");
    expect_refused(&system, good, NULL,
                   (spry_solver_options){.size = sizeof(spry_solver_options), .iterations = -5}, "-5");
    expect_refused(&system, good, NULL,
                   (spry_solver_options){.size = sizeof(spry_solver_options), .restart = 65}, "65");
    spry_solver_options endless = {.size = sizeof endless, .iterations = INT64_MAX, .history = 1};
    cr_expect_eq(spry_solver_create(context, &good, NULL, &endless, &solver), SPRY_ERROR_OVERFLOW);
    cr_expect(strstr(spry_message(context), "a history of so many iterations"), "%s", spry_message(context));
    cr_assert_eq(spry_solver_create(context, &good, NULL, NULL, &solver), SPRY_OK);
    cr_expect_eq(spry_solve(solver, NULL, x_of(&system), NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_solve(solver, b_of(&system), NULL, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_solve(NULL, b_of(&system), x_of(&system), NULL), SPRY_ERROR_ARGUMENT);
    spry_solver_destroy(solver);
    spry_solver_destroy(NULL);
    struct list wide = list_new(2, 3);
    struct built built = built_of(context, &wide, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_operator_of_matrix(built.matrix).n, -1);
    built_free(&built);
    list_free(&wide);
    system_free(&system);
    spry_context_destroy(context);
}

Test(solve, names) {
    FOR_METHODS(method)
    cr_expect_eq(spry_method_by_name(spry_method_name(method)), method);
    cr_expect_eq(spry_method_by_name("jacobi"), SPRY_NO_METHOD);
    cr_expect_eq(spry_method_by_name(NULL), SPRY_NO_METHOD);
    cr_expect_str_eq(spry_method_name((spry_method)99), "?");
    for (int outcome = 0; outcome < SPRY_OUTCOME_COUNT; outcome++)
        cr_expect_str_neq(spry_outcome_string((spry_outcome)outcome), "?");
    cr_expect_str_eq(spry_outcome_string((spry_outcome)99), "?");
}
