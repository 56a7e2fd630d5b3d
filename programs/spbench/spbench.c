/* SPDX-License-Identifier: BSD-3-Clause */
/* Compare the storage formats on given matrices: see docs/spbench.md. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "common/columns.h"
#include "common/complain.h"
#include "common/disabled.h"
#include "common/failure.h"
#include "common/interrupt.h"
#include "common/json.h"
#include "common/machine.h"
#include "common/output.h"
#include "common/profile.h"
#include "common/progress.h"
#include "cusparse/peer_library.h"
#include "spbench/calibrate.h"
#include "spbench/compare.h"
#include "spbench/list.h"
#include "spbench/measure.h"
#include "spbench/options.h"
#include "spbench/page.h"
#include "spbench/replace.h"
#include "spbench/report_json.h"
#include "spbench/scaling.h"
#include "spbench/summary.h"

static bool print_report(const struct report *report) {
    switch (report->options->output) {
    case OUTPUT_JSON:
        if (json_print_line(report_json(report)) != 0)
            return complain("%s: no memory for the report", source_shown(report->source));
        break;
    case OUTPUT_CSV:
        report_print_csv(report);
        break;
    case OUTPUT_TABLE:
        report_print_table(report);
        break;
    }
    fflush(stdout);
    return true;
}

/* A row whose product is wrong is a failure of the run; one whose format was not built is not. */
static bool check_results(const struct report *report) {
    bool right = true;
    for (int i = 0; i < report->result_count; i++) {
        const struct result *result = &report->results[i];
        if (result->inaccurate)
            right = complain("%s: %s%s%s: %s", source_shown(report->source), result->peer ? result->peer : "",
                             result->peer ? " " : "", result->kernel, result->message);
    }
    return right;
}

/* What all inputs share. */
struct machine {
    spry_context *context; /* on the CPU: reads and checks, wherever products are measured */
    const struct options *options;
    char cpu[128];
    struct place places[SPRY_BACKEND_COUNT];
    int place_count;
    struct summary summary[SPRY_BACKEND_COUNT]; /* by backend */
    struct page page;                           /* of --html */
    bool interrupted;
};

static void sum_up(struct machine *machine, const struct report *report) {
    for (int i = 0; i < report->place_count; i++) {
        spry_backend backend = report->places[i].backend;
        summary_add(&machine->summary[backend], report, backend);
    }
}

static void print_summaries(const struct machine *machine) {
    for (int i = 0; i < machine->place_count; i++) {
        spry_backend backend = machine->places[i].backend;
        summary_print(&machine->summary[backend], backend);
    }
}

/* Ctrl-C came: say what it cut short, and what there is all the same. */
static bool stop(struct machine *machine, const struct report *report, int left) {
    char rest[64] = "", rows[64] = "no row of it is done";
    machine->interrupted = true;
    if (report->result_count > 0)
        snprintf(rows, sizeof rows, "%d of its rows %s done", report->result_count,
                 report->result_count == 1 ? "is" : "are");
    if (left > 0)
        snprintf(rest, sizeof rest, "; %d more input%s not begun", left, left == 1 ? " was" : "s were");
    char text[512];
    snprintf(text, sizeof text, "interrupted during '%s': %s%s", report->interrupted, rows, rest);
    page_note(&machine->page, text);
    return complain("%s", text);
}

/* ---- the page of --html ---- */

/* The pattern of a report is the page's from now on. */
static bool put_on_page(struct machine *machine, struct report *report) {
    struct pattern *pattern = report->pattern;
    report->pattern = NULL;
    return !machine->options->html || page_add(&machine->page, report_json(report), pattern) ||
           complain("%s: no memory for the report", source_shown(report->source));
}

/* Hours of measuring are not to end at a name that cannot be written to. */
static bool check_page(const struct options *options) {
    int error = options->html ? replace_check(options->html) : 0;
    for (int i = 0; options->html && i < options->input_count; i++)
        if (source_is_of(options->inputs[i], options->html))
            return complain("%s: it is read from, so no report is written there", options->html);
    return error == 0 || complain("%s: no report can be written there: %s", options->html, strerror(error));
}

