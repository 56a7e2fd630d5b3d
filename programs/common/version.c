/* SPDX-License-Identifier: BSD-3-Clause */
/* What --version prints, of every program that this is linked into: argp finds it by its name. */
#include <argp.h>
#include <stdio.h>

static void print_version(FILE *stream, struct argp_state *state) {
    fprintf(stream, "%s (Spry) %s, built %s CUDA\n", state->name, SPRY_VERSION,
            SPRY_HAVE_CUDA ? "with" : "without");
}

void (*argp_program_version_hook)(FILE *stream, struct argp_state *state) = print_version;
