/* SPDX-License-Identifier: BSD-3-Clause */
/* Write a generated matrix to a Matrix Market file: spgen poisson2d:20 poisson2d_20.mtx */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/argument.h"
#include "common/complain.h"
#include "common/generate.h"
#include "common/output.h"

/* What to write, and where. */
struct request {
    const char *spec, *path;
};

static bool check_spec(const char *spec, char *message, size_t size) {
    char why[1024];
    generate_explain(spec, why, sizeof why);
    if (*why)
        snprintf(message, size, "%s: %s", spec, why);
    return !*why;
}

static bool make(spry_context *context, const struct request *request, char *message, size_t size) {
    spry_matrix *matrix;
    spry_status status = generate_matrix(context, request->spec, SPRY_F64, &matrix);
    if (status != SPRY_OK)
        generate_explain_failure(context, status, request->spec, message, size);
    bool good =
        status == SPRY_OK && output_write(context, request->path, STDOUT_FILENO, matrix, message, size);
    spry_matrix_destroy(matrix);
    return good;
}

/* False: `message`, of `size` bytes, says why. */
static bool write_matrix(const struct request *request, char *message, size_t size) {
    spry_context *context;
    if (!check_spec(request->spec, message, size) || !output_check(request->path, message, size))
        return false;
    spry_status status = spry_context_create(&context, NULL);
    if (status != SPRY_OK) {
        snprintf(message, size, "context: %s", spry_status_string(status));
        return false;
    }
    bool good = make(context, request, message, size);
    spry_context_destroy(context);
    return good;
}

static error_t read_argument(int key, char *value, struct argp_state *state) {
    struct request *request = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "more than a matrix and a FILE were given");
        if (state->arg_num == 0)
            request->spec = value;
        else
            request->path = argument_file("FILE", value, state);
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
    (void)input;
    return key == ARGP_KEY_HELP_POST_DOC ? argument_generators("The matrices:\n\n", "", "", text)
                                         : (char *)text;
}

static struct request read_command(int argc, char **argv) {
    static const struct argp parser = {
        NULL,
        read_argument,
        "GENERATOR:PARAMETERS FILE",
        "Write a generated matrix to a Matrix Market file; - as FILE is standard output."
        "\vExit status: 0 when the file was written; 1 when not; 64 for a wrong command line.",
        NULL,
        list_generators,
        NULL,
    };
    struct request request;
    argp_parse(&parser, argc, argv, 0, NULL, &request);
    return request;
}

int main(int argc, char **argv) {
    const struct request request = read_command(argc, argv);
    char message[2048];
    if (write_matrix(&request, message, sizeof message))
        return EXIT_SUCCESS;
    complain("%s", message);
    return EXIT_FAILURE;
}
