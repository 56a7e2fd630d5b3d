/* SPDX-License-Identifier: BSD-3-Clause */
/* Storages as text: layout:parameter:…+code+code. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/backend.h"
#include "core/word.h"

/* Parameters of a layout: the same for all types. */
static int parameters_of(spry_format format) {
    return spry_cpu_backend.instance[SPRY_F64][SPRY_I32]->format[format]->parameters;
}

/* Letters and digits of a name at the beginning of the text. */
static size_t word(const char *text) {
    size_t length = 0;
    while (spry_is_letter(text[length]) || spry_is_digit(text[length]))
        length++;
    return length;
}

static const char *parse_layout(const char *text, spry_storage *storage) {
    size_t length = word(text);
    storage->format = spry_format_named(text, length);
    return storage->format == SPRY_NO_FORMAT ? text : text + length;
}

/* Parameters up to the last that is not the library's to choose. */
static int parameters_set(const spry_storage *storage) {
    int count = parameters_of(storage->format);
    while (count > 0 && storage->parameter[count - 1] == 0)
        count--;
    return count;
}

static const char *parse_parameters(const char *text, spry_storage *storage) {
    int most = parameters_of(storage->format);
    for (int i = 0; i < most && text[0] == ':' && spry_is_digit(text[1]); i++) {
        char *end;
        errno = 0;
        long long parameter = strtoll(text + 1, &end, 10);
        if (errno == ERANGE)
            break;
        storage->parameter[i] = parameter;
        text = end;
    }
    return text;
}

/* A value code or a column code, each once; "plain" is said of values. */
static const char *parse_code(const char *text, spry_storage *storage, bool *has_values, bool *has_columns) {
    if (text[0] != '+')
        return text;
    const size_t length = word(text + 1);
    const spry_value_code values = spry_value_code_named(text + 1, length);
    const spry_column_code columns = spry_column_code_named(text + 1, length);
    if (values != SPRY_NO_VALUES && !*has_values) {
        storage->values = values;
        *has_values = true;
    } else if (columns != SPRY_NO_COLUMNS && columns != SPRY_COLUMNS_PLAIN && !*has_columns) {
        storage->columns = columns;
        *has_columns = true;
    } else
        return text;
    return text + 1 + length;
}

static const char *parse_codes(const char *text, spry_storage *storage) {
    bool has_values = false, has_columns = false;
    const char *end = parse_code(text, storage, &has_values, &has_columns);
    return end == text ? text : parse_code(end, storage, &has_values, &has_columns);
}

spry_status spry_storage_parse(const char *text, spry_storage *storage, const char **end) {
    spry_storage read = {.format = SPRY_NO_FORMAT};
    if (!text || !storage)
        return SPRY_ERROR_ARGUMENT;
    const char *at = parse_layout(text, &read);
    if (at > text) {
        at = parse_parameters(at, &read);
        at = parse_codes(at, &read);
    }
    if (end)
        *end = at;
    if (at == text || *at)
        return SPRY_ERROR_SYNTAX;
    *storage = read;
    return SPRY_OK;
}

void spry_storage_text(const spry_storage *storage, char *text, size_t size) {
    char whole[SPRY_STORAGE_TEXT] = "?";
    int length = 0;
    if (!text || size == 0)
        return;
    if (storage && (unsigned)storage->format < SPRY_FORMAT_COUNT) {
        length = snprintf(whole, sizeof whole, "%s", spry_format_name(storage->format));
        for (int i = 0; i < parameters_set(storage); i++)
            length +=
                snprintf(whole + length, sizeof whole - (size_t)length, ":%" PRId64, storage->parameter[i]);
        if (storage->columns != SPRY_COLUMNS_PLAIN)
            length += snprintf(whole + length, sizeof whole - (size_t)length, "+%s",
                               spry_column_code_name(storage->columns));
        if (storage->values != SPRY_VALUES_PLAIN)
            snprintf(whole + length, sizeof whole - (size_t)length, "+%s",
                     spry_value_code_name(storage->values));
    }
    snprintf(text, size, "%s", whole);
}

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
