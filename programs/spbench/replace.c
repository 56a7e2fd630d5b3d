/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/replace.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/folder.h"

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

/* All of a file that was just opened, which is closed. */
static int write_text(FILE *file, const char *text) {
    int error = fputs(text, file) < 0 ? errno : 0;
    return fclose(file) != 0 && !error ? errno : error;
}

static int write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "we");
    return file ? write_text(file, text) : errno;
}

/* What is at a path, if anything. */
struct target {
    bool there, plain;
    mode_t permissions;
};

static int look_at(const char *path, struct target *target) {
    struct stat found;
    int error = *path ? make_folders(path) : ENOENT;
    *target = (struct target){.plain = true};
    if (error || lstat(path, &found) != 0)
        return error || errno == ENOENT ? error : errno;
    *target = (struct target){true, S_ISREG(found.st_mode), found.st_mode & 07777};
    if (target->plain)
        return folder_check_replacing(path, &found);
    return S_ISDIR(found.st_mode) ? EISDIR : 0;
}

/* So many names are tried. */
#define NAMES 100

/* A new file in the folder of the other, with the first name that is free: what somebody else put there is not written
   to, nor followed where it is a link. */
static FILE *create_beside(const char *path, char *beside, size_t size) {
    FILE *file = NULL;
    errno = EEXIST;
    for (int i = 0; i < NAMES && !file && errno == EEXIST; i++) {
        snprintf(beside, size, "%s.part%d", path, i);
        file = fopen(beside, "wxe");
    }
    return file;
}

/* Write the file beside, and let it take the place of the other if that is asked for. */
static int write_beside(const char *path, const struct target *target, const char *text, bool replace) {
    size_t size = strlen(path) + sizeof ".part99";
    char *beside = malloc(size);
    FILE *file = beside ? create_beside(path, beside, size) : NULL;
    if (!file) {
        int error = errno;
        free(beside);
        return error;
    }
    int error = write_text(file, text);
    if (!error && target->there && chmod(beside, target->permissions) != 0)
        error = errno;
    if (!error && replace && rename(beside, path) != 0)
        error = errno;
    if (error || !replace)
        (void)unlink(beside);
    free(beside);
    return error;
}

int replace_file(const char *path, const char *text) {
    struct target target;
    int error = look_at(path, &target);
    if (error)
        return error;
    return target.plain ? write_beside(path, &target, text, true) : write_file(path, text);
}

int replace_check(const char *path) {
    struct target target;
    int error = look_at(path, &target);
    if (error)
        return error;
    if (target.plain)
        return write_beside(path, &target, "", false);
    return access(path, W_OK) == 0 || errno == ENOENT ? 0 : errno;
}
