/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that appears under its name only when it is complete. */
#ifndef SPRY_IO_OUTPUT_H
#define SPRY_IO_OUTPUT_H

#include "core/internal.h"

struct output {
    const char *path;
    char *temporary; /* in the same folder; null for what is no regular file, such as a pipe */
    size_t temporary_bytes;
    int file;
    int error; /* errno of the first failure; nothing is written after it */
    char *buffer;
    size_t used;
};

spry_status spry_output_open(spry_context *context, const char *path, struct output *output);
/* Room for `size` characters, at most a few hundred; output->used is advanced by what is put there. */
char *spry_output_room(struct output *output, size_t size);
/* Write what is left, give the file its name, release everything. After a failure, here or earlier, the
   temporary file is gone and the message says why. */
spry_status spry_output_close(spry_context *context, struct output *output);

#endif
