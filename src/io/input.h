/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a file, wherever it comes from. */
#ifndef SPRY_IO_INPUT_H
#define SPRY_IO_INPUT_H

#include <time.h>

#include "core/internal.h"

/* Text, and what it takes to let go of it. It is in memory, followed by TEXT_PADDING zero bytes; or it is a file, of
   which pieces are read where they are wanted. Not mapped: what others do to the file would be done to the text while
   it is looked at, and shortening it would end the process. */
struct input {
    const char *text; /* null for a file */
    size_t size;
    char *name; /* what messages call it: the path, or archive:member */
    size_t name_bytes;
    int file;      /* -1 for text in memory */
    int64_t start; /* where the text begins in the file */
    struct timespec modified;
    void *buffer; /* a copy, or what was unpacked */
    size_t buffer_bytes;
};

/* What spry_input_load says of a file that ends before its text. */
#define INPUT_IS_SHORT (-1)

/* `limit` below is options.unpack_limit. */

/* The text of a file: left there when it is plain, unpacked when it is compressed, an archive or a pipe. */
spry_status spry_input_open(spry_context *context, const char *path, uint64_t limit, struct input *input);
/* The same of a file that is open already, from where it stands. It stays open. */
spry_status spry_input_adopt(spry_context *context, const char *name, int descriptor, uint64_t limit,
                             struct input *input);
/* A copy of `size` bytes. */
spry_status spry_input_copy(spry_context *context, const char *name, const char *text, size_t size,
                            struct input *input);
/* Unpack an open file into input->buffer. Closes `file`. Used by spry_input_open. */
spry_status spry_input_unpack(spry_context *context, int file, const char *path, uint64_t limit,
                              struct input *input);
/* The text from `from` up to `to`. Text in memory stays where it is; that of a file is read to `room`, where TEXT_PADDING
   zero bytes follow it. What cannot be read becomes zeros, and *error an errno or INPUT_IS_SHORT. May be called by
   several threads at once. */
const char *spry_input_load(const struct input *input, size_t from, size_t to, char *room, int *error);
/* The status and message of such an error. */
spry_status spry_input_error(spry_context *context, const struct input *input, int error);
/* SPRY_ERROR_IO if the file has been written to since it was opened, as far as its time and size tell. */
spry_status spry_input_check(spry_context *context, const struct input *input);
/* What messages call it: path, or path:member. */
spry_status spry_input_name(spry_context *context, const char *path, const char *member, struct input *input);
/* Also after a failure. */
void spry_input_close(spry_context *context, struct input *input);

#endif
