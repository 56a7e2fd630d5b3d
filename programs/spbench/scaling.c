/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/scaling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/failure.h"
#include "common/interrupt.h"
#include "common/memory.h"
#include "common/number.h"
#include "common/profile.h"
#include "common/progress.h"
#include "spbench/bench.h"
#include "spbench/blocks.h"

/* ---- what the rows say ---- */

/* Powers of two up to the most threads of a context, and one number between two of them. */
#define STEPS_MOST 10

int scaling_next(int threads, int most) {
    if (threads >= most)
        return 0;
    return 2 * threads < most ? 2 * threads : most;
}

static const struct result *find_first(const struct scaling *scaling, const struct scaling_row *row) {
    for (int i = 0; i < scaling->report.result_count; i++) {
        const struct scaling_row *other = &scaling->rows[i];
        if (other->threads == 1 && other->kind == row->kind && other->storage == row->storage)
            return &scaling->report.results[i];
    }
    return NULL;
}

struct scaling_figures scaling_figures(const struct scaling *scaling, int i) {
    const struct scaling_row *row = &scaling->rows[i];
    const struct result *result = &scaling->report.results[i], *first = find_first(scaling, row);
    struct scaling_figures figures = {.known = false};
    if (!first || !report_is_ok(first) || !report_is_ok(result))
        return figures;
    int copies = row->kind == SCALING_WEAK ? row->threads : 1;
    figures.known = true;
    figures.certain = result == first || (!report_is_noisy(first) && !report_is_noisy(result));
    figures.speed_up = copies * first->seconds.median / result->seconds.median;
    figures.efficiency = figures.speed_up / row->threads;
    figures.read_speed_up = result->roof_gbs / first->roof_gbs;
    figures.vs_reads = figures.speed_up / figures.read_speed_up;
    return figures;
}

/* ---- one matrix with so many threads ---- */

/* All of it. */
struct run {
    spry_context *host;
    struct scaling *scaling;
    spry_matrix *csr;
    spry_context *context;                      /* with so many threads */
    struct place place;                         /* that context's */
    bool gone[SCALING_KINDS][OPTIONS_STORAGES]; /* a storage that failed has no more rows of that kind */
};

static void add_row(struct scaling *scaling, struct scaling_row row, struct result result) {
    struct report *report = &scaling->report;
    scaling->rows[report->result_count] = row;
    report->results[report->result_count++] = result;
}

static spry_status convert(spry_context *context, const spry_matrix *csr, const spry_storage *storage,
                           spry_op op, spry_matrix **matrix) {
    spry_status status = spry_convert_to(context, csr, storage, NULL, matrix);
    return status ? status : spry_reserve(context, *matrix, op);
}

/* A storage that cannot be made is a row that says so; only the want of memory for many copies is more than that. */
static spry_status measure_storage(struct run *run, const struct bench *bench, struct scaling_row row) {
    struct scaling *scaling = run->scaling;
    const spry_storage *storage = &scaling->storages[row.storage];
    struct result result = row_of_nothing(storage);
    bool named = result.named;
    spry_matrix *matrix = NULL;
    progress_show("%s: timing %s, %d thread%s%s", scaling->report.source->name, result.storage, row.threads,
                  number_plural(row.threads), row.kind == SCALING_WEAK ? ", as many copies" : "");
    spry_status status = convert(run->context, bench->subject->csr, storage, bench->subject->op, &matrix);
    if (status == SPRY_OK)
        result = row_of_product(bench, matrix, NULL, 0.0);
    else
        row_fail(bench, &result, status);
    spry_matrix_destroy(matrix);
    if (result.status == INTERRUPTED ||
        (result.status == SPRY_ERROR_MEMORY && row.kind == SCALING_WEAK && row.threads > 1))
        return result.status;
    result.named = named;
    run->gone[row.kind][row.storage] = !report_is_ok(&result);
    add_row(scaling, row, result);
    return SPRY_OK;
}

static spry_status measure_storages(struct run *run, const struct bench *bench, int kind, int threads) {
    spry_status status = SPRY_OK;
    for (int i = 0; i < run->scaling->storage_count && status == SPRY_OK; i++)
        if (interrupt_seen())
            status = INTERRUPTED;
        else if (!run->gone[kind][i])
            status = measure_storage(run, bench, (struct scaling_row){kind, threads, i});
    return status;
}

