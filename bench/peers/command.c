/* SPDX-License-Identifier: BSD-3-Clause */
#include "peers/command.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/argument.h"
#include "measuring/rounds.h"

enum { KEY_JSON = 256, KEY_MIN_NNZ, KEY_ROUNDS, KEY_BLOCK, KEY_SKIP, KEY_F32, KEY_TRANSPOSE };

static const struct argp_option known[] = {
    {"dir", 'd', "FOLDER", 0, "Every matrix of a folder with enough nonzeros, and the stencils", 0},
    {"f32", KEY_F32, 0, 0, "Values of 4 bytes in place of 8", 0},
    {"transpose", KEY_TRANSPOSE, 0, 0, "y = A' x in place of y = A x", 0},
    {"threads", 'j', "N", 0, "Threads (2)", 0},
    {"min-nnz", KEY_MIN_NNZ, "N", 0, "Matrices with more nonzeros count (100000)", 0},
    {"rounds", KEY_ROUNDS, "N", 0, "Rounds that the medians are over (9)", 0},
    {"block", KEY_BLOCK, "MS", 0, "Milliseconds of products at a stretch (10)", 0},
    {"skip", KEY_SKIP, "NAMES", 0, "Leave out these columns, comma-separated", 0},
    {"json", KEY_JSON, "FILE", 0, "Write everything to a file", 0},
    {0},
};

/* Grid problems, for when no matrix is named. */
static const char *const stencils[] = {"gen:poisson2d:1000", "gen:poisson3d:100", "gen:27pt:80"};

static int add_input(struct command *command, char *path, bool named) {
    size_t count = (size_t)command->input_count + 1;
    struct input *inputs = path ? realloc(command->inputs, count * sizeof *inputs) : NULL;
    if (!inputs) {
        free(path);
        return ENOMEM;
    }
    inputs[count - 1] = (struct input){path, named};
    command->inputs = inputs;
    command->input_count++;
    return 0;
}

/* ---- a folder ---- */

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

static int is_matrix(const struct dirent *entry) {
    return ends_with(entry->d_name, ".mtx") || ends_with(entry->d_name, ".mtx.gz") ||
           ends_with(entry->d_name, ".tar.gz");
}

static char *join(const char *folder, const char *file) {
    size_t size = strlen(folder) + strlen(file) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, file);
    return path;
}

static int add_folder(struct command *command, const char *folder) {
    struct dirent **entries;
    int error = 0, count = scandir(folder, &entries, is_matrix, alphasort);
    if (count < 0)
        return errno;
    for (int i = 0; i < count; i++) {
        if (error == 0)
            error = add_input(command, join(folder, entries[i]->d_name), false);
        free(entries[i]);
    }
    free(entries);
    return error;
}

/* ---- argp ---- */

static int add_stencils(struct command *command) {
    int error = 0;
    for (size_t i = 0; i < sizeof stencils / sizeof *stencils && error == 0; i++)
        error = add_input(command, strdup(stencils[i]), true);
    return error;
}

/* The stencils are there unless matrices were named one by one. */
static int complete_inputs(struct command *command) {
    bool named = false;
    for (int i = 0; i < command->input_count; i++)
        named |= command->inputs[i].named;
    return named ? 0 : add_stencils(command);
}

static error_t read_option(int key, char *value, struct argp_state *state) {
    struct command *command = state->input;
    int error;
    switch (key) {
    case 'd':
        if ((error = add_folder(command, value)) != 0)
            argp_failure(state, EXIT_FAILURE, error, "%s", value);
        return 0;
    case KEY_F32:
        command->product.type = SPRY_F32;
        return 0;
    case KEY_TRANSPOSE:
        command->product.op = SPRY_T;
        return 0;
    case 'j':
        command->threads = argument_threads(value, state);
        return 0;
    case KEY_MIN_NNZ:
        command->min_nnz = argument_count("min-nnz", value, 0, INT32_MAX, state);
        return 0;
    case KEY_ROUNDS:
        command->rules.rounds = (int)argument_count("rounds", value, 1, ROUNDS_MOST, state);
        return 0;
    case KEY_BLOCK:
        command->rules.block = 1e-3 * (double)argument_count("block", value, 0, 10000, state);
        return 0;
    case KEY_SKIP:
        command->skip = value;
        return 0;
    case KEY_JSON:
        command->json = value;
        return 0;
    case ARGP_KEY_ARG:
        return add_input(command, strdup(value), true);
    case ARGP_KEY_END:
        return complete_inputs(command);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int command_read(int argc, char **argv, struct command *command) {
    static const struct argp parser = {
        .options = known,
        .parser = read_option,
        .args_doc = "[MATRIX...]",
        .doc =
            "Time y = A x in every format of Spry and in the other libraries that this program was built "
            "with."
            "\vMATRIX is a Matrix Market file, plain or compressed, or gen: and a generator, as for spbench. "
            "Without any, three stencils are compared.",
    };
    *command = (struct command){.product = {SPRY_F64, SPRY_N},
                                .threads = 2,
                                .min_nnz = 100000,
                                .rules = {.rounds = 9, .block = 0.010}};
    return argp_parse(&parser, argc, argv, 0, NULL, command);
}

void command_free(struct command *command) {
    for (int i = 0; i < command->input_count; i++)
        free(command->inputs[i].path);
    free(command->inputs);
}
