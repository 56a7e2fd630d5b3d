/* SPDX-License-Identifier: BSD-3-Clause */
/* From the text behind the header to a matrix: its index type, its arrays, its order of work. */
#include <inttypes.h>

#include "io/body.h"
#include "io/pieces.h"

/* By the size of the matrix; of the two types with 32-bit indices the one for few entries. */
static spry_status choose_index(spry_context *context, const struct input *input, const spry_file_info *info,
                                const spry_read_options *options, spry_index_type *index) {
    int64_t size = info->rows > info->cols ? info->rows : info->cols;
    *index = size <= spry_index_max(SPRY_I32) ? SPRY_I32 : SPRY_I64;
    if (options->index_set)
        *index = options->index;
    if (size <= spry_index_max(*index))
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_OVERFLOW,
                     "%s: %" PRId64 " rows and %" PRId64 " columns do not fit %s indices", input->name,
                     info->rows, info->cols, spry_index_name(*index));
}

spry_status spry_settle_index(spry_context *context, const char *name, int64_t entries, bool is_set,
                              spry_index_type *index) {
    if (entries <= spry_pointer_max(*index))
        return SPRY_OK;
    if (is_set)
        return spry_fail(context, SPRY_ERROR_OVERFLOW, "%s: %" PRId64 " entries do not fit %s pointers", name,
                         entries, spry_index_name(*index));
    *index = SPRY_I32P64;
    return SPRY_OK;
}

/* Parse counted pieces into the arrays of body->matrix, which has room for what is mirrored. */
static spry_status fill(spry_context *context, const struct input *input, const struct body *body,
                        struct pieces *pieces, const spry_read_options *options, struct fault *fault) {
    const spry_file_info *info = &body->header->info;
    int64_t stored = body->matrix->nnz;
    spry_pieces_parse(body, pieces, fault);
    spry_status status = spry_pieces_check(context, input, pieces);
    if (!status)
        status = spry_fault_report(context, input, fault);
    if (status)
        return status;
    if (info->field == SPRY_COMPLEX && !options->real_part)
        return spry_fail(
            context, SPRY_ERROR_UNSUPPORTED,
            "%s: complex values are not supported; real_part in the options reads their real part",
            input->name);
    if (info->symmetry != SPRY_GENERAL)
        spry_pieces_mirror(body, pieces, stored);
    status =
        spry_settle_index(context, input->name, body->matrix->nnz, options->index_set, &body->matrix->index);
    return status ? status : spry_matrix_finish(context, body->matrix);
}

/* Arrays for no more entries than the file has lines, whatever it declares. */
static spry_status build(spry_context *context, const struct input *input, struct body *body,
                         struct pieces *pieces, const spry_read_options *options, spry_index_type index) {
    const spry_file_info *info = &body->header->info;
    struct fault fault = {0};
    int64_t stored = spry_pieces_count(body, pieces, &fault);
    int64_t room = info->symmetry == SPRY_GENERAL ? stored : 2 * stored;
    spry_status status = spry_matrix_new_coo(context, options->as_f32 ? SPRY_F32 : SPRY_F64, index,
                                             info->rows, info->cols, room, &body->matrix);
    if (status)
        return status;
    body->matrix->nnz = stored;
    status = fill(context, input, body, pieces, options, &fault);
    return status ? spry_matrix_abandon(&body->matrix, status) : SPRY_OK;
}

spry_status spry_parse_body(spry_context *context, const struct input *input, const struct header *header,
                            const spry_read_options *options, spry_matrix **matrix) {
    struct body body = {.input = input, .header = header};
    struct pieces pieces = {0};
    spry_index_type index;
    spry_status status = choose_index(context, input, &header->info, options, &index);
    if (!status)
        status = spry_pieces_cut(context, input, header->body, &pieces);
    if (!status)
        status = build(context, input, &body, &pieces, options, index);
    spry_pieces_release(context, &pieces);
    *matrix = body.matrix;
    return status;
}
