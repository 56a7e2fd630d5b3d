/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *json_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
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

int json_print_line(json_t *object) {
    if (!object)
        return -1;
    int failed = json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(JSON_DIGITS));
    putchar('\n');
    json_decref(object);
    return failed;
}
