/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/values.h"

#include <inttypes.h>

#include "codes/matrix_columns.h"
#include "codes/table.h"

static void **values_of(spry_matrix *matrix) {
    return spry_format_traits(matrix)->values(matrix);
}

/* How a matrix reads codes, or would. */
static struct spry_coded coded_as(const spry_context *context, const spry_matrix *matrix,
                                  spry_value_code code) {
    return (struct spry_coded){context->code->coder[code], matrix->type, matrix->table};
}

static spry_status refuse_slot(spry_context *context, const spry_matrix *matrix, spry_value_code code,
                               const void *values, int64_t broken) {
    double value;
    spry_status status = spry_fetch_value(context, matrix->type, values, broken, &value);
    return status ? status
                  : spry_fail(context, SPRY_ERROR_UNSUPPORTED,
                              "%s+%s: value %.17g, in slot %" PRId64 ", is not exact in it",
                              spry_format_name(matrix->format), spry_value_code_name(code), value, broken);
}

static spry_status refuse_entry(spry_context *context, const spry_matrix *matrix, spry_value_code code,
                                const void *values, int64_t broken) {
    double value;
    spry_status status = spry_fetch_value(context, matrix->type, values, broken, &value);
    return status ? status
                  : spry_fail(context, SPRY_ERROR_UNSUPPORTED,
                              "%s+%s: value %.17g, of entry %" PRId64
                              " in row order, is one different value too many (at most %" PRId64 ")",
                              spry_format_name(matrix->format), spry_value_code_name(code), value, broken,
                              spry_table_length(code));
}

/* A table of the values of a CSR matrix with plain values, for a matrix with the same ones. */
static spry_status fill_table(spry_context *context, const spry_matrix *csr, spry_value_code code,
                              const spry_matrix *matrix, struct spry_value_table *table) {
    struct spry_coded how = coded_as(context, matrix, code);
    int64_t broken;
    how.table = *table;
    spry_status status = spry_fill_table(context, &how, csr->nnz, csr->csr.val, &broken);
    if (!status && broken < csr->nnz)
        status = refuse_entry(context, matrix, code, csr->csr.val, broken);
    table->count = how.table.count;
    return status;
}

spry_status spry_find_values(spry_context *context, const spry_matrix *csr, spry_value_code code,
                             spry_matrix *matrix) {
    const int64_t length = spry_table_length(code);
    if (length == 0)
        return SPRY_OK;
    spry_status status =
        spry_matrix_array(context, matrix, length, spry_type_size(matrix->type), &matrix->table.values);
    return status ? status : fill_table(context, csr, code, matrix, &matrix->table);
}

/* Encode an array into another one. */
static spry_status encode(spry_context *context, const spry_matrix *matrix, const struct spry_coded *how,
                          spry_value_code code, const void *values, void *codes) {
    int64_t slots = spry_matrix_slots(matrix), broken;
    spry_status status = how->coder->encode(context, how, slots, values, codes, &broken);
    if (!status && broken < slots)
        status = refuse_slot(context, matrix, code, values, broken);
    return status;
}

spry_status spry_encode_values(spry_context *context, spry_matrix *matrix, spry_value_code code) {
    const struct spry_coded how = coded_as(context, matrix, code);
    void *plain = *values_of(matrix), *codes;
    spry_status status =
        spry_matrix_array(context, matrix, spry_matrix_slots(matrix), how.coder->size, &codes);
    if (!status)
        status = encode(context, matrix, &how, code, plain, codes);
    if (status)
        return status;
    matrix->values = code;
    *values_of(matrix) = codes;
    spry_matrix_drop_array(matrix, plain);
    return SPRY_OK;
}

static spry_status decode(spry_context *context, const spry_matrix *source, int64_t slots, const void *codes,
                          void *values) {
    const struct spry_coded how = coded_as(context, source, source->values);
    return how.coder->decode(context, &how, slots, codes, values);
}

/* Values of the view: decoded, or zeros. */
static spry_status open_values(spry_context *context, const spry_matrix *source, bool decoded,
                               struct spry_plain *plain) {
    const int64_t slots = spry_matrix_slots(source);
    void **values = values_of(&plain->view);
    spry_status status =
        spry_allocate_array(context, (size_t)slots, spry_type_size(source->type), &plain->values);
    if (!status && decoded)
        status = decode(context, source, slots, *values, plain->values);
    else if (!status)
        status = context->code->scale(context, source->type, slots, 0, plain->values);
    plain->view.values = SPRY_VALUES_PLAIN;
    plain->view.table = (struct spry_value_table){NULL, 0};
    *values = plain->values;
    return status;
}

