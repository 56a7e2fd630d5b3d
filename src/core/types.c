/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and sizes of the enumerations. */
#include <string.h>

#include "core/internal.h"
#include "core/word.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const format_names[] = {
#define NAME_ROW(NAME, name, title) #name,
    SPRY_FORMAT_LIST(NAME_ROW)
#undef NAME_ROW
};

static const char *const format_titles[] = {
#define TITLE_ROW(NAME, name, title) title,
    SPRY_FORMAT_LIST(TITLE_ROW)
#undef TITLE_ROW
};

static const char *const code_names[] = {
#define NAME_ROW(NAME, name, title) #name,
    SPRY_VALUE_CODE_LIST(NAME_ROW)
#undef NAME_ROW
};

static const char *const column_code_names[] = {
#define NAME_ROW(NAME, name, title) #name,
    SPRY_COLUMN_CODE_LIST(NAME_ROW)
#undef NAME_ROW
};

static const struct {
    const char *name;
    size_t size;
} types[] = {[SPRY_F32] = {"f32", sizeof(float)}, [SPRY_F64] = {"f64", sizeof(double)}};

static const struct {
    const char *name;
    size_t size;
} numbers[] = {
    [SPRY_NUMBER_F32] = {"f32", sizeof(float)},
    [SPRY_NUMBER_F64] = {"f64", sizeof(double)},
    [SPRY_NUMBER_I32] = {"i32", sizeof(int32_t)},
    [SPRY_NUMBER_I64] = {"i64", sizeof(int64_t)},
};

static const struct {
    const char *name;
    size_t size, pointer_size;
} indices[] = {
    [SPRY_I32] = {"i32", sizeof(int32_t), sizeof(int32_t)},
    [SPRY_I32P64] = {"i32p64", sizeof(int32_t), sizeof(int64_t)},
    [SPRY_I64] = {"i64", sizeof(int64_t), sizeof(int64_t)},
};

const char *spry_format_name(spry_format format) {
    return (size_t)format < COUNT(format_names) ? format_names[format] : "?";
}

const char *spry_format_title(spry_format format) {
    return (size_t)format < COUNT(format_titles) ? format_titles[format] : "?";
}

/* Which of `count` names this one is; `count` for none of them. */
static size_t find(const char *const *names, size_t count, const char *name, size_t length) {
    size_t i = 0;
    while (i < count && !spry_is_word(name, length, names[i]))
        i++;
    return i;
}

spry_format spry_format_named(const char *name, size_t length) {
    size_t format = find(format_names, COUNT(format_names), name, length);
    return format < COUNT(format_names) ? (spry_format)format : SPRY_NO_FORMAT;
}

spry_format spry_format_by_name(const char *name) {
    return name ? spry_format_named(name, strlen(name)) : SPRY_NO_FORMAT;
}

const char *spry_value_code_name(spry_value_code code) {
    return (size_t)code < COUNT(code_names) ? code_names[code] : "?";
}

spry_value_code spry_value_code_named(const char *name, size_t length) {
    size_t code = find(code_names, COUNT(code_names), name, length);
    return code < COUNT(code_names) ? (spry_value_code)code : SPRY_NO_VALUES;
}

const char *spry_column_code_name(spry_column_code code) {
    return (size_t)code < COUNT(column_code_names) ? column_code_names[code] : "?";
}

spry_column_code spry_column_code_named(const char *name, size_t length) {
    size_t code = find(column_code_names, COUNT(column_code_names), name, length);
    return code < COUNT(column_code_names) ? (spry_column_code)code : SPRY_NO_COLUMNS;
}

const char *spry_backend_name(spry_backend backend) {
    static const char *const names[] = {[SPRY_CPU] = "cpu", [SPRY_CUDA] = "cuda"};
    return (size_t)backend < COUNT(names) ? names[backend] : "?";
}

const char *spry_type_name(spry_value_type type) {
    return (size_t)type < COUNT(types) ? types[type].name : "?";
}

const char *spry_index_name(spry_index_type index) {
    return (size_t)index < COUNT(indices) ? indices[index].name : "?";
}

const char *spry_number_name(spry_number number) {
    return (size_t)number < COUNT(numbers) ? numbers[number].name : "?";
}

size_t spry_number_size(spry_number number) {
    return (size_t)number < COUNT(numbers) ? numbers[number].size : 0;
}

size_t spry_type_size(spry_value_type type) {
    return (size_t)type < COUNT(types) ? types[type].size : 0;
}

size_t spry_index_size(spry_index_type index) {
    return (size_t)index < COUNT(indices) ? indices[index].size : 0;
}

size_t spry_pointer_size(spry_index_type index) {
    return (size_t)index < COUNT(indices) ? indices[index].pointer_size : 0;
}

/* No memory holds as much, and the sum of two such sizes does not overflow. */
#define LARGEST (INT64_MAX / 2)

int64_t spry_index_max(spry_index_type index) {
    return spry_index_size(index) == sizeof(int32_t) ? INT32_MAX : LARGEST;
}

int64_t spry_pointer_max(spry_index_type index) {
    return spry_pointer_size(index) == sizeof(int32_t) ? INT32_MAX : LARGEST;
}
