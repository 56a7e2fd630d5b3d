/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve_report.h"

#include "json.h"

/* Names for programs, which stay as they are when the library's words for people change. */
static const char *outcome_name(spry_outcome outcome) {
    static const char *const names[SPRY_OUTCOME_COUNT] = {
        [SPRY_CONVERGED] = "converged",   [SPRY_LIMIT] = "limit",         [SPRY_BREAKDOWN] = "breakdown",
        [SPRY_INDEFINITE] = "indefinite", [SPRY_DIVERGED] = "diverged",   [SPRY_NOT_FINITE] = "not-finite",
        [SPRY_STAGNATED] = "stagnated",   [SPRY_CANCELLED] = "cancelled", [SPRY_RUNNING] = "running",
    };
    return names[outcome];
}

/* What was solved, with what. */
static json_t *identity_object(const struct run *run) {
    const struct system *system = &run->system;
    const struct workplace *place = system->place;
    const spry_matrix *matrix = system_matrix(system);
    bool plain = run->choice.precond == SPRY_PRECOND_COUNT, chosen = place->options->format == SPRY_AUTO;
    return json_pack("{s:o, s:I, s:I, s:s, s:s, s:s, s:s, s:s, s:i, s:o}", "matrix", json_text(system->input),
                     "rows", (json_int_t)system->n, "nnz", (json_int_t)spry_matrix_nnz(system->csr), "solver",
                     spry_method_name(run->choice.method), "precond",
                     plain ? "none" : spry_precond_name(run->choice.precond), "format",
                     spry_format_name(spry_matrix_format(matrix)), "type",
                     spry_type_name(spry_matrix_type(matrix)), "backend",
                     spry_backend_name(spry_context_backend(place->context)), "threads",
                     spry_context_threads(place->context), "profile",
                     json_text(chosen ? spry_profile_machine(place->context) : NULL));
}

static json_t *history_array(const struct run *run) {
    if (!run->system.place->options->history)
        return json_null();
    json_t *array = json_array();
    for (int64_t i = 0; array && i < run->plot.count; i++)
        if (json_array_append_new(array, json_number(run->plot.norms[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

/* Null without a preconditioner. */
static json_t *shift(const struct run *run) {
    return run->precond ? json_number(spry_precond_shift(run->precond)) : json_null();
}

static json_t *figure(bool known, double value) {
    return known ? json_number(value) : json_null();
}

/* What came of it. */
static json_t *outcome_object(const struct run *run) {
    const spry_solve_result *result = &run->result;
    double iterations = (double)result->iterations;
    return json_pack("{s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "outcome",
                     outcome_name(result->outcome), "iterations", (json_int_t)result->iterations, "residual",
                     json_number(result->residual), "relative_residual",
                     figure(result->norm_b > 0.0, result->residual / result->norm_b), "estimate",
                     json_number(result->estimate), "norm_b", json_number(result->norm_b), "setup_seconds",
                     json_number(run_setup_seconds(run)), "solve_seconds", json_number(run->solve_seconds),
                     "seconds_per_iteration", figure(iterations > 0.0, run->solve_seconds / iterations),
                     "error", json_number(run->error), "shift", shift(run), "history", history_array(run));
}

int report_json(const struct run *run) {
    json_t *object = identity_object(run), *outcome = outcome_object(run);
    int failed = json_object_update(object, outcome);
    json_decref(outcome);
    if (!failed)
        return json_print_line(object);
    json_decref(object);
    return failed;
}

int report_json_failure(const struct run *run) {
    return json_print_line(json_pack("{s:o, s:o}", "matrix", json_text(run->system.input), "error_message",
                                     json_text(run->system.message)));
}
