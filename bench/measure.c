/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "exact.h"
#include "failure.h"
#include "progress.h"
#include "vector.h"

/* Conversions are repeated while they are short, for a median; long ones speak for themselves. */
#define CONVERSIONS 5
#define CONVERSION_SECONDS 0.1

/* What all rows of a matrix share. */
struct bench {
    spry_context *context;
    const struct options *options;
    const struct bandwidth *bandwidth;
    struct report *report;
    spry_matrix *csr;
    double csr_seconds; /* that making it took */
    void *x, *y;
    int64_t x_count, y_count;
    struct exact exact;
};

static spry_status fail(const struct bench *bench, struct result *result, spry_status status) {
    result->status = status;
    snprintf(result->message, sizeof result->message, "%s", failure_text(bench->context, status));
    return status;
}

/* ---- conversion ---- */

static spry_status convert(spry_context *context, const spry_matrix *from, spry_format format,
                           spry_matrix **to, double *seconds) {
    double samples[CONVERSIONS], total = 0.0;
    spry_status status = SPRY_OK;
    int count = 0;
    *to = NULL;
    while (status == SPRY_OK && count < CONVERSIONS && total < CONVERSION_SECONDS) {
        spry_matrix_destroy(*to);
        *to = NULL;
        double start = timing_now();
        status = spry_convert(context, from, format, NULL, to);
        samples[count] = timing_now() - start;
        total += samples[count++];
    }
    if (status == SPRY_OK)
        *seconds = timing_spread(samples, count).median;
    return status;
}

/* ---- one row ---- */

struct product {
    const struct bench *bench;
    const spry_matrix *matrix;
    const spry_kernel *kernel; /* null: the one that the library takes */
};

static spry_status multiply(void *user) {
    const struct product *product = user;
    const struct bench *bench = product->bench;
    if (product->kernel)
        return spry_spmv_with(bench->context, product->kernel, 1.0, product->matrix, bench->x, 0.0, bench->y);
    return spry_spmv(bench->context, bench->options->op, 1.0, product->matrix, bench->x, 0.0, bench->y);
}

static void judge(const struct bench *bench, struct result *result) {
    double tolerance = exact_tolerance(&bench->exact);
    result->error = exact_error(&bench->exact, bench->y);
    result->inaccurate = !(result->error <= tolerance);
    if (result->inaccurate)
        snprintf(result->message, sizeof result->message, "the error %.2g is over the bound %.2g",
                 result->error, tolerance);
}

/* What a product cannot do without: the arrays, x and y, once each. Padding is left out, since a kernel may
   pass it by. */
static double bytes_moved(const struct bench *bench, const spry_matrix *matrix) {
    double value = (double)spry_type_size(spry_matrix_type(matrix));
    double index = (double)spry_index_size(spry_matrix_index(matrix));
    double padding = (double)(spry_matrix_slots(matrix) - spry_matrix_nnz(matrix));
    return (double)spry_matrix_bytes(matrix) - padding * (value + index) +
           (double)(bench->x_count + bench->y_count) * value;
}

static void measure_product(const struct bench *bench, const spry_matrix *matrix, const spry_kernel *kernel,
                            struct result *result) {
    struct product product = {bench, matrix, kernel};
    vector_poison(bench->options->type, bench->y, bench->y_count);
    spry_status status = multiply(&product);
    if (status == SPRY_OK) {
        judge(bench, result);
        status = timing_measure(multiply, &product, bench->options->min_time, &result->seconds);
    }
    if (status != SPRY_OK) {
        fail(bench, result, status);
        return;
    }
    double moved = bytes_moved(bench, matrix);
    double seconds = result->seconds.median;
    result->roof_gbs = bandwidth_at(bench->bandwidth, (size_t)moved);
    result->gflops = 2e-9 * (double)spry_matrix_nnz(matrix) / seconds;
    result->gbs = 1e-9 * moved / seconds;
    result->roofline = result->gbs / result->roof_gbs;
}

/* ---- the rows of a format ---- */

static struct result describe(const spry_matrix *matrix, const spry_kernel *kernel, double convert_seconds) {
    int64_t nnz = spry_matrix_nnz(matrix);
    return (struct result){
        .format = spry_matrix_format(matrix),
        .built = true,
        .kernel = kernel ? spry_kernel_describe(kernel).name : NULL,
        .bytes = spry_matrix_bytes(matrix),
        .fill = nnz > 0 ? (double)spry_matrix_slots(matrix) / (double)nnz : 1.0,
        .convert_seconds = convert_seconds,
    };
}

/* The row of the kernel that the library takes. */
static struct result measure_default(const struct bench *bench, const spry_matrix *matrix,
                                     double convert_seconds) {
    const spry_kernel *kernel = spry_kernel_for(matrix, bench->options->op);
    struct result result = describe(matrix, kernel, convert_seconds);
    progress_show("%s: timing %s", bench->report->source->name, spry_format_name(result.format));
    measure_product(bench, matrix, NULL, &result);
    return result;
}

