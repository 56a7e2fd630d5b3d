/* SPDX-License-Identifier: BSD-3-Clause */
/* Compare the storage formats on given matrices: see docs/spbench.md. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "list.h"
#include "machine.h"
#include "measure.h"
#include "options.h"
#include "progress.h"
#include "report.h"

/* One line on standard error; returns false, as what failed did. */
static bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool complain(const char *format, ...) {
    va_list arguments;
    progress_clear();
    va_start(arguments, format);
    fputs("spbench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return false;
}

static bool print_report(const struct report *report) {
    switch (report->options->output) {
    case OUTPUT_JSON:
        if (report_print_json(report) != 0)
            return complain("%s: no memory for the report", report->source->file);
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
            right = complain("%s: %s: %s", report->source->file, result->kernel, result->message);
    }
    return right;
}

/* What all inputs share. */
struct machine {
    spry_context *context;
    const struct options *options;
    char cpu[128];
    struct bandwidth bandwidth; /* measured when there is a first matrix to hold against it */
};

static bool bench_source(struct machine *machine, struct source *source) {
    struct report report = {.options = machine->options, .source = source, .cpu = machine->cpu};
    spry_status status = measure_formats(machine->context, source, &machine->bandwidth, &report);
    bool good = status == SPRY_OK;
    if (good)
        good = print_report(&report) && check_results(&report);
    else
        complain("%s: %s", source->file, failure_text(machine->context, status));
    free(report.results);
    return good;
}

static bool measure_bandwidth(struct machine *machine) {
    if (machine->bandwidth.buffer)
        return true;
    progress_show("measuring the read bandwidth");
    if (bandwidth_measure(spry_context_threads(machine->context), &machine->bandwidth) != 0)
        return complain("no memory to measure the read bandwidth with");
    return true;
}

static bool bench_input(struct machine *machine, const char *input) {
    struct source source;
    char message[1024];
    progress_show("%s: reading", input);
    if (source_open(machine->context, input, machine->options, &source, message, sizeof message) != SPRY_OK)
        return complain("%s", message);
    if (measure_bandwidth(machine))
        return bench_source(machine, &source);
    spry_matrix_destroy(source.matrix);
    return false;
}

static bool bench_inputs(spry_context *context, const struct options *options) {
    struct machine machine = {.context = context, .options = options};
    bool good = true;
    machine_cpu(machine.cpu, sizeof machine.cpu);
    if (options->output == OUTPUT_CSV)
        report_print_csv_heading();
    for (int i = 0; i < options->input_count; i++)
        good &= bench_input(&machine, options->inputs[i]);
    bandwidth_free(&machine.bandwidth);
    return good;
}

static bool run(const struct options *options) {
    spry_context *context;
    spry_context_options choices = {.threads = options->threads};
    spry_status status = spry_context_create(&context, &choices);
    if (status != SPRY_OK)
        return complain("%s: check --threads", spry_status_string(status));
    bool good;
    if (options->list)
        good = list_kernels(context) == SPRY_OK || complain("no memory for the list");
    else
        good = bench_inputs(context, options);
    spry_context_destroy(context);
    return good;
}

int main(int argc, char **argv) {
    struct options options;
    int error = options_read(argc, argv, &options);
    if (error != 0)
        return complain("%s", strerror(error)) ? EXIT_SUCCESS : EXIT_FAILURE;
    bool good = run(&options);
    free(options.inputs);
    if (ferror(stdout) | (fclose(stdout) != 0))
        good = complain("standard output: cannot be written to");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
