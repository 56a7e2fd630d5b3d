/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators of the caller's own, solvers that are used again, and the memory that they take. */
#include <criterion/criterion.h>
#include <math.h>

#include "support/counting.h"
#include "support/systems.h"

struct callback {
    const spry_matrix *matrix;
    int calls, fail_at;
};

static spry_status call(spry_context *context, void *user, const void *x, void *y) {
    struct callback *callback = user;
    if (++callback->calls == callback->fail_at)
        return SPRY_ERROR_UNSUPPORTED;
    return spry_spmv(context, SPRY_N, 1, callback->matrix, x, 0, y);
}

Test(solve, callback) {
    spry_context *context = test_context(2);
    FOR_METHODS(method)
    for (int capturable = 0; capturable <= 1; capturable++) {
        struct system system = system_new(context, grid_list(10, 0, 0), SPRY_CSR, SPRY_F64);
        struct callback callback = {.matrix = system.a.matrix};
        system.operator=(spry_operator){.size = sizeof(spry_operator),
                                        .n = 100,
                                        .type = SPRY_F64,
                                        .apply = call,
                                        .user = &callback,
                                        .capturable = capturable};
        check_solution(&system, NULL, method);
        cr_expect(callback.calls > 0);
        system_free(&system);
    }
    spry_context_destroy(context);
}

Test(solve, callback_that_fails) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid_list(10, 0, 0), SPRY_CSR, SPRY_F64);
        struct callback callback = {.matrix = system.a.matrix, .fail_at = 4};
        system.operator=(spry_operator){
            .size = sizeof(spry_operator), .n = 100, .type = SPRY_F64, .apply = call, .user = &callback};
        spry_solver_options options = {.size = sizeof options, .method = method};
        spry_solver *solver = system_solver(&system, NULL, &options);
        cr_expect_eq(spry_solve(solver, b_of(&system), x_of(&system), NULL), SPRY_ERROR_UNSUPPORTED);
        cr_expect_eq(callback.calls, 4);
        spry_solver_destroy(solver);
        system_free(&system);
    }
    spry_context_destroy(context);
}

static spry_status call_or_spoil(spry_context *context, void *user, const void *x, void *y) {
    struct callback *callback = user;
    if (++callback->calls != callback->fail_at)
        return spry_spmv(context, SPRY_N, 1, callback->matrix, x, 0, y);
    spry_status status = spry_axpby(context, SPRY_NUMBER_F64, 40, NAN, x, 0, y);
    return status ? status : SPRY_ERROR_UNSUPPORTED;
}

/* What a product that failed has left is not met again, in a solve that is over before it gets so far. */
Test(solve, after_a_failure) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, diagonal_list(40, counted), SPRY_CSR, SPRY_F64);
        struct callback callback = {.matrix = system.a.matrix, .fail_at = 12};
        system.operator=(spry_operator){.size = sizeof(spry_operator),
                                        .n = 40,
                                        .type = SPRY_F64,
                                        .apply = call_or_spoil,
                                        .user = &callback};
        spry_solver_options options = {.size = sizeof options, .method = method};
        spry_solve_result result = {.size = sizeof result};
        spry_solver *solver = system_solver(&system, NULL, &options);
        cr_expect_eq(spry_solve(solver, b_of(&system), x_of(&system), NULL), SPRY_ERROR_UNSUPPORTED);
        vector_fill(&system.b, 0);
        vector_set(&system.b, 3, 8);
        cr_assert_eq(vector_put(&system.b, &system.b_there), SPRY_OK);
        cr_assert_eq(spry_solve(solver, b_of(&system), x_of(&system), &result), SPRY_OK);
        cr_assert_eq(vector_fetch(&system.x, &system.x_there), SPRY_OK);
        cr_expect(result.outcome == SPRY_CONVERGED && result.iterations <= 1, "%s: %s",
                  spry_method_name(method), spry_outcome_string(result.outcome));
        cr_expect_float_eq(vector_get(&system.x, 3), 2, 1e-14, "%s: %g", spry_method_name(method),
                           vector_get(&system.x, 3));
        spry_solver_destroy(solver);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* The same bits each time, also when vectors of other places are given in between, and nothing is allocated. */
Test(solve, again) {
    FOR_METHODS(method) {
        struct counting counting;
        counting_start(&counting);
        spry_context *context = counting_context(&counting, 2);
        struct system system = system_new(context, grid_list(15, 0, 0), SPRY_CSR, SPRY_F64);
        struct vector first = vector_new(SPRY_F64, 225, NAN);
        struct placed other = vector_place(context, &first);
        spry_solver_options options = {.size = sizeof options, .method = method, .history = 1};
        spry_solver *solver = system_solver(&system, NULL, &options);
        counting_refuse(&counting, 1);
        for (int time = 0; time < 4; time++) {
            const struct placed *place = time % 2 ? &other : &system.x_there;
            cr_assert_eq(spry_solve(solver, b_of(&system), place->data, NULL), SPRY_OK);
            cr_assert_eq(vector_fetch(time == 0 ? &first : &system.x, place), SPRY_OK);
            cr_expect(time == 0 || vector_same_bits(&first, &system.x), "%s: time %d",
                      spry_method_name(method), time);
        }
        cr_expect_not(counting.refused, "%s allocates", spry_method_name(method));
        counting.refuse_in = 0;
        spry_solver_destroy(solver);
        placed_free(&other);
        vector_free(&first);
        system_free(&system);
        spry_context_destroy(context);
        cr_expect_eq(counting.live_blocks, 0);
    }
}

