/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a text is not what it should be, and how that is told. */
#ifndef SPRY_IO_FAULT_H
#define SPRY_IO_FAULT_H

#include "core/internal.h"
#include "io/input.h"

/* The first thing wrong with a text. Zeroed: nothing is. */
struct fault {
    const char *text; /* what is being looked at, */
    size_t start;     /* and where in the whole text it begins */
    bool found;
    size_t at; /* in the whole text: the token, a line end, or the end */
    char expected[120];
};

/* Note a fault, in printf's way, unless there is one earlier in the text: at a place of what is being looked at. */
void spry_fault(struct fault *fault, const char *at, const char *expected, ...)
    __attribute__((cold, noinline, format(printf, 3, 4)));
/* The same at a place of the whole text. */
void spry_fault_at(struct fault *fault, size_t at, const char *expected, ...)
    __attribute__((cold, noinline, format(printf, 3, 4)));
/* The earlier of both becomes *fault; at the same place the other one, found with more context. */
void spry_fault_merge(struct fault *fault, const struct fault *other);
/* SPRY_OK without a fault; otherwise the message "name:line:column: got …, expected …". */
spry_status spry_fault_report(spry_context *context, const struct input *input, const struct fault *fault);

#endif
