/* SPDX-License-Identifier: BSD-3-Clause */
/* The four methods, against solutions that are known, and how they end when they cannot succeed. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support/build.h"
#include "support/counting.h"
#include "support/vector.h"

#define FOR_METHODS(m) for (spry_method m = (spry_method)0; m < SPRY_METHOD_COUNT; m++)

/* ---- systems ---- */

/* The five-point Laplacian on a grid of side × side points; `skew` makes it nonsymmetric, `shift` is taken from the
   diagonal. */
static struct list grid(int side, double skew, double shift) {
    struct list list = list_new((int64_t)side * side, (int64_t)side * side);
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            int64_t row = (int64_t)i * side + j;
            if (i > 0)
                list_add(&list, row, row - side, -1 - skew);
            if (j > 0)
                list_add(&list, row, row - 1, -1 - skew);
            list_add(&list, row, row, 4 - shift);
            if (j + 1 < side)
                list_add(&list, row, row + 1, -1 + skew);
            if (i + 1 < side)
                list_add(&list, row, row + side, -1 + skew);
        }
    return list;
}

static struct list diagonal(int64_t n, double (*value)(int64_t i)) {
    struct list list = list_new(n, n);
    for (int64_t i = 0; i < n; i++)
        list_add(&list, i, i, value(i));
    return list;
}

static double one(int64_t i) {
    (void)i;
    return 1;
}

static double alternating(int64_t i) {
    return i % 2 ? -1.0 - (double)i : 1.0 + (double)i;
}

static double exact(int64_t i) {
    return 1 + sin((double)i);
}

/* A system A x = b with x = exact, where a context works. */
struct system {
    spry_context *context;
    struct list list;
    struct built a;
    spry_operator operator;
    spry_value_type type;
    struct vector b, x;
    struct placed b_there, x_there;
};

static struct system system_new(spry_context *context, struct list list, spry_format format,
                                spry_value_type type) {
    struct system system = {.context = context, .list = list, .type = type};
    cr_assert_eq(build(context, &list, format, type, SPRY_I32, CONVERTED, &system.a), SPRY_OK);
    system.operator= spry_operator_of_matrix(system.a.matrix);
    system.b = vector_new(type, list.rows, NAN);
    system.x = vector_new(type, list.rows, NAN);
    vector_fill(&system.b, 0);
    for (int64_t k = 0; k < list.nnz; k++)
        vector_set(&system.b, list.row[k],
                   vector_get(&system.b, list.row[k]) + list.val[k] * exact(list.col[k]));
    system.b_there = vector_place(context, &system.b);
    system.x_there = vector_place(context, &system.x);
    return system;
}

static void system_free(struct system *system) {
    placed_free(&system->b_there);
    placed_free(&system->x_there);
    vector_free(&system->b);
    vector_free(&system->x);
    built_free(&system->a);
    list_free(&system->list);
}

static void *b_of(const struct system *system) {
    return system->b_there.data;
}

static void *x_of(const struct system *system) {
    return system->x_there.data;
}

static spry_solver *solver_new(const struct system *system, const spry_operator *precond,
                               const spry_solver_options *options) {
    spry_solver *solver;
    cr_assert_eq(spry_solver_create(system->context, &system->operator, precond, options, &solver), SPRY_OK,
                 "%s", spry_message(system->context));
    return solver;
}

static spry_solve_result solve(struct system *system, const spry_operator *precond,
                               const spry_solver_options *options) {
    spry_solver *solver = solver_new(system, precond, options);
    spry_solve_result result;
    cr_assert_eq(spry_solve(solver, b_of(system), x_of(system), &result), SPRY_OK, "%s",
                 spry_message(system->context));
    spry_solver_destroy(solver);
    result.history = NULL;
    cr_assert_eq(vector_fetch(&system->x, &system->x_there), SPRY_OK);
    cr_expect(vector_guarded(&system->x));
    return result;
}

/* |b − A x| in higher precision, from the list. */
static double residual_of(const struct system *system) {
    long double squares = 0, *r = test_malloc((size_t)system->list.rows * sizeof *r);
    for (int64_t i = 0; i < system->list.rows; i++)
        r[i] = (long double)vector_get(&system->b, i);
    for (int64_t k = 0; k < system->list.nnz; k++)
        r[system->list.row[k]] -=
            (long double)system->list.val[k] * (long double)vector_get(&system->x, system->list.col[k]);
    for (int64_t i = 0; i < system->list.rows; i++)
        squares += r[i] * r[i];
    free(r);
    return (double)sqrtl(squares);
}