/* The row of one kernel of the table. That of CSR which ratios refer to is not measured twice. */
static struct result measure_kernel(const struct bench *bench, const spry_matrix *matrix,
                                    const spry_kernel *kernel, double convert_seconds) {
    struct result result = describe(matrix, kernel, convert_seconds);
    if (matrix == bench->csr && kernel == spry_kernel_for(matrix, bench->options->op))
        return bench->report->baseline;
    progress_show("%s: timing %s", bench->report->source->name, result.kernel);
    measure_product(bench, matrix, kernel, &result);
    return result;
}

/* The row of a format, or one for every kernel that takes the matrix and runs here. */
static void measure_matrix(const struct bench *bench, const spry_matrix *matrix, double convert_seconds) {
    struct report *report = bench->report;
    if (!bench->options->kernels) {
        report->results[report->result_count++] =
            matrix == bench->csr ? report->baseline : measure_default(bench, matrix, convert_seconds);
        return;
    }
    for (size_t i = 0; i < spry_kernel_count(); i++) {
        const spry_kernel *kernel = spry_kernel_at(i);
        if (spry_kernel_describe(kernel).op == bench->options->op && spry_kernel_takes(kernel, matrix) &&
            spry_kernel_runs(bench->context, kernel))
            report->results[report->result_count++] = measure_kernel(bench, matrix, kernel, convert_seconds);
    }
}

static void measure_format(const struct bench *bench, spry_format format) {
    struct report *report = bench->report;
    spry_matrix *matrix = NULL;
    double seconds = 0.0;
    if (format == SPRY_CSR) {
        measure_matrix(bench, bench->csr, bench->csr_seconds);
        return;
    }
    progress_show("%s: converting to %s", report->source->name, spry_format_name(format));
    spry_status status = convert(bench->context, bench->csr, format, &matrix, &seconds);
    if (status == SPRY_OK) {
        measure_matrix(bench, matrix, seconds);
    } else {
        struct result *result = &report->results[report->result_count++];
        *result = (struct result){.format = format};
        fail(bench, result, status);
    }
    spry_matrix_destroy(matrix);
}

/* ---- ratios to CSR ---- */

static void compare_with_csr(const struct result *csr, struct result *result) {
    result->pays_back_after = -1;
    if (!report_is_ok(csr) || !report_is_ok(result))
        return;
    double gain = csr->seconds.median - result->seconds.median;
    result->vs_csr = csr->seconds.median / result->seconds.median;
    if (result->format != SPRY_CSR && gain > 0.0 && result->convert_seconds / gain < 1e15)
        result->pays_back_after = (int64_t)ceil(result->convert_seconds / gain);
}

/* ---- all of it ---- */

static spry_status prepare(struct bench *bench, struct source *source) {
    struct report *report = bench->report;
    spry_type type = bench->options->type;
    progress_show("%s: converting to csr", source->name);
    spry_status status = convert(bench->context, source->matrix, SPRY_CSR, &bench->csr, &bench->csr_seconds);
    spry_matrix_destroy(source->matrix);
    source->matrix = NULL;
    if (status != SPRY_OK)
        return status;
    report->rows = spry_matrix_rows(bench->csr);
    report->cols = spry_matrix_cols(bench->csr);
    report->nnz = spry_matrix_nnz(bench->csr);
    report->index = spry_matrix_index(bench->csr);
    report->threads = spry_context_threads(bench->context);
    report->read_gbs = bench->bandwidth->read_gbs;
    bench->x_count = bench->options->op == SPRY_N ? report->cols : report->rows;
    bench->y_count = bench->options->op == SPRY_N ? report->rows : report->cols;
    bench->x = vector_new(type, bench->x_count, report->threads);
    bench->y = vector_new(type, bench->y_count, report->threads);
    report->results = calloc(SPRY_FORMAT_COUNT + spry_kernel_count(), sizeof *report->results);
    if (!bench->x || !bench->y || !report->results)
        return SPRY_ERROR_MEMORY;
    vector_randomise(type, bench->x, bench->x_count);
    progress_show("%s: multiplying in higher precision", source->name);
    status = exact_product(bench->csr, bench->options->op, bench->x, &bench->exact);
    if (status == SPRY_OK)
        status = spry_row_length_stats(bench->context, bench->csr, &report->lengths);
    return status;
}

spry_status measure_formats(spry_context *context, struct source *source, const struct bandwidth *bandwidth,
                            struct report *report) {
    struct bench bench = {
        .context = context, .options = report->options, .bandwidth = bandwidth, .report = report};
    spry_status status = prepare(&bench, source);
    if (status == SPRY_OK) {
        report->baseline = measure_default(&bench, bench.csr, bench.csr_seconds);
        for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
            if (report->options->formats & (1u << format))
                measure_format(&bench, (spry_format)format);
        compare_with_csr(&report->baseline, &report->baseline);
        for (int i = 0; i < report->result_count; i++)
            compare_with_csr(&report->baseline, &report->results[i]);
    }
    progress_clear();
    exact_free(&bench.exact);
    free(bench.x);
    free(bench.y);
    spry_matrix_destroy(bench.csr);
    return status;
}
