/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed files, archives and pipes, unpacked into memory that grows as the data arrive, since no size that a file
   declares can be trusted. libarchive finds the member of a tar archive. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "io/header.h"
#include "io/scan.h"
#include "io/stream.h"

#define BLOCK STREAM_BLOCK
/* Most bytes that libarchive may take for one header or one map of a sparse file, of which it keeps many times as
   much. */
#define MOST_FOR_HEADER ((uint64_t)16 << 20)

/* Where libarchive gets its blocks from. */
struct source {
    struct stream stream;
    void *block;
    uint64_t most; /* that the stream may have given: see allow */
};

static la_ssize_t read_block(struct archive *archive, void *user, const void **block) {
    struct source *source = user;
    struct stream *stream = &source->stream;
    *block = source->block;
    ptrdiff_t got = stream->given < source->most ? spry_stream_read(stream, source->block, BLOCK) : -1;
    if (got < 0)
        archive_set_error(archive, EIO, "%s",
                          stream->error ? stream->error : "a header of the archive is too long");
    return got;
}

/* What libarchive may take in the next call. */
static void allow(struct source *source, uint64_t bytes) {
    uint64_t given = source->stream.given;
    source->most = bytes > UINT64_MAX - given ? UINT64_MAX : given + bytes;
}

/* Whether a member is Name/Name.mtx, for any Name and in any folder. */
static bool is_matrix(const char *member) {
    const char *file = strrchr(member, '/');
    if (!file)
        return false;
    const char *folder = file;
    while (folder > member && folder[-1] != '/')
        folder--;
    size_t length = (size_t)(file - folder);
    return length && strncmp(file + 1, folder, length) == 0 && strcmp(file + 1 + length, ".mtx") == 0;
}

/* Twice the room, at least one block more. */
static spry_status grow(spry_context *context, struct input *input) {
    size_t bytes = 2 * input->buffer_bytes + (input->buffer_bytes ? 0 : BLOCK);
    void *larger;
    spry_status status = spry_allocate(context, bytes, 1, &larger);
    if (status)
        return status;
    if (input->size)
        memcpy(larger, input->buffer, input->size);
    spry_release(&context->allocator, input->buffer, input->buffer_bytes, 1);
    input->buffer = larger;
    input->buffer_bytes = bytes;
    return SPRY_OK;
}

static spry_status archive_error(spry_context *context, struct archive *archive, const struct source *source,
                                 const struct input *input) {
    const struct stream *stream = &source->stream;
    const char *text = stream->error ? stream->error : archive_error_string(archive);
    if (stream->too_large && stream->limit)
        return spry_fail(context, SPRY_ERROR_TOO_LARGE,
                         "%s: it %s more than %" PRIu64 " bytes, which unpack_limit in the options sets",
                         input->name, stream->unpacks ? "unpacks to" : "has", stream->limit);
    if (stream->too_large)
        return spry_fail(
            context, SPRY_ERROR_TOO_LARGE,
            "%s: it unpacks to more than %d MiB and than %d times its size; unpack_limit in the options "
            "allows for more",
            input->name, (int)(STREAM_FLOOR >> 20), STREAM_RATIO);
    return spry_fail(context, SPRY_ERROR_IO, "%s: %s", input->name, text ? text : "cannot be read");
}

/* The zeros that every text ends with, for which there is room. */
static void end_text(struct input *input) {
    memset((char *)input->buffer + input->size, 0, TEXT_PADDING);
}

/* Append a block that libarchive has. */
static spry_status append(spry_context *context, const void *block, size_t size, struct input *input) {
    while (input->buffer_bytes - input->size - TEXT_PADDING < size) {
        spry_status status = grow(context, input);
        if (status)
            return status;
    }
    if (size)
        memcpy((char *)input->buffer + input->size, block, size);
    input->size += size;
    end_text(input);
    return SPRY_OK;
}

/* Whether what there is so far does not even begin like a matrix. */
static bool is_none(const struct input *input) {
    return input->size >= BLOCK / 2 && !spry_starts_with_banner(input->buffer);
}

/* All of the current member; of what is no matrix only the beginning, so that the reader can refuse it without all of it
   in memory. A hole, as sparse files have them, could have any size. */
static spry_status read_member(spry_context *context, struct archive *archive, struct source *source,
                               struct input *input) {
    const void *block;
    size_t size;
    la_int64_t offset;
    for (;;) {
        allow(source, MOST_FOR_HEADER);
        int code = archive_read_data_block(archive, &block, &size, &offset);
        if (code != ARCHIVE_OK && code != ARCHIVE_EOF && code != ARCHIVE_WARN)
            return archive_error(context, archive, source, input);
        if (offset != (la_int64_t)input->size)
            return spry_fail(context, SPRY_ERROR_UNSUPPORTED, "%s: a sparse file in an archive is not read",
                             input->name);
        spry_status status = code == ARCHIVE_EOF ? SPRY_OK : append(context, block, size, input);
        if (status || code == ARCHIVE_EOF || is_none(input))
            return status;
    }
}

