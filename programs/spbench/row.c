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
