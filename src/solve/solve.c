/* SPDX-License-Identifier: BSD-3-Clause */
/* Solving: the first residual, rounds of iterations that the host looks at now and then, and the true residual. */
#include <math.h>

#include "core/sized.h"
#include "solve/recording.h"
#include "solve/resident.h"
#include "solve/solver.h"

/* Norms outside these have squares that overflow or lose their digits. */
#define SMALLEST_NORM 1e-140
#define LARGEST_NORM 1e140

SPRY_SIZED(spry_solve_result, history, history);

static spry_status put_state(spry_solver *solver) {
    spry_context *context = solver->context;
    return context->code->copy(context, solver->state, &solver->seen, sizeof solver->seen);
}

static spry_status get_state(spry_solver *solver) {
    spry_context *context = solver->context;
    return context->code->copy(context, &solver->seen, solver->state, sizeof solver->seen);
}

/* Within these, squares and sums of them over ranks are exact to rounding. */
#define SMALLEST_SQUARED 1e-150
#define LARGEST_SQUARED 1e150

/* From the norm of this rank's part to that over all ranks, the same on each of them; *count, which may be null, is
   added up too. Where squares overflow or vanish it is the sum of the parts' norms, which is no more than √ranks
   times too large. */
static spry_status share_norm(spry_solver *solver, double *norm, double *count) {
    const spry_context *context = solver->context;
    const struct spry_ranks *ranks = spry_solver_ranks(solver);
    double value[] = {*norm * *norm, *norm, count ? *count : 0};
    if (!ranks)
        return SPRY_OK;
    spry_status status = context->code->copy(solver->context, ranks->values, value, sizeof value);
    if (!status)
        status = spry_add_up(solver->context, ranks, 3, ranks->values);
    if (!status)
        status = context->code->copy(solver->context, value, ranks->values, sizeof value);
    if (status)
        return status;
    *norm = value[1] > SMALLEST_SQUARED && value[1] < LARGEST_SQUARED ? sqrt(value[0]) : value[1];
    if (count)
        *count = value[2];
    return SPRY_OK;
}

/* Of what this rank has of v. */
static spry_status norm_of(spry_solver *solver, const void *v, double *norm) {
    spry_context *context = solver->context;
    spry_status status = spry_norm2(context, (spry_number)solver->type, solver->n, v, &solver->state->norm);
    return status ? status : context->code->copy(context, norm, &solver->state->norm, sizeof *norm);
}

/* |b − A x|, in the place of q. */
static spry_status true_residual(spry_solver *solver, double *norm) {
    struct spry_vectors *v = &solver->vectors;
    spry_status status = spry_solver_apply(solver, v->x, v->q);
    if (!status)
        status = spry_axpby(solver->context, (spry_number)solver->type, solver->n, 1, v->b, -1, v->q);
    if (!status)
        status = norm_of(solver, v->q, norm);
    return status ? status : share_norm(solver, norm, NULL);
}

/* Keep the norms of iterations that have become known, and tell of them until the monitor has had enough. */
static void report(spry_solver *solver) {
    const struct spry_state *seen = &solver->seen;
    for (; solver->reported <= seen->iterations; solver->reported++) {
        double norm = seen->recent[solver->reported % SPRY_RECENT];
        if (solver->history)
            solver->history[solver->reported] = norm;
        if (solver->options.monitor && !solver->cancelled)
            solver->cancelled = solver->options.monitor(solver->options.user, solver->reported, norm) != 0;
    }
}

/* How many iterations there will be before the next look: as many as are left if the norm goes on falling as it did
   since the last one, for those past the end are for nothing. Where a preconditioner is applied, one of these takes longer
   than a look, so that the host looks rather before the end than behind it. Always as many where ranks go by it, whose
   logarithms may differ. */
