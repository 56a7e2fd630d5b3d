/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/scaling.h"

#include "common/json.h"
#include "spbench/report_json.h"

static json_t *machine_object(const struct scaling *scaling) {
    return json_pack("{s:o, s:i}", "cpu", json_text(scaling->report.cpu), "processors", scaling->processors);
}

static json_t *identity_object(const struct scaling *scaling, int i) {
    const struct report *report = &scaling->report;
    const struct scaling_row *row = &scaling->rows[i];
    const struct result *result = &report->results[i];
    return json_pack("{s:i, s:i, s:s, s:o, s:o, s:s, s:s, s:s}", "threads", row->threads, "copies",
                     row->kind == SCALING_WEAK ? row->threads : 1, "format", result->format, "storage",
                     json_text(result->storage), "kernel", json_text(result->kernel), "type",
                     spry_type_name(report->options->reading.type), "index", spry_index_name(report->index),
                     "op", report->options->op == SPRY_N ? "N" : "T");
}

static json_t *figures_object(const struct scaling *scaling, int i) {
    const struct result *result = &scaling->report.results[i];
    struct scaling_figures figures = scaling_figures(scaling, i);
    bool ran = result->status == SPRY_OK;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "bytes",
                     result->built ? json_integer((json_int_t)result->bytes) : json_null(), "time_us",
                     report_json_spread(ran, &result->seconds), "noisy",
                     report_json_truth(ran, report_is_noisy(result)), "speed_up",
                     json_figure(figures.known, figures.speed_up), "speed_up_certain",
                     report_json_truth(figures.known, figures.certain), "efficiency",
                     json_figure(figures.known, figures.efficiency), "gbs", json_figure(ran, result->gbs),
                     "read_gbs", json_figure(ran, result->roof_gbs), "read_speed_up",
                     json_figure(figures.known, figures.read_speed_up), "vs_reads",
                     json_figure(figures.known, figures.vs_reads), "error", json_figure(ran, result->error),
                     "status", report_status(result), "message", json_text(result->message));
}

static json_t *row_object(const struct scaling *scaling, int i) {
    return json_join(identity_object(scaling, i), figures_object(scaling, i));
}

static json_t *rows_array(const struct scaling *scaling, int kind) {
    json_t *array = json_array();
    for (int i = 0; array && i < scaling->report.result_count; i++)
        if (scaling->rows[i].kind == kind)
            json_push(&array, row_object(scaling, i));
    return array;
}

int scaling_print_json(const struct scaling *scaling) {
    const struct report *report = &scaling->report;
    json_t *object = json_pack("{s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:b}", "matrix",
                               report_json_matrix(report), "machine", machine_object(scaling), "read",
                               report_json_read(report->source), "most_threads", scaling->most, "pick",
                               json_text(scaling->picked[0] ? scaling->picked : NULL), "strong",
                               rows_array(scaling, SCALING_STRONG), "weak", rows_array(scaling, SCALING_WEAK),
                               "weak_stopped", json_text(scaling->stopped[0] ? scaling->stopped : NULL),
                               "interrupted", report->interrupted[0] != '\0');
    return json_print_line(object);
}
