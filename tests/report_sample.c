/* SPDX-License-Identifier: BSD-3-Clause */
/* Print a report of spbench that was not measured, of a machine with long names and a matrix with large numbers, for
   test_report.py: report [LETTERS], g for rows of a GPU, k for --kernels with a storage that was named, n for batches of the
   first row that lie apart, t for such that leave no lead over CSR, s for those of a slow row that do not, e for ELL, or with k the
   last row, behind the first by less than its batches lie apart, w for --wide. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spbench/report.h"
#include "spbench/summary.h"

/* As long as any, with its words as long as any. */
#define CPU_NAME "Intel(R) Xeon(R) Platinum 8592V+ Processor @ 2.00GHz (64 CPUs)"
#define GPU_NAME "NVIDIA GH200 144G HBM3e with a name as long as that CPU's is"

static struct result row(const char *format, const char *kernel, spry_backend backend, double seconds) {
    struct result result = {
        .format = format,
        .kernel = kernel,
        .backend = backend,
        .by_default = true,
        .built = true,
        .bytes = 987654321,
        .fill = 12.3,
        .convert_seconds = 0.123456,
        .seconds = {.median = seconds, .min = 0.99 * seconds, .max = 1.02 * seconds, .batches = 21},
        .cold = {.median = 2 * seconds, .min = 2 * seconds, .max = 2 * seconds, .batches = 21},
        .predicted = 1.1 * seconds,
        .gflops = 1.23,
        .bytes_per_nnz = 10.25,
        .gbs = 1234.0,
        .csr_gbs = 12345.0,
        .roof_gbs = 4321.0,
        .roofline = 0.2855,
        .vs_csr = 0.0123,
        .pays_back_after = 1234567,
        .error = 1.2e-16,
    };
    snprintf(result.storage, sizeof result.storage, "%s", format);
    return result;
}

/* Rows of a place: one for each format, and one that failed. */
static void add_rows(struct report *report, spry_backend backend, const char *const kernels[]) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        report->results[report->result_count++] =
            row(spry_format_name((spry_format)format), kernels[format], backend, 0.0123 * (1 + format));
    report->baseline[backend] = report->results[report->result_count - SPRY_FORMAT_COUNT + SPRY_CSR];
    struct result *failed = &report->results[report->result_count++];
    *failed = (struct result){.format = "ell", .backend = backend, .status = SPRY_ERROR_OVERFLOW};
    snprintf(failed->message, sizeof failed->message,
             "ELL would take 118 GB (1,000,000 rows of width 12,345), more than 10 times the matrix in CSR");
}

static void fill_pick(struct report *report, spry_backend backend) {
    struct pick *pick = &report->pick[backend];
    *pick = (struct pick){.format = "csr",
                          .kernel = "csr_avx512",
                          .profile = "GenuineIntel family 6 model 143 (adapted to 15.5 GB/s)",
                          .predicted = 0.01,
                          .row = &report->baseline[backend],
                          .best = &report->results[0],
                          .regret = 1.23};
    snprintf(pick->reason, sizeof pick->reason,
             "rows vary from 4 to 7 entries (mean 6.94): csr should take 3.05 ms, mostly for beginning rows, "
             "where hyb would take 3.52 ms and spend more on the entries themselves");
}

/* Everything that a report may hold, in the CPU's place and a GPU's. */
struct sample {
    struct options options;
    struct source source;
    struct place places[2];
    struct result results[4 * SPRY_FORMAT_COUNT];
    struct report report;
};

