/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* Significant digits of measured figures; more would be noise. */
#define DIGITS 6

/* JSON has no NaN and no infinity. */
static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

/* JSON is UTF-8, file names are bytes: what is not UTF-8 loses its bytes beyond ASCII. */
static json_t *text(const char *bytes) {
    if (!bytes)
        return json_null();
    json_t *string = json_string(bytes);
    char *copy = string ? NULL : strdup(bytes);
    if (!copy)
        return string;
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    string = json_string(copy);
    free(copy);
    return string;
}

static json_t *lengths_object(const spry_row_lengths *lengths) {
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "min", (json_int_t)lengths->min, "q1",
                     (json_int_t)lengths->q1, "median", (json_int_t)lengths->median, "q3",
                     (json_int_t)lengths->q3, "max", (json_int_t)lengths->max, "mean", number(lengths->mean),
                     "std", number(lengths->std));
}

static json_t *matrix_object(const struct report *report) {
    const struct source *source = report->source;
    return json_pack("{s:o, s:o, s:I, s:I, s:I, s:s, s:s, s:o}", "name", text(source->name), "file",
                     text(source->file), "rows", (json_int_t)report->rows, "cols", (json_int_t)report->cols,
                     "nnz", (json_int_t)report->nnz, "field", spry_field_name(source->info.field), "symmetry",
                     spry_symmetry_name(source->info.symmetry), "row_length",
                     lengths_object(&report->lengths));
}

static json_t *machine_object(const struct report *report) {
    return json_pack("{s:o, s:i, s:o}", "cpu", text(report->cpu), "threads", report->threads, "read_gbs",
                     number(report->read_gbs));
}

static json_t *read_object(const struct source *source) {
    if (source->generated)
        return json_pack("{s:n, s:n}", "seconds", "mb_per_s");
    return json_pack("{s:o, s:o}", "seconds", number(source->seconds), "mb_per_s",
                     number((double)source->info.bytes * 1e-6 / source->seconds));
}

/* The part of a row that says what was measured. */
static json_t *identity_object(const struct report *report, const struct result *result) {
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:s, s:i}", "format", spry_format_name(result->format),
                     "backend", "cpu", "kernel", text(result->kernel), "type",
                     spry_type_name(report->options->type), "index", spry_index_name(report->index), "op",
                     report->options->op == SPRY_N ? "N" : "T", "threads", report->threads);
}

/* The figures; null where the row was not measured. */
static json_t *figures_object(const struct result *result) {
    bool ran = result->status == SPRY_OK;
    const struct spread *seconds = &result->seconds;
    json_t *time = ran ? json_pack("{s:o, s:o, s:o}", "median", number(seconds->median * 1e6), "min",
                                   number(seconds->min * 1e6), "max", number(seconds->max * 1e6))
                       : json_null();
    bool built = result->built;
    bool compared = result->vs_csr > 0.0;
    bool pays = result->pays_back_after >= 0;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "bytes",
                     built ? json_integer((json_int_t)result->bytes) : json_null(), "fill",
                     built ? number(result->fill) : json_null(), "convert_us",
                     built ? number(result->convert_seconds * 1e6) : json_null(), "time_us", time, "gflops",
                     ran ? number(result->gflops) : json_null(), "gbs",
                     ran ? number(result->gbs) : json_null(), "roofline",
                     ran ? number(result->roofline) : json_null(), "vs_csr",
                     compared ? number(result->vs_csr) : json_null(), "pays_back_after",
                     pays ? json_integer((json_int_t)result->pays_back_after) : json_null(), "error",
                     ran ? number(result->error) : json_null());
}

static json_t *result_object(const struct report *report, const struct result *result) {
    json_t *object = identity_object(report, result), *figures = figures_object(result);
    int failed = json_object_update(object, figures);
    failed |= json_object_set_new(object, "status", json_string(report_status(result)));
    failed |= json_object_set_new(object, "message", text(result->message));
    json_decref(figures);
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *results_array(const struct report *report) {
    json_t *array = json_array();
    for (int i = 0; i < report->result_count; i++)
        if (json_array_append_new(array, result_object(report, &report->results[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *fastest_object(const struct report *report) {
    const struct result *fastest = report_fastest(report);
    if (!fastest)
        return json_null();
    return json_pack("{s:s, s:o}", "format", spry_format_name(fastest->format), "kernel",
                     text(fastest->kernel));
}

int report_print_json(const struct report *report) {
    json_t *object = json_pack("{s:o, s:o, s:o, s:o, s:o}", "matrix", matrix_object(report), "machine",
                               machine_object(report), "read", read_object(report->source), "results",
                               results_array(report), "fastest", fastest_object(report));
    if (!object)
        return -1;
    int failed = json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
    putchar('\n');
    json_decref(object);
    return failed;
}
