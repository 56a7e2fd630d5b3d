/* SPDX-License-Identifier: BSD-3-Clause */
/* Making solvers. */
#include "solve/solver.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/sized.h"
#include "core/word.h"
#include "solve/operator.h"
#include "solve/recording.h"
#include "solve/resident.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct spry_method_code *const methods[] = {
    [SPRY_CG] = &spry_cg_method,
    [SPRY_MINRES] = &spry_minres_method,
    [SPRY_BICGSTAB] = &spry_bicgstab_method,
    [SPRY_GMRES] = &spry_gmres_method,
};

const char *spry_method_name(spry_method method) {
    return (size_t)method < COUNT(methods) ? methods[method]->name : "?";
}

spry_method spry_method_by_name(const char *name) {
    int method = 0;
    while (method < SPRY_METHOD_COUNT && (!name || !spry_is_word(name, strlen(name), methods[method]->name)))
        method++;
    return method < SPRY_METHOD_COUNT ? (spry_method)method : SPRY_NO_METHOD;
}

const char *spry_outcome_string(spry_outcome outcome) {
    static const char *const words[] = {
        [SPRY_RUNNING] = "running",
        [SPRY_CONVERGED] = "converged",
        [SPRY_LIMIT] = "iteration limit reached",
        [SPRY_BREAKDOWN] = "broke down: division by zero",
        [SPRY_INDEFINITE] = "not positive definite",
        [SPRY_DIVERGED] = "diverged",
        [SPRY_NOT_FINITE] = "infinity or NaN came up",
        [SPRY_STAGNATED] = "stagnated: |b - A x| stays above the tolerance",
        [SPRY_CANCELLED] = "cancelled",
    };
    return (size_t)outcome < COUNT(words) ? words[outcome] : "?";
}

/* ---- what methods have ---- */

spry_status spry_solver_array(spry_solver *solver, int64_t count, size_t size, void **array) {
    spry_context *context = solver->context;
    spry_status status = spry_allocate_array(context, (size_t)count, size, array);
    if (status)
        return status;
    solver->owned[solver->owned_count++] = (struct spry_owned){*array, (size_t)count, size, context->arrays};
    /* Zero, not what was there before: products with parts that were never written must be finite. */
    return context->code->scale(context, SPRY_F32, count * (int64_t)(size / sizeof(float)), 0, *array);
}

spry_status spry_solver_vectors(spry_solver *solver, int count, void **vectors[]) {
    spry_status status = SPRY_OK;
    for (int i = 0; i < count && !status; i++)
        status = spry_solver_array(solver, solver->n, spry_type_size(solver->type), vectors[i]);
    return status;
}

/* ---- making one ---- */

/* Methods multiply by an operator's matrix themselves where that saves a pass. */
static spry_status check_matrix(spry_context *context, const spry_operator *applied, const char *name) {
    const spry_matrix *matrix = applied->matrix;
    if (!matrix ||
        (matrix->rows == applied->n && matrix->cols == applied->n && matrix->type == applied->type))
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_ARGUMENT,
                     "spry_solver_create: %s has %" PRId64 " rows of %s, its matrix is %" PRId64 " x %" PRId64
                     " of %s",
                     name, applied->n, spry_type_name(applied->type), matrix->rows, matrix->cols,
                     spry_type_name(matrix->type));
}

/* Whether an operator can be applied in this context; a diagonal one needs no function, and one without rows not even a
   diagonal. */
static spry_status check_operator(spry_context *context, const spry_operator *applied, const char *name) {
    if (applied->n < 0)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_solver_create: %s is not square", name);
    if ((unsigned)applied->type >= SPRY_TYPE_COUNT)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_solver_create: %s has no type", name);
    if (!applied->apply && !applied->diagonal && applied->n > 0)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_solver_create: %s has no function to apply it",
                         name);
    spry_status status = check_matrix(context, applied, name);
    return status ? status : spry_operator_check_place(context, applied, "spry_solver_create");
}

static spry_status check_operators(spry_context *context, const spry_operator *a,
                                   const spry_operator *precond) {
    spry_status status = check_operator(context, a, "the operator");
    if (!status && !a->apply)
        status = spry_fail(context, SPRY_ERROR_ARGUMENT,
                           "spry_solver_create: the operator has no function to apply it");
    if (!status && precond)
        status = check_operator(context, precond, "the preconditioner");
    if (!status && precond && (precond->n != a->n || precond->type != a->type))
        status = spry_fail(context, SPRY_ERROR_ARGUMENT,
                           "spry_solver_create: the operator has %" PRId64
                           " rows of %s, the preconditioner %" PRId64 " of %s",
                           a->n, spry_type_name(a->type), precond->n, spry_type_name(precond->type));
    return status;
}

static bool is_size(double value) {
    return value >= 0 && isfinite(value);
}

static spry_status check_options(spry_context *context, const spry_solver_options *options) {
    if ((unsigned)options->method >= SPRY_METHOD_COUNT)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_solver_create: invalid method %d",
                         (int)options->method);
    if (!is_size(options->relative) || !is_size(options->absolute) || !is_size(options->divergence))
        return spry_fail(
            context, SPRY_ERROR_ARGUMENT,
            "spry_solver_create: tolerances must be finite and not negative: relative %g, absolute %g, "
            "divergence %g",
            options->relative, options->absolute, options->divergence);
    if (options->iterations < 0 || options->check_interval < 0)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_solver_create: a number of iterations is negative: %" PRId64
                         " at most, a look every %d",
                         options->iterations, options->check_interval);
    if (options->restart < 0 || options->restart > SPRY_MAX_RESTART)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_solver_create: restart is %d, not from 1 to %d",
                         options->restart, SPRY_MAX_RESTART);
    return SPRY_OK;
}

