/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- members ---- */

const json_t *record_at(const json_t *json, const char *name, const char *member) {
    return json_object_get(json_object_get(json, name), member);
}

double record_number(const json_t *json, const char *member) {
    const json_t *value = json_object_get(json, member);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *record_text(const json_t *json, const char *member) {
    const char *text = json_string_value(json_object_get(json, member));
    return text ? text : "";
}

bool record_truth(const json_t *json, const char *member) {
    return json_is_true(json_object_get(json, member));
}

/* ---- picks ---- */

/* One object, or an array of objects and nulls. */
const json_t *record_pick(const struct record *record, const char *backend) {
    const json_t *picks = json_object_get(record->json, "pick");
    for (size_t i = 0; i < json_array_size(picks); i++) {
        const json_t *pick = json_array_get(picks, i);
        if (strcmp(record_text(pick, "backend"), backend) == 0)
            return pick;
    }
    return strcmp(record_text(picks, "backend"), backend) == 0 ? picks : NULL;
}

const json_t *record_first_pick(const struct record *record) {
    const json_t *picks = json_object_get(record->json, "pick");
    for (size_t i = 0; i < json_array_size(picks); i++)
        if (json_is_object(json_array_get(picks, i)))
            return json_array_get(picks, i);
    return json_is_object(picks) ? picks : NULL;
}

/* ---- rows ---- */

static bool is_same(const struct record_row *row, const json_t *other) {
    return !row->peer[0] && strcmp(row->backend, record_text(other, "backend")) == 0 &&
           strcmp(row->storage, record_text(other, "storage")) == 0 &&
           strcmp(row->kernel, record_text(other, "kernel")) == 0;
}

/* As the regret of the pick has it (pick.c). */
static struct record_row *find_pick(struct record *record, const json_t *pick) {
    struct record_row *found = NULL;
    for (int i = 0; i < record->count; i++) {
        struct record_row *row = &record->rows[i];
        if (!row->ok || row->peer[0] || !record_truth(row->json, "default") ||
            strcmp(row->backend, record_text(pick, "backend")) != 0)
            continue;
        if (strcmp(row->storage, record_text(pick, "storage")) == 0)
            return row;
        if (!found && strcmp(record_text(row->json, "format"), record_text(pick, "format")) == 0)
            found = row;
    }
    return found;
}

static void mark_pick(struct record *record, const json_t *pick) {
    struct record_row *row = json_is_object(pick) ? find_pick(record, pick) : NULL;
    if (row)
        row->picked = true;
}

static void mark_picks(struct record *record) {
    const json_t *picks = json_object_get(record->json, "pick");
    mark_pick(record, picks);
    for (size_t i = 0; i < json_array_size(picks); i++)
        mark_pick(record, json_array_get(picks, i));
}

static bool is_time(const struct record_row *row) {
    return 0.0 < row->min && row->min <= row->median && row->median <= row->max && isfinite(row->max) &&
           !(row->q1 < row->min) && !(row->q3 > row->max);
}

static void read_row(const struct record *record, int place, struct record_row *row) {
    const json_t *json = json_array_get(json_object_get(record->json, "results"), (size_t)place);
    const json_t *time = json_object_get(json, "time_us");
    *row = (struct record_row){
        .json = json,
        .place = place,
        .storage = record_text(json, "storage"),
        .kernel = record_text(json, "kernel"),
        .backend = record_text(json, "backend"),
        .peer = record_text(json, "peer"),
        .message = record_text(json, "message"),
        .median = record_number(time, "median"),
        .min = record_number(time, "min"),
        .q1 = record_number(time, "q1"),
        .q3 = record_number(time, "q3"),
        .max = record_number(time, "max"),
    };
    row->ok = strcmp(record_text(json, "status"), "ok") == 0 && is_time(row);
    row->fastest = row->ok && is_same(row, json_object_get(record->json, "fastest"));
}

/* How many rows of Spry's, where this one ran, have its storage, and how many its kernel. */
static void count_alike(const struct record *record, const struct record_row *row, int *storages,
                        int *kernels) {
    *storages = *kernels = 0;
    for (int i = 0; i < record->count; i++) {
        const struct record_row *other = &record->rows[i];
        if (other->peer[0] || strcmp(other->backend, row->backend) != 0)
            continue;
        *storages += strcmp(other->storage, row->storage) == 0;
        *kernels += strcmp(other->kernel, row->kernel) == 0;
    }
}

/* The storage, or else the kernel, or both; and where it ran, in a record of several backends. */
static void label_row(const struct record *record, struct record_row *row) {
    int storages, kernels;
    count_alike(record, row, &storages, &kernels);
    bool named = row->storage[0] && !row->peer[0];
    bool kernel = row->kernel[0] && (storages > 1 || !named);
    bool storage = named && (storages == 1 || kernels > 1 || !kernel);
    snprintf(row->label, sizeof row->label, "%s%s%s%s%s%s%s", row->peer, row->peer[0] ? " " : "",
             storage ? row->storage : "", storage && kernel ? " " : "", kernel ? row->kernel : "",
             record->several ? " on " : "", record->several ? row->backend : "");
}

/* By time, and otherwise as they were. */
static int compare_rows(const void *left, const void *right) {
    const struct record_row *a = left, *b = right;
    if (a->ok != b->ok)
        return b->ok - a->ok;
    if (a->ok && a->median != b->median)
        return a->median < b->median ? -1 : 1;
    return a->place - b->place;
}

/* ---- records ---- */

const char *record_fault(const json_t *json) {
    const json_t *matrix = json_object_get(json, "matrix");
    if (json_is_array(json_object_get(json, "strong")))
        return "this is of --scaling, which has no formats to compare";
    if (!json_is_string(json_object_get(matrix, "name")) || !json_is_array(json_object_get(json, "results")))
        return "this is nothing that spbench --json printed";
    if (json_array_size(json_object_get(json, "results")) > RECORD_ROWS)
        return "it has more rows than spbench prints";
    return NULL;
}

bool record_take(struct record *record, json_t *json) {
    const json_t *results = json_object_get(json, "results");
    *record = (struct record){.json = json, .name = record_text(json_object_get(json, "matrix"), "name")};
    record->rows = calloc(json_array_size(results) + 1, sizeof *record->rows);
    if (!record->rows) {
        record_free(record);
        return false;
    }
    record->count = (int)json_array_size(results);
    for (int i = 0; i < record->count; i++) {
        read_row(record, i, &record->rows[i]);
        record->ok_count += record->rows[i].ok;
        record->several |= strcmp(record->rows[i].backend, record->rows[0].backend) != 0;
    }
    mark_picks(record);
    for (int i = 0; i < record->count; i++)
        label_row(record, &record->rows[i]);
    qsort(record->rows, (size_t)record->count, sizeof *record->rows, compare_rows);
    return true;
}

void record_free(struct record *record) {
    json_decref(record->json);
    free(record->rows);
    *record = (struct record){.json = NULL};
}

const struct record_row *record_fastest(const struct record *record) {
    for (int i = 0; i < record->count; i++)
        if (record->rows[i].fastest)
            return &record->rows[i];
    return NULL;
}
