/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* To the line's start, and erase to its end (ECMA-48 EL). */
#define ERASE "\r\033[K"

static int terminal_width(void) {
    struct winsize window;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
        return window.ws_col;
    return 80;
}

void progress_show(const char *format, ...) {
    char line[256];
    va_list arguments;
    if (!isatty(STDERR_FILENO))
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, ERASE "%.*s", terminal_width() - 1, line);
    fflush(stderr);
}

void progress_clear(void) {
    if (isatty(STDERR_FILENO))
        fputs(ERASE, stderr);
}
