/* SPDX-License-Identifier: BSD-3-Clause */
#include "spsolve/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "common/columns.h"
#include "common/glyphs.h"
#include "common/machine.h"
#include "common/number.h"
#include "spsolve/advice.h"

/* ---- before the solve ---- */

static void print_matrix(const struct system *system) {
    char kind[64] = "";
    if (!system->generated)
        snprintf(kind, sizeof kind, ", %s %s", spry_field_name(system->info.field),
                 spry_symmetry_name(system->info.symmetry));
    columns_whole("matrix", system->shown);
    const int64_t nnz = spry_matrix_nnz(system->csr);
    columns_labelled("", "%s %s %s, %s nonzero%s%s", number_count(system->n).text, glyphs()->times,
                     number_count(system->n).text, number_count(nnz).text, number_plural(nnz), kind);
}

static void print_machine(const struct system *system) {
    const struct workplace *place = system->place;
    const spry_matrix *matrix = system_matrix(system);
    char name[128] = "a GPU", threads[32] = "";
    if (place->options->backend == SPRY_CPU) {
        int count = spry_context_threads(place->context);
        machine_cpu(name, sizeof name);
        snprintf(threads, sizeof threads, ", %d thread%s", count, number_plural(count));
    }
    columns_labelled("machine", "%s%s; products in %s, %s, %s", name, threads,
                     spry_format_name(spry_matrix_format(matrix)), spry_type_name(spry_matrix_type(matrix)),
                     spry_index_name(spry_matrix_index(matrix)));
}

/* Which machine's prices the format was chosen by. */
static void print_profile(const struct system *system) {
    if (system->place->options->storage.format == SPRY_AUTO)
        columns_labelled("profile", "%s", spry_profile_machine(system->place->context));
}

/* A line with a name, and why it was chosen if it was. */
static void print_choice(const char *title, const char *name, const char *why) {
    columns_labelled(title, "%s%s%s", name, why ? ", as " : "", why ? why : "");
}

static void print_until(const struct system *system) {
    const struct solve_options *options = system->place->options;
    char relative[48] = "", absolute[48] = "";
    if (options->solver.relative > 0.0)
        snprintf(relative, sizeof relative, "%g |b|", options->solver.relative);
    if (options->solver.absolute > 0.0)
        snprintf(absolute, sizeof absolute, "%s%g", *relative ? " or " : "", options->solver.absolute);
    columns_labelled("until", "|b - A x| is at most %s%s", relative, absolute);
}

void report_heading(const struct run *run) {
    const struct step *first = &run->choice.chain.step[0];
    print_matrix(&run->system);
    print_machine(&run->system);
    print_profile(&run->system);
    print_choice("solver", method_name(first->method), run->choice.why_method);
    print_choice("precond", precond_name(first->precond), run->choice.why_precond);
    print_until(&run->system);
    putchar('\n');
    fflush(stdout);
}

/* ---- after it ---- */

/* Each attempt, where there were several: what it was, and why there was another one. */
static void print_attempts(const struct run *run) {
    for (int i = 0; run->attempt_count > 1 && i < run->attempt_count; i++) {
        const struct attempt *attempt = &run->attempt[i];
        const char *title = i == 0 ? "tried" : i + 1 == run->attempt_count ? "at last" : "then";
        const char *method = method_name(attempt->step.method),
                   *precond = precond_name(attempt->step.precond);
        if (attempt->end == END_NOT_BUILT)
            columns_labelled(title, "%s with %s, which cannot be built: %s", method, precond,
                             attempt->reason);
        else
            columns_labelled(title, "%s with %s: %s after %s iteration%s, residual %s |b|", method, precond,
                             end_words(attempt->end), number_count(attempt->iterations).text,
                             number_plural(attempt->iterations),
                             number_tiny(attempt->residual / run->system.norm_b).text);
    }
}

/* A norm, and what part of |b| it is. */
static void print_residual(const struct run *run) {
    const struct attempt *last = run_last(run);
    char part[48] = "", estimate[96] = "";
    if (run->system.norm_b > 0.0)
        snprintf(part, sizeof part, " = %s |b|", number_tiny(run->residual / run->system.norm_b).text);
    if (last->end == SPRY_CONVERGED || last->residual <= run->residual)
        snprintf(estimate, sizeof estimate, "; the method's own estimate is %s",
                 number_tiny(last->estimate).text);
    columns_labelled("residual", "%s%s%s", number_tiny(run->residual).text, part, estimate);
}

static void print_setup(const struct run *run) {
    double precond = 0.0, workspace = 0.0, shift = run_last(run)->shift;
    char shifted[64] = "";
    for (int i = 0; i < run->attempt_count; i++) {
        precond += run->attempt[i].precond_seconds;
        workspace += run->attempt[i].workspace_seconds;
    }
    if (shift > 0.0)
        snprintf(shifted, sizeof shifted, " (diagonal shifted by %s)", number_tiny(shift).text);
    columns_labelled("setup", "%s: conversion %s, preconditioner %s%s, workspace %s",
                     number_seconds(run_setup_seconds(run)).text, number_seconds(run->system.seconds).text,
                     number_seconds(precond).text, shifted, number_seconds(workspace).text);
}

