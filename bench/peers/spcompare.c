/* SPDX-License-Identifier: BSD-3-Clause */
/* Compare Spry's products with those of other libraries: see docs/benchmarks.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/complain.h"
#include "common/failure.h"
#include "common/machine.h"
#include "common/output.h"
#include "common/progress.h"
#include "common/source.h"
#include "peers/command.h"
#include "peers/output.h"

/* One run: what was asked for, and what came of it so far. */
struct run {
    const struct command *command;
    spry_context *context;
    struct lineup lineup;
    struct setting setting;
    struct contest *contests; /* room for one per input */
    int count;
};

/* The input as CSR with 32-bit indices, which all peers can take; null after a complaint. */
static spry_matrix *open_csr(struct run *run, const char *input, char *name, size_t size) {
    const struct source_options options = {
        .type = run->command->product.type, .index_set = true, .index = SPRY_I32};
    struct source source;
    spry_matrix *csr = NULL;
    char message[1024];
    if (source_open(run->context, input, &options, &source, message, sizeof message) != SPRY_OK) {
        complain("%s", message);
        return NULL;
    }
    snprintf(name, size, "%s", source.name);
    spry_status status = spry_convert(run->context, source.matrix, SPRY_CSR, NULL, &csr);
    if (status != SPRY_OK)
        complain("%s: %s", input, failure_text(run->context, status));
    spry_matrix_destroy(source.matrix);
    return csr;
}

static bool compare_matrix(struct run *run, const spry_matrix *csr, struct contest *contest) {
    bool right = true;
    spry_status status =
        contest_run(run->context, csr, run->command->product.op, &run->lineup, &run->setting.rules, contest);
    progress_clear();
    if (status != SPRY_OK)
        return complain("%s: %s", contest->name, spry_status_string(status));
    table_row(&run->lineup, contest);
    for (int i = 0; i < run->lineup.count; i++)
        if (contest->outcome[i].status == OUTCOME_WRONG)
            right = complain("%s: %s: error %.2g: %s", contest->name, run->lineup.peer[i]->name,
                             contest->outcome[i].error, contest->outcome[i].message);
    run->count++;
    return right;
}

/* A folder may hold files that cannot be compared, such as complex ones: that fails only what was named. */
static bool compare_input(struct run *run, int i) {
    const struct input *input = &run->command->inputs[i];
    struct contest *contest = &run->contests[run->count];
    bool good = true;
    *contest = (struct contest){0};
    progress_show("[%d of %d] reading %s", i + 1, run->command->input_count, input->path);
    spry_matrix *csr = open_csr(run, input->path, contest->name, sizeof contest->name);
    if (!csr)
        return !input->named;
    contest->counted = spry_matrix_nnz(csr) > run->setting.min_nnz;
    if (contest->counted || input->named)
        good = compare_matrix(run, csr, contest);
    spry_matrix_destroy(csr);
    return good;
}

static bool finish(const struct run *run) {
    struct standings standings;
    const char *json = run->command->json;
    progress_clear();
    if (standings_make(run->contests, run->count, &run->lineup, &standings) != SPRY_OK)
        return complain("out of memory");
    table_standings(&run->lineup, &standings);
    if (json && json_write(json, &run->setting, &run->lineup, run->contests, run->count, &standings) != 0)
        return complain("%s: could not be written", json);
    return true;
}

static bool compare_all(struct run *run) {
    bool good = true;
    lineup_start(&run->lineup, run->command->product, run->setting.threads, run->command->skip);
    table_head(&run->lineup, &run->setting);
    for (int i = 0; i < run->command->input_count; i++)
        good &= compare_input(run, i);
    good &= finish(run);
    lineup_stop(&run->lineup);
    return good;
}

static bool run_command(const struct command *command) {
    struct run run = {.command = command};
    spry_context_options choices = {.size = sizeof choices, .threads = command->threads};
    char cpu[128];
    spry_status status = spry_context_create(&run.context, &choices);
    if (status != SPRY_OK)
        return complain("%s: check --threads", spry_status_string(status));
    machine_cpu(cpu, sizeof cpu);
    run.setting = (struct setting){cpu, command->product, command->threads, command->min_nnz, command->rules};
    run.contests = malloc((size_t)command->input_count * sizeof *run.contests);
    bool good = run.contests ? compare_all(&run) : complain("out of memory");
    free(run.contests);
    spry_context_destroy(run.context);
    return good;
}

int main(int argc, char **argv) {
    struct command command;
    int error = command_read(argc, argv, &command);
    bool good = error == 0 ? run_command(&command) : complain("%s", strerror(error));
    command_free(&command);
    return output_close() && good ? EXIT_SUCCESS : EXIT_FAILURE;
}
