/* SPDX-License-Identifier: BSD-3-Clause */
#include "spsolve/attempt.h"

#include <math.h>
#include <stdio.h>

#include "common/clock.h"
#include "common/failure.h"
#include "common/interrupt.h"
#include "common/progress.h"
#include "common/vector.h"
#include "spsolve/normal.h"
#include "spsolve/scale.h"

/* A residual that has fallen by less than this factor has not moved on. */
#define PROGRESS 0.9
/* The normal equations are solved again for what is left, at most so often. */
#define ROUNDS 4

/* What is told of each iteration, and says when it is enough. */
struct watch {
    struct plot *plot;
    int64_t first; /* place of this solve's first norm in the plot */
    int64_t patience;
    double deadline; /* on the clock of clock_now */
    double best;
    int64_t best_at;
    int end; /* why it was stopped; SPRY_RUNNING: it was not */
};

/* What an attempt needs, as far as it needs it. */
struct tools {
    struct scale scale;
    struct normal normal;
    spry_precond *precond;
    void *diagonal; /* of the scaling as a preconditioner, where it is solved */
    void *rest, *y; /* normal equations: what is left of b, and their solution */
    spry_operator a, m;
    bool preconditioned;
    spry_solver *solver;
};

/* ---- building ---- */

/* The diagonal of R C, which is what M⁻¹ is for A; for A C² Aᵀ it is that of R². */
static spry_status make_diagonal(struct system *system, struct tools *tools, bool normal) {
    spry_context *context = system->place->context;
    spry_value_type type = spry_matrix_type(system->csr);
    for (int64_t i = 0; i < system->n; i++)
        vector_set(type, system->work, i,
                   tools->scale.row[i] * (normal ? tools->scale.row[i] : tools->scale.column[i]));
    spry_status status = spry_array_new(context, system_bytes(system), &tools->diagonal);
    if (status == SPRY_OK)
        status = spry_array_put(context, tools->diagonal, system->work, system_bytes(system));
    tools->m = (spry_operator){
        .size = sizeof(spry_operator), .n = system->n, .type = type, .diagonal = tools->diagonal};
    tools->preconditioned = true;
    return status;
}

static spry_status make_normal(struct system *system, const spry_matrix *csr, struct tools *tools) {
    spry_context *context = system->place->context;
    spry_status status = normal_open(&tools->normal, system, csr, &tools->scale);
    if (status == SPRY_OK)
        status = spry_array_new(context, system_bytes(system), &tools->rest);
    if (status == SPRY_OK)
        status = spry_array_new(context, system_bytes(system), &tools->y);
    if (status == SPRY_OK)
        tools->a = normal_operator(&tools->normal);
    return status;
}

/* The scaling, and what is made with it. */
static spry_status make_scaled(struct system *system, const struct step *step, struct tools *tools) {
    bool normal = step->method == METHOD_NORMAL, scaled = step->precond == PRECOND_EQUILIBRATE;
    const spry_matrix *csr;
    spry_status status = system_on_host(system, &csr);
    if (status == SPRY_OK && !scale_open(&tools->scale, csr, scaled))
        status = SPRY_ERROR_MEMORY;
    if (status == SPRY_OK && normal)
        status = make_normal(system, csr, tools);
    if (status == SPRY_OK && scaled)
        status = make_diagonal(system, tools, normal);
    return status;
}

static spry_status make_precond(struct system *system, const struct step *step, struct tools *tools) {
    spry_precond_options options = system->place->options->precond;
    options.size = sizeof options;
    options.kind = (spry_precond_kind)step->precond;
    options.single |= step->single;
    if (options.degree == 0)
        options.degree = step->degree;
    /* What is to be multiplied with is kept as the matrix is that is given. */
    bool multiplies = options.kind == SPRY_CHEBYSHEV || options.sweeps > 0;
    spry_status status = spry_precond_create(
        system->place->context, multiplies ? system_matrix(system) : system->csr, &options, &tools->precond);
    if (status == SPRY_OK)
        tools->m = spry_operator_of_precond(tools->precond);
    tools->preconditioned = true;
    return status;
}

