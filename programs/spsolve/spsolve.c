/* SPDX-License-Identifier: BSD-3-Clause */
/* Solve sparse systems by iteration: see docs/spsolve.md. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/complain.h"
#include "common/disabled.h"
#include "common/failure.h"
#include "common/interrupt.h"
#include "common/output.h"
#include "common/profile.h"
#include "spsolve/report.h"

/* How a matrix did, from good to bad; the worst of them is how the program ends. CUT_SHORT: by Ctrl-C. */
enum ending { CONVERGED, NOT_CONVERGED, FAILED, CUT_SHORT };

static const int exit_status[] = {[CONVERGED] = EXIT_SUCCESS, [NOT_CONVERGED] = 2, [FAILED] = EXIT_FAILURE};

/* A complaint, and what it comes to. */
static enum ending fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static enum ending fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain_list(format, arguments);
    va_end(arguments);
    return FAILED;
}

static enum ending ending_of(const struct run *run) {
    if (run->cut_short)
        return CUT_SHORT;
    return run_last(run)->end == SPRY_CONVERGED ? CONVERGED : NOT_CONVERGED;
}

/* The x that was found goes to the file however the solve ended; the exit status says how. */
static bool keep_solution(struct run *run) {
    return !run->system.place->options->output || system_write(&run->system);
}

static enum ending solve_for_program(const struct workplace *place, const char *input) {
    struct run run;
    bool good = run_prepare(&run, place, input) && run_solve(&run, false) && keep_solution(&run);
    int failed = good ? report_json(&run) : report_json_failure(&run.system);
    enum ending ending = good ? ending_of(&run) : FAILED;
    run_close(&run);
    return failed ? fail("%s: no memory for the report", input) : ending;
}

static enum ending show(struct run *run) {
    bool plot = run->system.place->options->plot;
    report_heading(run);
    bool good = run_solve(run, plot);
    if (plot && run->plot.count > 0)
        plot_finish(&run->plot);
    if (!good)
        return fail("%s", run->system.message);
    report_summary(run);
    if (!keep_solution(run))
        return fail("%s", run->system.message);
    return ending_of(run);
}

static enum ending solve_for_person(const struct workplace *place, const char *input) {
    struct run run;
    enum ending ending = run_prepare(&run, place, input) ? show(&run) : fail("%s", run.system.message);
    run_close(&run);
    return ending;
}

/* A comparison has ended well when a method converged. */
static enum ending compare(const struct workplace *place, const char *input) {
    struct comparison comparison;
    bool json = place->options->json, good = comparison_prepare(&comparison, place, input);
    if (good && !json)
        report_comparison_heading(&comparison);
    good = good && comparison_run(&comparison);
    int failed = 0;
    if (json)
        failed = good ? report_json_comparison(&comparison) : report_json_failure(&comparison.system);
    else if (good)
        failed = report_comparison(&comparison);
    enum ending ending = comparison_fastest(&comparison) ? CONVERGED : NOT_CONVERGED;
    if (!good)
        ending = json ? FAILED : fail("%s", comparison.system.message);
    else if (comparison_was_cut_short(&comparison))
        ending = CUT_SHORT;
    comparison_close(&comparison);
    return failed ? fail("%s: no memory for the report", input) : ending;
}

static enum ending solve_input(const struct workplace *place, const char *input) {
    const struct solve_options *options = place->options;
    return options->compare ? compare(place, input)
           : options->json  ? solve_for_program(place, input)
                            : solve_for_person(place, input);
}

static enum ending solve_inputs(const struct workplace *place) {
    const struct solve_options *options = place->options;
    enum ending ending = CONVERGED;
    for (int i = 0; i < options->input_count && !interrupt_seen(); i++) {
        if (i > 0 && !options->json)
            putchar('\n');
        enum ending one = solve_input(place, options->inputs[i]);
        ending = one > ending ? one : ending;
        fflush(stdout);
        if (interrupt_seen() && i + 1 < options->input_count) {
            complain("interrupted: %d of %d matrices were not begun", options->input_count - i - 1,
                     options->input_count);
            ending = CUT_SHORT;
        }
    }
    return ending;
}

/* What the choice of a format goes by. */
static bool load_profile(const struct workplace *place) {
    const struct solve_options *options = place->options;
    char note[1024] = "";
    spry_status status = SPRY_OK;
    if (options->profile || options->storage.format == SPRY_AUTO)
        status = profile_load(place->context, options->profile, note, sizeof note);
    if (status != SPRY_OK)
        complain("%s", failure_text(place->context, status));
    else if (note[0])
        complain("%s", note);
    return status == SPRY_OK;
}

static enum ending solve_there(const struct workplace *place) {
    return load_profile(place) ? solve_inputs(place) : FAILED;
}

/* On a GPU it is solved in a context of its own. */
static enum ending solve_on_gpu(struct workplace *place) {
    spry_context_options choices = {
        .size = sizeof choices, .backend = SPRY_CUDA, .threads = place->options->threads};
    char reason[256];
    if (spry_cuda_devices(reason, sizeof reason) == 0)
        return fail("%s", reason);
    spry_status status = spry_context_create(&place->context, &choices);
    if (status != SPRY_OK)
        return fail("the GPU cannot be used: %s", spry_status_string(status));
    enum ending ending = solve_there(place);
    spry_context_destroy(place->context);
    return ending;
}

/* x takes standard output for itself, and all that is printed goes to standard error. Returns x's descriptor,
   or -1. */
static int keep_standard_output(void) {
    int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return kept >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 ? kept : -1;
}

static enum ending solve(const struct solve_options *options) {
    struct workplace place = {.options = options, .standard = STDOUT_FILENO};
    spry_context_options choices = {.size = sizeof choices, .threads = options->threads};
    if (options->output && output_is_standard(options->output) &&
        (place.standard = keep_standard_output()) < 0)
        return fail("standard output: %s", strerror(errno));
    spry_status status = spry_context_create(&place.host, &choices);
    if (status != SPRY_OK)
        return fail("%s: check --threads", spry_status_string(status));
    char note[256];
    disabled_note(note, sizeof note);
    if (*note)
        complain("%s", note);
    place.context = place.host;
    enum ending ending = options->backend == SPRY_CUDA ? solve_on_gpu(&place) : solve_there(&place);
    spry_context_destroy(place.host);
    return ending;
}

int main(int argc, char **argv) {
    struct solve_options options;
    int error = solve_options_read(argc, argv, &options);
    if (error != 0)
        return exit_status[fail("%s", strerror(error))];
    /* A curve that is redrawn is written at one go. */
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    interrupt_catch("spsolve");
    enum ending ending = solve(&options);
    free(options.inputs);
    if (!output_close())
        ending = FAILED;
    /* Where Ctrl-C came when nothing was left to be cut short, all is as without it. */
    return ending == CUT_SHORT ? interrupt_status() : exit_status[ending];
}
