/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "glyphs.h"
#include "machine.h"
#include "number.h"

#define INDENT 12

static void begin_line(const char *title) {
    printf("%-*s", INDENT, title);
}

/* ---- before the solve ---- */

static void print_matrix(const struct run *run) {
    const struct system *system = &run->system;
    begin_line("matrix");
    printf("%s\n", system->input);
    begin_line("");
    printf("%s %s %s, %s nonzeros", number_count(system->n).text, glyphs()->times,
           number_count(system->n).text, number_count(spry_matrix_nnz(system->csr)).text);
    if (!system->generated)
        printf(", %s %s", spry_field_name(system->info.field), spry_symmetry_name(system->info.symmetry));
    putchar('\n');
}

static void print_machine(const struct run *run) {
    const struct workplace *place = run->system.place;
    const spry_matrix *matrix = system_matrix(&run->system);
    char name[128] = "a GPU";
    begin_line("machine");
    if (place->options->backend == SPRY_CPU)
        machine_cpu(name, sizeof name);
    printf("%s", name);
    if (place->options->backend == SPRY_CPU) {
        int threads = spry_context_threads(place->context);
        printf(", %d thread%s", threads, threads == 1 ? "" : "s");
    }
    printf("; products in %s, %s, %s\n", spry_format_name(spry_matrix_format(matrix)),
           spry_type_name(spry_matrix_type(matrix)), spry_index_name(spry_matrix_index(matrix)));
}

/* Which machine's prices the format was chosen by. */
static void print_profile(const struct run *run) {
    const struct workplace *place = run->system.place;
    if (place->options->format != SPRY_AUTO)
        return;
    begin_line("profile");
    printf("%s\n", spry_profile_machine(place->context));
}

/* A line with a name, and why it was chosen if it was. */
static void print_choice(const char *title, const char *name, const char *why) {
    begin_line(title);
    printf(why ? "%s, as %s\n" : "%s\n", name, why);
}

static void print_solver(const struct run *run) {
    const struct choice *choice = &run->choice;
    const spry_solver_options *options = &run->system.place->options->solver;
    bool plain = choice->precond == SPRY_PRECOND_COUNT;
    print_choice("solver", spry_method_name(choice->method), choice->why_method);
    print_choice("precond", plain ? "none" : spry_precond_name(choice->precond), choice->why_precond);
    begin_line("until");
    printf("|b - A x| is at most ");
    if (options->relative > 0.0)
        printf("%g |b|", options->relative);
    if (options->absolute > 0.0)
        printf("%s%g", options->relative > 0.0 ? " or " : "", options->absolute);
    putchar('\n');
}

void report_heading(const struct run *run) {
    print_matrix(run);
    print_machine(run);
    print_profile(run);
    print_solver(run);
    putchar('\n');
    fflush(stdout);
}

/* ---- after it ---- */

/* A norm, and what part of |b| it is. */
static void print_residual(const struct run *run) {
    const spry_solve_result *result = &run->result;
    begin_line("residual");
    printf("%s", number_tiny(result->residual).text);
    if (result->norm_b > 0.0)
        printf(" = %s |b|", number_tiny(result->residual / result->norm_b).text);
    printf("; the method's own estimate is %s\n", number_tiny(result->estimate).text);
}

static void print_seconds(const char *what, double seconds) {
    bool small = seconds < 1.0;
    printf("%s%s %s", what, number_short(small ? seconds * 1e3 : seconds).text, small ? "ms" : "s");
}

static void print_setup(const struct run *run) {
    begin_line("setup");
    print_seconds("", run_setup_seconds(run));
    print_seconds(": conversion ", run->system.seconds);
    if (run->precond) {
        double shift = spry_precond_shift(run->precond);
        print_seconds(", preconditioner ", run->precond_seconds);
        if (shift > 0.0)
            printf(" (diagonal shifted by %s)", number_tiny(shift).text);
    }
    print_seconds(", workspace ", run->solver_seconds);
    putchar('\n');
}

static void print_solve(const struct run *run) {
    int64_t iterations = run->result.iterations;
    begin_line("solve");
    print_seconds("", run->solve_seconds);
    if (iterations > 0) {
        print_seconds(", ", run->solve_seconds / (double)iterations);
        printf(" an iteration");
    }
    putchar('\n');
}

static void print_history(const struct plot *plot) {
    printf("\niteration  residual\n");
    for (int64_t i = 0; i < plot->count; i++)
        printf("%9" PRId64 "  %.6e\n", i, plot->norms[i]);
}

void report_summary(const struct run *run) {
    const spry_solve_result *result = &run->result;
    begin_line("outcome");
    printf("%s, %s iteration%s\n", spry_outcome_string(result->outcome),
           number_count(result->iterations).text, result->iterations == 1 ? "" : "s");
    print_residual(run);
    if (!isnan(run->error)) {
        begin_line("error");
        printf("%s of the exact solution's norm\n", number_tiny(run->error).text);
    }
    print_setup(run);
    print_solve(run);
    if (run->system.place->options->history)
        print_history(&run->plot);
}
