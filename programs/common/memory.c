/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/memory.h"

#include <math.h>
#include <stdio.h>

/* What a line of a file under /proc or /sys says, in `unit` bytes: INFINITY where there is no such line. */
static double read_bytes(const char *file, const char *line, double unit) {
    char text[256];
    double bytes = INFINITY, number;
    FILE *stream = fopen(file, "r");
    if (!stream)
        return INFINITY;
    while (isinf(bytes) && fgets(text, sizeof text, stream))
        if (sscanf(text, line, &number) == 1)
            bytes = number * unit;
    fclose(stream);
    return bytes;
}

double memory_available(void) {
    return fmin(read_bytes("/proc/meminfo", "MemAvailable: %lf kB", 1024.0),
                read_bytes("/sys/fs/cgroup/memory.max", "%lf", 1.0));
}
