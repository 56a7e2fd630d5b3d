/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "terminal.h"

/* To the line's start, and erase to its end (ECMA-48 EL). */
#define ERASE "\r\033[K"

void progress_show(const char *format, ...) {
    char line[256];
    va_list arguments;
    int width = terminal_columns(STDERR_FILENO);
    if (!isatty(STDERR_FILENO))
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, ERASE "%.*s", (width > 0 ? width : 80) - 1, line);
    fflush(stderr);
}

void progress_clear(void) {
    if (isatty(STDERR_FILENO))
        fputs(ERASE, stderr);
}
