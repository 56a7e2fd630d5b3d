/* SPDX-License-Identifier: BSD-3-Clause */
/* What spcompare was asked for on its command line. */
#ifndef SPRY_PEERS_COMMAND_H
#define SPRY_PEERS_COMMAND_H

#include "peers/contest.h"

struct input {
    char *path; /* or "gen:" and a generator; ours to free */
    bool named; /* given one by one: compared whatever its size */
};

struct command {
    struct peer_product product;
    int threads;
    int64_t min_nnz; /* matrices with more entries count */
    struct rules rules;
    const char *skip; /* names of peers, comma-separated; null: none */
    const char *json; /* file; null: none */
    struct input *inputs;
    int input_count;
};

/*
 * Read the command line. --help and wrong usage print what is due and end the program. Returns 0, or an errno
 * value when memory ran out. command_free is due in any case.
 */
int command_read(int argc, char **argv, struct command *command);
void command_free(struct command *command);

#endif
