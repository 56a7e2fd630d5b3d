/* SPDX-License-Identifier: BSD-3-Clause */
/* Solves on the chip of a device: which systems are solved so, and that it makes no difference but in time. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/resident.h"
#include "support/systems.h"

/* Whether the device has a chip to keep anything on. */
static bool has_chip(spry_context *context) {
    const struct spry_resident_code *code = context->code->updates->resident;
    struct spry_room room = {0};
    if (code)
        cr_assert_eq(code->room(context, SPRY_F64, &room), SPRY_OK, "%s", spry_message(context));
    return room.blocks > 0;
}

/* A context, where there is anything to test. */
static spry_context *context_with_chip(void) {
    spry_context *context = test_context(2);
    if (!has_chip(context)) {
        spry_context_destroy(context);
        cr_skip_test("it takes a device whose blocks reach each other's memory");
    }
    return context;
}

/* A solve, and whether it was on the chip. */
struct solved {
    spry_solve_result result;
    bool resident;
};

static struct solved solve(struct system *system, const spry_operator *precond,
                           const spry_solver_options *options) {
    struct solved solved = {.result = {.size = sizeof(spry_solve_result)}};
    spry_solver *solver = system_solver(system, precond, options);
    solved.resident = solver->resident != NULL;
    cr_assert_eq(spry_solve(solver, b_of(system), x_of(system), &solved.result), SPRY_OK, "%s",
                 spry_message(system->context));
    spry_solver_destroy(solver);
    solved.result.history = NULL;
    cr_assert_eq(vector_fetch(&system->x, &system->x_there), SPRY_OK);
    cr_expect(vector_guarded(&system->x));
    return solved;
}

/* One solve of a system, and whether it is as it has to be. */
struct wanted {
    spry_method method;
    bool jacobi;
    spry_value_type type;
};

static struct solved solve_grid(spry_context *context, const struct wanted *wanted, int side) {
    const double skew = wants_symmetric(wanted->method) ? 0 : 0.3;
    struct system system = system_new(context, grid_list(side, skew, 0), SPRY_CSR, wanted->type);
    spry_precond_options how = {.size = sizeof how, .kind = SPRY_JACOBI};
    spry_solver_options options = {.size = sizeof options, .method = wanted->method};
    spry_precond *jacobi = NULL;
    if (wanted->jacobi)
        cr_assert_eq(spry_precond_create(context, system.a.matrix, &how, &jacobi), SPRY_OK);
    spry_operator m = spry_operator_of_precond(jacobi);
    struct solved solved = solve(&system, wanted->jacobi ? &m : NULL, &options);
    cr_expect_eq(solved.result.outcome, SPRY_CONVERGED, "%s: %s", spry_method_name(wanted->method),
                 spry_outcome_string(solved.result.outcome));
    cr_expect(system_error(&system) < (wanted->type == SPRY_F64 ? 1e-5 : 1e-2), "%s: off by %g",
              spry_method_name(wanted->method), system_error(&system));
    spry_precond_destroy(jacobi);
    system_free(&system);
    return solved;
}

/* All but GMRES, whose cycles have products with a basis. Roundings differ, so iterations may by one or two. */
Test(resident, as_elsewhere) {
    spry_context *context = context_with_chip(), *plain = test_context_without(0, "resident");
    FOR_METHODS(method)
    for (int kind = 0; kind < 4; kind++) {
        struct wanted wanted = {method, kind % 2 == 1, kind / 2 == 1 ? SPRY_F32 : SPRY_F64};
        struct solved here = solve_grid(context, &wanted, 17), there = solve_grid(plain, &wanted, 17);
        cr_expect_eq(here.resident, method != SPRY_GMRES, "%s", spry_method_name(method));
        cr_expect_not(there.resident);
        cr_expect(llabs((long long)(here.result.iterations - there.result.iterations)) <= 2, "%s: %d, %d",
                  spry_method_name(method), (int)here.result.iterations, (int)there.result.iterations);
    }
    spry_context_destroy(plain);
    spry_context_destroy(context);
}

static double counted_by_seven(int64_t i) {
    return 1 + (double)(i % 7);
}

