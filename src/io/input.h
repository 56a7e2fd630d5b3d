/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a file, wherever it comes from. */
#ifndef SPRY_IO_INPUT_H
#define SPRY_IO_INPUT_H

#include "core/internal.h"

/* Text, followed by TEXT_PADDING zero bytes, and what it takes to let go of it. */
struct input {
    const char *text;
    size_t size;
    char *name; /* what messages call it: the path, or archive:member */
    size_t name_bytes;
    void *mapping; /* the file in memory, */
    size_t mapping_bytes;
    void *buffer; /* or a copy of what was unpacked */
    size_t buffer_bytes;
};

/* The text of a file: mapped when it is plain, unpacked when it is compressed, an archive or a pipe. */
spry_status spry_input_open(spry_context *context, const char *path, struct input *input);
/* The same of a file that is open already, from where it stands. It stays open. */
spry_status spry_input_adopt(spry_context *context, const char *name, int descriptor, struct input *input);
/* A copy of `size` bytes. */
spry_status spry_input_copy(spry_context *context, const char *name, const char *text, size_t size,
                            struct input *input);
/* Unpack an open file into input->buffer. Closes `file`. Used by spry_input_open. */
spry_status spry_input_unpack(spry_context *context, int file, const char *path, struct input *input);
/* What messages call it: path, or path:member. */
spry_status spry_input_name(spry_context *context, const char *path, const char *member, struct input *input);
/* Also after a failure. */
void spry_input_close(spry_context *context, struct input *input);

#endif