static bool write_page(struct machine *machine) {
    const char *path = machine->options->html;
    if (!path)
        return true;
    if (machine->page.count == 0)
        return complain("%s: not written, as nothing was measured", path);
    machine->page.command = machine->options->command;
    int error = page_write(&machine->page, path);
    if (error == 0 && machine->options->output == OUTPUT_TABLE)
        columns_whole("report", path);
    return error == 0 || complain("%s: the report cannot be written: %s", path, strerror(error));
}

/* ---- matrices ---- */

static struct report begin_report(struct machine *machine, const struct source *source) {
    return (struct report){
        .options = machine->options,
        .source = source,
        .cpu = machine->cpu,
        .places = machine->places,
        .place_count = machine->place_count,
    };
}

static bool is_to_be_printed(const struct report *report, spry_status status) {
    return status == SPRY_OK || (status == INTERRUPTED && report->result_count > 0);
}

/* What is left to be said of a report whose rows are printed, if any. */
static bool end_report(struct machine *machine, const struct report *report, spry_status status,
                       const char *message, int left) {
    if (status == INTERRUPTED)
        return stop(machine, report, left);
    if (status == SPRY_OK)
        return true;
    char text[1280];
    snprintf(text, sizeof text, "%s: %s", source_shown(report->source), message);
    page_note(&machine->page, text);
    return complain("%s", text);
}

static bool bench_source(struct machine *machine, struct source *source, int left) {
    struct report report = begin_report(machine, source);
    char message[1024];
    bool good = true;
    spry_status status = measure_formats(machine->context, source, &report, message, sizeof message);
    if (status == SPRY_OK)
        sum_up(machine, &report);
    if (is_to_be_printed(&report, status)) {
        bool printed = print_report(&report);
        good = check_results(&report) && printed;
        good &= put_on_page(machine, &report);
    }
    good &= end_report(machine, &report, status, message, left);
    free(report.pattern);
    free(report.results);
    return good;
}

static bool print_scaling(const struct scaling *scaling) {
    if (scaling->report.options->output == OUTPUT_TABLE)
        scaling_print_table(scaling);
    else if (scaling_print_json(scaling) != 0)
        return complain("%s: no memory for the report", source_shown(scaling->report.source));
    fflush(stdout);
    return true;
}

/* Without a number, all that there may be. */
static int most_threads(const struct machine *machine) {
    int all = spry_context_threads(machine->context), limit = omp_get_thread_limit();
    if (machine->options->scaling_most > 0)
        return machine->options->scaling_most;
    return all < limit ? all : limit;
}

static bool check_threads(const struct options *options) {
    return options->scaling_most <= omp_get_thread_limit() ||
           complain("--scaling=%d: OMP_THREAD_LIMIT allows %d", options->scaling_most,
                    omp_get_thread_limit());
}

static bool scale_source(struct machine *machine, struct source *source, int left) {
    struct scaling scaling = {
        .report = begin_report(machine, source),
        .most = most_threads(machine),
        .processors = omp_get_num_procs(),
    };
    char message[1024];
    bool good = true;
    spry_status status = scaling_measure(machine->context, source, &scaling, message, sizeof message);
    if (is_to_be_printed(&scaling.report, status)) {
        bool printed = print_scaling(&scaling);
        good = check_results(&scaling.report) && printed;
    }
    good &= end_report(machine, &scaling.report, status, message, left);
    scaling_free(&scaling);
    return good;
}

/* `left` inputs come after this one. */
static bool bench_input(struct machine *machine, const char *input, int left) {
    struct source source;
    char message[1024];
    progress_show("%s: reading", input);
    if (source_open(machine->context, input, &machine->options->reading, &source, message, sizeof message) !=
        SPRY_OK) {
        page_note(&machine->page, message);
        return complain("%s", message);
    }
    return machine->options->scaling ? scale_source(machine, &source, left)
                                     : bench_source(machine, &source, left);
}

static bool open_cpu(struct machine *machine) {
    if (!place_open_cpu(&machine->places[0], machine->context))
        return complain("%s", machine->places[0].message);
    machine->places[0].seconds = machine->options->min_time;
    machine->place_count = 1;
    return true;
}

