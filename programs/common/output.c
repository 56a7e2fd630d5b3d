/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/complain.h"
#include "common/failure.h"
#include "common/folder.h"

bool output_is_standard(const char *path) {
    return strcmp(path, "-") == 0;
}

static const char *shown(const char *path) {
    return output_is_standard(path) ? "standard output" : path;
}

/* ---- before ---- */

static int check_access(const char *path, int mode) {
    return access(path, mode) == 0 ? 0 : errno;
}

/* A file is made beside the path, and takes its name when it is complete. */
static int check_folder(const char *path) {
    char *folder = folder_of(path);
    int error = folder ? check_access(folder, W_OK | X_OK) : ENOMEM;
    free(folder);
    return error;
}

/* A pipe, a device or a link, whose goal is made where it is missing. */
static int check_special(const char *path) {
    struct stat goal;
    if (stat(path, &goal) != 0)
        return errno == ENOENT ? 0 : errno;
    return S_ISDIR(goal.st_mode) ? EISDIR : check_access(path, W_OK);
}

static int check_path(const char *path) {
    struct stat there;
    if (output_is_standard(path))
        return fcntl(STDOUT_FILENO, F_GETFD) < 0 ? errno : 0;
    bool replaces = lstat(path, &there) == 0;
    if (replaces && !S_ISREG(there.st_mode))
        return check_special(path);
    int error = *path ? check_folder(path) : ENOENT;
    return replaces && !error ? folder_check_replacing(path, &there) : error;
}

static bool is_packed(const char *path) {
    const size_t length = strlen(path);
    return length >= 3 && strcmp(path + length - 3, ".gz") == 0;
}

bool output_check(const char *path, char *message, size_t size) {
    const int error = check_path(path);
    if (is_packed(path))
        snprintf(message, size, "%s: only plain text is written, not gzip", path);
    else if (error)
        snprintf(message, size, "%s: %s", shown(path), strerror(error));
    return !error && !is_packed(path);
}

/* ---- standard output ---- */

static int write_all(int to, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(to, bytes, count);
        if (written < 0)
            return errno;
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

static int copy(int from, int to) {
    char bytes[1 << 16];
    ssize_t count;
    int error = 0;
    while (!error && (count = read(from, bytes, sizeof bytes)) > 0)
        error = write_all(to, bytes, (size_t)count);
    return error ? error : count < 0 ? errno : 0;
}

/* By way of a file without a name: of a name such as /dev/stdout, spry_write would empty what is there. */
static int write_standard(spry_context *context, int standard, const spry_matrix *matrix,
                          spry_status *status) {
    char path[32];
    FILE *whole = fflush(stdout) == 0 ? tmpfile() : NULL;
    if (!whole)
        return errno;
    snprintf(path, sizeof path, "/dev/fd/%d", fileno(whole));
    *status = spry_write(context, path, matrix);
    int error = *status == SPRY_OK ? copy(fileno(whole), standard) : 0;
    fclose(whole);
    return error;
}

bool output_write(spry_context *context, const char *path, int standard, const spry_matrix *matrix,
                  char *message, size_t size) {
    spry_status status = SPRY_OK;
    int error = 0;
    if (output_is_standard(path))
        error = write_standard(context, standard, matrix, &status);
    else
        status = spry_write(context, path, matrix);
    if (error)
        snprintf(message, size, "%s: %s", shown(path), strerror(error));
    else if (status != SPRY_OK)
        failure_explain(context, status, shown(path), message, size);
    return !error && status == SPRY_OK;
}

bool output_close(void) {
    const bool lost = ferror(stdout) | (fclose(stdout) != 0);
    return !lost || complain("%s: cannot be written to", shown("-"));
}
