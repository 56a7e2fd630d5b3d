/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed files, archives and pipes, unpacked into memory that grows as the data arrive, since no size
   that a file declares can be trusted. zlib unpacks (it checks the sum at the end, and hands on what is not
   compressed), libarchive finds the member of a tar archive. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "io/header.h"
#include "io/scan.h"

#define BLOCK (256u << 10)

/* Where libarchive gets its blocks from. */
struct source {
    gzFile stream;
    void *block;
};

static la_ssize_t read_block(struct archive *archive, void *user, const void **block) {
    struct source *source = user;
    *block = source->block;
    int got = gzread(source->stream, source->block, (unsigned)BLOCK);
    int code;
    const char *text = gzerror(source->stream, &code);
    if (got >= 0 && code >= 0)
        return got;
    if (code == Z_ERRNO)
        text = strerror(errno);
    else if (code == Z_BUF_ERROR)
        text = "the compressed data end too early";
    archive_set_error(archive, EIO, "%s", text);
    return -1;
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

static spry_status archive_error(spry_context *context, struct archive *archive, const struct input *input) {
    const char *text = archive_error_string(archive);
    return spry_fail(context, SPRY_ERROR_IO, "%s: %s", input->name, text ? text : "cannot be read");
}

/* The zeros that every text ends with, for which there is room. */
static void end_text(struct input *input) {
    memset((char *)input->buffer + input->size, 0, TEXT_PADDING);
}

/* All of the current member; of what does not even begin like a matrix only that beginning, so that the
   reader can refuse it without all of it in memory. */
static spry_status read_member(spry_context *context, struct archive *archive, struct input *input) {
    for (;;) {
        size_t room = input->buffer_bytes - input->size - TEXT_PADDING;
        if (!room) {
            spry_status status = grow(context, input);
            if (status)
                return status;
            continue;
        }
        la_ssize_t got = archive_read_data(archive, (char *)input->buffer + input->size, room);
        if (got < 0)
            return archive_error(context, archive, input);
        input->size += (size_t)got;
        end_text(input);
        if (got == 0 || (input->size >= BLOCK / 2 && !spry_starts_with_banner(input->buffer)))
            return SPRY_OK;
    }
}

/* Read the member that is the matrix: of an archive the one with the right name, otherwise all there is. */
static spry_status read_matrix(spry_context *context, struct archive *archive, const char *path,
                               struct input *input) {
    struct archive_entry *entry;
    int code;
    while ((code = archive_read_next_header(archive, &entry)) == ARCHIVE_OK || code == ARCHIVE_WARN) {
        if (archive_format(archive) == ARCHIVE_FORMAT_RAW)
            return read_member(context, archive, input);
        const char *member = archive_entry_pathname(entry);
        if (member && is_matrix(member) && archive_entry_filetype(entry) == AE_IFREG) {
            spry_status status = spry_input_name(context, path, member, input);
            return status ? status : read_member(context, archive, input);
        }
    }
    if (code != ARCHIVE_EOF || archive_errno(archive))
        return archive_error(context, archive, input);
    if (archive_format(archive) == ARCHIVE_FORMAT_EMPTY)
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_IO, "%s: the archive holds no Name/Name.mtx", path);
}

static spry_status read_archive(spry_context *context, struct archive *archive, struct source *source,
                                const char *path, struct input *input) {
    archive_read_support_format_tar(archive);
    archive_read_support_format_raw(archive);
    archive_read_support_format_empty(archive);
    if (archive_read_open(archive, source, NULL, read_block, NULL) != ARCHIVE_OK)
        return archive_error(context, archive, input);
    return read_matrix(context, archive, path, input);
}

static spry_status no_reader(spry_context *context, const char *path) {
    return spry_fail(context, SPRY_ERROR_MEMORY, "%s: no memory to unpack it", path);
}

static spry_status read_stream(spry_context *context, gzFile stream, const char *path, struct input *input) {
    struct source source = {.stream = stream};
    spry_status status = spry_allocate(context, BLOCK, 1, &source.block);
    if (status)
        return status;
    struct archive *archive = archive_read_new();
    status = archive ? read_archive(context, archive, &source, path, input) : no_reader(context, path);
    archive_read_free(archive);
    spry_release(&context->allocator, source.block, BLOCK, 1);
    return status;
}

spry_status spry_input_unpack(spry_context *context, int file, const char *path, struct input *input) {
    gzFile stream = gzdopen(file, "rb");
    if (!stream) {
        close(file);
        return no_reader(context, path);
    }
    gzbuffer(stream, BLOCK);
    spry_status status = grow(context, input);
    if (!status)
        status = read_stream(context, stream, path, input);
    gzclose(stream);
    if (status)
        return status;
    end_text(input);
    input->text = input->buffer;
    return SPRY_OK;
}
