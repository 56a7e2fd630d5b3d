/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/output.h"

#define BUFFER ((size_t)1 << 18)
/* Names that are tried for the temporary file: others may be writing the same file, or have died doing so. */
#define ATTEMPTS 1000

/* Nothing that a finished file could be renamed to: a pipe or a terminal, and a link too, which may lead to one
   (/dev/stdout) and which is to stay a link. */
static bool is_special(const char *path) {
    struct stat facts;
    return lstat(path, &facts) == 0 && !S_ISREG(facts.st_mode);
}

static int create_temporary(struct output *output) {
    int file = -1;
    for (int i = 0; i < ATTEMPTS && file < 0; i++) {
        snprintf(output->temporary, output->temporary_bytes, "%s.part%d", output->path, i);
        file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST)
            break;
    }
    return file;
}

static spry_status allocate_temporary(spry_context *context, struct output *output) {
    if (is_special(output->path))
        return SPRY_OK;
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

static spry_status open_file(spry_context *context, struct output *output) {
    output->file = output->temporary ? create_temporary(output)
                                     : open(output->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output->file >= 0)
        return SPRY_OK;
    const char *name = errno == EEXIST ? output->temporary : output->path;
    return spry_fail(context, SPRY_ERROR_IO, "%s: %s", name, strerror(errno));
}

spry_status spry_output_open(spry_context *context, const char *path, struct output *output) {
    *output = (struct output){.path = path};
    void *buffer;
    spry_status status = spry_allocate(context, BUFFER, 1, &buffer);
    output->buffer = buffer;
    if (!status)
        status = allocate_temporary(context, output);
    if (!status)
        status = open_file(context, output);
    if (status)
        release(context, output);
    return status;
}

static void flush(struct output *output) {
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