static spry_status open_plain(spry_context *context, const spry_matrix *source, bool decoded,
                              bool keeps_columns, struct spry_plain *plain) {
    const bool has_values = source->values != SPRY_VALUES_PLAIN,
               has_columns = source->columns != SPRY_COLUMNS_PLAIN && !keeps_columns;
    spry_status status = SPRY_OK;
    *plain = (struct spry_plain){.matrix = source};
    if (!has_values && !has_columns)
        return SPRY_OK;
    plain->view = *source;
    plain->matrix = &plain->view;
    if (has_columns)
        status = spry_decode_columns(context, source, &plain->columns);
    if (has_columns)
        spry_view_columns(&plain->view, plain->columns);
    return status || !has_values ? status : open_values(context, source, decoded, plain);
}

spry_status spry_plain_open(spry_context *context, const spry_matrix *source, struct spry_plain *plain) {
    return open_plain(context, source, true, false, plain);
}

spry_status spry_plain_open_blank(spry_context *context, const spry_matrix *source, bool keeps_columns,
                                  struct spry_plain *plain) {
    return open_plain(context, source, false, keeps_columns, plain);
}

void spry_plain_close(spry_context *context, struct spry_plain *plain) {
    if (plain->values || plain->columns)
        context->code->synchronize(context);
    if (plain->values)
        spry_release(&context->arrays, plain->values, (size_t)spry_matrix_slots(plain->matrix),
                     spry_type_size(plain->matrix->type));
    if (plain->columns)
        spry_close_columns(context, plain->matrix, plain->columns);
}

/* A table for new values, beside the one that the matrix has. */
static spry_status fill_new_table(spry_context *context, const spry_matrix *csr, const spry_matrix *matrix,
                                  struct spry_value_table *table) {
    struct spry_plain plain;
    spry_status status = spry_plain_open(context, csr, &plain);
    if (!status)
        status = fill_table(context, plain.matrix, matrix->values, matrix, table);
    spry_plain_close(context, &plain);
    return status;
}

/* Encode into arrays beside those of the matrix, then into it. */
static spry_status replace(spry_context *context, const void *values, const spry_matrix *csr,
                           spry_matrix *matrix, struct spry_value_table table, void *codes) {
    struct spry_coded how = coded_as(context, matrix, matrix->values);
    const size_t bytes = (size_t)spry_matrix_slots(matrix) * how.coder->size,
                 table_bytes = (size_t)how.coder->most * spry_type_size(matrix->type);
    spry_status status = SPRY_OK;
    if (table.values)
        status = fill_new_table(context, csr, matrix, &table);
    how.table = table;
    if (!status)
        status = encode(context, matrix, &how, matrix->values, values, codes);
    if (!status)
        status = context->code->copy(context, *values_of(matrix), codes, bytes);
    if (!status && table.values)
        status = context->code->copy(context, matrix->table.values, table.values, table_bytes);
    if (!status)
        matrix->table.count = table.count;
    return status;
}

spry_status spry_plain_store(spry_context *context, const struct spry_plain *plain, const spry_matrix *csr,
                             spry_matrix *matrix) {
    const size_t slots = (size_t)spry_matrix_slots(matrix),
                 size = spry_stored_size(matrix->type, matrix->values),
                 length = (size_t)spry_table_length(matrix->values), each = spry_type_size(matrix->type);
    struct spry_value_table table = {NULL, 0};
    void *codes;
    spry_status status = spry_allocate_array(context, slots, size, &codes);
    if (!status && length > 0)
        status = spry_allocate_array(context, length, each, &table.values);
    if (!status)
        status = replace(context, plain->values, csr, matrix, table, codes);
    spry_release(&context->arrays, table.values, length, each);
    spry_release(&context->arrays, codes, slots, size);
    return status;
}

spry_status spry_check_codes(spry_context *context, const spry_matrix *matrix) {
    const int64_t most = spry_table_length(matrix->values), slots = spry_matrix_slots(matrix);
    if (most == 0)
        return SPRY_OK;
    if (matrix->table.count < 1 || matrix->table.count > most)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "the table has %" PRId64 " different values, outside 1 … %" PRId64,
                         matrix->table.count, most);
    const struct spry_coded how = coded_as(context, matrix, matrix->values);
    spry_matrix same = *matrix;
    int64_t broken;
    spry_status status = how.coder->check(context, &how, slots, *values_of(&same), &broken);
    if (!status && broken < slots)
        status = spry_fail(context, SPRY_ERROR_INVALID,
                           "slot %" PRId64 ": the code stands for none of the %" PRId64 " values", broken,
                           matrix->table.count);
    return status;
}
