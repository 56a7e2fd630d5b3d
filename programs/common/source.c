/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/source.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/entries.h"
#include "common/failure.h"
#include "common/generate.h"

#define PREFIX "gen:"
#define STANDARD_INPUT "-"

static bool is_generated(const char *input) {
    return strncmp(input, PREFIX, strlen(PREFIX)) == 0;
}

static bool is_piped(const char *input) {
    return strcmp(input, STANDARD_INPUT) == 0;
}

const char *source_title(const char *input) {
    return is_piped(input) ? "standard input" : input;
}

const char *source_shown(const struct source *source) {
    return source_title(source->file);
}

bool source_is_missing(const char *input) {
    return !is_generated(input) && !is_piped(input) && access(input, F_OK) != 0 && errno == ENOENT;
}

bool source_is_of(const char *input, const char *path) {
    struct stat from, to;
    if (is_generated(input) || stat(path, &to) != 0 || !S_ISREG(to.st_mode))
        return false;
    const int error = is_piped(input) ? fstat(STDIN_FILENO, &from) : stat(input, &from);
    return !error && from.st_dev == to.st_dev && from.st_ino == to.st_ino;
}

/* "Name" of "folder/Name.mtx.gz". */
static void short_name(const char *path, char *name, size_t size) {
    static const char *const endings[] = {".gz", ".tar", ".mtx"};
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(name), ending = strlen(endings[i]);
        if (length > ending && strcmp(name + length - ending, endings[i]) == 0)
            name[length - ending] = '\0';
    }
}

/* Put *next, made from *matrix, in its place; null when making it failed. */
static spry_status replace(spry_status status, spry_matrix **next, spry_matrix **matrix) {
    spry_matrix_destroy(*matrix);
    *matrix = status == SPRY_OK ? *next : NULL;
    return status;
}

/* Generated matrices go through coordinates, as read ones do, so that both show the same conversions. */
static spry_status generate(spry_context *context, const char *spec, const struct source_options *options,
                            spry_matrix **matrix) {
    spry_matrix *next = NULL;
    spry_status status = generate_matrix(context, spec, options->type, matrix);
    if (status == SPRY_OK)
        status = replace(spry_convert(context, *matrix, SPRY_COO, NULL, &next), &next, matrix);
    if (status == SPRY_OK && options->index_set)
        status = replace(spry_cast(context, *matrix, options->type, options->index, &next), &next, matrix);
    return status;
}

static spry_status open_generated(spry_context *context, const struct source_options *options,
                                  struct source *source, char *message, size_t size) {
    const char *spec = source->file + strlen(PREFIX);
    spry_status status = generate(context, spec, options, &source->matrix);
    source->generated = true;
    snprintf(source->name, sizeof source->name, "%s", spec);
    if (status == SPRY_ERROR_ARGUMENT) {
        int length = snprintf(message, size, "%s: ", source->file);
        if (length >= 0 && (size_t)length < size)
            generate_explain(spec, message + length, size - (size_t)length);
    } else if (status != SPRY_OK) {
        generate_explain_failure(context, status, source->file, message, size);
    }
    return status;
}

/* Why a file could not be read. What an option of the program would change is said in the program's terms. */
static void explain(const spry_context *context, const struct source_options *options,
                    const struct source *source, const char *file, spry_status status, char *message,
                    size_t size) {
    if (status == SPRY_ERROR_UNSUPPORTED && source->info.field == SPRY_COMPLEX && options->has_options)
        snprintf(message, size, "%s: complex values are not supported; --real-part takes their real part",
                 file);
    else if (status == SPRY_ERROR_TOO_LARGE && options->has_options)
        snprintf(message, size, "%s: its text is larger than %s; --unpack-limit=BYTES allows for more", file,
                 options->unpack_limit ? "the limit" : "256 MiB and than 100 times its size");
    else
        failure_explain(context, status, file, message, size);
}

static spry_status open_file(spry_context *context, const struct source_options *options,
                             struct source *source, char *message, size_t size) {
    spry_read_options read = {
        .size = sizeof read,
        .as_f32 = options->type == SPRY_F32,
        .index_set = options->index_set,
        .index = options->index,
        .real_part = options->real_part,
        .unpack_limit = options->unpack_limit,
    };
    bool piped = is_piped(source->file);
    const char *file = source_title(source->file);
    double start = clock_now();
    source->info.size = sizeof source->info;
    spry_status status =
        piped ? spry_read_descriptor(context, file, STDIN_FILENO, &read, &source->matrix, &source->info)
              : spry_read(context, file, &read, &source->matrix, &source->info);
    source->seconds = clock_now() - start;
    short_name(file, source->name, sizeof source->name);
    if (status != SPRY_OK)
        explain(context, options, source, file, status, message, size);
    return status;
}

/* ---- values ---- */

static void count_value(struct source *source, double value) {
    source->nan_count += isnan(value);
    source->infinite_count += isinf(value) != 0;
}

static void count_values(struct source *source) {
    const void *values = spry_matrix_coo(source->matrix)->val;
    bool single = spry_matrix_type(source->matrix) == SPRY_F32;
    for (int64_t k = 0; k < spry_matrix_nnz(source->matrix); k++)
        count_value(source, single ? (double)((const float *)values)[k] : ((const double *)values)[k]);
}

static int describe_count(int64_t count, const char *what, char *text, size_t size) {
    if (count == 0)
        return 0;
    return snprintf(text, size, "%" PRId64 " value%s %s", count, count == 1 ? " is" : "s are", what);
}

void source_describe_values(const struct source *source, char *text, size_t size) {
    text[0] = '\0';
    int used = describe_count(source->nan_count, "NaN", text, size);
    if (used > 0 && source->infinite_count > 0)
        used += snprintf(text + used, size - (size_t)used, ", ");
    describe_count(source->infinite_count, "infinite", text + used, size - (size_t)used);
}

/* Pointers to rows, x, y and two more vectors as long as y, for what a size line claims: what they take beyond the memory of this machine
   would end the program, not the call. */
static spry_status check_size(const struct source *source, char *message, size_t size) {
    const double rows = (double)spry_matrix_rows(source->matrix),
                 cols = (double)spry_matrix_cols(source->matrix),
                 value = spry_matrix_type(source->matrix) == SPRY_F32 ? sizeof(float) : sizeof(double),
                 needed = rows * (sizeof(int32_t) + 3 * value) + cols * value, installed = entries_memory();
    if (needed <= installed)
        return SPRY_OK;
    snprintf(
        message, size,
        "%s: out of memory: vectors of %.0f rows and %.0f columns take %.1f GB, and this machine has %.1f GB",
        source_title(source->file), rows, cols, needed / 1e9, installed / 1e9);
    return SPRY_ERROR_MEMORY;
}

spry_status source_open(spry_context *context, const char *input, const struct source_options *options,
                        struct source *source, char *message, size_t size) {
    *source = (struct source){.file = input};
    if (is_generated(input))
        return open_generated(context, options, source, message, size);
    spry_status status = open_file(context, options, source, message, size);
    if (status == SPRY_OK)
        status = check_size(source, message, size);
    if (status == SPRY_OK)
        count_values(source);
    return status;
}