static double largest_error(const struct system *system) {
    double largest = 0;
    for (int64_t i = 0; i < system->list.rows; i++)
        largest = fmax(largest, fabs(vector_get(&system->x, i) - exact(i)));
    return largest;
}

static bool wants_symmetric(spry_method method) {
    return method == SPRY_CG || method == SPRY_MINRES;
}

/* ---- solutions ---- */

static void check_solution(struct system *system, const spry_operator *precond, spry_method method) {
    const double tolerance = system->type == SPRY_F64 ? 1e-10 : 1e-4;
    spry_solver_options options = {.method = method, .relative = tolerance};
    spry_solve_result result = solve(system, precond, &options);
    const char *name = spry_method_name(method),
               *format = spry_format_name(spry_matrix_format(system->a.matrix));
    cr_expect_eq(result.outcome, SPRY_CONVERGED, "%s %s: %s", name, format,
                 spry_outcome_string(result.outcome));
    cr_expect(result.residual <= tolerance * result.norm_b, "%s %s: %g", name, format, result.residual);
    double rounding = system->type == SPRY_F64 ? 1e-14 : 1e-5;
    cr_expect_float_eq(result.residual, residual_of(system), rounding * result.norm_b, "%s %s", name, format);
    cr_expect(largest_error(system) <= (system->type == SPRY_F64 ? 1e-7 : 0.1), "%s %s: %g", name, format,
              largest_error(system));
    cr_expect(result.iterations > 0);
}

