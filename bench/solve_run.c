/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve_run.h"

#include <math.h>
#include <stdio.h>

#include "progress.h"
#include "timing.h"

static bool make_precond(struct run *run) {
    struct system *system = &run->system;
    spry_context *context = system->place->context;
    spry_precond_options options = system->place->options->precond;
    options.kind = run->choice.precond;
    if (options.kind == SPRY_PRECOND_COUNT)
        return true;
    progress_show("%s: %s", system->input, spry_precond_name(options.kind));
    double start = timing_now();
    spry_status status = spry_precond_create(context, system->csr, &options, &run->precond);
    run->precond_seconds = timing_now() - start;
    return system_check(system, context, status);
}

/* A monitor makes a GPU report to the host, so there is one only where it is of use. */
static bool make_solver(struct run *run) {
    struct system *system = &run->system;
    const struct solve_options *wanted = system->place->options;
    spry_context *context = system->place->context;
    spry_operator a = spry_operator_of_matrix(system_matrix(system)), m = {0};
    spry_solver_options options = wanted->solver;
    if (run->precond)
        m = spry_operator_of_precond(run->precond);
    options.method = run->choice.method;
    if (wanted->history || (wanted->plot && !wanted->json)) {
        options.monitor = plot_add;
        options.user = &run->plot;
    }
    double start = timing_now();
    spry_status status = spry_solver_create(context, &a, run->precond ? &m : NULL, &options, &run->solver);
    run->solver_seconds = timing_now() - start;
    return system_check(system, context, status);
}

static bool choose(struct run *run) {
    struct system *system = &run->system;
    const struct workplace *place = system->place;
    return system_check(system, place->host,
                        solve_choose(place->host, system->csr, &system->info, place->options, &run->choice));
}

bool run_prepare(struct run *run, const struct workplace *place, const char *input) {
    *run = (struct run){0};
    bool good = system_open(&run->system, place, input) && choose(run) && make_precond(run) &&
                make_solver(run) && system_make_vectors(&run->system);
    progress_clear();
    return good;
}

static bool no_memory(struct run *run) {
    snprintf(run->system.message, sizeof run->system.message,
             "%s: no memory for the residual of every iteration", run->system.input);
    return false;
}

/* Once. */
static spry_status solve_timed(struct run *run, double *seconds) {
    struct system *system = &run->system;
    double start = timing_now();
    spry_status status = spry_solve(run->solver, system->b, system->x, &run->result);
    if (status == SPRY_OK)
        status = spry_synchronize(system->place->context);
    *seconds = timing_now() - start;
    return status;
}

bool run_solve(struct run *run, bool draw) {
    struct system *system = &run->system;
    const struct solve_options *wanted = system->place->options;
    double target = fmax(wanted->solver.relative, wanted->solver.absolute / system->norm_b);
    double seconds[SOLVE_REPEATS];
    spry_status status = SPRY_OK;
    for (int i = 0; i < wanted->repeat && status == SPRY_OK; i++) {
        plot_free(&run->plot);
        if (!plot_begin(&run->plot, system->norm_b, target, draw && i == 0))
            return no_memory(run);
        status = solve_timed(run, &seconds[i]);
        if (run->plot.no_memory)
            return no_memory(run);
    }
    if (!system_check(system, system->place->context, status))
        return false;
    run->solve_seconds = timing_spread(seconds, wanted->repeat).median;
    return system_error(system, &run->error);
}

void run_close(struct run *run) {
    plot_free(&run->plot);
    spry_solver_destroy(run->solver);
    spry_precond_destroy(run->precond);
    system_close(&run->system);
}

double run_setup_seconds(const struct run *run) {
    return run->system.seconds + run->precond_seconds + run->solver_seconds;
}
