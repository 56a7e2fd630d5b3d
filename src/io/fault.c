/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "io/fault.h"
#include "io/scan.h"

/* Characters of a token that a message shows. */
#define SHOWN 40
/* Bytes that are looked through for line ends at a time. */
#define BLOCK 16384

static void note(struct fault *fault, size_t at, const char *expected, va_list arguments) {
    if (fault->found && fault->at <= at)
        return;
    fault->found = true;
    fault->at = at;
    vsnprintf(fault->expected, sizeof fault->expected, expected, arguments);
}

void spry_fault(struct fault *fault, const char *at, const char *expected, ...) {
    va_list arguments;
    va_start(arguments, expected);
    note(fault, fault->start + (size_t)(at - fault->text), expected, arguments);
    va_end(arguments);
}

void spry_fault_at(struct fault *fault, size_t at, const char *expected, ...) {
    va_list arguments;
    va_start(arguments, expected);
    note(fault, at, expected, arguments);
    va_end(arguments);
}

void spry_fault_merge(struct fault *fault, const struct fault *other) {
    if (other->found && (!fault->found || other->at <= fault->at))
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
static void describe(const struct input *input, size_t at, char got[SHOWN + 16], int *error) {
    char room[SHOWN + 1 + TEXT_PADDING];
    size_t left = input->size - at;
    const char *begin = spry_input_load(input, at, at + (left < SHOWN + 1 ? left : SHOWN + 1), room, error);
    const char *end = begin + (left < SHOWN + 1 ? left : SHOWN + 1), *next = begin;
    while (next < end && *next != '\n' && !is_blank(*next))
        next++;
    if (left && *begin == '\0')
        strcpy(got, "a zero byte");
    else if (next > begin)
        quote(begin, next, got);
    else
        strcpy(got, left ? "the end of the line" : "the end of the file");
}

/* Count the lines before a place, and find where its own begins. */
static int64_t count_lines(const struct input *input, size_t at, size_t *line_start, int *error) {
    char room[BLOCK + TEXT_PADDING];
    int64_t lines = 0;
    *line_start = 0;
    for (size_t begin = 0, end; begin < at; begin = end) {
        end = at - begin < BLOCK ? at : begin + BLOCK;
        const char *text = spry_input_load(input, begin, end, room, error), *p = text,
                   *last = text + (end - begin);
        for (; (p = memchr(p, '\n', (size_t)(last - p))); lines++)
            *line_start = begin + (size_t)(++p - text);
    }
    return lines;
}

spry_status spry_fault_report(spry_context *context, const struct input *input, const struct fault *fault) {
    if (!fault->found)
        return SPRY_OK;
    size_t line_start;
    int error = 0;
    int64_t lines = count_lines(input, fault->at, &line_start, &error);
    char got[SHOWN + 16];
    describe(input, fault->at, got, &error);
    if (error)
        return spry_input_error(context, input, error);
    return spry_fail(context, SPRY_ERROR_SYNTAX, "%s:%" PRId64 ":%" PRId64 ": got %s, expected %s",
                     input->name, lines + 1, (int64_t)(fault->at - line_start) + 1, got, fault->expected);
}