static void plan_look(spry_solver *solver, int64_t iterations, double norm) {
    const struct spry_state *seen = &solver->seen;
    if (spry_solver_ranks(solver)) {
        solver->next_look = solver->stride;
        return;
    }
    double rate = log(norm / seen->residual) / (double)(seen->iterations - iterations),
           left = log(seen->residual / seen->threshold) / rate,
           wanted = spry_solver_applies_precond(solver) ? fmax(floor(left), 1) : ceil(left);
    solver->next_look = left > 0 && left < solver->stride ? (int)wanted : solver->stride;
}

/* Of ranks that solve together none leaves alone: that it wishes to goes along with the next sums. */
static spry_status spread_wish(spry_solver *solver) {
    const double wish = 1;
    if (!solver->cancelled || !spry_solver_ranks(solver) || solver->seen.wish > 0)
        return SPRY_OK;
    solver->seen.wish = wish;
    return solver->context->code->copy(solver->context, &solver->state->wish, &wish, sizeof wish);
}

static spry_status look(spry_solver *solver) {
    int64_t iterations = solver->seen.iterations;
    double norm = solver->seen.residual;
    spry_status status = get_state(solver);
    if (status)
        return status;
    solver->unseen = 0;
    plan_look(solver, iterations, norm);
    report(solver);
    return spread_wish(solver);
}

/* Whether it ends here and now because the monitor said so. */
static bool stops(const spry_solver *solver) {
    return solver->cancelled && !spry_solver_ranks(solver);
}

/* Where the host stops it between two looks. A cycle is closed first, so that x has what was found. */
static spry_status cancel(spry_solver *solver) {
    struct spry_state *seen = &solver->seen;
    spry_status status = SPRY_OK;
    if (solver->method->cycles && seen->outcome == SPRY_RUNNING && seen->column > 0) {
        seen->hold = 1;
        status = put_state(solver);
        if (!status)
            status = spry_solver_play(solver, solver->pieces - 1);
        if (!status)
            status = get_state(solver);
    }
    if (seen->outcome == SPRY_RUNNING)
        seen->outcome = SPRY_CANCELLED;
    return status;
}

static spry_status round_of_pieces(spry_solver *solver) {
    const int iterations = solver->repeat * solver->method->iterations, last = solver->pieces - 1;
    spry_status status = SPRY_OK;
    for (int k = 0; k <= last && !status; k++) {
        status = spry_solver_play(solver, k);
        solver->unseen += iterations;
        if (status || solver->unseen < solver->next_look)
            continue;
        status = look(solver);
        if (status || solver->seen.outcome != SPRY_RUNNING || stops(solver))
            break;
        /* The piece that closes the cycle may end the solve. */
        if (solver->seen.hold && k < last) {
            k = last - 1;
            solver->next_look = 1;
        }
    }
    return status;
}

static spry_status iterate(spry_solver *solver) {
    spry_status status = SPRY_OK;
    while (solver->seen.outcome == SPRY_RUNNING && !stops(solver) && !status)
        status = round_of_pieces(solver);
    return status || !stops(solver) ? status : cancel(solver);
}

/* From an x, or from zero, to the first iteration. */
static spry_status begin(spry_solver *solver, bool from_zero) {
    struct spry_vectors *v = &solver->vectors, vectors = *v;
    spry_status status = put_state(solver);
    if (from_zero)
        vectors.q = NULL;
    else if (!status)
        status = spry_solver_apply(solver, v->x, v->q);
    if (!status)
        status = spry_solver_update_over(solver, SPRY_UPDATE_begin, &vectors);
    if (!status)
        status = look(solver);
    return status || solver->seen.outcome != SPRY_RUNNING ? status : solver->method->start(solver);
}

/* The norms that the methods go by are of residuals that they update; rounding makes those drift away from b − A x.
   Where that matters, they begin again from the x that there is, as long as it helps. */
static spry_status run(spry_solver *solver, double *residual) {
    bool from_zero = !solver->options.use_guess;
    double before = HUGE_VAL;
    for (;;) {
        spry_status status = begin(solver, from_zero);
        if (!status && solver->seen.outcome == SPRY_RUNNING)
            status = iterate(solver);
        if (!status)
            status = true_residual(solver, residual);
        if (status || solver->seen.outcome != SPRY_CONVERGED || *residual <= solver->seen.threshold)
            return status;
        if (!(*residual < before / 2)) {
            solver->seen.outcome = isfinite(*residual) ? SPRY_STAGNATED : SPRY_NOT_FINITE;
            return SPRY_OK;
        }
        before = *residual;
        from_zero = false;
        solver->seen.outcome = SPRY_RUNNING;
    }
}

