/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "io/output.h"

#define BUFFER ((size_t)1 << 18)
/* Names that are tried for the temporary file: others may be writing the same file, or have died doing so. */
#define ATTEMPTS 1000
/* Rights of single users and groups: a POSIX access control list, and more than anybody has of it. */
#define RIGHTS "system.posix_acl_access"
#define MOST_RIGHTS 4096
/* What is behind the name of the file in them, at most. */
#define LONGEST_ENDING ".part999"

/* Opening a pipe waits for its other end, and any signal can end that. */
static int open_again(const char *path, int flags, mode_t mode) {
    int file;
    do
        file = open(path, flags | O_CLOEXEC, mode);
    while (file < 0 && errno == EINTR);
    return file;
}

/* What is under a path now, of mode 0 where nothing is. Where that cannot be said nothing is written: it could be a file
   with rights to be kept. */
static spry_status look(spry_context *context, const char *path, struct stat *facts) {
    if (lstat(path, facts) == 0)
        return SPRY_OK;
    *facts = (struct stat){0};
    return errno == ENOENT ? SPRY_OK : spry_fail(context, SPRY_ERROR_IO, "%s: %s", path, strerror(errno));
}

/* Nothing that a finished file could be renamed to: a pipe or a terminal, and a link too, which may lead to one
   (/dev/stdout) and which is to stay a link. */
static bool is_special(const struct stat *facts) {
    return facts->st_mode && !S_ISREG(facts->st_mode);
}

/* The first name that is free, made of so much of the path. */
static int try_names(struct output *output, int length, mode_t mode) {
    int file = -1;
    for (int i = 0; i < ATTEMPTS && file < 0; i++) {
        snprintf(output->temporary, output->temporary_bytes, "%.*s.part%d", length, output->path, i);
        file = open_again(output->temporary, O_WRONLY | O_CREAT | O_EXCL, mode);
        if (file < 0 && errno != EEXIST)
            break;
    }
    return file;
}

/* Beside the file, under its name and an ending; where that is too long, the ending takes the place of the name's. */
static int create_temporary(struct output *output, mode_t mode) {
    size_t length = strlen(output->path), ending = strlen(LONGEST_ENDING);
    int file = try_names(output, (int)length, mode);
    if (file < 0 && errno == ENAMETOOLONG && length > ending &&
        !memchr(output->path + length - ending, '/', ending))
        file = try_names(output, (int)(length - ending), mode);
    return file;
}

/* The same list as the old file has, or none, though the folder may give one. Where there is one, the group's bits of the
   mode are no rights of the group, but bound all that the list gives. */
static bool copy_rights(const struct output *output, int file) {
    char rights[MOST_RIGHTS];
    ssize_t size = lgetxattr(output->path, RIGHTS, rights, sizeof rights);
    if (size >= 0)
        return fsetxattr(file, RIGHTS, rights, (size_t)size, 0) == 0;
    if (errno == ENODATA)
        return fremovexattr(file, RIGHTS) == 0 || errno == ENODATA;
    return errno == ENOTSUP;
}

/* A file that takes the place of another is for the same people as that: until it is theirs, for its owner alone. A group
   that we may not name, or whose rights we cannot tell, has none. The owner comes last, as we may give rights only to what is ours;
   the system lets few processes change it, and it stays ours otherwise. */
static int replace_file(struct output *output, const struct stat *facts) {
    int file = create_temporary(output, S_IRUSR | S_IWUSR);
    if (file < 0)
        return file;
    bool grouped = fchown(file, (uid_t)-1, facts->st_gid) == 0 && copy_rights(output, file);
    if (fchmod(file, facts->st_mode & (grouped ? 0777 : 0707)) != 0)
        output->error = errno;
    (void)!fchown(file, facts->st_uid, (gid_t)-1);
    return file;
}

static spry_status allocate_temporary(spry_context *context, struct output *output) {
    size_t bytes = strlen(output->path) + sizeof ".part0000";
    void *name;
    spry_status status = spry_allocate(context, bytes, 1, &name);
    output->temporary = name;
    output->temporary_bytes = bytes;
    return status;
}