static void fill_in(spry_solver_options *options, spry_value_type type) {
    if (options->relative == 0 && options->absolute == 0)
        options->relative = type == SPRY_F64 ? SPRY_DEFAULT_RELATIVE_F64 : SPRY_DEFAULT_RELATIVE_F32;
    if (options->divergence == 0)
        options->divergence = SPRY_DEFAULT_DIVERGENCE;
    if (options->iterations == 0)
        options->iterations = SPRY_DEFAULT_ITERATIONS;
    if (options->restart == 0)
        options->restart = SPRY_DEFAULT_RESTART;
}

static spry_status prepare_history(spry_solver *solver) {
    void *history = NULL;
    if (!solver->options.history)
        return SPRY_OK;
    if (solver->options.iterations == INT64_MAX)
        return spry_fail(
            solver->context, SPRY_ERROR_OVERFLOW,
            "spry_solver_create: a history of so many iterations has no end: give their number, or take no "
            "history");
    spry_status status =
        spry_allocate(solver->context, (size_t)solver->options.iterations + 1, sizeof(double), &history);
    solver->history = history;
    return status;
}

/* Room for what goes over the ranks at once: for an update, and for the products with a basis. */
static spry_status prepare_ranks(spry_solver *solver) {
    void *values;
    if (!solver->options.sum)
        return SPRY_OK;
    spry_status status =
        spry_solver_array(solver, SPRY_UPDATE_VALUES + solver->options.restart, sizeof(double), &values);
    if (!status)
        solver->ranks = (struct spry_ranks){solver->options.sum, solver->options.sum_user, values};
    return status;
}

static spry_status prepare(spry_solver *solver) {
    void *state;
    spry_status status = prepare_history(solver);
    if (!status)
        status = spry_operator_reserve(solver->context, &solver->a);
    if (!status && spry_solver_applies_precond(solver))
        status = spry_operator_reserve(solver->context, &solver->precond);
    if (!status)
        status = prepare_ranks(solver);
    if (!status)
        status = spry_solver_array(solver, 1, sizeof *solver->state, &state);
    if (status)
        return status;
    solver->state = state;
    solver->vectors = (struct spry_vectors){.n = solver->n, .d = solver->precond.diagonal};
    status = solver->method->prepare(solver);
    if (!status)
        status = spry_resident_settle(solver);
    return status ? status : spry_solver_prepare_pieces(solver);
}

SPRY_SIZED(spry_operator, diagonal, diagonal);
SPRY_SIZED(spry_solver_options, user, sum_capturable);

/* What the caller gave, as this version of the library has it. */
struct given {
    spry_operator a, precond; /* precond all zeros: none */
    spry_solver_options options;
};

static spry_status take(spry_context *context, const spry_operator *a, const spry_operator *precond,
                        const spry_solver_options *options, struct given *given) {
    if (!a)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_solver_create: the operator is null");
    spry_status status = spry_take(context, &spry_operator_sized, a, &given->a);
    if (!status)
        status = spry_take(context, &spry_operator_sized, precond, &given->precond);
    if (!status)
        status = spry_take(context, &spry_solver_options_sized, options, &given->options);
    if (!status)
        status = check_operators(context, &given->a, precond ? &given->precond : NULL);
    return status ? status : check_options(context, &given->options);
}

spry_status spry_solver_create(spry_context *context, const spry_operator *a, const spry_operator *precond,
                               const spry_solver_options *options, spry_solver **result) {
    struct given given;
    void *pointer;
    if (!context || !result)
        return spry_no_result(context, "spry_solver_create");
    *result = NULL;
    spry_status status = take(context, a, precond, options, &given);
    if (!status)
        status = spry_allocate(context, 1, sizeof(spry_solver), &pointer);
    if (status)
        return status;
    spry_solver *solver = memset(pointer, 0, sizeof *solver);
    solver->context = context;
    solver->method = methods[given.options.method];
    solver->a = given.a;
    solver->precond = given.precond;
    solver->options = given.options;
    solver->n = given.a.n;
    solver->type = given.a.type;
    fill_in(&solver->options, solver->type);
    status = prepare(solver);
    if (status) {
        spry_solver_destroy(solver);
        return status;
    }
    *result = solver;
    return SPRY_OK;
}

void spry_solver_destroy(spry_solver *solver) {
    if (!solver)
        return;
    spry_context *context = solver->context;
    spry_allocator allocator = context->allocator;
    context->code->synchronize_device(context->device_number);
    spry_solver_release_pieces(solver);
    spry_resident_release(solver);
    for (int i = 0; i < solver->owned_count; i++)
        spry_release(&context->arrays, solver->owned[i].pointer, solver->owned[i].count,
                     solver->owned[i].size);
    spry_release(&allocator, solver->history, (size_t)solver->options.iterations + 1, sizeof(double));
    spry_release(&allocator, solver, 1, sizeof *solver);
}
