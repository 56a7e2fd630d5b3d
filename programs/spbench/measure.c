/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/failure.h"
#include "common/interrupt.h"
#include "common/progress.h"
#include "cusparse/peer_library.h"
#include "measuring/preparation.h"
#include "spbench/bench.h"
#include "spbench/pick.h"

static const spry_storage plain_csr = {.format = SPRY_CSR};

/* ---- one row ---- */

/* The row of the kernel that the library takes. */
static struct result measure_default(const struct bench *bench, const spry_matrix *matrix,
                                     double convert_seconds) {
    progress_show("%s: timing %s", bench->report->source->name, spry_format_name(spry_matrix_format(matrix)));
    return row_of_product(bench, matrix, NULL, convert_seconds);
}

/* The row of one kernel of the table. That of CSR which ratios refer to is not measured twice. */
static struct result measure_kernel(const struct bench *bench, const spry_matrix *matrix,
                                    const spry_kernel *kernel, double convert_seconds) {
    if (matrix == bench->csr && kernel == spry_kernel_for(matrix, bench->subject->op))
        return bench->report->baseline[bench->place->backend];
    progress_show("%s: timing %s", bench->report->source->name, spry_kernel_describe(kernel).name);
    return row_of_product(bench, matrix, kernel, convert_seconds);
}

/* ---- the rows of a format ---- */

/* A row that was interrupted is none. */
static void keep(const struct bench *bench, struct result result) {
    if (result.status != INTERRUPTED)
        row_add(bench, result);
}

/* The row of a format, or one for every kernel that takes the matrix and runs here. */
static void measure_matrix(const struct bench *bench, const spry_matrix *matrix, double convert_seconds) {
    const struct report *report = bench->report;
    if (!report->options->kernels) {
        keep(bench, matrix == bench->csr ? report->baseline[bench->place->backend]
                                         : measure_default(bench, matrix, convert_seconds));
        return;
    }
    for (size_t i = 0; i < spry_kernel_count() && !interrupt_seen(); i++) {
        const spry_kernel *kernel = spry_kernel_at(i);
        const spry_kernel_info info = spry_kernel_describe(kernel);
        if (info.op == bench->subject->op && !info.many && spry_kernel_takes(kernel, matrix) &&
            spry_kernel_runs(bench->place->context, kernel))
            keep(bench, measure_kernel(bench, matrix, kernel, convert_seconds));
    }
}

static bool is_plain_csr(const spry_storage *storage) {
    return storage->format == SPRY_CSR && storage->values == SPRY_VALUES_PLAIN &&
           storage->columns == SPRY_COLUMNS_PLAIN;
}

static void measure_storage(const struct bench *bench, const spry_storage *storage) {
    spry_matrix *matrix = NULL;
    double seconds = 0.0;
    if (is_plain_csr(storage)) {
        measure_matrix(bench, bench->csr, bench->csr_seconds);
        return;
    }
    struct result nothing = row_of_nothing(storage);
    progress_show("%s: converting to %s", bench->report->source->name, nothing.storage);
    spry_status status = preparation_convert(bench->place->context, bench->csr, storage, bench->subject->op,
                                             &matrix, &seconds);
    int first = bench->report->result_count;
    if (status == SPRY_OK)
        measure_matrix(bench, matrix, seconds);
    else if (status != INTERRUPTED)
        row_fail(bench, row_add(bench, nothing), status);
    for (int i = first; i < bench->report->result_count; i++)
        bench->report->results[i].named = nothing.named;
    spry_matrix_destroy(matrix);
}

/* ---- the rows of a place ---- */

static void compare_with_csr(const struct result *csr, struct result *result) {
    result->pays_back_after = -1;
    if (!report_is_ok(csr) || !report_is_ok(result))
        return;
    double gain = csr->seconds.median - result->seconds.median;
    bool is_csr = !result->peer && strcmp(result->storage, csr->storage) == 0;
    result->vs_csr = csr->seconds.median / result->seconds.median;
    if (!is_csr && gain > 0.0 && result->convert_seconds / gain < 1e15)
        result->pays_back_after = (int64_t)ceil(result->convert_seconds / gain);
}