Test(solve, every_method_format_and_type) {
    for (int threads = 1; threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
                FOR_METHODS(method) {
                    double skew = wants_symmetric(method) ? 0 : 0.3;
                    struct system system =
                        system_new(context, grid(12, skew, 0), (spry_format)format, (spry_value_type)type);
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
        bool symmetric = wants_symmetric(method) || kind == SPRY_IC0 || kind == SPRY_CHEBYSHEV;
        if (wants_symmetric(method) && kind == SPRY_ILU0)
            continue;
        struct system system =
            system_new(context, grid(14, symmetric ? 0 : 0.4, 0), SPRY_CSR, (spry_value_type)type);
        spry_precond *precond;
        spry_precond_options options = {.kind = (spry_precond_kind)kind};
        cr_assert_eq(spry_precond_create(context, system.a.matrix, &options, &precond), SPRY_OK, "%s",
                     spry_message(context));
        spry_operator operator= spry_operator_of_precond(precond);
        check_solution(&system, &operator, method);
        spry_precond_destroy(precond);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* MINRES and the methods for general matrices do not mind eigenvalues of both signs. */
Test(solve, indefinite) {
    spry_context *context = test_context(2);
    struct system system = system_new(context, grid(9, 0, 1.3), SPRY_CSR, SPRY_F64);
    check_solution(&system, NULL, SPRY_MINRES);
    check_solution(&system, NULL, SPRY_GMRES);
    spry_solver_options options = {.method = SPRY_CG};
    cr_expect_eq(solve(&system, NULL, &options).outcome, SPRY_INDEFINITE);
    system_free(&system);

    system = system_new(context, diagonal(40, alternating), SPRY_CSR, SPRY_F64);
    check_solution(&system, NULL, SPRY_MINRES);
    spry_solve_result result = solve(&system, NULL, &options);
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
    struct system system = system_new(context, grid(5, 0, 0), SPRY_CSR, SPRY_F64);
    int64_t n = 25;
    spry_operator precond = {.n = 25, .type = SPRY_F64, .apply = negate, .user = &n};
    for (spry_method method = SPRY_CG; method <= SPRY_MINRES; method++) {
        spry_solver_options options = {.method = method};
        cr_expect_eq(solve(&system, &precond, &options).outcome, SPRY_INDEFINITE, "%s",
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
    struct system system = system_new(context, grid(5, 0, 0), SPRY_CSR, SPRY_F64);
    int applied;
    spry_operator precond = {.n = 25, .type = SPRY_F64, .apply = negate_later, .user = &applied};
    for (spry_method method = SPRY_CG; method <= SPRY_MINRES; method++) {
        spry_solver_options options = {.method = method};
        applied = 0;
        spry_solve_result result = solve(&system, &precond, &options);
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
    struct system system = system_new(context, diagonal(4, one_then_none), SPRY_CSR, SPRY_F64);
    vector_fill(&system.b, 1);
    cr_assert_eq(vector_put(&system.b, &system.b_there), SPRY_OK);
    spry_solver_options options = {.method = SPRY_MINRES};
    spry_solve_result result = solve(&system, NULL, &options);
    cr_expect_eq(result.outcome, SPRY_BREAKDOWN, "%s", spry_outcome_string(result.outcome));
    cr_expect_float_eq(result.residual, sqrt(2), 1e-14);
    system_free(&system);
    spry_context_destroy(context);
}

/* ---- edges ---- */

Test(solve, smallest_systems) {
    spry_context *context = test_context(3);
    FOR_METHODS(method)
    for (int64_t n = 0; n <= 2; n++) {
        struct system system = system_new(context, diagonal(n, one), SPRY_CSR, SPRY_F64);
        spry_solver_options options = {.method = method};
        spry_solve_result result = solve(&system, NULL, &options);
        cr_expect_eq(result.outcome, SPRY_CONVERGED, "%s n = %d: %s", spry_method_name(method), (int)n,
                     spry_outcome_string(result.outcome));
        cr_expect(result.iterations <= 1, "%s: %d", spry_method_name(method), (int)result.iterations);
        cr_expect(largest_error(&system) < 1e-15);
        system_free(&system);
    }
    spry_context_destroy(context);
}

Test(solve, zero_right_hand_side) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid(6, 0, 0), SPRY_CSR, SPRY_F32);
        vector_fill(&system.b, 0);
        cr_assert_eq(vector_put(&system.b, &system.b_there), SPRY_OK);
        spry_solver_options options = {.method = method};
        spry_solve_result result = solve(&system, NULL, &options);
        cr_expect(result.outcome == SPRY_CONVERGED && result.iterations == 0 && result.residual == 0);
        for (int64_t i = 0; i < 36; i++)
            cr_expect_eq(vector_get(&system.x, i), 0);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* With the solution as the guess nothing is left to do; from half way there is less. */
Test(solve, first_guess) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid(16, 0, 0), SPRY_CSR, SPRY_F64);
        spry_solver_options options = {.method = method, .relative = 1e-9, .use_guess = 1};
        for (int64_t i = 0; i < system.list.rows; i++)
            vector_set(&system.x, i, exact(i));
        cr_assert_eq(vector_put(&system.x, &system.x_there), SPRY_OK);
        spry_solve_result result = solve(&system, NULL, &options);
        cr_expect(result.outcome == SPRY_CONVERGED && result.iterations == 0, "%s", spry_method_name(method));
        for (int64_t i = 0; i < system.list.rows; i++)
            vector_set(&system.x, i, exact(i) + 1e-7 * cos((double)i));
        cr_assert_eq(vector_put(&system.x, &system.x_there), SPRY_OK);
        result = solve(&system, NULL, &options);
        options.use_guess = 0;
        spry_solve_result from_zero = solve(&system, NULL, &options);
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
        struct system system = system_new(context, diagonal(20, zero), SPRY_CSR, SPRY_F64);
        vector_fill(&system.b, 1);
        cr_assert_eq(vector_put(&system.b, &system.b_there), SPRY_OK);
        spry_solver_options options = {.method = method};
        spry_solve_result result = solve(&system, NULL, &options);
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
        struct system system = system_new(context, grid(7, 0, 0), SPRY_CSR, SPRY_F64);
        vector_set(&system.b, 3, method % 2 ? NAN : INFINITY);
        cr_assert_eq(vector_put(&system.b, &system.b_there), SPRY_OK);
        spry_solver_options options = {.method = method};
        cr_expect_eq(solve(&system, NULL, &options).outcome, SPRY_NOT_FINITE, "%s", spry_method_name(method));
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* Squares of such values overflow or vanish: that is said, not computed with. */
Test(solve, extreme_right_hand_sides) {
    spry_context *context = test_context(2);
    static const double scales[] = {1e-200, 1e200};
    for (int s = 0; s < 2; s++) {
        struct system system = system_new(context, grid(7, 0, 0), SPRY_CSR, SPRY_F64);
        for (int64_t i = 0; i < 49; i++)
            vector_set(&system.b, i, scales[s]);
        cr_assert_eq(vector_put(&system.b, &system.b_there), SPRY_OK);
        spry_solver *solver = solver_new(&system, NULL, NULL);
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
        struct system system = system_new(context, grid(30, 0, 0), SPRY_CSR, SPRY_F32);
        spry_solver_options options = {.method = method, .relative = 1e-12, .iterations = 2000};
        spry_solve_result result = solve(&system, NULL, &options);
        cr_expect(result.outcome != SPRY_CONVERGED && result.outcome != SPRY_RUNNING, "%s: %s",
                  spry_method_name(method), spry_outcome_string(result.outcome));
        cr_expect(result.residual < 1e-4 * result.norm_b, "%s: %g", spry_method_name(method),
                  result.residual / result.norm_b);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* ---- limits, history, monitors ---- */

Test(solve, limit) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid(30, 0, 0), SPRY_CSR, SPRY_F64);
        for (int64_t limit = 1; limit < 100; limit += 33) {
            spry_solver_options options = {
                .method = method, .relative = 1e-14, .iterations = limit, .restart = 20};
            spry_solve_result result = solve(&system, NULL, &options);
            cr_expect_eq(result.outcome, SPRY_LIMIT, "%s %d: %s", spry_method_name(method), (int)limit,
                         spry_outcome_string(result.outcome));
            cr_expect_eq(result.iterations, limit, "%s: %d, not %d", spry_method_name(method),
                         (int)result.iterations, (int)limit);
            cr_expect_float_eq(result.residual, result.estimate, 1e-6 * result.norm_b);
        }
        system_free(&system);
    }
    spry_context_destroy(context);
}

struct seen {
    int64_t next, stop;
    double last, norms[2000];
};

static int watch(void *user, int64_t iteration, double residual) {
    struct seen *seen = user;
    cr_expect_eq(iteration, seen->next);
    seen->norms[seen->next++] = seen->last = residual;
    return seen->next > seen->stop;
}

Test(solve, history_and_monitor_agree) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid(25, 0, 0), SPRY_CSR, SPRY_F64);
        struct seen seen = {.stop = 5000};
        spry_solver_options options = {
            .method = method, .history = 1, .iterations = 1000, .monitor = watch, .user = &seen};
        spry_solver *solver = solver_new(&system, NULL, &options);
        spry_solve_result result;
        cr_assert_eq(spry_solve(solver, b_of(&system), x_of(&system), &result), SPRY_OK);
        cr_expect_eq(result.outcome, SPRY_CONVERGED);
        cr_expect_eq(seen.next, result.iterations + 1, "%s: %d, %d", spry_method_name(method), (int)seen.next,
                     (int)result.iterations);
        cr_expect_float_eq(seen.norms[0], result.norm_b, 1e-12 * result.norm_b);
        cr_expect(seen.last <= 1e-8 * result.norm_b);
        cr_expect_eq(memcmp(seen.norms, result.history, (size_t)seen.next * sizeof(double)), 0);
        spry_solver_destroy(solver);
        system_free(&system);
    }
    spry_context_destroy(context);
}