/* Beside the CPU, a GPU that is not there is worth a note and no more; alone, it is a failure. */
static bool open_gpu(struct machine *machine) {
    struct place *gpu = &machine->places[machine->place_count];
    if (!place_open_gpu(gpu, machine->options->threads)) {
        complain("%s%s", gpu->message, machine->place_count > 0 ? "; measuring the CPU alone" : "");
        return machine->place_count > 0;
    }
    machine->place_count++;
    if (machine->options->peers)
        gpu->library = peer_library_open(gpu);
    if (gpu->message[0]) {
        complain("%s", gpu->message);
        gpu->message[0] = '\0';
    }
    return true;
}

static bool open_places(struct machine *machine) {
    unsigned backends = machine->options->backends;
    return (!(backends & (1u << SPRY_CPU)) || open_cpu(machine)) &&
           (!(backends & (1u << SPRY_CUDA)) || open_gpu(machine));
}

/* A file that is named is of one backend, and so is what is measured with it. Calibration starts from the library's own
   profile: what an earlier one found is not to weigh in. */
static bool load_profiles(struct machine *machine) {
    const struct options *options = machine->options;
    for (int i = 0; i < machine->place_count && (options->profile || !options->calibrate); i++) {
        spry_context *context = machine->places[i].context;
        char note[1024];
        spry_status status = profile_load(context, options->profile, note, sizeof note);
        if (status != SPRY_OK)
            return complain("%s", failure_text(context, status));
        if (note[0])
            complain("%s", note);
    }
    return true;
}

static bool bench_inputs(struct machine *machine) {
    const struct options *options = machine->options;
    bool good = true;
    if (options->output == OUTPUT_CSV)
        report_print_csv_heading();
    for (int i = 0; i < options->input_count && !machine->interrupted; i++)
        good &= bench_input(machine, options->inputs[i], options->input_count - 1 - i);
    if (options->output == OUTPUT_TABLE)
        print_summaries(machine);
    return write_page(machine) && good;
}

static bool calibrate_machine(struct machine *machine) {
    char message[1024];
    return calibrate(machine->context, &machine->places[0], machine->options, message, sizeof message) ||
           complain("%s", message);
}

static void close_place(struct place *place) {
    if (place->library)
        place->library->close(place);
    place->close(place);
}

static bool work(spry_context *context, const struct options *options) {
    struct machine machine = {.context = context, .options = options};
    bool good =
        check_threads(options) && check_page(options) && open_places(&machine) && load_profiles(&machine);
    machine_cpu(machine.cpu, sizeof machine.cpu);
    if (good)
        good = options->calibrate ? calibrate_machine(&machine) : bench_inputs(&machine);
    for (int i = 0; i < machine.place_count; i++)
        close_place(&machine.places[i]);
    page_free(&machine.page);
    return good;
}

static bool list(spry_context *context) {
    spry_context *contexts[SPRY_BACKEND_COUNT] = {[SPRY_CPU] = context};
    /* Without a GPU there is none, and no kernel of its runs here. */
    (void)spry_context_create(
        &contexts[SPRY_CUDA],
        &(spry_context_options){.size = sizeof(spry_context_options), .backend = SPRY_CUDA});
    spry_status status = list_kernels(contexts);
    spry_context_destroy(contexts[SPRY_CUDA]);
    return status == SPRY_OK || complain("no memory for the list");
}

static bool compare(const struct options *options) {
    char message[1024];
    if (!check_page(options))
        return false;
    return compare_files(options, message, sizeof message) || complain("%s", message);
}

static bool run(const struct options *options) {
    if (options->compare)
        return compare(options);
    spry_context *context;
    spry_context_options choices = {.size = sizeof choices, .threads = options->threads};
    spry_status status = spry_context_create(&context, &choices);
    if (status != SPRY_OK)
        return complain("cannot begin: %s", spry_status_string(status));
    char note[256];
    disabled_note(note, sizeof note);
    if (*note)
        complain("%s", note);
    bool good = options->list ? list(context) : work(context, options);
    spry_context_destroy(context);
    return good;
}

int main(int argc, char **argv) {
    struct options options;
    int error = options_read(argc, argv, &options);
    if (error != 0) {
        complain("%s", strerror(error));
        return EXIT_FAILURE;
    }
    interrupt_catch("spbench");
    bool good = run(&options);
    free(options.inputs);
    free(options.command);
    good &= output_close();
    /* Where Ctrl-C came when nothing was left to be cut short, all is as without it. */
    return good ? EXIT_SUCCESS : interrupt_seen() ? interrupt_status() : EXIT_FAILURE;
}
