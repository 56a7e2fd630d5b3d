/* SPDX-License-Identifier: BSD-3-Clause */
#include "spsolve/report.h"

#include "common/json.h"

/* What was solved, with what. */
static json_t *identity_object(const struct run *run) {
    const struct system *system = &run->system;
    const struct workplace *place = system->place;
    const spry_matrix *matrix = system_matrix(system);
    const struct step *step = &run_last(run)->step;
    bool chosen = place->options->storage.format == SPRY_AUTO;
    return json_pack("{s:o, s:I, s:I, s:s, s:s, s:s, s:s, s:s, s:i, s:o}", "matrix", json_text(system->input),
                     "rows", (json_int_t)system->n, "nnz", (json_int_t)spry_matrix_nnz(system->csr), "solver",
                     method_name(step->method), "precond", precond_name(step->precond), "format",
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
        json_push(&array, json_number(run->plot.norms[i]));
    return array;
}

static json_t *attempt_object(const struct attempt *attempt) {
    return json_pack("{s:s, s:s, s:s, s:I, s:o, s:o, s:o, s:o}", "solver", method_name(attempt->step.method),
                     "precond", precond_name(attempt->step.precond), "outcome", end_name(attempt->end),
                     "iterations", (json_int_t)attempt->iterations, "residual",
                     json_number(attempt->residual), "setup_seconds",
                     json_number(attempt->precond_seconds + attempt->workspace_seconds), "solve_seconds",
                     json_number(attempt->solve_seconds), "reason",
                     attempt->end == END_NOT_BUILT ? json_text(attempt->reason) : json_null());
}

static json_t *attempt_array(const struct attempt *attempts, int count) {
    json_t *array = json_array();
    for (int i = 0; array && i < count; i++)
        json_push(&array, attempt_object(&attempts[i]));
    return array;
}

/* What came of it. */
static json_t *outcome_object(const struct run *run) {
    const struct attempt *last = run_last(run);
    double iterations = (double)run->iterations, seconds = run_solve_seconds(run),
           norm_b = run->system.norm_b;
    return json_pack("{s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "outcome",
                     end_name(last->end), "iterations", (json_int_t)run->iterations, "residual",
                     json_number(run->residual), "relative_residual",
                     json_figure(norm_b > 0.0, run->residual / norm_b), "estimate",
                     json_number(last->estimate), "norm_b", json_number(norm_b), "setup_seconds",
                     json_number(run_setup_seconds(run)), "solve_seconds", json_number(seconds),
                     "seconds_per_iteration", json_figure(iterations > 0.0, seconds / iterations), "error",
                     json_number(run->error), "shift", json_number(last->shift), "history",
                     history_array(run), "attempts", attempt_array(run->attempt, run->attempt_count));
}

int report_json(const struct run *run) {
    return json_print_line(json_join(identity_object(run), outcome_object(run)));
}

int report_json_comparison(const struct comparison *comparison) {
    return json_print_line(json_pack(
        "{s:o, s:I, s:I, s:o, s:o}", "matrix", json_text(comparison->system.input), "rows",
        (json_int_t)comparison->system.n, "nnz", (json_int_t)spry_matrix_nnz(comparison->system.csr),
        "norm_b", json_number(comparison->system.norm_b), "attempts",
        attempt_array(comparison->attempt, comparison->count)));
}

int report_json_failure(const struct system *system) {
    return json_print_line(json_pack("{s:o, s:o}", "matrix", json_text(system->input), "error_message",
                                     json_text(system->message)));
}
