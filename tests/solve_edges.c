/* SPDX-License-Identifier: BSD-3-Clause */
/* How the methods end on systems that are small, singular or out of reach of rounding. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support/systems.h"

static double one(int64_t i) {
    (void)i;
    return 1;
}

Test(solve, smallest_systems) {
    spry_context *context = test_context(3);
    FOR_METHODS(method)
    for (int64_t n = 0; n <= 2; n++) {
        struct system system = system_new(context, diagonal_list(n, one), SPRY_CSR, SPRY_F64);
        spry_solver_options options = {.size = sizeof options, .method = method};
        spry_solve_result result = system_solve(&system, NULL, &options);
        cr_expect_eq(result.outcome, SPRY_CONVERGED, "%s n = %d: %s", spry_method_name(method), (int)n,
                     spry_outcome_string(result.outcome));
        cr_expect(result.iterations <= 1, "%s: %d", spry_method_name(method), (int)result.iterations);
        cr_expect(system_error(&system) < 1e-15);
        system_free(&system);
    }
    spry_context_destroy(context);
}

Test(solve, zero_right_hand_side) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid_list(6, 0, 0), SPRY_CSR, SPRY_F32);
        system_fill_b(&system, 0);
        spry_solver_options options = {.size = sizeof options, .method = method};
        spry_solve_result result = system_solve(&system, NULL, &options);
        cr_expect(result.outcome == SPRY_CONVERGED && result.iterations == 0 && result.residual == 0);
        for (int64_t i = 0; i < 36; i++)
            cr_expect_eq(vector_get(&system.x, i), 0);
        system_free(&system);
    }
    spry_context_destroy(context);
}

static int keep_residual(void *user, int64_t iteration, double residual) {
    (void)iteration;
    *(double *)user = residual;
    return 0;
}

/* Also with a solver that has solved for another one before: nothing is left of that. */
Test(solve, zero_right_hand_side_after_another) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid_list(6, 0, 0), SPRY_CSR, SPRY_F64);
        double told = NAN;
        spry_solver_options options = {
            .size = sizeof options, .method = method, .history = 1, .monitor = keep_residual, .user = &told};
        spry_solver *solver = system_solver(&system, NULL, &options);
        spry_solve_result result = {.size = sizeof result};
        cr_assert_eq(spry_solve(solver, b_of(&system), x_of(&system), &result), SPRY_OK);
        cr_assert(result.history[0] > 0 && told > 0);
        system_fill_b(&system, 0);
        cr_assert_eq(spry_solve(solver, b_of(&system), x_of(&system), &result), SPRY_OK);
        cr_expect(result.outcome == SPRY_CONVERGED && result.iterations == 0 && result.estimate == 0);
        cr_expect(result.history[0] == 0 && told == 0, "%s: %g, %g", spry_method_name(method),
                  result.history[0], told);
        spry_solver_destroy(solver);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* The larger of two tolerances counts. */
Test(solve, absolute_beside_relative) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, diagonal_list(50, counted), SPRY_CSR, SPRY_F64);
        system_fill_b(&system, 1);
        spry_solver_options options = {.size = sizeof options, .method = method, .relative = 1e-12};
        const spry_solve_result small = system_solve(&system, NULL, &options);
        options.absolute = 0.5;
        const spry_solve_result large = system_solve(&system, NULL, &options);
        cr_expect(small.outcome == SPRY_CONVERGED && large.outcome == SPRY_CONVERGED);
        cr_expect(large.residual > 1e-6 && large.residual <= 0.5, "%s: %g", spry_method_name(method),
                  large.residual);
        cr_expect_lt(large.iterations, small.iterations, "%s", spry_method_name(method));
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* With a large skew part beside the identity, what conjugate gradients take for a step down is a long way up. */
Test(solve, diverged) {
    enum { ROWS = 20, GROWTH = 1000 };
    spry_context *context = test_context(2);
    struct list list = list_new(ROWS, ROWS);
    for (int64_t i = 0; i < ROWS; i++) {
        list_add(&list, i, i, 1);
        list_add(&list, i, i ^ 1, i % 2 ? -GROWTH : GROWTH);
    }
    struct system system = system_new(context, list, SPRY_CSR, SPRY_F64);
    const spry_solver_options options = {.size = sizeof options, .method = SPRY_CG};
    const spry_solve_result result = system_solve(&system, NULL, &options);
    cr_expect_eq(result.outcome, SPRY_DIVERGED, "%s", spry_outcome_string(result.outcome));
    cr_expect(result.estimate > 1e5 * result.norm_b &&
                  result.estimate < 1e5 * GROWTH * GROWTH * result.norm_b,
              "%g after %d iterations", result.estimate / result.norm_b, (int)result.iterations);
    system_free(&system);
    spry_context_destroy(context);
}

