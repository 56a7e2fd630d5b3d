/* SPDX-License-Identifier: BSD-3-Clause */
/* What --json says of one matrix, read back: for pages and for comparisons. The numbers of a record that comes from a
   file may be any. */
#ifndef SPRY_SPBENCH_RECORD_H
#define SPRY_SPBENCH_RECORD_H

#include <stdbool.h>

#include <jansson.h>

/* Rows that a record may have: far more than there are kernels and storages. */
#define RECORD_ROWS 4096

/* Texts are the record's JSON's own; "" where there is none. */
struct record_row {
    const json_t *json;
    const char *storage, *kernel, *backend, *peer, *message;
    char label[96]; /* as short as tells it from all others of the record */
    bool ok;        /* it ran and is right, and its times are over 0 and in order */
    bool fastest;   /* of Spry's */
    bool picked;    /* the selector's: its storage or, where that has no row, the first of its format */
    int place;      /* in the JSON */
    double median, min, q1, q3, max; /* microseconds of one product; q1 and q3 may be NaN */
};

struct record {
    json_t *json; /* owned */
    const char *name;
    struct record_row *rows; /* those that are ok from the fastest on, then the others as they were */
    int count, ok_count;
    bool several; /* backends */
};

/* What is wrong with a JSON value as a record, or null. */
const char *record_fault(const json_t *json);

/* Take a value without fault, which record_free releases. False when memory ran out; the value is released then. */
bool record_take(struct record *record, json_t *json);
void record_free(struct record *record);

/* Null-safe: members of members, by name. */
const json_t *record_at(const json_t *json, const char *name, const char *member);
/* NaN, "" and false stand for members that are not there or are something else. */
double record_number(const json_t *json, const char *member);
const char *record_text(const json_t *json, const char *member);
bool record_truth(const json_t *json, const char *member);

/* The row that is the fastest of Spry's, or null. */
const struct record_row *record_fastest(const struct record *record);
/* The pick for a backend, or null; and the first there is. */
const json_t *record_pick(const struct record *record, const char *backend);
const json_t *record_first_pick(const struct record *record);

#endif