Test(solve, cancelled) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid(40, 0, 0), SPRY_CSR, SPRY_F64);
        struct seen seen = {.stop = 25};
        spry_solver_options options = {
            .method = method, .relative = 1e-14, .monitor = watch, .user = &seen, .restart = 64};
        spry_solve_result result = solve(&system, NULL, &options);
        cr_expect_eq(result.outcome, SPRY_CANCELLED, "%s: %s", spry_method_name(method),
                     spry_outcome_string(result.outcome));
        cr_expect_eq(seen.next, 26);
        cr_expect(result.residual < 0.9 * result.norm_b, "%s: %g", spry_method_name(method), result.residual);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* ---- operators and solvers that are used again ---- */

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
        struct system system = system_new(context, grid(10, 0, 0), SPRY_CSR, SPRY_F64);
        struct callback callback = {.matrix = system.a.matrix};
        system.operator=(spry_operator){
            .n = 100, .type = SPRY_F64, .apply = call, .user = &callback, .capturable = capturable};
        check_solution(&system, NULL, method);
        cr_expect(callback.calls > 0);
        system_free(&system);
    }
    spry_context_destroy(context);
}

Test(solve, callback_that_fails) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid(10, 0, 0), SPRY_CSR, SPRY_F64);
        struct callback callback = {.matrix = system.a.matrix, .fail_at = 4};
        system.operator=(spry_operator){.n = 100, .type = SPRY_F64, .apply = call, .user = &callback};
        spry_solver_options options = {.method = method};
        spry_solver *solver = solver_new(&system, NULL, &options);
        cr_expect_eq(spry_solve(solver, b_of(&system), x_of(&system), NULL), SPRY_ERROR_UNSUPPORTED);
        cr_expect_eq(callback.calls, 4);
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
        struct system system = system_new(context, grid(15, 0, 0), SPRY_CSR, SPRY_F64);
        struct vector first = vector_new(SPRY_F64, 225, NAN);
        struct placed other = vector_place(context, &first);
        spry_solver_options options = {.method = method, .history = 1};
        spry_solver *solver = solver_new(&system, NULL, &options);
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