/* With the solution as the guess nothing is left to do; from half way there is less. */
Test(solve, first_guess) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid_list(16, 0, 0), SPRY_CSR, SPRY_F64);
        spry_solver_options options = {
            .size = sizeof options, .method = method, .relative = 1e-9, .use_guess = 1};
        for (int64_t i = 0; i < system.list.rows; i++)
            vector_set(&system.x, i, exact_value(i));
        cr_assert_eq(vector_put(&system.x, &system.x_there), SPRY_OK);
        spry_solve_result result = system_solve(&system, NULL, &options);
        cr_expect(result.outcome == SPRY_CONVERGED && result.iterations == 0, "%s", spry_method_name(method));
        for (int64_t i = 0; i < system.list.rows; i++)
            vector_set(&system.x, i, exact_value(i) + 1e-7 * cos((double)i));
        cr_assert_eq(vector_put(&system.x, &system.x_there), SPRY_OK);
        result = system_solve(&system, NULL, &options);
        options.use_guess = 0;
        spry_solve_result from_zero = system_solve(&system, NULL, &options);
        cr_expect(result.outcome == SPRY_CONVERGED && from_zero.outcome == SPRY_CONVERGED);
        cr_expect(result.iterations < from_zero.iterations, "%s: %d, %d", spry_method_name(method),
                  (int)result.iterations, (int)from_zero.iterations);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* A matrix of zeros: no method finds a solution, and each says so at once. */
static double zero(int64_t i) {
    (void)i;
    return 0;
}

Test(solve, singular) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, diagonal_list(20, zero), SPRY_CSR, SPRY_F64);
        system_fill_b(&system, 1);
        spry_solver_options options = {.size = sizeof options, .method = method};
        spry_solve_result result = system_solve(&system, NULL, &options);
        cr_expect(result.outcome == SPRY_BREAKDOWN || result.outcome == SPRY_INDEFINITE, "%s: %s",
                  spry_method_name(method), spry_outcome_string(result.outcome));
        cr_expect_float_eq(result.residual, sqrt(20), 1e-12);
        cr_expect(result.iterations <= 1);
        system_free(&system);
    }
    spry_context_destroy(context);
}

Test(solve, not_finite) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid_list(7, 0, 0), SPRY_CSR, SPRY_F64);
        vector_set(&system.b, 3, method % 2 ? NAN : INFINITY);
        cr_assert_eq(vector_put(&system.b, &system.b_there), SPRY_OK);
        spry_solver_options options = {.size = sizeof options, .method = method};
        cr_expect_eq(system_solve(&system, NULL, &options).outcome, SPRY_NOT_FINITE, "%s",
                     spry_method_name(method));
        system_free(&system);
    }
    spry_context_destroy(context);
}

static double huge(int64_t i) {
    return 1e200 * (double)(i + 1);
}

static double large_at_last(int64_t i) {
    return i < 29 ? (double)(i + 1) : 1e155;
}

static double tiny(int64_t i) {
    (void)i;
    return 1e-310;
}

/* The diagonal matrix with these values, and b of equal ones. */
static void expect_not_finite(spry_method method, int64_t n, double (*value)(int64_t i), double b) {
    spry_context *context = test_context(2);
    struct system system = system_new(context, diagonal_list(n, value), SPRY_CSR, SPRY_F64);
    system_fill_b(&system, b);
    spry_solver_options options = {.size = sizeof options, .method = method};
    spry_solve_result result = system_solve(&system, NULL, &options);
    cr_expect_eq(result.outcome, SPRY_NOT_FINITE, "%s, %d rows: %s", spry_method_name(method), (int)n,
                 spry_outcome_string(result.outcome));
    cr_expect(result.iterations <= 1, "%s, %d rows: %d", spry_method_name(method), (int)n,
              (int)result.iterations);
    system_free(&system);
    spry_context_destroy(context);
}

