/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/report_json.h"

#include <string.h>

#include "common/json.h"
#include "spbench/reason.h"

/* Up to the last bin that any row is in. */
static json_t *histogram_array(const spry_row_lengths *lengths) {
    json_t *array = json_array();
    int count = SPRY_LENGTH_BINS;
    while (count > 0 && lengths->histogram[count - 1] == 0)
        count--;
    for (int i = 0; array && i < count; i++)
        json_push(&array, json_integer((json_int_t)lengths->histogram[i]));
    return array;
}

static json_t *lengths_object(const spry_row_lengths *lengths) {
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "min", (json_int_t)lengths->min, "q1",
                     (json_int_t)lengths->q1, "median", (json_int_t)lengths->median, "q3",
                     (json_int_t)lengths->q3, "max", (json_int_t)lengths->max, "mean",
                     json_number(lengths->mean), "std", json_number(lengths->std), "histogram",
                     histogram_array(lengths));
}

json_t *report_json_matrix(const struct report *report) {
    const struct source *source = report->source;
    return json_pack(
        "{s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:s, s:s, s:o}", "name", json_text(source->name), "file",
        json_text(source->file), "rows", (json_int_t)report->rows, "cols", (json_int_t)report->cols, "nnz",
        (json_int_t)report->nnz, "nan", (json_int_t)source->nan_count, "infinite",
        (json_int_t)source->infinite_count, "field", spry_field_name(source->info.field), "symmetry",
        spry_symmetry_name(source->info.symmetry), "row_length", lengths_object(&report->lengths));
}

static json_t *gpu_object(const struct report *report) {
    const struct place *gpu = report_place(report, SPRY_CUDA);
    if (!gpu)
        return json_null();
    return json_pack("{s:o, s:I, s:o, s:o}", "name", json_text(gpu->processor), "cache_bytes",
                     (json_int_t)gpu->cache_bytes, "copy_gbs", json_number(gpu->memory_gbs), "profile",
                     json_text(report->pick[SPRY_CUDA].profile));
}

static json_t *machine_object(const struct report *report) {
    const struct place *cpu = report_place(report, SPRY_CPU);
    return json_pack("{s:o, s:i, s:o, s:o, s:o}", "cpu", json_text(report->cpu), "threads", report->threads,
                     "read_gbs", cpu ? json_number(cpu->memory_gbs) : json_null(), "profile",
                     json_text(report->pick[SPRY_CPU].profile), "gpu", gpu_object(report));
}

json_t *report_json_read(const struct source *source) {
    if (source->generated)
        return json_pack("{s:n, s:n}", "seconds", "mb_per_s");
    return json_pack("{s:o, s:o}", "seconds", json_number(source->seconds), "mb_per_s",
                     json_number((double)source->info.bytes * 1e-6 / source->seconds));
}

/* From the host to the GPU. */
static json_t *copy_object(const struct report *report) {
    if (report->copy_seconds <= 0.0)
        return json_null();
    return json_pack("{s:o, s:I, s:o}", "us", json_number(report->copy_seconds * 1e6), "bytes",
                     (json_int_t)report->copy_bytes, "gbs",
                     json_number((double)report->copy_bytes * 1e-9 / report->copy_seconds));
}

/* The part of a row that says what was measured. */
static json_t *identity_object(const struct report *report, const struct result *result) {
    return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:b, s:s, s:s, s:s, s:i}", "format", result->format,
                     "storage", json_text(result->storage[0] ? result->storage : NULL), "backend",
                     spry_backend_name(result->backend), "peer", json_text(result->peer), "peer_version",
                     json_text(result->peer_version), "kernel", json_text(result->kernel), "default",
                     result->by_default, "type", spry_type_name(report->options->reading.type), "index",
                     spry_index_name(report->index), "op", report->options->op == SPRY_N ? "N" : "T",
                     "threads", report->threads);
}

