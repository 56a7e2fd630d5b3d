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

const struct result *report_fastest(const struct report *report) {
    const struct result *fastest = NULL;
    for (int i = 0; i < report->result_count; i++) {
        const struct result *result = &report->results[i];
        if (report_is_ok(result) && (!fastest || result->seconds.median < fastest->seconds.median))
            fastest = result;
    }
    return fastest;
}
