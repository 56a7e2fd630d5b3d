/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "common/printable.h"
#include "common/terminal.h"

/* To the line's start, and erase to its end (ECMA-48 EL). */
#define ERASE "\r\033[K"

static char last[256];

void progress_show(const char *format, ...) {
    va_list arguments;
    int width = terminal_columns(STDERR_FILENO);
    va_start(arguments, format);
    vsnprintf(last, sizeof last, format, arguments);
    va_end(arguments);
    make_printable(last);
    if (!isatty(STDERR_FILENO))
        return;
    fprintf(stderr, ERASE "%.*s", (width > 0 ? width : 80) - 1, last);
    fflush(stderr);
}

const char *progress_last(void) {
    return last;
}

void progress_clear(void) {
    if (isatty(STDERR_FILENO))
        fputs(ERASE, stderr);
}
