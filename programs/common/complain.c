/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/complain.h"

#include <errno.h>
#include <stdio.h>

#include "common/printable.h"
#include "common/progress.h"

bool complain_list(const char *format, va_list arguments) {
    char line[8192]; /* more than the longest path has */
    vsnprintf(line, sizeof line, format, arguments);
    make_printable(line);
    progress_clear();
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, line);
    return false;
}

bool complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain_list(format, arguments);
    va_end(arguments);
    return false;
}