/* Solves in another context than the one that made the operator, or the preconditioner, allocate nothing either. */
static void solve_elsewhere(struct counting *counting, struct system *system, const spry_operator *operator,
                            const spry_precond * precond, const char *what) {
    spry_context *context = counting_context(counting, 2);
    const spry_operator m = spry_operator_of_precond(precond);
    const spry_solver_options options = {.size = sizeof options};
    spry_solver *solver;
    cr_assert_eq(spry_solver_create(context, operator, precond ? &m : NULL, &options, &solver), SPRY_OK, "%s",
                 spry_message(context));
    counting_refuse(counting, 1);
    cr_expect_eq(spry_solve(solver, b_of(system), x_of(system), NULL), SPRY_OK, "%s: %s", what,
                 spry_message(context));
    cr_expect_not(counting->refused, "%s allocates", what);
    counting->refuse_in = 0;
    spry_solver_destroy(solver);
    spry_context_destroy(context);
}

static void solve_stored(struct counting *counting, struct system *system, const char *storage) {
    static const spry_precond_options chebyshev = {.size = sizeof chebyshev, .kind = SPRY_CHEBYSHEV},
                                      sweeps = {.size = sizeof sweeps, .kind = SPRY_SSOR, .sweeps = 2};
    const spry_storage wanted = storage_of(storage);
    spry_matrix *matrix;
    spry_scaled *scaled;
    spry_precond *over, *swept;
    spry_context *context = system->context;
    cr_assert_eq(spry_convert_to(context, system->a.matrix, &wanted, NULL, &matrix), SPRY_OK);
    cr_assert_eq(spry_scaled_create(context, matrix, b_of(system), b_of(system), &scaled), SPRY_OK);
    cr_assert_eq(spry_precond_create(context, matrix, &chebyshev, &over), SPRY_OK);
    cr_assert_eq(spry_precond_create(context, matrix, &sweeps, &swept), SPRY_OK);
    const spry_operator plain = spry_operator_of_matrix(system->a.matrix),
                        stored = spry_operator_of_matrix(matrix), s = spry_operator_of_scaled(scaled);
    solve_elsewhere(counting, system, &stored, NULL, storage);
    solve_elsewhere(counting, system, &s, NULL, "scaled");
    solve_elsewhere(counting, system, &plain, over, "chebyshev");
    solve_elsewhere(counting, system, &plain, swept, "sweeps");
    spry_precond_destroy(over);
    spry_precond_destroy(swept);
    spry_scaled_destroy(scaled);
    spry_matrix_destroy(matrix);
}

Test(solve, allocates_nothing_elsewhere) {
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 2);
    struct system system = system_new(context, grid_list(15, 0, 0), SPRY_CSR, SPRY_F64);
    solve_stored(&counting, &system, "csc");
    solve_stored(&counting, &system, "csr+dict8");
    solve_stored(&counting, &system, "csr+narrow");
    system_free(&system);
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
}

/* D A D: rows that were alike no longer are, so that stencils move; as symmetric and definite as A. */
static struct list rescaled(const struct list *list) {
    struct list made = list_copy(list);
    for (int64_t k = 0; k < made.nnz; k++)
        made.val[k] *= (double)(2 + made.row[k] % 3) * (double)(2 + made.col[k] % 3) / 9;
    return made;
}

