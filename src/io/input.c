/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/input.h"
#include "io/scan.h"

/* Where a tar archive has its mark. */
#define TAR_MARK 257

spry_status spry_input_name(spry_context *context, const char *path, const char *member,
                            struct input *input) {
    size_t bytes = strlen(path) + (member ? strlen(member) + 1 : 0) + 1;
    void *name;
    spry_status status = spry_allocate(context, bytes, 1, &name);
    if (status)
        return status;
    snprintf(name, bytes, "%s%s%s", path, member ? ":" : "", member ? member : "");
    spry_release(&context->allocator, input->name, input->name_bytes, 1);
    input->name = name;
    input->name_bytes = bytes;
    return SPRY_OK;
}

static bool is_packed(const char *text, size_t size) {
    static const char gzip_mark[] = {0x1f, (char)0x8b}, tar_mark[] = "ustar";
    return (size >= sizeof gzip_mark && memcmp(text, gzip_mark, sizeof gzip_mark) == 0) ||
           (size >= TAR_MARK + 5 && memcmp(text + TAR_MARK, tar_mark, 5) == 0);
}

static spry_status system_error(spry_context *context, const char *path, int error) {
    return spry_fail(context, SPRY_ERROR_IO, "%s: %s", path, strerror(error));
}

spry_status spry_input_error(spry_context *context, const struct input *input, int error) {
    if (error == INPUT_IS_SHORT)
        return spry_fail(context, SPRY_ERROR_IO, "%s: it became shorter while it was read", input->name);
    return system_error(context, input->name, error);
}

/* Read so many bytes unless the file ends before; returns how many. */
static size_t read_at(const struct input *input, size_t at, size_t size, char *to, int *error) {
    size_t done = 0;
    while (done < size) {
        ssize_t got =
            pread(input->file, to + done, size - done, (off_t)(input->start + (int64_t)(at + done)));
        if (got > 0) {
            done += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            *error = got == 0 ? INPUT_IS_SHORT : errno;
            break;
        }
    }
    return done;
}

const char *spry_input_load(const struct input *input, size_t from, size_t to, char *room, int *error) {
    if (input->text)
        return input->text + from;
    size_t got = read_at(input, from, to - from, room, error);
    memset(room + got, 0, to - from - got + TEXT_PADDING);
    return room;
}

spry_status spry_input_check(spry_context *context, const struct input *input) {
    struct stat facts;
    if (input->file < 0)
        return SPRY_OK;
    if (fstat(input->file, &facts) != 0)
        return system_error(context, input->name, errno);
    bool same = facts.st_size - input->start == (int64_t)input->size &&
                facts.st_mtim.tv_sec == input->modified.tv_sec &&
                facts.st_mtim.tv_nsec == input->modified.tv_nsec;
    return same ? SPRY_OK
                : spry_fail(context, SPRY_ERROR_IO, "%s: it was changed while it was read", input->name);
}

/* Whether a regular file holds plain text from where it stands, which then becomes the input's. Where it could not be
   looked at, *error says why. */
static bool is_plain(int file, const struct stat *facts, struct input *input, int *error) {
    char beginning[TAR_MARK + 5];
    off_t start = lseek(file, 0, SEEK_CUR);
    if (!S_ISREG(facts->st_mode) || start < 0 || start >= facts->st_size)
        return false;
    input->file = file;
    input->start = start;
    input->size = (size_t)(facts->st_size - start);
    input->modified = facts->st_mtim;
    size_t size = input->size < sizeof beginning ? input->size : sizeof beginning;
    return !is_packed(beginning, read_at(input, 0, size, beginning, error));
}

/* Plain text of a regular file stays where it is; all else goes through a buffer. */
static spry_status open_file(spry_context *context, int file, const char *path, uint64_t limit,
                             struct input *input) {
    struct stat facts;
    int error = fstat(file, &facts) != 0 ? errno : S_ISDIR(facts.st_mode) ? EISDIR : 0;
    bool plain = !error && is_plain(file, &facts, input, &error);
    if (plain && !error)
        return SPRY_OK;
    input->file = -1;
    input->size = 0;
    if (error) {
        close(file);
        return spry_input_error(context, input, error);
    }
    return spry_input_unpack(context, file, path, limit, input);
}

spry_status spry_input_open(spry_context *context, const char *path, uint64_t limit, struct input *input) {
    *input = (struct input){.file = -1};
    if (*path == '\0')
        return spry_fail(context, SPRY_ERROR_IO, "'' is no name for a file");
    spry_status status = spry_input_name(context, path, NULL, input);
    if (status)
        return status;
    int file;
    do
        file = open(path, O_RDONLY | O_CLOEXEC);
    while (file < 0 && errno == EINTR);
    return file < 0 ? system_error(context, path, errno) : open_file(context, file, path, limit, input);
}

spry_status spry_input_adopt(spry_context *context, const char *name, int descriptor, uint64_t limit,
                             struct input *input) {
    *input = (struct input){.file = -1};
    spry_status status = spry_input_name(context, name, NULL, input);
    if (status)
        return status;
    int file = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return file < 0 ? system_error(context, name, errno) : open_file(context, file, name, limit, input);
}

spry_status spry_input_copy(spry_context *context, const char *name, const char *text, size_t size,
                            struct input *input) {
    *input = (struct input){.file = -1};
    spry_status status = spry_input_name(context, name, NULL, input);
    if (status)
        return status;
    size_t bytes = size + TEXT_PADDING;
    if (bytes < size)
        return spry_fail(context, SPRY_ERROR_OVERFLOW, "%s: a text of %zu bytes is beyond the address space",
                         name, size);
    status = spry_allocate(context, bytes, 1, &input->buffer);
    if (status)
        return status;
    input->buffer_bytes = bytes;
    if (size)
        memcpy(input->buffer, text, size);
    memset((char *)input->buffer + size, 0, TEXT_PADDING);
    input->text = input->buffer;
    input->size = size;
    return SPRY_OK;
}

void spry_input_close(spry_context *context, struct input *input) {
    if (input->file >= 0)
        close(input->file);
    spry_release(&context->allocator, input->buffer, input->buffer_bytes, 1);
    spry_release(&context->allocator, input->name, input->name_bytes, 1);
    *input = (struct input){.file = -1};
}