/* Compressed data are known to be good at their end alone, where their sum is: unpack what follows the matrix, into a
   block that libarchive needs no more. What is wrong with it stays in the stream. */
static void read_rest(struct source *source) {
    while (source->stream.packed && spry_stream_read(&source->stream, source->block, BLOCK) > 0)
        ;
}

/* The matrix under its name in the archive. */
static spry_status read_named(spry_context *context, struct archive *archive, const char *member,
                              struct source *source, const char *path, struct input *input) {
    spry_status status = spry_input_name(context, path, member, input);
    if (!status)
        status = read_member(context, archive, source, input);
    if (!status && !is_none(input))
        read_rest(source);
    return status;
}

/* Read the member that is the matrix: of an archive the one with the right name, otherwise all there is. */
static spry_status read_matrix(spry_context *context, struct archive *archive, struct archive_entry *entry,
                               struct source *source, const char *path, struct input *input) {
    int code;
    for (;;) {
        allow(source, MOST_FOR_HEADER);
        code = archive_read_next_header2(archive, entry);
        if (code != ARCHIVE_OK && code != ARCHIVE_WARN)
            break;
        if (archive_format(archive) == ARCHIVE_FORMAT_RAW)
            return read_member(context, archive, source, input);
        const char *member = archive_entry_pathname(entry);
        if (member && is_matrix(member) && archive_entry_filetype(entry) == AE_IFREG &&
            !archive_entry_hardlink(entry))
            return read_named(context, archive, member, source, path, input);
        allow(source, UINT64_MAX);
        archive_read_data_skip(archive);
    }
    if (code != ARCHIVE_EOF || archive_errno(archive))
        return archive_error(context, archive, source, input);
    if (archive_format(archive) == ARCHIVE_FORMAT_EMPTY)
        return SPRY_OK;
    if (archive_file_count(archive) == 0) /* zeros, which could be the end of any archive */
        return append(context, "", 1, input);
    return spry_fail(context, SPRY_ERROR_IO, "%s: the archive holds no Name/Name.mtx", path);
}

static spry_status no_reader(spry_context *context, const char *path) {
    return spry_fail(context, SPRY_ERROR_MEMORY, "%s: no memory to unpack it", path);
}

static spry_status read_archive(spry_context *context, struct archive *archive, struct source *source,
                                const char *path, struct input *input) {
    allow(source, MOST_FOR_HEADER);
    archive_read_support_format_tar(archive);
    archive_read_support_format_raw(archive);
    archive_read_support_format_empty(archive);
    /* Step by step, with an entry of our own: libarchive does not look whether it had memory for its. */
    archive_read_set_read_callback(archive, read_block);
    if (archive_read_set_callback_data(archive, source) != ARCHIVE_OK ||
        archive_read_open1(archive) != ARCHIVE_OK)
        return archive_error(context, archive, source, input);
    struct archive_entry *entry = archive_entry_new();
    spry_status status =
        entry ? read_matrix(context, archive, entry, source, path, input) : no_reader(context, path);
    archive_entry_free(entry);
    /* libarchive takes what cannot be read for an end, in places. */
    return !source->stream.error || status == SPRY_ERROR_MEMORY
               ? status
               : archive_error(context, archive, source, input);
}

static spry_status read_stream(spry_context *context, struct source *source, const char *path,
                               struct input *input) {
    struct archive *archive = archive_read_new();
    spry_status status = archive && spry_stream_open(&source->stream)
                             ? read_archive(context, archive, source, path, input)
                             : no_reader(context, path);
    archive_read_free(archive);
    spry_stream_close(&source->stream);
    return status;
}

spry_status spry_input_unpack(spry_context *context, int file, const char *path, uint64_t limit,
                              struct input *input) {
    struct source source = {.stream = {.file = file, .limit = limit}};
    void *blocks = NULL;
    spry_status status = grow(context, input);
    if (!status)
        status = spry_allocate(context, 2 * BLOCK, 1, &blocks);
    if (!status) {
        source.block = blocks;
        source.stream.block = (unsigned char *)blocks + BLOCK;
        status = read_stream(context, &source, path, input);
    }
    spry_release(&context->allocator, blocks, 2 * BLOCK, 1);
    close(file);
    if (status)
        return status;
    end_text(input);
    input->text = input->buffer;
    return SPRY_OK;
}
