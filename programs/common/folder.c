/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/folder.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
}

int folder_check_replacing(const char *path, const struct stat *facts) {
    struct stat around;
    char *folder = folder_of(path);
    int error = !folder ? ENOMEM : stat(folder, &around) != 0 ? errno : 0;
    free(folder);
    if (error)
        return error;
    const uid_t user = geteuid();
    bool allowed = !(around.st_mode & S_ISVTX) || user == 0 || user == facts->st_uid || user == around.st_uid;
    return allowed ? 0 : EPERM;
}