/* What it was that Ctrl-C cut short. */
static void note_interruption(struct report *report) {
    snprintf(report->interrupted, sizeof report->interrupted, "%s", progress_last());
}

/* Storages with codes that have rows unasked, at most. */
#define CODED_MOST 8

static double seconds_of(const spry_ranking *ranking, const spry_storage *storage) {
    int place = 0;
    while (memcmp(&spry_ranking_choice(ranking, place)->storage, storage, sizeof *storage) != 0)
        place++;
    return spry_ranking_choice(ranking, place)->seconds;
}

/* Whether a storage with a code should be faster than the same without any, and than CSR. */
static bool is_promising(const spry_ranking *ranking, const spry_choice *choice) {
    spry_storage plain = choice->storage;
    plain.values = SPRY_VALUES_PLAIN;
    plain.columns = SPRY_COLUMNS_PLAIN;
    return choice->possible && memcmp(&choice->storage, &plain, sizeof plain) != 0 &&
           choice->seconds < seconds_of(ranking, &plain) && choice->seconds < seconds_of(ranking, &plain_csr);
}

/* Those that the selector compares, where no formats were named. For the transpose it compares none. */
static void measure_coded(const struct bench *bench) {
    const struct options *options = bench->report->options;
    const spry_select_options asked = {.size = sizeof asked, .products = options->products};
    spry_ranking *ranking = NULL;
    int count = 0;
    if (!options->formats_named && options->op == SPRY_N)
        (void)spry_select(bench->place->context, bench->csr, &asked, &ranking);
    for (int i = 0; i < spry_ranking_count(ranking) && count < CODED_MOST && !interrupt_seen(); i++) {
        const spry_choice *choice = spry_ranking_choice(ranking, i);
        if (!is_promising(ranking, choice))
            continue;
        measure_storage(bench, &choice->storage);
        count++;
    }
    spry_ranking_destroy(ranking);
}

static spry_status measure_place(const struct bench *bench) {
    struct report *report = bench->report;
    struct result *csr = &report->baseline[bench->place->backend];
    int first = report->result_count;
    *csr = measure_default(bench, bench->csr, bench->csr_seconds);
    for (int i = 0; i < report->options->storage_count && !interrupt_seen(); i++)
        measure_storage(bench, &report->options->storages[i]);
    measure_coded(bench);
    measure_peers(bench);
    if (interrupt_seen())
        note_interruption(report);
    compare_with_csr(csr, csr);
    for (int i = first; i < report->result_count; i++)
        compare_with_csr(csr, &report->results[i]);
    spry_status status = pick_judge(bench);
    return status == SPRY_OK && interrupt_seen() ? INTERRUPTED : status;
}

/* ---- getting ready ---- */

/* The matrix as it was read is copied to the GPU, and becomes CSR there. */
static spry_status bring_to_gpu(struct bench *bench, const spry_matrix *coo) {
    spry_context *context = bench->place->context;
    spry_matrix *copy = NULL;
    double start = clock_now();
    spry_status status = spry_matrix_copy(context, coo, &copy);
    bench->report->copy_seconds = clock_now() - start;
    bench->report->copy_bytes = spry_matrix_bytes(coo);
    if (status == SPRY_OK)
        status = preparation_convert(context, copy, &plain_csr, bench->subject->op, &bench->csr,
                                     &bench->csr_seconds);
    spry_matrix_destroy(copy);
    return status;
}

static spry_status open_bench(struct bench *bench, const spry_matrix *coo, spry_matrix *csr,
                              double csr_seconds) {
    spry_status status = bench->place->open_memory(bench->place);
    bench->csr = csr;
    bench->csr_seconds = csr_seconds;
    if (status == SPRY_OK && bench->place->backend != SPRY_CPU)
        status = bring_to_gpu(bench, coo);
    return status == SPRY_OK ? bench_open_vectors(bench) : status;
}