static void print_solve(const struct run *run) {
    double seconds = run_solve_seconds(run);
    char each[64] = "";
    if (run->iterations > 0)
        snprintf(each, sizeof each, ", %s an iteration",
                 number_seconds(seconds / (double)run->iterations).text);
    columns_labelled("solve", "%s%s", number_seconds(seconds).text, each);
}

static void print_history(const struct plot *plot) {
    printf("\niteration  residual\n");
    for (int64_t i = 0; i < plot->count; i++)
        printf("%9" PRId64 "  %.6e\n", i, plot->norms[i]);
}

void report_summary(const struct run *run) {
    const struct advice advice = advice_on(run);
    print_attempts(run);
    columns_labelled("outcome", "%s, %s iteration%s%s", end_words(run_last(run)->end),
                     number_count(run->iterations).text, number_plural(run->iterations),
                     run->attempt_count > 1 ? " in all" : "");
    print_residual(run);
    if (!isnan(run->error))
        columns_labelled("error", "%s of the exact solution's norm", number_tiny(run->error).text);
    print_setup(run);
    print_solve(run);
    if (advice.title)
        columns_labelled(advice.title, "%s", advice.text);
    if (run->system.place->options->history)
        print_history(&run->plot);
}

/* ---- comparisons ---- */

enum { MARK, METHOD, PRECOND, SETUP, ITERATIONS, SOLVE, RESIDUAL, END, COLUMN_COUNT };

static const char *const headings[COLUMN_COUNT] = {"",           "method", "precond",  "setup",
                                                   "iterations", "solve",  "residual", "outcome"};

/* Those that go where the page is too narrow, the least telling one first. */
static const int spare[] = {SETUP, RESIDUAL, ITERATIONS};

static void set_attempt(struct line *line, const struct comparison *comparison,
                        const struct attempt *attempt) {
    const double norm_b = comparison->system.norm_b;
    bool built = attempt->end != END_NOT_BUILT;
    const char *none = glyphs()->dash;
    columns_set(line, MARK, attempt == comparison_fastest(comparison) ? "*" : "");
    columns_set(line, METHOD, method_name(attempt->step.method));
    columns_set(line, PRECOND, precond_name(attempt->step.precond));
    columns_set(line, SETUP,
                built ? number_seconds(attempt->precond_seconds + attempt->workspace_seconds).text : none);
    columns_set(line, ITERATIONS, built ? number_count(attempt->iterations).text : none);
    columns_set(line, SOLVE, built ? number_seconds(attempt->solve_seconds).text : none);
    columns_set(line, RESIDUAL, built && norm_b > 0.0 ? number_tiny(attempt->residual / norm_b).text : none);
    columns_set(line, END, end_name(attempt->end));
}

void report_comparison_heading(const struct comparison *comparison) {
    print_matrix(&comparison->system);
    print_machine(&comparison->system);
    print_profile(&comparison->system);
    print_until(&comparison->system);
    columns_labelled("", "or, for each, %s are over",
                     number_seconds(comparison->system.place->options->time_limit).text);
    putchar('\n');
    fflush(stdout);
}

/* Whether an attempt before number i lacked the same preconditioner. */
static bool lacked_before(const struct comparison *comparison, int i) {
    const struct attempt *attempt = comparison->attempt;
    for (int k = 0; k < i; k++)
        if (attempt[k].end == END_NOT_BUILT && attempt[k].step.precond == attempt[i].step.precond)
            return true;
    return false;
}

/* Why preconditioners could not be built, each once. */
static void print_not_built(const struct comparison *comparison) {
    for (int i = 0; i < comparison->count; i++) {
        const struct attempt *attempt = &comparison->attempt[i];
        if (attempt->end == END_NOT_BUILT && !lacked_before(comparison, i))
            columns_labelled("not built", "%s: %s", precond_name(attempt->step.precond), attempt->reason);
    }
}

int report_comparison(const struct comparison *comparison) {
    struct columns columns = {
        .count = COLUMN_COUNT, .left = 1u << MARK | 1u << METHOD | 1u << PRECOND | 1u << END, .gap = 2};
    const struct attempt *fastest = comparison_fastest(comparison);
    if (!columns_add(&columns, 1 + comparison->count))
        return -1;
    columns_head(&columns, headings);
    for (int i = 0; i < comparison->count; i++)
        set_attempt(&columns.line[1 + i], comparison, &comparison->attempt[i]);
    columns_fit(&columns, spare, sizeof spare / sizeof *spare);
    columns_print(&columns);
    columns_free(&columns);
    putchar('\n');
    if (fastest)
        columns_labelled("* fastest", "%s with %s, setup included: --solver %s --precond %s",
                         method_name(fastest->step.method), precond_name(fastest->step.precond),
                         method_name(fastest->step.method), precond_name(fastest->step.precond));
    else
        columns_labelled("fastest", "none: no method converged");
    print_not_built(comparison);
    if (comparison_was_cut_short(comparison))
        columns_labelled("stopped", "interrupted; %d of %d combinations were not begun",
                         comparison->planned - comparison->count, comparison->planned);
    return 0;
}