static spry_status build(struct system *system, const struct step *step, struct tools *tools) {
    tools->a = spry_operator_of_matrix(system_matrix(system));
    if (step->method == METHOD_NORMAL || step->precond == PRECOND_EQUILIBRATE)
        return make_scaled(system, step, tools);
    return step->precond == PRECOND_NONE ? SPRY_OK : make_precond(system, step, tools);
}

static int keep_watch(void *user, int64_t iteration, double norm) {
    struct watch *watch = user;
    if (plot_add(watch->plot, watch->first + iteration, norm) != 0)
        return -1;
    if (norm < PROGRESS * watch->best) {
        watch->best = norm;
        watch->best_at = iteration;
    }
    if (interrupt_seen())
        watch->end = END_INTERRUPTED;
    else if (watch->deadline > 0.0 && clock_now() > watch->deadline)
        watch->end = END_TIME;
    else if (watch->patience > 0 && iteration - watch->best_at > watch->patience)
        watch->end = END_NO_PROGRESS;
    return watch->end != SPRY_RUNNING;
}

/* The tolerance is absolute, as what is solved may be what is left of b; but that of a b that is zero or not finite. */
static spry_status make_solver(struct system *system, const struct step *step, bool from_zero,
                               struct watch *watch, struct tools *tools) {
    const double threshold = system_threshold(system);
    spry_solver_options options = system->place->options->solver;
    options.size = sizeof options;
    options.method = step->method == METHOD_NORMAL ? SPRY_MINRES : (spry_method)step->method;
    if (threshold > 0.0 && isfinite(threshold)) {
        options.relative = 0.0;
        options.absolute = threshold;
    }
    if (step->limit > 0 && (options.iterations == 0 || step->limit < options.iterations))
        options.iterations = step->limit;
    if (step->restart > 0)
        options.restart = step->restart;
    options.use_guess = !from_zero && step->method != METHOD_NORMAL;
    options.monitor = keep_watch;
    options.user = watch;
    return spry_solver_create(system->place->context, &tools->a, tools->preconditioned ? &tools->m : NULL,
                              &options, &tools->solver);
}

static void release(struct system *system, struct tools *tools) {
    spry_context *context = system->place->context;
    spry_solver_destroy(tools->solver);
    spry_precond_destroy(tools->precond);
    spry_array_free(context, tools->diagonal, system_bytes(system));
    spry_array_free(context, tools->rest, system_bytes(system));
    spry_array_free(context, tools->y, system_bytes(system));
    normal_close(&tools->normal);
    scale_free(&tools->scale);
}

/* ---- solving ---- */

/* What the watch says ends a solve that goes on, not one that had ended by then. */
static void take_result(struct attempt *attempt, const spry_solve_result *result, const struct watch *watch) {
    const bool stopped = result->outcome == SPRY_CANCELLED && watch->end != SPRY_RUNNING;
    attempt->end = stopped ? watch->end : (int)result->outcome;
    attempt->iterations += result->iterations;
    attempt->residual = result->residual;
    attempt->estimate = result->estimate;
}

/* The normal equations by MINRES, whose iterates are in exact arithmetic those of LSQR (Paige and Saunders, "LSQR: an
   algorithm for sparse linear equations and sparse least squares", ACM Transactions on Mathematical Software 8, 1982): of
   what is left of b, again as long as rounding leaves too much and it helps. */
static spry_status solve_normal(struct attempt *attempt, struct system *system, struct tools *tools,
                                struct watch *watch, bool from_zero) {
    double threshold = system_threshold(system), before = HUGE_VAL, residual;
    spry_status status = from_zero ? system_set_zero(system) : SPRY_OK;
    for (int round = 0; round < ROUNDS && status == SPRY_OK; round++) {
        spry_solve_result result = {.size = sizeof result};
        status = system_residual(system, tools->rest, &residual);
        if (status != SPRY_OK || (round > 0 && (residual <= threshold || !(residual < before / 2))))
            break;
        before = residual;
        watch->first = plot_last(watch->plot);
        status = spry_solve(tools->solver, tools->rest, tools->y, &result);
        if (status == SPRY_OK)
            take_result(attempt, &result, watch);
        if (status == SPRY_OK)
            status = normal_add(&tools->normal, tools->y, system->x);
        if (status != SPRY_OK || attempt->end != SPRY_CONVERGED)
            break;
    }
    if (status == SPRY_OK)
        status = system_residual(system, tools->rest, &attempt->residual);
    if (attempt->end == SPRY_CONVERGED && !(attempt->residual <= threshold))
        attempt->end = SPRY_STAGNATED;
    return status;
}

