/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/argument.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/generate.h"

/* "cpu, cuda or all", cut to `size` bytes. */
static void list_names(const char *(*name_of)(int), int count, char *list, size_t size) {
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(list + used, size - used, "%s%s",
                                 i == 0           ? ""
                                 : i == count - 1 ? " or "
                                                  : ", ",
                                 name_of(i));
}

int argument_name(const char *option, const char *text, const char *(*name_of)(int), int count,
                  struct argp_state *state) {
    char list[256];
    for (int i = 0; i < count; i++)
        if (strcmp(text, name_of(i)) == 0)
            return i;
    list_names(name_of, count, list, sizeof list);
    argp_error(state, "--%s: invalid value '%s', expected %s", option, text, list);
    return count;
}

static const char *type_name(int type) {
    return spry_type_name((spry_value_type)type);
}

static const char *backend_name(int backend) {
    return spry_backend_name((spry_backend)backend);
}

spry_value_type argument_type(const char *text, struct argp_state *state) {
    return (spry_value_type)argument_name("type", text, type_name, SPRY_TYPE_COUNT, state);
}

spry_backend argument_backend(const char *text, struct argp_state *state) {
    return (spry_backend)argument_name("backend", text, backend_name, SPRY_BACKEND_COUNT, state);
}

spry_format argument_format(const char *option, const char *text, struct argp_state *state) {
    spry_format format = spry_format_by_name(text);
    if (format == SPRY_NO_FORMAT)
        argp_error(state, "--%s: invalid format '%s', expected one of:%s", option, text, ARGUMENT_FORMATS);
    return format;
}

/* Of a matrix with one entry in one place. */
static spry_status keep_so(spry_context *context, const spry_storage *storage, spry_value_type type) {
    spry_matrix *csr = NULL, *kept = NULL;
    spry_status status = generate_matrix(context, "poisson2d:1", type, &csr);
    if (status == SPRY_OK)
        status = spry_convert_to(context, csr, storage, NULL, &kept);
    spry_matrix_destroy(kept);
    spry_matrix_destroy(csr);
    return status;
}

/* Whether its parameters or codes are such as no matrix can have, of any type; the library's message says why. */
static bool is_impossible(spry_context *context, const spry_storage *storage) {
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        const spry_status status = keep_so(context, storage, (spry_value_type)type);
        if (status != SPRY_ERROR_ARGUMENT && status != SPRY_ERROR_UNSUPPORTED)
            return false;
    }
    return true;
}

static void check_possible(const char *option, const spry_storage *storage, struct argp_state *state) {
    const spry_context_options one = {.size = sizeof one, .threads = 1};
    spry_context *context = NULL;
    if (spry_context_create(&context, &one) == SPRY_OK && is_impossible(context, storage))
        argp_error(state, "--%s: %s", option, spry_message(context));
    spry_context_destroy(context);
}

spry_storage argument_storage(const char *option, const char *text, struct argp_state *state) {
    spry_storage storage = {.format = SPRY_NO_FORMAT};
    const char *end;
    if (spry_storage_parse(text, &storage, &end) == SPRY_OK) {
        check_possible(option, &storage, state);
        return storage;
    }
    if (end == text)
        (void)argument_format(option, text, state);
    argp_error(state,
               "--%s: '%s' is not understood from '%s' on, expected a storage such as sell:32:1024+f32",
               option, text, end);
    return storage;
}

static bool is_among(const spry_storage *storages, int count, const spry_storage *storage) {
    for (int i = 0; i < count; i++)
        if (memcmp(&storages[i], storage, sizeof *storage) == 0)
            return true;
    return false;
}

int argument_storages(const char *option, const char *list, spry_storage *storages, int most,
                      struct argp_state *state) {
    char *copy = strdup(list), *rest = NULL;
    int count = 0;
    if (!copy)
        argp_failure(state, EXIT_FAILURE, ENOMEM, "--%s", option);
    for (char *name = strtok_r(copy, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        const spry_storage storage = argument_storage(option, name, state);
        if (is_among(storages, count, &storage))
            continue;
        if (count == most)
            argp_error(state, "--%s: more than %d storages", option, most);
        storages[count++] = storage;
    }
    free(copy);
    if (count == 0)
        argp_error(state, "--%s: the list is empty", option);
    return count;
}

long long argument_count(const char *option, const char *text, long long least, long long most,
                         struct argp_state *state) {
    char *end;
    errno = 0;
    long long count = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || count < least || count > most)
        argp_error(state, "--%s: '%s' is not a whole number from %lld to %lld", option, text, least, most);
    return count;
}

/* NaN where the text, all of it, is no number. */
static double read_number(const char *text) {
    char *end;
    const double number = strtod(text, &end);
    return end != text && *end == '\0' ? number : NAN;
}

double argument_number(const char *option, const char *text, double low, double high,
                       struct argp_state *state) {
    const double number = read_number(text);
    if (number > low && number < high)
        return number;
    if (isinf(high))
        argp_error(state, "--%s: '%s' is not a finite number over %g", option, text, low);
    else
        argp_error(state, "--%s: '%s' is not a number over %g and under %g", option, text, low, high);
    return NAN;
}

double argument_share(const char *option, const char *text, struct argp_state *state) {
    const double number = read_number(text);
    if (number >= 0.0 && isfinite(number))
        return number;
    argp_error(state, "--%s: '%s' is not a finite number from 0 on", option, text);
    return NAN;
}

char *argument_file(const char *what, char *text, struct argp_state *state) {
    if (*text == '\0')
        argp_error(state, "%s: '' is no name for a file", what);
    return text;
}

int argument_threads(const char *text, struct argp_state *state) {
    return (int)argument_count("threads", text, 1, SPRY_MAX_THREADS, state);
}

char *argument_generators(const char *before, const char *prefix, const char *after, const char *text) {
    char *help = NULL;
    size_t size;
    FILE *stream = open_memstream(&help, &size);
    if (!stream)
        return NULL;
    fputs(before, stream);
    generate_list(stream, prefix);
    fprintf(stream, "\n%s%s", after, text);
    fclose(stream);
    return help;
}

char *argument_help(int key, const char *text, void *input) {
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    return argument_generators(
        "FILE is a Matrix Market file (plain, .gz, or .tar.gz as the SuiteSparse collection serves "
        "them), - for standard input, or a matrix to be generated:\n\n",
        "gen:",
        "Environment: OMP_NUM_THREADS limits the threads; SPRY_DISABLE switches CPU features and kernels "
        "off by name (SPRY_DISABLE=avx512); COLUMNS is how wide output is, instead of as wide as the "
        "terminal.\n\n",
        text);
}