json_t *report_json_spread(bool measured, const struct spread *seconds) {
    if (!measured)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:i, s:i}", "median", json_number(seconds->median * 1e6),
                     "min", json_number(seconds->min * 1e6), "q1", json_number(seconds->q1 * 1e6), "q3",
                     json_number(seconds->q3 * 1e6), "max", json_number(seconds->max * 1e6), "batches",
                     seconds->batches, "disturbed", seconds->disturbed);
}

static json_t *count(bool measured, int64_t value) {
    return measured ? json_integer((json_int_t)value) : json_null();
}

json_t *report_json_truth(bool measured, bool value) {
    return measured ? json_boolean(value) : json_null();
}

static json_t *figures_object(const struct report *report, const struct result *result) {
    bool ran = result->status == SPRY_OK, built = result->built;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "bytes", count(built, (int64_t)result->bytes), "bytes_per_nnz",
                     json_figure(built, result->bytes_per_nnz), "fill", json_figure(built, result->fill),
                     "convert_us", json_figure(built, result->convert_seconds * 1e6), "time_us",
                     report_json_spread(ran, &result->seconds), "noisy",
                     report_json_truth(ran, report_is_noisy(result)), "cold_us",
                     report_json_spread(ran && result->cold.median > 0.0, &result->cold), "predicted_us",
                     json_number(result->predicted * 1e6), "gflops", json_figure(ran, result->gflops), "gbs",
                     json_figure(ran, result->gbs), "csr_gbs", json_figure(ran, result->csr_gbs), "roof_gbs",
                     json_figure(ran, result->roof_gbs), "roofline", json_figure(ran, result->roofline),
                     "vs_csr", json_figure(result->vs_csr > 0.0, result->vs_csr), "vs_csr_certain",
                     report_json_truth(result->vs_csr > 0.0, report_is_certain(report, result)),
                     "pays_back_after", count(result->pays_back_after >= 0, result->pays_back_after), "error",
                     json_figure(ran, result->error));
}

static json_t *result_object(const struct report *report, const struct result *result) {
    json_t *measured = json_join(identity_object(report, result), figures_object(report, result));
    return json_join(measured, json_pack("{s:s, s:o}", "status", report_status(result), "message",
                                         json_text(result->message)));
}

static json_t *results_array(const struct report *report) {
    json_t *array = json_array();
    for (int i = 0; array && i < report->result_count; i++)
        json_push(&array, result_object(report, &report->results[i]));
    return array;
}

static json_t *fastest_object(const struct report *report) {
    const struct result *fastest = report_fastest(report);
    char reason[1024];
    if (!fastest)
        return json_null();
    reason_write(report, fastest, reason, sizeof reason);
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:b}", "format", fastest->format, "storage", fastest->storage,
                     "backend", spry_backend_name(fastest->backend), "kernel", json_text(fastest->kernel),
                     "reason", json_text(reason), "tie", report_is_contested(report, fastest));
}

static json_t *pick_object(const struct report *report, spry_backend backend) {
    const struct pick *pick = &report->pick[backend];
    if (!pick->format)
        return json_null();
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "backend", spry_backend_name(backend),
                     "format", pick->format, "storage", pick->storage, "kernel", pick->kernel, "predicted_us",
                     json_number(pick->predicted * 1e6), "reason", json_text(pick->reason), "regret",
                     json_figure(pick->regret > 0.0, pick->regret), "tie",
                     report_json_truth(pick->regret > 0.0, pick->tie));
}

static json_t *picks_array(const struct report *report) {
    json_t *array = json_array();
    for (int i = 0; array && i < report->place_count; i++)
        json_push(&array, pick_object(report, report->places[i].backend));
    return array;
}

/* An array where several backends were asked for, however many there are: so that its form is known beforehand. */
static json_t *picks(const struct report *report) {
    if (options_want_several(report->options))
        return picks_array(report);
    return pick_object(report, report->places[0].backend);
}

json_t *report_json(const struct report *report) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:s}", "matrix", report_json_matrix(report),
                     "machine", machine_object(report), "read", report_json_read(report->source), "copy",
                     copy_object(report), "results", results_array(report), "fastest", fastest_object(report),
                     "pick", picks(report), "interrupted", report->interrupted[0] != '\0', "version",
                     SPRY_VERSION);
}