static spry_status solve(struct attempt *attempt, struct system *system, struct tools *tools,
                         struct watch *watch, bool from_zero) {
    spry_solve_result result = {.size = sizeof result};
    if (attempt->step.method == METHOD_NORMAL)
        return solve_normal(attempt, system, tools, watch, from_zero);
    spry_status status = spry_solve(tools->solver, system->b, system->x, &result);
    if (status == SPRY_OK)
        take_result(attempt, &result, watch);
    return status;
}

static spry_status solve_timed(struct attempt *attempt, struct system *system, struct tools *tools,
                               struct watch *watch, bool from_zero) {
    double start = clock_now();
    spry_status status = solve(attempt, system, tools, watch, from_zero);
    if (status == SPRY_OK)
        status = spry_synchronize(system->place->context);
    attempt->solve_seconds = clock_now() - start;
    return status;
}

/* A preconditioner that does not exist for this matrix. */
static bool is_not_built(struct attempt *attempt, const struct system *system, spry_status status) {
    if (status != SPRY_ERROR_INVALID)
        return false;
    attempt->end = END_NOT_BUILT;
    snprintf(attempt->reason, sizeof attempt->reason, "%s", failure_text(system->place->context, status));
    return true;
}

bool attempt_run(struct attempt *attempt, struct system *system, const struct step *step, bool from_zero,
                 double residual, struct plot *plot) {
    const struct solve_options *options = system->place->options;
    struct tools tools = {0};
    *attempt =
        (struct attempt){.step = *step, .residual = residual, .estimate = residual, .shift = (double)NAN};
    struct watch watch = {
        .plot = plot, .first = plot_last(plot), .patience = step->patience, .best = residual};
    progress_show("%s: %s with %s", system->shown, method_name(step->method), precond_name(step->precond));
    double start = clock_now();
    spry_status status = build(system, step, &tools);
    attempt->precond_seconds = clock_now() - start;
    if (is_not_built(attempt, system, status)) {
        release(system, &tools);
        return true;
    }
    if (tools.precond)
        attempt->shift = spry_precond_shift(tools.precond);
    start = clock_now();
    if (status == SPRY_OK)
        status = make_solver(system, step, from_zero, &watch, &tools);
    attempt->workspace_seconds = clock_now() - start;
    progress_clear();
    if (options->time_limit > 0.0)
        watch.deadline = clock_now() + options->time_limit;
    if (status == SPRY_OK)
        status = solve_timed(attempt, system, &tools, &watch, from_zero);
    bool good = system_check(system, system->place->context, status);
    release(system, &tools);
    return good;
}

/* ---- words ---- */

const char *end_words(int end) {
    static const char *const words[ENDS] = {
        [END_NO_PROGRESS] = "no progress",
        [END_TIME] = "time limit reached",
        [END_INTERRUPTED] = "interrupted",
        [END_NOT_BUILT] = "cannot be built",
    };
    return end < SPRY_OUTCOME_COUNT ? spry_outcome_string((spry_outcome)end) : words[end];
}

const char *end_name(int end) {
    static const char *const names[ENDS] = {
        [SPRY_CONVERGED] = "converged",    [SPRY_LIMIT] = "limit",         [SPRY_BREAKDOWN] = "breakdown",
        [SPRY_INDEFINITE] = "indefinite",  [SPRY_DIVERGED] = "diverged",   [SPRY_NOT_FINITE] = "not-finite",
        [SPRY_STAGNATED] = "stagnated",    [SPRY_CANCELLED] = "cancelled", [SPRY_RUNNING] = "running",
        [END_NO_PROGRESS] = "no-progress", [END_TIME] = "time-limit",      [END_INTERRUPTED] = "interrupted",
        [END_NOT_BUILT] = "not-built",
    };
    return names[end];
}
