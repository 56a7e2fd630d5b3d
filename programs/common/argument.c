/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/argument.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/generate.h"

spry_value_type argument_type(const char *name, struct argp_state *state) {
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        if (strcmp(name, spry_type_name((spry_value_type)type)) == 0)
            return (spry_value_type)type;
    argp_error(state, "--type: '%s' is neither f32 nor f64", name);
    return SPRY_TYPE_COUNT;
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

double argument_number(const char *option, const char *text, double low, double high,
                       struct argp_state *state) {
    char *end;
    double number = strtod(text, &end);
    if (end != text && *end == '\0' && number > low && number < high)
        return number;
    if (isinf(high))
        argp_error(state, "--%s: '%s' is not a number over %g", option, text, low);
    else
        argp_error(state, "--%s: '%s' is not a number over %g and under %g", option, text, low, high);
    return NAN;
}

int argument_threads(const char *text, struct argp_state *state) {
    return (int)argument_count("threads", text, 1, SPRY_MAX_THREADS, state);
}

char *argument_help(int key, const char *text, void *input) {
    char *help = NULL;
    size_t size;
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    FILE *stream = open_memstream(&help, &size);
    if (!stream)
        return NULL;
    fprintf(stream,
            "FILE is a Matrix Market file (plain, .gz, or .tar.gz as the SuiteSparse collection serves "
            "them), - for standard input, or a matrix to be generated:\n\n");
    generate_list(stream, "gen:");
    fprintf(
        stream,
        "\nEnvironment: OMP_NUM_THREADS limits the threads; SPRY_DISABLE switches CPU features and kernels "
        "off by name (SPRY_DISABLE=avx512); COLUMNS is how wide output is, instead of as wide as the "
        "terminal.\n\n%s",
        text);
    fclose(stream);
    return help;
}
