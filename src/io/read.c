/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/host.h"
#include "core/sized.h"
#include "io/body.h"
#include "io/header.h"

SPRY_SIZED(spry_file_info, bytes, bytes);
SPRY_SIZED(spry_read_options, unpack_limit, unpack_limit);

static spry_status parse(spry_context *context, const struct input *input, const spry_read_options *options,
                         spry_matrix **matrix, spry_file_info *info) {
    struct header header = {0};
    struct fault fault = {0};
    spry_status status = spry_parse_header(context, input, &header, &fault);
    spry_give(&spry_file_info_sized, &header.info, info);
    if (!status)
        status = spry_fault_report(context, input, &fault);
    return status ? status : spry_parse_body(context, input, &header, options, matrix);
}

/* The same of a text that others may be writing: then that is what is wrong, whatever it looks like. */
static spry_status parse_unchanged(spry_context *context, const struct input *input,
                                   const spry_read_options *options, spry_matrix **matrix,
                                   spry_file_info *info) {
    spry_status status = parse(context, input, options, matrix, info);
    spry_status change = spry_input_check(context, input);
    if (!change)
        return status;
    spry_matrix_destroy(*matrix);
    *matrix = NULL;
    return change;
}

/* What all calls ask of their arguments. The caller's options become the library's. */
static spry_status take_arguments(spry_context *context, const char *name, const spry_read_options *given,
                                  spry_read_options *options, spry_matrix **matrix, spry_file_info *info) {
    const spry_file_info nothing = {0};
    if (matrix)
        *matrix = NULL;
    spry_status status = spry_check_sized(context, &spry_file_info_sized, info);
    if (!status)
        spry_give(&spry_file_info_sized, &nothing, info);
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (!status)
        status = spry_take(context, &spry_read_options_sized, given, options);
    if (status)
        return status;
    if (!name || !matrix)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "reading: %s is null",
                         name ? "the result" : "the file's name");
    if (options->index_set && !spry_index_size(options->index))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: invalid index type %d", name,
                         (int)options->index);
    return SPRY_OK;
}

/* What was read on the host becomes the caller's: it goes where the context works. */
static spry_status hand_over(spry_context *context, spry_context *host, spry_status status, spry_matrix *read,
                             spry_matrix **matrix) {
    spry_host_close(context, host, status);
    if (status || host == context) {
        *matrix = read;
        return status;
    }
    status = spry_matrix_copy(context, read, matrix);
    spry_matrix_destroy(read);
    return status;
}

/* Where a text comes from: an open function of input.h, and what it takes. */
struct origin {
    const char *name; /* or path */
    int descriptor;
    uint64_t limit;
    const char *text;
    size_t size;
};

static spry_status open_path(spry_context *context, const struct origin *origin, struct input *input) {
    return spry_input_open(context, origin->name, origin->limit, input);
}

static spry_status open_descriptor(spry_context *context, const struct origin *origin, struct input *input) {
    return spry_input_adopt(context, origin->name, origin->descriptor, origin->limit, input);
}

static spry_status open_text(spry_context *context, const struct origin *origin, struct input *input) {
    return spry_input_copy(context, origin->name, origin->text, origin->size, input);
}

static spry_status read_origin(spry_context *context, const struct origin *origin,
                               spry_status (*open)(spry_context *, const struct origin *, struct input *),
                               const spry_read_options *options, spry_matrix **matrix, spry_file_info *info) {
    struct input input;
    spry_context *host;
    spry_matrix *read = NULL;
    spry_status status = spry_host_open(context, &host);
    if (status)
        return status;
    status = open(host, origin, &input);
    if (!status)
        status = parse_unchanged(host, &input, options, &read, info);
    spry_input_close(host, &input);
    return hand_over(context, host, status, read, matrix);
}

spry_status spry_read(spry_context *context, const char *path, const spry_read_options *given,
                      spry_matrix **matrix, spry_file_info *info) {
    spry_read_options options;
    spry_status status = take_arguments(context, path, given, &options, matrix, info);
    if (status)
        return status;
    struct origin origin = {.name = path, .limit = options.unpack_limit};
    return read_origin(context, &origin, open_path, &options, matrix, info);
}

spry_status spry_read_descriptor(spry_context *context, const char *name, int descriptor,
                                 const spry_read_options *given, spry_matrix **matrix, spry_file_info *info) {
    spry_read_options options;
    spry_status status = take_arguments(context, name, given, &options, matrix, info);
    if (status)
        return status;
    struct origin origin = {.name = name, .descriptor = descriptor, .limit = options.unpack_limit};
    return read_origin(context, &origin, open_descriptor, &options, matrix, info);
}

spry_status spry_read_memory(spry_context *context, const char *name, const char *text, size_t size,
                             const spry_read_options *given, spry_matrix **matrix, spry_file_info *info) {
    spry_read_options options;
    spry_status status = take_arguments(context, name, given, &options, matrix, info);
    if (status)
        return status;
    if (!text && size)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: the text is null", name);
    struct origin origin = {.name = name, .text = text, .size = size};
    return read_origin(context, &origin, open_text, &options, matrix, info);
}