static struct sample *make_sample(int place_count) {
    static const char *const cpu[] = {"coo",        "csr_avx512", "csc",         "ell_avx512",
                                      "hyb_avx512", "jds_avx512", "sell_avx512", "stencil_avx2",
                                      "shape_avx2", "bsr_avx512", "dia_avx512"};
    static const char *const gpu[] = {"coo_segments_cuda", "csr_merge_cuda", "csc_cuda",  "ell_cuda",
                                      "hyb_cuda",          "jds_cuda",       "sell_cuda", "stencil_cuda",
                                      "shape_cuda",        "bsr_cuda",       "dia_cuda"};
    struct sample *sample = calloc(1, sizeof *sample);
    if (!sample)
        return NULL;
    struct report *report = &sample->report;
    sample->options = (struct options){.reading = {.type = SPRY_F64}, .op = SPRY_N};
    sample->source = (struct source){.file = "folder/matrix.mtx", .name = "matrix", .seconds = 1.23};
    sample->source.info.bytes = 123456789;
    sample->places[0] = (struct place){.backend = SPRY_CPU, .memory_gbs = 123.4};
    sample->places[1] = (struct place){.backend = SPRY_CUDA, .memory_gbs = 4321.0, .cache_bytes = 50 << 20};
    snprintf(sample->places[1].processor, sizeof sample->places[1].processor, GPU_NAME);
    *report = (struct report){.options = &sample->options,
                              .source = &sample->source,
                              .rows = 1234567890,
                              .cols = 1234567890,
                              .nnz = 2147483646,
                              .places = sample->places,
                              .place_count = place_count,
                              .cpu = CPU_NAME,
                              .threads = SPRY_MAX_THREADS,
                              .results = sample->results};
    report->lengths = (spry_row_lengths){
        .min = 0, .q1 = 123456789, .median = 123456789, .q3 = 123456789, .max = 1234567890, .mean = 6.94};
    report->lengths.empty = 1000000000;
    for (int bin = 1; bin < SPRY_LENGTH_BINS && bin < 32; bin++)
        report->lengths.histogram[bin] = INT64_C(50000000) * bin;
    add_rows(report, SPRY_CPU, cpu);
    fill_pick(report, SPRY_CPU);
    if (place_count > 1) {
        report->copy_seconds = 0.123;
        report->copy_bytes = 123456789;
        add_rows(report, SPRY_CUDA, gpu);
        report->results[report->result_count] = row("coo", "coo_alg2", SPRY_CUDA, 0.02);
        report->results[report->result_count].peer = "cusparse";
        report->results[report->result_count++].peer_version = "12.9.4";
        fill_pick(report, SPRY_CUDA);
    }
    return sample;
}

/* The batches of the first row, which is the fastest, lie apart. */
static void disturb(struct report *report, double times) {
    struct spread *seconds = &report->results[0].seconds;
    seconds->max = times * seconds->median;
    seconds->disturbed = 4;
    report->pick[SPRY_CPU].tie = report_is_tie(&report->results[0], &report->baseline[SPRY_CPU]);
}

/* Those of CSR lie further apart than it is behind the first row, and are slower than all of its. */
static void slow_down(struct report *report) {
    struct result *csr = &report->results[SPRY_CSR];
    csr->seconds.min = 0.8 * csr->seconds.median;
    csr->seconds.max = 3.0 * csr->seconds.median;
    report->baseline[SPRY_CPU] = *csr;
    report->pick[SPRY_CPU].tie = report_is_tie(&report->results[0], csr);
}

/* A row is next to the first, and its fastest batches were as fast. */
static void bring_near(struct report *report, int near) {
    const double first = report->results[0].seconds.median;
    report->results[near].seconds =
        (struct spread){.median = 1.5 * first, .min = first, .max = 1.6 * first, .batches = 21};
}

/* Two kernels of one storage, with names as long as any. */
static void name_storages(struct sample *sample) {
    static const char *const kernels[] = {"sell", "sell_avx512_gather"};
    sample->options.kernels = true;
    for (int i = 0; i < 2; i++) {
        struct result *result = &sample->results[sample->report.result_count++];
        *result = row("sell", kernels[i], SPRY_CPU, 0.03 + 0.01 * i);
        result->named = true;
        snprintf(result->storage, sizeof result->storage, "sell:32:1024+narrow+dict16");
    }
}

int main(int argc, char **argv) {
    const char *letters = argc > 1 ? argv[1] : "";
    struct sample *sample = make_sample(strchr(letters, 'g') ? 2 : 1);
    struct summary summary = {0};
    if (!sample)
        return EXIT_FAILURE;
    sample->options.wide = strchr(letters, 'w');
    if (strchr(letters, 'k'))
        name_storages(sample);
    if (strchr(letters, 'n'))
        disturb(&sample->report, 1.5);
    if (strchr(letters, 't'))
        disturb(&sample->report, 3.0);
    if (strchr(letters, 's'))
        slow_down(&sample->report);
    if (strchr(letters, 'e'))
        bring_near(&sample->report, strchr(letters, 'k') ? sample->report.result_count - 1 : SPRY_ELL);
    report_print_table(&sample->report);
    summary_add(&summary, &sample->report, SPRY_CPU);
    summary_add(&summary, &sample->report, SPRY_CPU);
    summary_print(&summary, SPRY_CPU);
    free(sample);
    return EXIT_SUCCESS;
}