/* A matrix in CSR in all storages, built and multiplied by so many threads. */
static spry_status measure_matrix(struct run *run, const spry_matrix *csr, int kind, int threads) {
    struct report *report = &run->scaling->report;
    struct subject subject;
    struct bench bench = {.place = &run->place, .report = report, .subject = &subject};
    spry_status status = subject_open(run->context, csr, report->options->op, &subject);
    if (status == SPRY_OK)
        status = bench_open_vectors(&bench);
    if (status == SPRY_OK)
        status = measure_storages(run, &bench, kind, threads);
    bench_close_vectors(&bench);
    subject_close(&subject);
    return status;
}

/* ---- copies of it ---- */

/* The matrix is one copy of itself: what was measured of it need not be so again. */
static void copy_rows(struct run *run) {
    struct scaling *scaling = run->scaling;
    int count = scaling->report.result_count;
    for (int i = 0; i < count; i++) {
        struct scaling_row row = scaling->rows[i];
        row.kind = SCALING_WEAK;
        run->gone[row.kind][row.storage] = run->gone[SCALING_STRONG][row.storage];
        if (!run->gone[row.kind][row.storage])
            add_row(scaling, row, scaling->report.results[i]);
    }
}

/* Bytes for so many copies: in CSR, in the largest storage, as much again while that is made, and vectors: two of x and
   three of y, and the exact product in four numbers a value. */
static double bytes_of_copies(const struct run *run, int copies) {
    const struct report *report = &run->scaling->report;
    size_t value = spry_type_size(report->options->reading.type), largest = 0;
    for (int i = 0; i < report->result_count; i++)
        if (run->scaling->rows[i].threads == 1 && report->results[i].bytes > largest)
            largest = report->results[i].bytes;
    double x = (double)report->cols, y = (double)report->rows;
    if (report->options->op == SPRY_T)
        x = (double)report->rows, y = (double)report->cols;
    return copies * ((double)spry_matrix_bytes(run->csr) + 2.0 * (double)largest + 2.0 * x * (double)value +
                     y * (3.0 * (double)value + 4.0 * sizeof(double)));
}

/* Whether there may be so many copies; where not, that is noted, and this was the last number of them. */
static bool fit(struct run *run, int copies) {
    struct scaling *scaling = run->scaling;
    double bytes = bytes_of_copies(run, copies), available = memory_available();
    if (scaling->stopped[0] || !blocks_fit(run->csr, copies, scaling->stopped, sizeof scaling->stopped))
        return false;
    if (bytes > available)
        snprintf(scaling->stopped, sizeof scaling->stopped,
                 "%d copies would take %s of memory, and %s are available", copies, number_bytes(bytes).text,
                 number_bytes(available).text);
    return bytes <= available;
}

static spry_status measure_copies(struct run *run, int copies) {
    struct scaling *scaling = run->scaling;
    struct blocks blocks = {.matrix = NULL};
    progress_show("%s: making %d copies", scaling->report.source->name, copies);
    spry_status status = blocks_make(run->context, run->csr, copies, &blocks);
    if (status == SPRY_OK)
        status = measure_matrix(run, blocks.matrix, SCALING_WEAK, copies);
    blocks_free(&blocks);
    if (status != SPRY_ERROR_MEMORY)
        return status;
    snprintf(scaling->stopped, sizeof scaling->stopped, "there is no memory for %d copies", copies);
    return SPRY_OK;
}

/* ---- a number of threads ---- */

/* That a calibrated profile cannot be used has been said of the program's first context. */
static spry_status open_context(struct run *run, int threads) {
    char note[1024];
    spry_context_options options = {.size = sizeof options, .threads = threads};
    spry_status status = spry_context_create(&run->context, &options);
    if (status == SPRY_OK)
        status = profile_load(run->context, run->scaling->report.options->profile, note, sizeof note);
    return status;
}

static spry_status open_threads(struct run *run, int threads) {
    progress_show("%s: reading memory with %d thread%s", run->scaling->report.source->name, threads,
                  number_plural(threads));
    spry_status status = open_context(run, threads);
    if (status == SPRY_OK && !place_open_cpu(&run->place, run->context))
        status = SPRY_ERROR_MEMORY;
    run->place.seconds = run->scaling->report.options->min_time;
    if (status == SPRY_OK)
        status = run->place.open_memory(&run->place);
    return status;
}

