/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

bool report_is_ok(const struct result *result) {
    return result->status == SPRY_OK && !result->inaccurate;
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