/* Blocks, warps and slices with nothing, little and just enough to do. */
Test(resident, sizes) {
    static const int64_t sizes[] = {1,  2,  15,  16,  17,  31,  32,  33,  63,
                                    64, 65, 127, 129, 255, 257, 511, 512, 513};
    spry_context *context = context_with_chip();
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct list list = diagonal_list(sizes[k], counted_by_seven);
        for (int64_t i = 1; i < sizes[k]; i++) {
            list_add(&list, i, i - 1, -0.4);
            list_add(&list, i - 1, i, -0.4);
        }
        struct system system = system_new(context, list, SPRY_CSR, SPRY_F64);
        spry_solver_options options = {.size = sizeof options};
        struct solved solved = solve(&system, NULL, &options);
        cr_expect(solved.resident && solved.result.outcome == SPRY_CONVERGED, "%d rows: %s", (int)sizes[k],
                  spry_outcome_string(solved.result.outcome));
        cr_expect(system_error(&system) < 1e-6, "%d rows: off by %g", (int)sizes[k], system_error(&system));
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* Rows of many lengths, so that several lanes share some; and one that is too long to wait for. */
static struct list arrow_list(int64_t n, int64_t full) {
    struct list list = diagonal_list(n, counted_by_seven);
    for (int64_t j = 1; j < full; j++) {
        list_add(&list, 0, j, 0.01);
        list_add(&list, j, 0, 0.01);
    }
    return list;
}

Test(resident, long_rows) {
    spry_context *context = context_with_chip();
    for (int64_t full = 10; full <= 10000; full *= 10) {
        struct system system = system_new(context, arrow_list(full, full), SPRY_CSR, SPRY_F64);
        spry_solver_options options = {.size = sizeof options, .method = SPRY_MINRES};
        struct solved solved = solve(&system, NULL, &options);
        cr_expect(solved.resident == (full <= 100) || full == 1000, "a row of %d", (int)full);
        cr_expect_eq(solved.result.outcome, SPRY_CONVERGED);
        cr_expect(system_error(&system) < 1e-5, "a row of %d: off by %g", (int)full, system_error(&system));
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* Those too whose values are not in one array, or are shared. */
Test(resident, every_layout) {
    spry_context *context = context_with_chip();
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        struct system system = system_new(context, grid_list(16, 0, 0), (spry_format)format, SPRY_F64);
        spry_solver_options options = {.size = sizeof options};
        struct solved solved = solve(&system, NULL, &options);
        cr_expect(solved.resident, "%s", spry_format_name((spry_format)format));
        cr_expect(system_error(&system) < 1e-6, "%s: off by %g", spry_format_name((spry_format)format),
                  system_error(&system));
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* ---- what may change between solves ---- */

/* Values ten times as large make x a tenth, wherever they came from. */
static void expect_tenth(struct system *system, spry_solver *solver) {
    cr_assert_eq(spry_solve(solver, b_of(system), x_of(system), NULL), SPRY_OK);
    cr_assert_eq(vector_fetch(&system->x, &system->x_there), SPRY_OK);
    for (int64_t i = 0; i < system->x.count; i++)
        cr_expect_float_eq(vector_get(&system->x, i), exact_value(i) / 10, 1e-6);
}

static struct list tenfold(const struct list *list) {
    struct list made = list_new(list->rows, list->cols);
    for (int64_t k = 0; k < list->nnz; k++)
        list_add(&made, list->row[k], list->col[k], 10 * list->val[k]);
    return made;
}

Test(resident, new_values) {
    spry_context *context = context_with_chip();
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        struct system system = system_new(context, grid_list(11, 0, 0), (spry_format)format, SPRY_F64);
        struct list list = tenfold(&system.list);
        struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
        spry_solver *solver = system_solver(&system, NULL, NULL);
        cr_assert_eq(spry_solve(solver, b_of(&system), x_of(&system), NULL), SPRY_OK);
        cr_assert_eq(spry_update_values(context, system.a.matrix, csr.matrix), SPRY_OK);
        expect_tenth(&system, solver);
        spry_solver_destroy(solver);
        built_free(&csr);
        list_free(&list);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* The caller writes into arrays of its own, which count from 1 and are in no order. */
Test(resident, values_in_place) {
    spry_context *context = context_with_chip();
    const spry_format formats[] = {SPRY_COO, SPRY_CSR, SPRY_CSC};
    for (int k = 0; k < 3; k++) {
        struct system system = system_new(context, grid_list(11, 0, 0), SPRY_CSR, SPRY_F64);
        struct list list = tenfold(&system.list);
        built_free(&system.a);
        cr_assert_eq(build(context, &system.list, formats[k], SPRY_F64, SPRY_I32, WRAPPED_FROM_1, &system.a),
                     SPRY_OK);
        system.operator= spry_operator_of_matrix(system.a.matrix);
        struct arrays host = arrays_new(&list, formats[k], SPRY_F64, SPRY_I32, 1);
        spry_solver *solver = system_solver(&system, NULL, NULL);
        cr_expect(solver->resident);
        cr_assert_eq(spry_solve(solver, b_of(&system), x_of(&system), NULL), SPRY_OK);
        cr_assert_eq(spry_array_put(context, system.a.arrays.val, host.val, host.count[2] * host.size[2]),
                     SPRY_OK);
        expect_tenth(&system, solver);
        spry_solver_destroy(solver);
        arrays_free(&host);
        list_free(&list);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* ---- when the host looks ---- */

struct told {
    int64_t count, stop;
};

static int count_iterations(void *user, int64_t iteration, double residual) {
    struct told *told = user;
    cr_expect_eq(iteration, told->count);
    cr_expect(residual >= 0);
    return ++told->count > told->stop;
}

/* However seldom it looks, norms and solution have the same bits. */
Test(resident, looks) {
    static const int intervals[] = {0, 1, 2, 7, 61, 5000};
    spry_context *context = context_with_chip();
    for (spry_method method = SPRY_CG; method <= SPRY_BICGSTAB; method++) {
        struct system system = system_new(context, grid_list(29, 0, 0), SPRY_CSR, SPRY_F64);
        struct vector first = vector_new(SPRY_F64, system.list.rows, NAN);
        double norms[500];
        int64_t iterations = 0;
        for (size_t k = 0; k < sizeof intervals / sizeof *intervals; k++) {
            struct told told = {.stop = 5000};
            spry_solver_options options = {.size = sizeof options,
                                           .method = method,
                                           .history = 1,
                                           .iterations = 499,
                                           .check_interval = intervals[k],
                                           .monitor = count_iterations,
                                           .user = &told};
            spry_solver *solver = system_solver(&system, NULL, &options);
            spry_solve_result result = {.size = sizeof result};
            cr_assert_eq(spry_solve(solver, b_of(&system), x_of(&system), &result), SPRY_OK);
            cr_assert_eq(vector_fetch(&system.x, &system.x_there), SPRY_OK);
            cr_expect_eq(told.count, result.iterations + 1);
            if (k == 0) {
                iterations = result.iterations;
                memcpy(norms, result.history, (size_t)told.count * sizeof *norms);
                vector_copy(&first, &system.x);
            }
            cr_expect(solver->resident && result.outcome == SPRY_CONVERGED);
            cr_expect_eq(result.iterations, iterations, "%s, a look every %d", spry_method_name(method),
                         intervals[k]);
            cr_expect_eq(memcmp(norms, result.history, (size_t)told.count * sizeof *norms), 0,
                         "%s, a look every %d", spry_method_name(method), intervals[k]);
            cr_expect(vector_same_bits(&first, &system.x));
            spry_solver_destroy(solver);
        }
        vector_free(&first);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* ---- what does not fit ---- */

/* The first numbers of values that f32 does not tell apart. */
Test(resident, too_large) {
    spry_context *context = context_with_chip();
    struct wanted wanted = {SPRY_CG, false, SPRY_F64};
    cr_expect(solve_grid(context, &wanted, 20).resident);
    cr_expect_not(solve_grid(context, &wanted, 250).resident);
    spry_context_destroy(context);
}
