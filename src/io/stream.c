/* SPDX-License-Identifier: BSD-3-Clause */
/* zlib's own gzread gives up when a signal interrupts it, and knows no limit; so its files are read here, and zlib
   unpacks. What follows the last gzip member and is none is passed over, as gzip does. */
#define _DEFAULT_SOURCE
#include "io/stream.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* zlib's window bits for gzip, which has a sum at its end that is checked. */
#define GZIP_WINDOW (15 + 16)

bool spry_stream_open(struct stream *stream) {
    stream->zlib.next_in = stream->block;
    return inflateInit2(&stream->zlib, GZIP_WINDOW) == Z_OK;
}

void spry_stream_close(struct stream *stream) {
    inflateEnd(&stream->zlib);
}

static bool fail(struct stream *stream, const char *error) {
    stream->error = error;
    return false;
}

/* Have `least` bytes of the file in the block, unless it ends before. */
static bool fill(struct stream *stream, unsigned least) {
    z_stream *zlib = &stream->zlib;
    if (zlib->avail_in >= least)
        return true;
    memmove(stream->block, zlib->next_in, zlib->avail_in);
    zlib->next_in = stream->block;
    while (zlib->avail_in < least && !stream->ended) {
        ssize_t got = read(stream->file, stream->block + zlib->avail_in, STREAM_BLOCK - zlib->avail_in);
        if (got < 0 && errno != EINTR)
            return fail(stream, strerror(errno));
        stream->ended = got == 0;
        zlib->avail_in += got > 0 ? (unsigned)got : 0;
        stream->taken += got > 0 ? (uint64_t)got : 0;
    }
    return true;
}

static bool at_gzip(const struct stream *stream) {
    const unsigned char *next = stream->zlib.next_in;
    return stream->zlib.avail_in >= 2 && next[0] == 0x1f && next[1] == 0x8b;
}

static bool look(struct stream *stream) {
    if (!stream->looked && !fill(stream, 2))
        return false;
    stream->packed = stream->looked ? stream->packed : at_gzip(stream);
    stream->unpacks = stream->unpacks || stream->packed;
    stream->looked = true;
    return true;
}

static size_t copy(struct stream *stream, void *to, size_t size) {
    z_stream *zlib = &stream->zlib;
    size_t count = zlib->avail_in < size ? zlib->avail_in : size;
    memcpy(to, zlib->next_in, count);
    zlib->next_in += count;
    zlib->avail_in -= (unsigned)count;
    return count;
}

/* Behind a member: on to the next one, or to the end of all. */
static bool next_member(struct stream *stream) {
    if (!fill(stream, 2))
        return false;
    if (at_gzip(stream))
        return inflateReset(&stream->zlib) == Z_OK;
    stream->zlib.avail_in = 0;
    stream->ended = true;
    stream->packed = false;
    return true;
}

/* Some bytes, or none at the end; `size` is no more than zlib counts to. */
static bool unpack(struct stream *stream, void *to, size_t size, size_t *count) {
    z_stream *zlib = &stream->zlib;
    zlib->next_out = to;
    zlib->avail_out = (unsigned)size;
    while (stream->packed && zlib->avail_out == size) {
        if (!fill(stream, 1))
            return false;
        if (!zlib->avail_in)
            return fail(stream, "the compressed data end too early");
        int code = inflate(zlib, Z_NO_FLUSH);
        if (code == Z_STREAM_END ? !next_member(stream) : code != Z_OK && code != Z_BUF_ERROR)
            return stream->error ? false : fail(stream, zlib->msg ? zlib->msg : "no memory to unpack it");
    }
    *count = size - zlib->avail_out;
    return true;
}

static bool is_within(struct stream *stream) {
    uint64_t most = stream->limit;
    if (!most) {
        most = stream->taken > UINT64_MAX / STREAM_RATIO ? UINT64_MAX : STREAM_RATIO * stream->taken;
        most = most > STREAM_FLOOR ? most : STREAM_FLOOR;
    }
    stream->too_large = stream->given > most;
    return !stream->too_large || fail(stream, "it unpacks to more than the limit");
}

ptrdiff_t spry_stream_read(struct stream *stream, void *to, size_t size) {
    size_t count = 0;
    if (stream->error || !look(stream))
        return -1;
    size = size < STREAM_BLOCK ? size : STREAM_BLOCK;
    if (stream->packed ? !unpack(stream, to, size, &count) : !fill(stream, 1))
        return -1;
    if (!count && !stream->packed)
        count = copy(stream, to, size);
    stream->given += count;
    return is_within(stream) ? (ptrdiff_t)count : -1;
}
