/* SPDX-License-Identifier: BSD-3-Clause */
/* Write a generated matrix to a Matrix Market file: spgen poisson2d:20 poisson2d_20.mtx */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/failure.h"
#include "common/generate.h"

static int complain(const char *what, const char *why) {
    fprintf(stderr, "spgen: %s: %s\n", what, why);
    return EXIT_FAILURE;
}

static spry_status write_matrix(spry_context *context, const char *spec, const char *path) {
    spry_matrix *matrix;
    spry_status status = generate_matrix(context, spec, SPRY_F64, &matrix);
    if (status == SPRY_OK)
        status = spry_write(context, path, matrix);
    spry_matrix_destroy(matrix);
    return status;
}

/* What to write, and where. */
struct wish {
    const char *spec, *path;
};

static error_t read_argument(int key, char *value, struct argp_state *state) {
    struct wish *wish = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "more than a matrix and a FILE were given");
        *(state->arg_num == 0 ? &wish->spec : &wish->path) = value;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2)
            argp_error(state, "a matrix and a FILE are needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* argp's help_filter: the generators before the text behind the options. */
static char *list_generators(int key, const char *text, void *input) {
    char *help = NULL;
    size_t size;
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    FILE *stream = open_memstream(&help, &size);
    if (!stream)
        return NULL;
    fputs("The matrices:\n\n", stream);
    generate_list(stream, "");
    fprintf(stream, "\n%s", text);
    fclose(stream);
    return help;
}

static struct wish read_command(int argc, char **argv) {
    static const struct argp parser = {
        NULL,
        read_argument,
        "GENERATOR:PARAMETERS FILE",
        "Write a generated matrix to a Matrix Market file."
        "\vExit status: 0 when the file was written; 1 when not; 64 for a wrong command line.",
        NULL,
        list_generators,
        NULL,
    };
    struct wish wish;
    argp_parse(&parser, argc, argv, 0, NULL, &wish);
    return wish;
}

int main(int argc, char **argv) {
    struct wish wish = read_command(argc, argv);
    spry_context *context;
    char why[1024];
    generate_explain(wish.spec, why, sizeof why);
    if (*why)
        return complain(wish.spec, why);
    spry_status status = spry_context_create(&context, NULL);
    if (status != SPRY_OK)
        return complain("context", spry_status_string(status));
    status = write_matrix(context, wish.spec, wish.path);
    if (status != SPRY_OK)
        complain(wish.path, failure_text(context, status));
    spry_context_destroy(context);
    return status == SPRY_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