static void release(spry_context *context, struct output *output) {
    spry_release(&context->allocator, output->buffer, BUFFER, 1);
    spry_release(&context->allocator, output->temporary, output->temporary_bytes, 1);
}

static int open_file(struct output *output, const struct stat *facts) {
    if (!output->temporary)
        return open_again(output->path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    return facts->st_mode ? replace_file(output, facts) : create_temporary(output, 0666);
}

static spry_status open_output(spry_context *context, struct output *output, const struct stat *facts) {
    output->file = open_file(output, facts);
    if (output->file >= 0)
        return SPRY_OK;
    const char *name = errno == EEXIST ? output->temporary : output->path;
    return spry_fail(context, SPRY_ERROR_IO, "%s: %s", name, strerror(errno));
}

spry_status spry_output_open(spry_context *context, const char *path, struct output *output) {
    *output = (struct output){.path = path};
    struct stat facts;
    void *buffer;
    if (*path == '\0')
        return spry_fail(context, SPRY_ERROR_IO, "'' is no name for a file");
    spry_status status = spry_allocate(context, BUFFER, 1, &buffer);
    output->buffer = buffer;
    if (!status)
        status = look(context, path, &facts);
    if (!status && !is_special(&facts))
        status = allocate_temporary(context, output);
    if (!status)
        status = open_output(context, output, &facts);
    if (status)
        release(context, output);
    return status;
}

/*
 * Writing to a pipe that nobody reads any more is to be an error, EPIPE, and no signal that ends the process; so is writing
 * past the limit of a file's size, EFBIG. A library must not change what the process does with signals; so SIGPIPE and
 * SIGXFSZ, which go to the writing thread alone, are blocked in it while it writes, and one that was not there before is
 * taken away. ("Suppressing SIGPIPE in a library", on krokisplace.blogspot.com, 2010, describes this.)
 */
struct quiet {
    sigset_t pending, before;
};

static void block_signals(struct quiet *quiet) {
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGPIPE);
    sigaddset(&both, SIGXFSZ);
    sigemptyset(&quiet->pending);
    sigpending(&quiet->pending);
    pthread_sigmask(SIG_BLOCK, &both, &quiet->before);
}

static void take_away(int number) {
    const struct timespec at_once = {0, 0};
    sigset_t one;
    int taken;
    sigemptyset(&one);
    sigaddset(&one, number);
    do
        taken = sigtimedwait(&one, NULL, &at_once);
    while (taken < 0 && errno == EINTR);
}

static void restore_signals(const struct quiet *quiet, int error) {
    int sent = error == EPIPE ? SIGPIPE : error == EFBIG ? SIGXFSZ : 0;
    if (sent && !sigismember(&quiet->pending, sent))
        take_away(sent);
    pthread_sigmask(SIG_SETMASK, &quiet->before, NULL);
}

static void write_all(struct output *output) {
    const char *from = output->buffer;
    while (output->used && !output->error) {
        ssize_t written = write(output->file, from, output->used);
        if (written >= 0) {
            from += written;
            output->used -= (size_t)written;
        } else if (errno != EINTR) {
            output->error = errno;
        }
    }
}

static void flush(struct output *output) {
    struct quiet quiet;
    if (!output->error) {
        block_signals(&quiet);
        write_all(output);
        restore_signals(&quiet, output->error);
    }
    output->used = 0;
}

char *spry_output_room(struct output *output, size_t size) {
    if (BUFFER - output->used < size)
        flush(output);
    return output->buffer + output->used;
}

spry_status spry_output_close(spry_context *context, struct output *output) {
    flush(output);
    if (close(output->file) != 0 && !output->error)
        output->error = errno;
    if (output->temporary && !output->error && rename(output->temporary, output->path) != 0)
        output->error = errno;
    if (output->temporary && output->error)
        unlink(output->temporary);
    int error = output->error;
    release(context, output);
    return error ? spry_fail(context, SPRY_ERROR_IO, "%s: %s", output->path, strerror(error)) : SPRY_OK;
}
