/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/source_options.h"

#include "common/argument.h"

enum { KEY_REAL_PART = 256, KEY_UNPACK_LIMIT };

static const struct argp_option known[] = {
    {"type", 't', "f32|f64", 0, "Type of the values (f64)", 0},
    {"real-part", KEY_REAL_PART, NULL, 0, "Of complex matrices take the real part", 0},
    {"unpack-limit", KEY_UNPACK_LIMIT, "BYTES", 0,
     "Most that a compressed file, an archive or a pipe may come to (256 MiB, or 100 times its size)", 0},
    {0},
};

static error_t read_option(int key, char *value, struct argp_state *state) {
    struct source_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        *options = (struct source_options){.type = SPRY_F64, .has_options = true};
        return 0;
    case 't':
        options->type = argument_type(value, state);
        options->type_set = true;
        return 0;
    case KEY_REAL_PART:
        options->real_part = true;
        return 0;
    case KEY_UNPACK_LIMIT:
        options->unpack_limit = (uint64_t)argument_count("unpack-limit", value, 1, INT64_MAX, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp source_options_parser = {.options = known, .parser = read_option};
