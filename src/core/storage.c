/* SPDX-License-Identifier: BSD-3-Clause */
/* What a storage may be, what a slot takes in it, and the storage of a matrix. */
#include "core/backend.h"

size_t spry_stored_size(spry_value_type type, spry_value_code code) {
    return code == SPRY_VALUES_PLAIN ? spry_type_size(type) : spry_cpu_backend.coder[code]->size;
}

int64_t spry_table_length(spry_value_code code) {
    return code == SPRY_VALUES_PLAIN ? 0 : spry_cpu_backend.coder[code]->most;
}

size_t spry_column_size(spry_index_type index, spry_column_code code) {
    return code == SPRY_COLUMNS_PLAIN ? spry_index_size(index) : sizeof(uint16_t);
}

static spry_status check_columns(spry_context *context, const spry_matrix *like,
                                 const spry_storage *storage) {
    if (storage->columns == SPRY_COLUMNS_PLAIN)
        return SPRY_OK;
    if ((unsigned)storage->columns >= SPRY_COLUMN_CODE_COUNT)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "invalid column code %d", (int)storage->columns);
    if (spry_traits_of(like, storage->format)->column_codes & 1u << storage->columns)
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_UNSUPPORTED, "%s does not keep columns as %s",
                     spry_format_name(storage->format), spry_column_code_name(storage->columns));
}

/* Layouts have kernels for some codes, and codes are for some types. */
static spry_status check_values(spry_context *context, const spry_matrix *like, const spry_storage *storage) {
    if (storage->values == SPRY_VALUES_PLAIN)
        return SPRY_OK;
    if ((unsigned)storage->values >= SPRY_VALUE_CODE_COUNT)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "invalid value code %d", (int)storage->values);
    if (spry_traits_of(like, storage->format)->codes & 1u << storage->values)
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_UNSUPPORTED, "%s does not keep %s values as %s",
                     spry_format_name(storage->format), spry_type_name(like->type),
                     spry_value_code_name(storage->values));
}

spry_status spry_check_storage(spry_context *context, const spry_matrix *like, const spry_storage *storage) {
    char text[SPRY_STORAGE_TEXT];
    if ((unsigned)storage->format >= SPRY_FORMAT_COUNT)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "invalid format %d", (int)storage->format);
    const struct spry_format_code *traits = spry_traits_of(like, storage->format);
    const char *fault = traits->check ? traits->check(storage->parameter) : NULL;
    for (int i = traits->parameters; i < SPRY_STORAGE_PARAMETERS; i++)
        if (storage->parameter[i] != 0)
            fault = "it has a parameter that the layout does not know";
    bool is_newer = storage->reserved_code != 0;
    for (size_t i = 0; i < sizeof storage->reserved / sizeof storage->reserved[0]; i++)
        is_newer = is_newer || storage->reserved[i] != 0;
    if (is_newer)
        fault = "made for a newer library, it asks for what this one does not know";
    if (!fault) {
        spry_status status = check_columns(context, like, storage);
        return status ? status : check_values(context, like, storage);
    }
    spry_storage_text(storage, text, sizeof text);
    return spry_fail(context, SPRY_ERROR_ARGUMENT, "invalid storage %s: %s", text, fault);
}

void spry_matrix_storage(const spry_matrix *matrix, spry_storage *storage) {
    if (!storage)
        return;
    *storage = (spry_storage){.format = spry_matrix_format(matrix)};
    if (!matrix)
        return;
    const struct spry_format_code *traits = spry_format_traits(matrix);
    storage->values = matrix->values;
    storage->columns = matrix->columns;
    if (traits->parameters > 0)
        traits->describe(matrix, storage->parameter);
}
