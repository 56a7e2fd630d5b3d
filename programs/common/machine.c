/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/* The first "model name : …" of Linux's list of processors. */
static bool read_model(char *name, size_t size) {
    char line[256];
    bool found = false;
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file)
        return false;
    while (!found && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        found = colon && strncmp(line, "model name", strlen("model name")) == 0;
        if (found)
            snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    }
    fclose(file);
    return found;
}

void machine_cpu(char *name, size_t size) {
    struct utsname system;
    if (read_model(name, size))
        return;
    snprintf(name, size, "%s", uname(&system) == 0 ? system.machine : "unknown processor");
}
