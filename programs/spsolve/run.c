/* SPDX-License-Identifier: BSD-3-Clause */
#include "spsolve/run.h"

#include <stdio.h>

#include "common/progress.h"
#include "measuring/timing.h"

bool run_prepare(struct run *run, const struct workplace *place, const char *input) {
    *run = (struct run){.attempt_count = 0};
    bool good = system_open(&run->system, place, input) && solve_choose(&run->system, &run->choice) &&
                system_make_vectors(&run->system);
    progress_clear();
    return good;
}

const struct attempt *run_last(const struct run *run) {
    return &run->attempt[run->attempt_count - 1];
}

/* ---- one step ---- */

static bool no_memory(struct run *run) {
    snprintf(run->system.message, sizeof run->system.message,
             "%s: no memory for the residual of every iteration", run->system.shown);
    return false;
}

static bool copy(struct system *system, const void *from, void *to) {
    spry_context *context = system->place->context;
    spry_number number = (spry_number)system->place->options->reading.type;
    return system_check(system, context, spry_axpby(context, number, system->n, 1.0, from, 0.0, to));
}

/* Where the others go on from the x that was found, the normal equations begin anew: they are for matrices that the
   others may have made a large x of, whose rounding errors they could not undo. */
static bool begins_anew(const struct run *run, const struct step *step) {
    return run->iterations == 0 || step->method == METHOD_NORMAL;
}

static bool try_once(struct run *run, const struct step *step, void *before) {
    struct attempt *attempt = &run->attempt[run->attempt_count];
    struct system *system = &run->system;
    bool anew = begins_anew(run, step);
    double residual = anew ? system->norm_b : run->residual;
    bool good =
        copy(system, system->x, before) && attempt_run(attempt, system, step, anew, residual, &run->plot);
    if (run->plot.no_memory)
        return no_memory(run);
    if (!good)
        return false;
    run->attempt_count++;
    run->iterations += attempt->iterations;
    run->cut_short |= attempt->end == END_INTERRUPTED;
    if (attempt->end != END_NOT_BUILT && attempt->residual <= run->residual) {
        run->residual = attempt->residual;
        return true;
    }
    return copy(system, before, system->x);
}

/* The last attempt once more and again, each time from where it began, until one ends in another way: as after Ctrl-C. */
static bool repeat_from(struct run *run, double residual, const void *before) {
    struct system *system = &run->system;
    struct attempt *last = &run->attempt[run->attempt_count - 1], again;
    const bool anew = run->iterations == last->iterations || last->step.method == METHOD_NORMAL;
    double seconds[SOLVE_REPEATS] = {last->solve_seconds};
    int count = 1;
    for (; count < system->place->options->repeat; count++) {
        struct plot plot;
        if (!plot_begin(&plot, residual, 1.0, false))
            return no_memory(run);
        const bool good =
            copy(system, before, system->x) &&
            attempt_run(&again, system, &last->step, anew, anew ? system->norm_b : residual, &plot);
        plot_free(&plot);
        if (!good)
            return false;
        run->cut_short |= again.end == END_INTERRUPTED;
        if (again.end != last->end)
            break;
        seconds[count] = again.solve_seconds;
    }
    last->solve_seconds = timing_spread(seconds, count).median;
    return true;
}

/* The attempt that was last, if it converged, so often that it makes `repeat` in all. Its time is their median; x is what it found. */
static bool repeat_last(struct run *run, double residual, const void *before) {
    struct system *system = &run->system;
    spry_context *context = system->place->context;
    const size_t bytes = system_bytes(system);
    void *found = NULL;
    if (run_last(run)->end != SPRY_CONVERGED || system->place->options->repeat <= 1)
        return true;
    const bool good = system_check(system, context, spry_array_new(context, bytes, &found)) &&
                      copy(system, system->x, found) && repeat_from(run, residual, before) &&
                      copy(system, found, system->x);
    spry_array_free(context, found, bytes);
    return good;
}

/* ---- all ---- */

static bool ends_it(const struct attempt *attempt) {
    return attempt->end == SPRY_CONVERGED || attempt->end == END_INTERRUPTED;
}

/* A step that is for nothing after what those before it found. */
static bool is_pointless(const struct run *run, const struct step *step) {
    for (int i = 0; i < run->attempt_count; i++)
        if (run->attempt[i].end == SPRY_INDEFINITE && step_needs_definite(step) &&
            step_needs_definite(&run->attempt[i].step))
            return true;
    return false;
}

static bool try_all(struct run *run, void *before) {
    const struct chain *chain = &run->choice.chain;
    for (int i = 0; i < chain->count; i++) {
        double residual = run->residual;
        if (is_pointless(run, &chain->step[i]))
            continue;
        if (!try_once(run, &chain->step[i], before))
            return false;
        if (ends_it(run_last(run)))
            return repeat_last(run, residual, before);
    }
    return true;
}

/* Where nothing could be built, that is a failure; the first reason is the most telling one. */
static bool has_run(struct run *run) {
    for (int i = 0; i < run->attempt_count; i++)
        if (run->attempt[i].end != END_NOT_BUILT)
            return true;
    snprintf(run->system.message, sizeof run->system.message, "%s: %s; try another --precond, or none",
             run->system.shown, run->attempt[0].reason);
    return false;
}

bool run_solve(struct run *run, bool draw) {
    struct system *system = &run->system;
    spry_context *context = system->place->context;
    const size_t bytes = system_bytes(system);
    void *before = NULL;
    run->residual = system->norm_b;
    if (!plot_begin(&run->plot, system->norm_b, system_threshold(system) / system->norm_b, draw))
        return no_memory(run);
    bool good = system_check(system, context, spry_array_new(context, bytes, &before)) &&
                system_check(system, context, system_set_zero(system)) && try_all(run, before) &&
                has_run(run) && system_error(system, &run->error);
    spry_array_free(context, before, bytes);
    return good;
}

void run_close(struct run *run) {
    plot_free(&run->plot);
    system_close(&run->system);
}

double run_setup_seconds(const struct run *run) {
    double seconds = run->system.seconds;
    for (int i = 0; i < run->attempt_count; i++)
        seconds += run->attempt[i].precond_seconds + run->attempt[i].workspace_seconds;
    return seconds;
}

double run_solve_seconds(const struct run *run) {
    double seconds = 0.0;
    for (int i = 0; i < run->attempt_count; i++)
        seconds += run->attempt[i].solve_seconds;
    return seconds;
}
