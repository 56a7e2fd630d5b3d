/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "io/fault.h"
#include "io/scan.h"

/* Characters of a token that a message shows. */
#define SHOWN 40

void spry_fault(struct fault *fault, const char *at, const char *expected, ...) {
    if (fault->at && fault->at <= at)
        return;
    fault->at = at;
    va_list arguments;
    va_start(arguments, expected);
    vsnprintf(fault->expected, sizeof fault->expected, expected, arguments);
    va_end(arguments);
}

void spry_fault_merge(struct fault *fault, const struct fault *other) {
    if (other->at && (!fault->at || other->at <= fault->at))
        *fault = *other;
}

/* A token in quotes. What cannot be printed is shown as '?'. */
static void quote(const char *at, const char *end, char *got) {
    bool whole = end - at <= SHOWN;
    end = whole ? end : at + SHOWN;
    *got++ = '"';
    for (; at < end; at++)
        *got++ = *at >= 0x20 && *at < 0x7f ? *at : '?';
    strcpy(got, whole ? "\"" : "\"…");
}

/* What stands at a fault, as the message names it. */
static void describe(const char *at, const char *end, char got[SHOWN + 16]) {
    const char *next = at;
    while (next < end && *next != '\n' && !is_blank(*next))
        next++;
    if (next > at)
        quote(at, next, got);
    else
        strcpy(got, at == end ? "the end of the file" : "the end of the line");
}

spry_status spry_fault_report(spry_context *context, const struct input *input, const struct fault *fault) {
    if (!fault->at)
        return SPRY_OK;
    int64_t line = 1;
    const char *start = input->text;
    for (const char *p; (p = memchr(start, '\n', (size_t)(fault->at - start))); start = p + 1)
        line++;
    char got[SHOWN + 16];
    describe(fault->at, input->text + input->size, got);
    return spry_fail(context, SPRY_ERROR_SYNTAX, "%s:%" PRId64 ":%" PRId64 ": got %s, expected %s",
                     input->name, line, (int64_t)(fault->at - start) + 1, got, fault->expected);
}
