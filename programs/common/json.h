/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of JSON that any bytes and any numbers can be put into. */
#ifndef SPRY_COMMON_JSON_H
#define SPRY_COMMON_JSON_H

#include <stdbool.h>

#include <jansson.h>

/* Of measured figures; more would be noise. */
#define JSON_DIGITS 6

/* JSON has no NaN and no infinity: null for them. */
json_t *json_number(double value);
/* The same, and null for what is not known. */
json_t *json_figure(bool known, double value);

/* JSON is UTF-8, file names are bytes: what is not UTF-8 loses its bytes beyond ASCII. Null for a null pointer. */
json_t *json_text(const char *bytes);

/* Append an item to an array, which owns it from then on. When memory ran out, for either of them too, the array is released and
   becomes null. */
void json_push(json_t **array, json_t *item);

/* One object with the members of both, in this order, which it owns from then on; null when memory ran out, for either of them
   too. */
json_t *json_join(json_t *object, json_t *more);

/* Print the object on a line of standard output and release it; null, as a constructor that had no memory gives it,
   is allowed. Returns other than 0 when memory ran out; that it could not be written, ferror(stdout) tells. Reals have JSON_DIGITS
   significant digits. */
int json_print_line(json_t *object);

#endif
