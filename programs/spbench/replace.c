/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/replace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int make_folders(const char *path) {
    char *folder = strdup(path);
    int error = folder ? 0 : ENOMEM;
    for (char *end = folder; !error && (end = strchr(end + 1, '/'));) {
        *end = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            error = errno;
        *end = '/';
    }
    free(folder);
    return error;
}

static int write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "we");
    if (!file)
        return errno;
    int error = fputs(text, file) < 0 ? errno : 0;
    return fclose(file) != 0 && !error ? errno : error;
}

int replace_file(const char *path, const char *text) {
    char *beside;
    int error = *path ? make_folders(path) : ENOENT;
    if (error)
        return error;
    if (asprintf(&beside, "%s.%ld", path, (long)getpid()) < 0)
        return ENOMEM;
    error = write_file(beside, text);
    if (!error && rename(beside, path) != 0)
        error = errno;
    if (error)
        (void)unlink(beside);
    free(beside);
    return error;
}
