/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems of equations whose solution is known, and solvers of them. */
#ifndef TEST_SYSTEMS_H
#define TEST_SYSTEMS_H

#include <stdbool.h>

#include "build.h"
#include "vector.h"

#define FOR_METHODS(m) for (spry_method m = (spry_method)0; m < SPRY_METHOD_COUNT; m++)

/* The five-point Laplacian on a grid of side × side points; `skew` makes it nonsymmetric, `shift` is taken from the
   diagonal. */
struct list grid_list(int side, double skew, double shift);
struct list diagonal_list(int64_t n, double (*value)(int64_t i));
/* 1, 2, 3, … for such a diagonal. */
double counted(int64_t i);

/* x[i] of every solution. */
double exact_value(int64_t i);

/* A system A x = b with x = exact_value, where a context works. */
struct system {
    spry_context *context;
    struct list list;
    struct built a;
    spry_operator operator;
    spry_value_type type;
    struct vector b, x;
    struct placed b_there, x_there;
};

/* The list becomes the system's. */
struct system system_new(spry_context *context, struct list list, spry_format format, spry_value_type type);
void system_free(struct system *system);
/* Let all of b be this value. */
void system_fill_b(struct system *system, double value);
void *b_of(const struct system *system);
void *x_of(const struct system *system);

spry_solver *system_solver(const struct system *system, const spry_operator *precond,
                           const spry_solver_options *options);
/* Solve it; x comes to the host. */
spry_solve_result system_solve(struct system *system, const spry_operator *precond,
                               const spry_solver_options *options);
/* Of x on the host, the largest among its places. */
double system_error(const struct system *system);

bool wants_symmetric(spry_method method);
/* Whether the method finds the solution. */
void check_solution(struct system *system, const spry_operator *precond, spry_method method);

#endif
