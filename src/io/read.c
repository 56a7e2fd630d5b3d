/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/body.h"
#include "io/header.h"

static spry_status parse(spry_context *context, const struct input *input, const spry_read_options *options,
                         spry_matrix **matrix, spry_file_info *info) {
    static const spry_read_options plain = {0};
    struct header header;
    struct fault fault = {0};
    spry_parse_header(input, &header, &fault);
    if (info)
        *info = header.info;
    spry_status status = spry_fault_report(context, input, &fault);
    return status ? status : spry_parse_body(context, input, &header, options ? options : &plain, matrix);
}

/* What both calls ask of their arguments. */
static spry_status check_arguments(spry_context *context, const char *name, const spry_read_options *options,
                                   spry_matrix **matrix, spry_file_info *info) {
    if (info)
        *info = (spry_file_info){0};
    if (matrix)
        *matrix = NULL;
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (!name || !matrix)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "reading: %s is null",
                         name ? "the result" : "the file's name");
    if (options && options->index_set && !spry_index_size(options->index))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: there is no index type %d", name,
                         (int)options->index);
    return SPRY_OK;
}

spry_status spry_read(spry_context *context, const char *path, const spry_read_options *options,
                      spry_matrix **matrix, spry_file_info *info) {
    spry_status status = check_arguments(context, path, options, matrix, info);
    if (status)
        return status;
    struct input input;
    status = spry_input_open(context, path, &input);
    if (!status)
        status = parse(context, &input, options, matrix, info);
    spry_input_close(context, &input);
    return status;
}

spry_status spry_read_memory(spry_context *context, const char *name, const char *text, size_t size,
                             const spry_read_options *options, spry_matrix **matrix, spry_file_info *info) {
    spry_status status = check_arguments(context, name, options, matrix, info);
    if (status)
        return status;
    if (!text && size)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: the text is null", name);
    struct input input;
    status = spry_input_copy(context, name, text, size, &input);
    if (!status)
        status = parse(context, &input, options, matrix, info);
    spry_input_close(context, &input);
    return status;
}
