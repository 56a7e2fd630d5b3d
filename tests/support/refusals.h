/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations whose requests for memory are refused, one by one. */
#ifndef TEST_REFUSALS_H
#define TEST_REFUSALS_H

#include "build.h"

/* What the operations work on, made by a context of its own that has all the memory it wants. */
struct inputs {
    spry_context *context;
    struct list list;
    struct built from[SPRY_FORMAT_COUNT];
    struct arrays coo, csr, csc; /* of the list, unsorted and with duplicates */
    struct placed x, y;          /* vectors, long enough for both products with two columns */
};

/* One operation; a matrix that it makes goes to *result. */
typedef spry_status operation(spry_context *context, const struct inputs *inputs, spry_format format,
                              spry_matrix **result);

/* Each of the operation's requests is refused once, in turn, and once with all behind it: a status comes back, nothing
   leaks. Once for each format, or for one. */
void check_formats(const char *name, operation *work);
void check_once(const char *name, operation *work, spry_format format);

#endif
