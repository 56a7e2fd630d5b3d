/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "systems.h"

struct list grid_list(int side, double skew, double shift) {
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

struct list diagonal_list(int64_t n, double (*value)(int64_t i)) {
    struct list list = list_new(n, n);
    for (int64_t i = 0; i < n; i++)
        list_add(&list, i, i, value(i));
    return list;
}

double counted(int64_t i) {
    return 1 + (double)i;
}

double exact_value(int64_t i) {
    return 1 + sin((double)i);
}

struct system system_new(spry_context *context, struct list list, spry_format format, spry_value_type type) {
    struct system system = {.context = context, .list = list, .type = type};
    system.a = built_of(context, &list, format, type, SPRY_I32);
    system.operator= spry_operator_of_matrix(system.a.matrix);
    system.b = vector_new(type, list.rows, NAN);
    system.x = vector_new(type, list.rows, NAN);
    vector_fill(&system.b, 0);
    for (int64_t k = 0; k < list.nnz; k++)
        vector_set(&system.b, list.row[k],
                   vector_get(&system.b, list.row[k]) + list.val[k] * exact_value(list.col[k]));
    system.b_there = vector_place(context, &system.b);
    system.x_there = vector_place(context, &system.x);
    return system;
}

void system_free(struct system *system) {
    placed_free(&system->b_there);
    placed_free(&system->x_there);
    vector_free(&system->b);
    vector_free(&system->x);
    built_free(&system->a);
    list_free(&system->list);
}

void system_fill_b(struct system *system, double value) {
    vector_fill(&system->b, value);
    cr_assert_eq(vector_put(&system->b, &system->b_there), SPRY_OK);
}

void *b_of(const struct system *system) {
    return system->b_there.data;
}

void *x_of(const struct system *system) {
    return system->x_there.data;
}

spry_solver *system_solver(const struct system *system, const spry_operator *precond,
                           const spry_solver_options *options) {
    spry_solver *solver;
    cr_assert_eq(spry_solver_create(system->context, &system->operator, precond, options, &solver), SPRY_OK,
                 "%s", spry_message(system->context));
    return solver;
}

spry_solve_result system_solve(struct system *system, const spry_operator *precond,
                               const spry_solver_options *options) {
    spry_solver *solver = system_solver(system, precond, options);
    spry_solve_result result = {.size = sizeof result};
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

double system_error(const struct system *system) {
    double largest = 0;
    for (int64_t i = 0; i < system->list.rows; i++)
        largest = fmax(largest, fabs(vector_get(&system->x, i) - exact_value(i)));
    return largest;
}

bool wants_symmetric(spry_method method) {
    return method == SPRY_CG || method == SPRY_MINRES;
}

void check_solution(struct system *system, const spry_operator *precond, spry_method method) {
    const double tolerance = system->type == SPRY_F64 ? 1e-10 : 1e-4;
    spry_solver_options options = {.size = sizeof options, .method = method, .relative = tolerance};
    spry_solve_result result = system_solve(system, precond, &options);
    const char *name = spry_method_name(method),
               *format = spry_format_name(spry_matrix_format(system->a.matrix));
    cr_expect_eq(result.outcome, SPRY_CONVERGED, "%s %s: %s", name, format,
                 spry_outcome_string(result.outcome));
    cr_expect(result.residual <= tolerance * result.norm_b, "%s %s: %g", name, format, result.residual);
    double rounding = system->type == SPRY_F64 ? 1e-14 : 1e-5;
    cr_expect_float_eq(result.residual, residual_of(system), rounding * result.norm_b, "%s %s", name, format);
    cr_expect(system_error(system) <= (system->type == SPRY_F64 ? 1e-7 : 0.1), "%s %s: %g", name, format,
              system_error(system));
    cr_expect(result.iterations > 0);
}
