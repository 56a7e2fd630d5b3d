/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes of a file or pipe one after the other, unpacked where they are gzip. */
#ifndef SPRY_IO_STREAM_H
#define SPRY_IO_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#define STREAM_BLOCK ((size_t)256 << 10)

struct stream {
    int file;
    bool looked, packed; /* whether its beginning was looked at, and is gzip's, of which there is more */
    bool unpacks;        /* whether any of it was gzip's */
    bool ended;          /* nothing follows */
    z_stream zlib;
    unsigned char *block;  /* STREAM_BLOCK bytes, of which zlib has next_in and avail_in */
    uint64_t taken, given; /* bytes of the file so far, and what they were unpacked to */
    uint64_t limit;        /* most to give; 0: by STREAM_RATIO */
    const char *error;     /* words for what went wrong */
    bool too_large;        /* and that it was the limit */
};

/* Most bytes to give without a limit of the caller's: so many times what was taken, but always STREAM_FLOOR. */
#define STREAM_RATIO 100
#define STREAM_FLOOR ((uint64_t)256 << 20)

/* Ready a stream with its file and block. False when there is no memory. */
bool spry_stream_open(struct stream *stream);
/* Up to `size` bytes; 0 at the end, -1 with stream->error after a failure. */
ptrdiff_t spry_stream_read(struct stream *stream, void *to, size_t size);
void spry_stream_close(struct stream *stream);

#endif
