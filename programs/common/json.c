/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *json_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_figure(bool known, double value) {
    return known ? json_number(value) : json_null();
}

json_t *json_text(const char *bytes) {
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

void json_push(json_t **array, json_t *item) {
    if (json_array_append_new(*array, item) == 0)
        return;
    json_decref(*array);
    *array = NULL;
}

json_t *json_join(json_t *object, json_t *more) {
    int failed = json_object_update(object, more);
    json_decref(more);
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

int json_print_line(json_t *object) {
    if (!object)
        return -1;
    /* Where standard output takes no more, it says so itself. */
    bool failed =
        json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(JSON_DIGITS)) != 0 && !ferror(stdout);
    putchar('\n');
    json_decref(object);
    return failed ? -1 : 0;
}