static void close_threads(struct run *run) {
    if (run->place.close)
        run->place.close(&run->place);
    spry_context_destroy(run->context);
    run->place = (struct place){.context = NULL};
    run->context = NULL;
}

static spry_status measure_threads(struct run *run, int threads) {
    spry_status status = open_threads(run, threads);
    if (status == SPRY_OK)
        status = measure_matrix(run, run->csr, SCALING_STRONG, threads);
    if (status == SPRY_OK && threads == 1)
        copy_rows(run);
    else if (status == SPRY_OK && fit(run, threads))
        status = measure_copies(run, threads);
    return status;
}

/* ---- which storages ---- */

static spry_status pick_storage(struct run *run) {
    struct scaling *scaling = run->scaling;
    spry_convert_options options = {.size = sizeof options, .products = scaling->report.options->products};
    spry_storage *picked = &scaling->storages[scaling->storage_count];
    spry_matrix *matrix = NULL;
    progress_show("%s: picking a storage", scaling->report.source->name);
    spry_status status = open_context(run, scaling->most);
    if (status == SPRY_OK)
        status = spry_convert(run->context, run->csr, SPRY_AUTO, &options, &matrix);
    if (status == SPRY_OK) {
        spry_matrix_storage(matrix, picked);
        spry_storage_text(picked, scaling->picked, sizeof scaling->picked);
        scaling->storage_count += memcmp(picked, &scaling->storages[0], sizeof *picked) != 0;
    }
    spry_matrix_destroy(matrix);
    if (status != SPRY_OK && status != SPRY_ERROR_UNSUPPORTED)
        return status;
    close_threads(run);
    return SPRY_OK;
}

/* Those that were named; or else CSR and what the selector picks, which it does not for the transpose. */
static spry_status list_storages(struct run *run) {
    struct scaling *scaling = run->scaling;
    const struct options *options = scaling->report.options;
    if (options->formats_named) {
        scaling->storage_count = options->storage_count;
        memcpy(scaling->storages, options->storages, sizeof scaling->storages);
        return SPRY_OK;
    }
    scaling->storages[0] = (spry_storage){.format = SPRY_CSR};
    scaling->storage_count = 1;
    return options->op == SPRY_N ? pick_storage(run) : SPRY_OK;
}

/* ---- all of it ---- */

static spry_status prepare(struct run *run, struct source *source) {
    struct scaling *scaling = run->scaling;
    progress_show("%s: converting to csr", source->name);
    spry_status status = spry_convert(run->host, source->matrix, SPRY_CSR, NULL, &run->csr);
    spry_matrix_destroy(source->matrix);
    source->matrix = NULL;
    scaling->report.threads = scaling->most;
    if (status == SPRY_OK)
        status = report_describe(&scaling->report, run->host, run->csr);
    if (status == SPRY_OK)
        status = list_storages(run);
    size_t most = (size_t)scaling->storage_count * SCALING_KINDS * STEPS_MOST;
    if (status == SPRY_OK) {
        scaling->report.results = calloc(most, sizeof *scaling->report.results);
        scaling->rows = calloc(most, sizeof *scaling->rows);
    }
    return status == SPRY_OK && (!scaling->report.results || !scaling->rows) ? SPRY_ERROR_MEMORY : status;
}

static void explain(const struct run *run, spry_status status, char *message, size_t size) {
    struct report *report = &run->scaling->report;
    const spry_context *context = run->context ? run->context : run->host;
    if (status == INTERRUPTED)
        snprintf(report->interrupted, sizeof report->interrupted, "%s", progress_last());
    else if (status != SPRY_OK)
        snprintf(message, size, "%s", failure_text(context, status));
}

/* What failed is explained by the context that it failed in. */
spry_status scaling_measure(spry_context *host, struct source *source, struct scaling *scaling, char *message,
                            size_t size) {
    struct run run = {.host = host, .scaling = scaling};
    spry_status status = prepare(&run, source);
    for (int threads = 1; threads > 0 && status == SPRY_OK; threads = scaling_next(threads, scaling->most)) {
        close_threads(&run);
        status = interrupt_seen() ? INTERRUPTED : measure_threads(&run, threads);
    }
    explain(&run, status, message, size);
    close_threads(&run);
    progress_clear();
    spry_matrix_destroy(run.csr);
    return status;
}

void scaling_free(struct scaling *scaling) {
    free(scaling->report.results);
    free(scaling->rows);
}