static void close_bench(struct bench *bench) {
    bench_close_vectors(bench);
    if (bench->csr != bench->subject->csr)
        spry_matrix_destroy(bench->csr);
}

/* ---- all of it ---- */

/* One matrix: on the host, and in each place. */
struct run {
    spry_context *host;
    struct source *source;
    struct report *report;
    spry_matrix *csr;
    double csr_seconds;
    struct subject subject;
    struct bench bench[SPRY_BACKEND_COUNT];
    const struct place *failed; /* null: the host, if anything */
};

/* On the host, where every product is checked; timed where that is a place. */
static spry_status make_csr(struct run *run) {
    progress_show("%s: converting to csr", run->source->name);
    if (report_place(run->report, SPRY_CPU))
        return preparation_convert(run->host, run->source->matrix, &plain_csr, run->report->options->op,
                                   &run->csr, &run->csr_seconds);
    return spry_convert(run->host, run->source->matrix, SPRY_CSR, NULL, &run->csr);
}

/* For each storage as many rows as there are kernels, or one; a storage that cannot be built has one in every place. */
static size_t most_rows(const struct report *report) {
    const struct options *options = report->options;
    size_t storages = (size_t)options->storage_count + CODED_MOST,
           count = options->kernels ? spry_kernel_count() * storages : 0;
    for (int i = 0; i < report->place_count; i++) {
        const struct peer_library *library = report->places[i].library;
        count += storages + (library ? (size_t)library->way_count : 0);
    }
    return count;
}

static spry_status prepare_report(struct run *run) {
    struct report *report = run->report;
    report->threads = spry_context_threads(run->host);
    report->results = calloc(most_rows(report), sizeof *report->results);
    if (report->options->html)
        report->pattern = pattern_of(run->csr);
    if (!report->results || (report->options->html && !report->pattern))
        return SPRY_ERROR_MEMORY;
    return report_describe(report, run->host, run->csr);
}

static spry_status open_places(struct run *run) {
    spry_status status = SPRY_OK;
    for (int i = 0; i < run->report->place_count && status == SPRY_OK; i++) {
        struct bench *bench = &run->bench[i];
        *bench =
            (struct bench){.place = &run->report->places[i], .report = run->report, .subject = &run->subject};
        progress_show("%s: preparing the %s", run->source->name, bench->place->processor);
        status = open_bench(bench, run->source->matrix, run->csr, run->csr_seconds);
        if (status != SPRY_OK)
            run->failed = bench->place;
    }
    return status;
}

static spry_status prepare(struct run *run) {
    spry_status status = make_csr(run);
    if (status == SPRY_OK)
        status = prepare_report(run);
    progress_show("%s: multiplying in higher precision", run->source->name);
    if (status == SPRY_OK)
        status = subject_open(run->host, run->csr, run->report->options->op, &run->subject);
    if (status == SPRY_OK)
        status = open_places(run);
    spry_matrix_destroy(run->source->matrix);
    run->source->matrix = NULL;
    return status;
}

static void explain(const struct run *run, spry_status status, char *message, size_t size) {
    if (status == INTERRUPTED && run->report->interrupted[0] == '\0')
        note_interruption(run->report);
    if (status != SPRY_OK && status != INTERRUPTED)
        snprintf(message, size, "%s",
                 run->failed ? place_failure(run->failed, status) : failure_text(run->host, status));
}

spry_status measure_formats(spry_context *host, struct source *source, struct report *report, char *message,
                            size_t size) {
    struct run run = {.host = host, .source = source, .report = report};
    spry_status status = prepare(&run);
    if (status == SPRY_OK && interrupt_seen())
        status = INTERRUPTED;
    for (int i = 0; i < report->place_count && status == SPRY_OK; i++) {
        status = measure_place(&run.bench[i]);
        if (status != SPRY_OK)
            run.failed = run.bench[i].place;
    }
    explain(&run, status, message, size);
    for (int i = 0; i < report->place_count; i++)
        if (run.bench[i].place)
            close_bench(&run.bench[i]);
    progress_clear();
    subject_close(&run.subject);
    spry_matrix_destroy(run.csr);
    return status;
}
