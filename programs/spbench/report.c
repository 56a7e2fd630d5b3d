/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/report.h"

#include <string.h>

spry_status report_describe(struct report *report, spry_context *context, const spry_matrix *csr) {
    report->rows = spry_matrix_rows(csr);
    report->cols = spry_matrix_cols(csr);
    report->nnz = spry_matrix_nnz(csr);
    report->index = spry_matrix_index(csr);
    return spry_row_length_stats(context, csr, &report->lengths);
}

bool report_is_ok(const struct result *result) {
    return result->status == SPRY_OK && !result->inaccurate;
}

double report_spread(const struct result *row) {
    return (row->seconds.max - row->seconds.min) / row->seconds.median;
}

bool report_is_noisy(const struct result *row) {
    return row->status == SPRY_OK && (report_spread(row) > NOISY || timing_is_disturbed(&row->seconds));
}

bool report_is_tie(const struct result *row, const struct result *other) {
    return timing_is_tie(&row->seconds, &other->seconds);
}

bool report_is_contested(const struct report *report, const struct result *row) {
    for (int i = 0; i < report->result_count; i++) {
        const struct result *other = &report->results[i];
        bool another = other->backend != row->backend || strcmp(other->format, row->format) != 0;
        if (another && !other->peer && report_is_ok(other) && report_is_tie(row, other))
            return true;
    }
    return false;
}

static bool is_csr(const struct result *row) {
    return !row->peer && strcmp(row->storage, spry_format_name(SPRY_CSR)) == 0;
}

bool report_is_certain(const struct report *report, const struct result *row) {
    const struct result *csr = &report->baseline[row->backend];
    bool same = is_csr(row) && row->by_default;
    return row->vs_csr > 0.0 && (same || !report_is_tie(row, csr));
}

const char *report_status(const struct result *result) {
    if (report_is_ok(result))
        return "ok";
    return result->inaccurate ? "inaccurate" : spry_status_string(result->status);
}

/* The fastest row of a place (SPRY_BACKEND_COUNT: of any), Spry's or the others'. */
static const struct result *fastest(const struct report *report, spry_backend backend, bool of_peers) {
    const struct result *best = NULL;
    for (int i = 0; i < report->result_count; i++) {
        const struct result *row = &report->results[i];
        if (report_is_ok(row) && !row->peer == !of_peers &&
            (backend == SPRY_BACKEND_COUNT || row->backend == backend) &&
            (!best || row->seconds.median < best->seconds.median))
            best = row;
    }
    return best;
}

const struct result *report_fastest(const struct report *report) {
    return fastest(report, SPRY_BACKEND_COUNT, false);
}

const struct result *report_fastest_on(const struct report *report, spry_backend backend) {
    return fastest(report, backend, false);
}

const struct result *report_fastest_peer(const struct report *report, spry_backend backend) {
    return fastest(report, backend, true);
}

const struct place *report_place(const struct report *report, spry_backend backend) {
    for (int i = 0; i < report->place_count; i++)
        if (report->places[i].backend == backend)
            return &report->places[i];
    return NULL;
}