/* Each allocation of each solver fails once. */
Test(solve, every_allocation_fails_once) {
    FOR_METHODS(method) {
        spry_status status = SPRY_ERROR_MEMORY;
        for (int64_t refused = 1; status != SPRY_OK; refused++) {
            struct counting counting;
            counting_start(&counting);
            spry_context *context = counting_context(&counting, 2);
            struct system system = system_new(context, grid(5, 0, 0), SPRY_CSR, SPRY_F64);
            spry_solver_options options = {.method = method, .history = 1};
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
    struct system system = system_new(context, grid(4, 0, 0), SPRY_CSR, SPRY_F64);
    spry_operator good = system.operator, bad = good;
    spry_solver *solver = NULL;
    cr_expect_eq(spry_solver_create(NULL, &good, NULL, NULL, &solver), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_solver_create(context, NULL, NULL, NULL, &solver), SPRY_ERROR_ARGUMENT);
    expect_refused(&system, (spry_operator){.n = -1}, NULL, (spry_solver_options){0}, "square");
    expect_refused(&system, (spry_operator){.n = 3, .type = SPRY_F64}, NULL, (spry_solver_options){0},
                   "function");
    expect_refused(&system, (spry_operator){.n = 3, .type = (spry_value_type)5}, NULL,
                   (spry_solver_options){0}, "type");
    expect_refused(&system, (spry_operator){.n = 3, .type = SPRY_F64, .diagonal = b_of(&system)}, NULL,
                   (spry_solver_options){0}, "function");
    bad.n = 15;
    expect_refused(&system, good, &bad, (spry_solver_options){0}, "15");
    bad = good;
    bad.type = SPRY_F32;
    expect_refused(&system, good, &bad, (spry_solver_options){0}, "f32");
    expect_refused(&system, good, NULL, (spry_solver_options){.method = (spry_method)77}, "77");
    expect_refused(&system, good, NULL, (spry_solver_options){.relative = -1}, "-1");
    expect_refused(&system, good, NULL, (spry_solver_options){.absolute = NAN}, "absolute");
    expect_refused(&system, good, NULL, (spry_solver_options){.iterations = -5}, "-5");
    expect_refused(&system, good, NULL, (spry_solver_options){.restart = 65}, "65");
    spry_solver_options endless = {.iterations = INT64_MAX, .history = 1};
    cr_expect_eq(spry_solver_create(context, &good, NULL, &endless, &solver), SPRY_ERROR_OVERFLOW);
    cr_expect(strstr(spry_message(context), "history"), "%s", spry_message(context));
    cr_assert_eq(spry_solver_create(context, &good, NULL, NULL, &solver), SPRY_OK);
    cr_expect_eq(spry_solve(solver, NULL, x_of(&system), NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_solve(solver, b_of(&system), NULL, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_solve(NULL, b_of(&system), x_of(&system), NULL), SPRY_ERROR_ARGUMENT);
    spry_solver_destroy(solver);
    spry_solver_destroy(NULL);
    struct list wide = list_new(2, 3);
    struct built built;
    cr_assert_eq(build(context, &wide, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &built), SPRY_OK);
    cr_expect_eq(spry_operator_of_matrix(built.matrix).n, -1);
    built_free(&built);
    list_free(&wide);
    system_free(&system);
    spry_context_destroy(context);
}

Test(solve, names) {
    FOR_METHODS(method)
    cr_expect_eq(spry_method_by_name(spry_method_name(method)), method);
    cr_expect_eq(spry_method_by_name("jacobi"), SPRY_METHOD_COUNT);
    cr_expect_eq(spry_method_by_name(NULL), SPRY_METHOD_COUNT);
    cr_expect_str_eq(spry_method_name((spry_method)99), "?");
    for (int outcome = 0; outcome < SPRY_OUTCOME_COUNT; outcome++)
        cr_expect_str_neq(spry_outcome_string((spry_outcome)outcome), "?");
    cr_expect_str_eq(spry_outcome_string((spry_outcome)99), "?");
}