static void set_up(spry_solver *solver, double norm_b) {
    const spry_solver_options *options = &solver->options;
    struct spry_state *seen = &solver->seen;
    double relative = options->relative * norm_b;
    seen->outcome = SPRY_RUNNING;
    seen->iterations = 0;
    seen->limit = options->iterations;
    seen->threshold = relative > options->absolute ? relative : options->absolute;
    seen->ceiling = 0;
    seen->divergence = options->divergence;
    seen->residual = 0;
    seen->cancelled = 0;
    seen->wish = 0;
    seen->within = HUGE_VAL;
    solver->reported = 0;
    solver->cancelled = false;
}

static spry_status check(spry_solver *solver, const void *b, const void *x, double norm_b) {
    if (solver->n > 0 && (!b || !x))
        return spry_fail(solver->context, SPRY_ERROR_ARGUMENT, "spry_solve: b or x is null");
    if (isfinite(norm_b) && norm_b != 0 && (norm_b < SMALLEST_NORM || norm_b > LARGEST_NORM))
        return spry_fail(solver->context, SPRY_ERROR_ARGUMENT,
                         "spry_solve: |b| is %g, not from %g to %g: scale the system", norm_b, SMALLEST_NORM,
                         LARGEST_NORM);
    return SPRY_OK;
}

/* Whether this rank can begin, and the norm of its part of b. */
static spry_status check_part(spry_solver *solver, const void *b, const void *x,
                              const spry_solve_result *result, double *norm) {
    spry_status status = spry_check_sized(solver->context, &spry_solve_result_sized, result);
    if (!status)
        status = check(solver, b, x, 0);
    return status ? status : norm_of(solver, b, norm);
}

/* |b| over all ranks. Where one of them cannot begin, none does. */
static spry_status agree(spry_solver *solver, spry_status status, double *norm) {
    double refused = status ? 1 : 0;
    spry_status shared = share_norm(solver, norm, &refused);
    if (status || shared)
        return status ? status : shared;
    return refused > 0 ? spry_fail(solver->context, SPRY_ERROR_RANKS,
                                   "spry_solve: another rank could not begin: its own message says why")
                       : SPRY_OK;
}

/* The solution for b = 0, and for no rows. */
static spry_status solve_zero(spry_solver *solver, void *x) {
    spry_context *context = solver->context;
    solver->seen.outcome = SPRY_CONVERGED;
    solver->seen.recent[0] = 0;
    report(solver);
    return context->code->scale(context, solver->type, solver->n, 0, x);
}

spry_status spry_solve(spry_solver *solver, const void *b, void *x, spry_solve_result *result) {
    double norm_b = 0, residual = 0;
    if (!solver)
        return SPRY_ERROR_ARGUMENT;
    spry_status status = check_part(solver, b, x, result, &norm_b);
    status = agree(solver, status, &norm_b);
    if (!status)
        status = check(solver, b, x, norm_b);
    if (!status && spry_solver_ranks(solver))
        status = spry_solver_warm_up(solver);
    if (!status)
        status = spry_resident_refresh(solver);
    if (!status)
        status = spry_solver_set_vectors(solver, b, x);
    if (status)
        return status;
    set_up(solver, norm_b);
    status = norm_b == 0 ? solve_zero(solver, x) : run(solver, &residual);
    if (status)
        return status;
    const spry_solve_result made = {
        .outcome = (spry_outcome)solver->seen.outcome,
        .iterations = solver->seen.iterations,
        .norm_b = norm_b,
        .residual = residual,
        .estimate = solver->seen.residual,
        .history = solver->history,
    };
    spry_give(&spry_solve_result_sized, &made, result);
    return SPRY_OK;
}