static struct built rescaled_csr(const struct system *system) {
    struct list list = rescaled(&system->list);
    struct built csr = built_of(system->context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    list_free(&list);
    return csr;
}

/* Whether a solver that has solved already gives the bits of a new one, which knows the values of now alone. */
static void expect_like_new(struct system *system, const spry_operator *precond, spry_solver *solver,
                            const spry_solver_options *options, const char *what) {
    struct vector x = vector_new(SPRY_F64, system->list.rows, NAN);
    cr_assert_eq(spry_solve(solver, b_of(system), x_of(system), NULL), SPRY_OK);
    cr_assert_eq(vector_fetch(&x, &system->x_there), SPRY_OK);
    cr_expect_eq(system_solve(system, precond, options).outcome, SPRY_CONVERGED);
    cr_expect(vector_same_bits(&x, &system->x), "%s, %s", spry_method_name(options->method), what);
    vector_free(&x);
}

/* Values that make arrays move: those of the matrix and, before, those that a preconditioner multiplies with. */
static void solve_after_moves(spry_context *context, spry_method method,
                              const spry_precond_options *preconditioned) {
    struct system system = system_new(context, grid_list(12, 0, 0), SPRY_STENCIL, SPRY_F64);
    struct built csr = rescaled_csr(&system);
    spry_solver_options options = {.size = sizeof options, .method = method};
    spry_precond *precond = NULL;
    if (preconditioned)
        cr_assert_eq(spry_precond_create(context, system.a.matrix, preconditioned, &precond), SPRY_OK);
    const spry_operator made = spry_operator_of_precond(precond), *m = precond ? &made : NULL;
    spry_solver *solver = system_solver(&system, m, &options);
    cr_assert_eq(spry_solve(solver, b_of(&system), x_of(&system), NULL), SPRY_OK);
    if (precond) {
        cr_assert_eq(spry_precond_update(context, precond, csr.matrix), SPRY_OK, "%s", spry_message(context));
        expect_like_new(&system, m, solver, &options, spry_precond_name(preconditioned->kind));
    }
    cr_assert_eq(spry_update_values(context, system.a.matrix, csr.matrix), SPRY_OK, "%s",
                 spry_message(context));
    expect_like_new(&system, m, solver, &options, "matrix");
    spry_solver_destroy(solver);
    spry_precond_destroy(precond);
    built_free(&csr);
    system_free(&system);
}

/* Not on the chip, where nothing is recorded. */
Test(solve, after_moves) {
    spry_context *context = test_context_without(0, "resident");
    const spry_precond_options chebyshev = {.size = sizeof chebyshev, .kind = SPRY_CHEBYSHEV},
                               sweeps = {.size = sizeof sweeps, .kind = SPRY_SSOR, .sweeps = 2};
    FOR_METHODS(method) {
        solve_after_moves(context, method, NULL);
        solve_after_moves(context, method, &chebyshev);
        solve_after_moves(context, method, &sweeps);
    }
    spry_context_destroy(context);
}

/* The same of a matrix between two diagonals. */
Test(solve, after_moves_of_a_scaled_matrix) {
    spry_context *context = test_context(2);
    struct system system = system_new(context, grid_list(12, 0, 0), SPRY_STENCIL, SPRY_F64);
    struct built csr = rescaled_csr(&system);
    const spry_solver_options options = {.size = sizeof options};
    spry_scaled *scaled;
    cr_assert_eq(spry_scaled_create(context, system.a.matrix, NULL, NULL, &scaled), SPRY_OK);
    system.operator= spry_operator_of_scaled(scaled);
    spry_solver *solver = system_solver(&system, NULL, &options);
    cr_assert_eq(spry_solve(solver, b_of(&system), x_of(&system), NULL), SPRY_OK);
    cr_assert_eq(spry_update_values(context, system.a.matrix, csr.matrix), SPRY_OK);
    expect_like_new(&system, NULL, solver, &options, "scaled");
    spry_solver_destroy(solver);
    spry_scaled_destroy(scaled);
    built_free(&csr);
    system_free(&system);
    spry_context_destroy(context);
}

/* CUDA's legacy default stream (cudaStreamLegacy), in which nothing can be recorded. */
Test(solve, in_a_stream_that_is_not_recorded) {
    spry_context_options choices = test_options();
    choices.disable = "resident";
    choices.stream = (void *)1;
    spry_context *context = test_context_with(&choices);
    struct system system = system_new(context, grid_list(12, 0, 0), SPRY_CSR, SPRY_F64);
    spry_precond *jacobi;
    cr_assert_eq(spry_precond_create(context, system.a.matrix, NULL, &jacobi), SPRY_OK);
    const spry_operator m = spry_operator_of_precond(jacobi);
    FOR_METHODS(method) {
        check_solution(&system, NULL, method);
        check_solution(&system, &m, method);
    }
    spry_precond_destroy(jacobi);
    system_free(&system);
    spry_context_destroy(context);
}

/* Each allocation of each solver fails once. */
Test(solve, every_allocation_fails_once) {
    FOR_METHODS(method) {
        spry_status status = SPRY_ERROR_MEMORY;
        for (int64_t refused = 1; status != SPRY_OK; refused++) {
            struct counting counting;
            counting_start(&counting);
            spry_context *context = counting_context(&counting, 2);
            struct system system = system_new(context, grid_list(5, 0, 0), SPRY_CSR, SPRY_F64);
            spry_solver_options options = {.size = sizeof options, .method = method, .history = 1};
            spry_solver *solver;
            counting_refuse(&counting, refused);
            status = spry_solver_create(context, &system.operator, NULL, &options, &solver);
            cr_assert(status == SPRY_OK || (status == SPRY_ERROR_MEMORY && !solver), "%s",
                      spry_status_string(status));
            counting.refuse_in = 0;
            spry_solver_destroy(solver);
            system_free(&system);
            spry_context_destroy(context);
            cr_expect_eq(counting.live_blocks, 0);
            cr_expect_not(counting.misused);
        }
    }
}
