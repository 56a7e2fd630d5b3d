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

/* What a product cannot do without: the arrays, x and y, once each. Padding is left out, since a kernel may
   pass it by. */
static double bytes_moved(const struct subject *subject, size_t bytes, int64_t slots) {
    spry_index_type index = spry_matrix_index(subject->csr);
    double entry = (double)(spry_type_size(subject->type) + spry_index_size(index));
    return (double)bytes - (double)(slots - spry_matrix_nnz(subject->csr)) * entry +
           (double)(subject->x_bytes + subject->y_bytes);
}

void row_measure(const struct bench *bench, timed_call *multiply, void *user, int64_t slots,
                 struct result *row) {
    const struct subject *subject = bench->subject;
    struct place *place = bench->place;
    double nnz = (double)spry_matrix_nnz(subject->csr);
    spry_status status = check(bench, multiply, user, row);
    if (status == SPRY_OK)
        status =
            place->time(place, multiply, user, bench->report->options->min_time, &row->seconds, &row->cold);
    if (status != SPRY_OK) {
        row_fail(bench, row, status);
        return;
    }
    double moved = bytes_moved(subject, row->bytes, slots);
    row->roof_gbs = place->roof_gbs(place, (size_t)moved);
    row->gflops = 2e-9 * nnz / row->seconds.median;
    row->gbs = 1e-9 * moved / row->seconds.median;
    row->roofline = row->gbs / row->roof_gbs;
}
