/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs of tests that go without Criterion: what does not hold is told, and counted. */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* So many did not hold. */
static int failures;

static inline void check(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void check(bool holds, const char *format, ...) {
    va_list arguments;
    if (holds)
        return;
    failures++;
    fputs("failed: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

#endif