/* Products of two values that there are overflow, or the solution does. */
Test(solve, extreme_matrices) {
    FOR_METHODS(method)
    expect_not_finite(method, 10, huge, 1e60);
    expect_not_finite(SPRY_MINRES, 30, large_at_last, 1);
    expect_not_finite(SPRY_MINRES, 1, tiny, 3);
}

/* Squares of such values overflow or vanish: that is said, not computed with. */
Test(solve, extreme_right_hand_sides) {
    spry_context *context = test_context(2);
    static const double scales[] = {1e-200, 1e200};
    for (int s = 0; s < 2; s++) {
        struct system system = system_new(context, grid_list(7, 0, 0), SPRY_CSR, SPRY_F64);
        for (int64_t i = 0; i < 49; i++)
            vector_set(&system.b, i, scales[s]);
        cr_assert_eq(vector_put(&system.b, &system.b_there), SPRY_OK);
        spry_solver *solver = system_solver(&system, NULL, NULL);
        cr_expect_eq(spry_solve(solver, b_of(&system), x_of(&system), NULL), SPRY_ERROR_ARGUMENT);
        cr_expect(strstr(spry_message(context), "scale"), "%s", spry_message(context));
        spry_solver_destroy(solver);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* No method does better than rounding allows. */
Test(solve, unreachable_tolerance) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid_list(30, 0, 0), SPRY_CSR, SPRY_F32);
        spry_solver_options options = {
            .size = sizeof options, .method = method, .relative = 1e-12, .iterations = 2000};
        spry_solve_result result = system_solve(&system, NULL, &options);
        cr_expect(result.outcome != SPRY_CONVERGED && result.outcome != SPRY_RUNNING, "%s: %s",
                  spry_method_name(method), spry_outcome_string(result.outcome));
        cr_expect(result.residual < 1e-4 * result.norm_b, "%s: %g", spry_method_name(method),
                  result.residual / result.norm_b);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* Where the methods' own residuals fall below any tolerance and that of x does not, they begin again once, and end. */
Test(solve, stagnated) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid_list(6, 0, 0), SPRY_CSR, SPRY_F64);
        spry_solver_options options = {.size = sizeof options, .method = method, .relative = 1e-20};
        spry_solve_result result = system_solve(&system, NULL, &options);
        cr_expect_eq(result.outcome, SPRY_STAGNATED, "%s: %s", spry_method_name(method),
                     spry_outcome_string(result.outcome));
        cr_expect(result.iterations < 300, "%s: %d", spry_method_name(method), (int)result.iterations);
        cr_expect(result.residual < 1e-14 * result.norm_b, "%s: %g", spry_method_name(method),
                  result.residual / result.norm_b);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* An operator that says another size or type than its matrix has is refused before anything is multiplied. */
Test(solve, operators_that_are_not_their_matrix) {
    spry_context *context = test_context(1);
    struct system system = system_new(context, grid_list(6, 0, 0), SPRY_CSR, SPRY_F64);
    const spry_solver_options options = {.size = sizeof options};
    const spry_operator right = spry_operator_of_matrix(system.a.matrix);
    spry_operator larger = right, other = right;
    larger.n++;
    other.type = SPRY_F32;
    spry_solver *solver;
    cr_expect_eq(spry_solver_create(context, &larger, NULL, &options, &solver), SPRY_ERROR_ARGUMENT);
    cr_expect(strstr(spry_message(context), "37 rows of f64, its matrix is 36 x 36 of f64"), "%s",
              spry_message(context));
    cr_expect_eq(spry_solver_create(context, &other, NULL, &options, &solver), SPRY_ERROR_ARGUMENT);
    cr_expect_null(solver);
    cr_expect_eq(spry_solver_create(context, &right, NULL, &options, &solver), SPRY_OK);
    spry_solver_destroy(solver);
    system_free(&system);
    spry_context_destroy(context);
}

Test(solve, names_in_any_case) {
    for (int method = 0; method < SPRY_METHOD_COUNT; method++) {
        char name[20];
        size_t i = 0;
        for (const char *letter = spry_method_name((spry_method)method); *letter; letter++)
            name[i++] = (char)(*letter >= 'a' ? *letter - 'a' + 'A' : *letter);
        name[i] = '\0';
        cr_expect_eq(spry_method_by_name(name), method, "%s", name);
    }
    cr_expect_eq(spry_method_by_name("C\007"), SPRY_NO_METHOD);
    cr_expect_eq(spry_precond_by_name("Block-Jacobi"), SPRY_BLOCK_JACOBI);
}
