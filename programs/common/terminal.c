/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PAGE_DEFAULT 100

int terminal_columns(int descriptor) {
    struct winsize window = {0};
    return ioctl(descriptor, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

/* What the user set; 0: nothing, or no whole number over 0. */
static int wanted_columns(void) {
    const char *text = getenv("COLUMNS");
    char *end;
    long columns = text ? strtol(text, &end, 10) : 0;
    if (columns <= 0 || *end != '\0')
        return 0;
    return columns < PAGE_MOST ? (int)columns : PAGE_MOST;
}

int terminal_page(void) {
    int columns = wanted_columns();
    if (columns == 0)
        columns = terminal_columns(STDOUT_FILENO);
    if (columns == 0)
        columns = PAGE_DEFAULT;
    return columns < PAGE_LEAST ? PAGE_LEAST : columns < PAGE_MOST ? columns : PAGE_MOST;
}
