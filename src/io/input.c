/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
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

/* Map a file over the start of a larger empty mapping: what is left of it are the zeros after the text. */
static bool map(int file, size_t size, struct input *input) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t bytes = (size / page + 2) * page;
    void *base = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return false;
    input->mapping = base;
    input->mapping_bytes = bytes;
    input->text = base;
    input->size = size;
    return mmap(base, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) != MAP_FAILED;
}

static void unmap(struct input *input) {
    if (input->mapping)
        munmap(input->mapping, input->mapping_bytes);
    input->mapping = NULL;
    input->text = NULL;
    input->size = 0;
}

static spry_status system_error(spry_context *context, const char *path, int error) {
    return spry_fail(context, SPRY_ERROR_IO, "%s: %s", path, strerror(error));
}

/* Plain text of a regular file that is read from its beginning stays where it is; all else goes through a buffer. */
static spry_status open_file(spry_context *context, int file, const char *path, struct input *input) {
    struct stat facts;
    int error = fstat(file, &facts) != 0 ? errno : S_ISDIR(facts.st_mode) ? EISDIR : 0;
    if (error) {
        close(file);
        return system_error(context, path, error);
    }
    bool mapped = S_ISREG(facts.st_mode) && facts.st_size > 0 && lseek(file, 0, SEEK_CUR) == 0 &&
                  map(file, (size_t)facts.st_size, input);
    if (mapped && !is_packed(input->text, input->size)) {
        close(file);
        return SPRY_OK;
    }
    unmap(input);
    return spry_input_unpack(context, file, path, input);
}

spry_status spry_input_open(spry_context *context, const char *path, struct input *input) {
    *input = (struct input){0};
    spry_status status = spry_input_name(context, path, NULL, input);
    if (status)
        return status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    return file < 0 ? system_error(context, path, errno) : open_file(context, file, path, input);
}

spry_status spry_input_adopt(spry_context *context, const char *name, int descriptor, struct input *input) {
    *input = (struct input){0};
    spry_status status = spry_input_name(context, name, NULL, input);
    if (status)
        return status;
    int file = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return file < 0 ? system_error(context, name, errno) : open_file(context, file, name, input);
}

spry_status spry_input_copy(spry_context *context, const char *name, const char *text, size_t size,
                            struct input *input) {
    *input = (struct input){0};
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
    unmap(input);
    spry_release(&context->allocator, input->buffer, input->buffer_bytes, 1);
    spry_release(&context->allocator, input->name, input->name_bytes, 1);
    *input = (struct input){0};
}
