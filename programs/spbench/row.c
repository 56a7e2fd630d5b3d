/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>

#include "spbench/bench.h"

void row_fail(const struct bench *bench, struct result *row, spry_status status) {
    row->status = status;
    snprintf(row->message, sizeof row->message, "%s", place_failure(bench->place, status));
    bench->place->message[0] = '\0';
}

struct result *row_add(const struct bench *bench, struct result row) {
    struct report *report = bench->report;
    row.backend = bench->place->backend;
    row.predicted = NAN;
    report->results[report->result_count] = row;
    return &report->results[report->result_count++];
}

/* One product, held against the exact one. y is NaN before, so that what is read or left out shows. */
static spry_status check(const struct bench *bench, timed_call *multiply, void *user, struct result *row) {
    const struct subject *subject = bench->subject;
    spry_context *context = bench->place->context;
    spry_status status = spry_array_put(context, bench->y, subject->poison, subject->y_bytes);
    if (status == SPRY_OK)
        status = multiply(user);
    if (status == SPRY_OK)
        status = spry_array_get(context, bench->y, subject->y, subject->y_bytes);
    if (status != SPRY_OK)
        return status;
    row->error = exact_error(&subject->exact, subject->y);
    row->inaccurate = !(row->error <= subject->tolerance);
    if (row->inaccurate)
        snprintf(row->message, sizeof row->message, "the error %.2g is over the bound %.2g", row->error,
                 subject->tolerance);
    return SPRY_OK;
}

/* What a product with these arrays cannot do without: they, x and y, once each. */
static double bytes_moved(const struct subject *subject, size_t arrays) {
    return (double)(arrays + subject->x_bytes + subject->y_bytes);
}

void row_measure(const struct bench *bench, timed_call *multiply, void *user, size_t padding,
                 struct result *row) {
    const struct subject *subject = bench->subject;
    struct place *place = bench->place;
    double nnz = (double)spry_matrix_nnz(subject->csr);
    row->bytes_per_nnz = nnz > 0 ? (double)(row->bytes - padding) / nnz : NAN;
    spry_status status = check(bench, multiply, user, row);
    if (status == SPRY_OK)
        status =
            place->time(place, multiply, user, bench->report->options->min_time, &row->seconds, &row->cold);
    if (status != SPRY_OK) {
        row_fail(bench, row, status);
        return;
    }
    double moved = bytes_moved(subject, row->bytes - padding);
    row->roof_gbs = place->roof_gbs(place, (size_t)moved);
    row->gflops = 2e-9 * nnz / row->seconds.median;
    row->gbs = 1e-9 * moved / row->seconds.median;
    row->csr_gbs = 1e-9 * bytes_moved(subject, spry_matrix_bytes(subject->csr)) / row->seconds.median;
    row->roofline = row->gbs / row->roof_gbs;
}

/* ---- Spry's own products ---- */

struct product {
    const struct bench *bench;
    const spry_matrix *matrix;
    const spry_kernel *kernel; /* null: the one that the library takes */
};

static spry_status multiply(void *user) {
    const struct product *product = user;
    const struct bench *bench = product->bench;
    spry_context *context = bench->place->context;
    if (product->kernel)
        return spry_spmv_with(context, product->kernel, 1.0, product->matrix, bench->x, 0.0, bench->y);
    return spry_spmv(context, bench->subject->op, 1.0, product->matrix, bench->x, 0.0, bench->y);
}

static struct result describe(const struct bench *bench, const spry_matrix *matrix, const spry_kernel *kernel,
                              double convert_seconds) {
    const spry_kernel *taken = spry_kernel_for(matrix, bench->subject->op);
    int64_t nnz = spry_matrix_nnz(matrix);
    kernel = kernel ? kernel : taken;
    struct result result = {
        .format = spry_format_name(spry_matrix_format(matrix)),
        .backend = bench->place->backend,
        .built = true,
        .kernel = kernel ? spry_kernel_describe(kernel).name : NULL,
        .by_default = kernel == taken,
        .bytes = spry_matrix_bytes(matrix),
        .fill = nnz > 0 ? (double)spry_matrix_slots(matrix) / (double)nnz : 1.0,
        .convert_seconds = convert_seconds,
    };
    spry_storage storage;
    spry_matrix_storage(matrix, &storage);
    spry_storage_text(&storage, result.storage, sizeof result.storage);
    return result;
}

struct result row_of_product(const struct bench *bench, const spry_matrix *matrix, const spry_kernel *kernel,
                             double convert_seconds) {
    struct result result = describe(bench, matrix, kernel, convert_seconds);
    struct product product = {bench, matrix, kernel};
    row_measure(bench, multiply, &product, spry_matrix_padding(matrix), &result);
    return result;
}

static bool is_named(const spry_storage *storage) {
    return storage->parameter[0] > 0 || storage->values != SPRY_VALUES_PLAIN ||
           storage->columns != SPRY_COLUMNS_PLAIN;
}

struct result row_of_nothing(const spry_storage *storage) {
    struct result result = {.format = spry_format_name(storage->format), .named = is_named(storage)};
    spry_storage_text(storage, result.storage, sizeof result.storage);
    return result;
}
