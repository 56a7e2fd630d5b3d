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
