/* SPDX-License-Identifier: BSD-3-Clause */
/* What a person and a program get to see. */
#ifndef SPRY_PEERS_OUTPUT_H
#define SPRY_PEERS_OUTPUT_H

#include "peers/standings.h"

/* What a run was made with. */
struct setting {
    const char *cpu;
    struct peer_product product;
    int threads;
    int64_t min_nnz; /* matrices with more entries count */
    struct rules rules;
};

/* On standard output: who takes part and the heading, one line a matrix, and the means. */
void table_head(const struct lineup *lineup, const struct setting *setting);
void table_row(const struct lineup *lineup, const struct contest *contest);
void table_standings(const struct lineup *lineup, const struct standings *standings);

/* Everything in a file. 0, or -1 with errno set. */
int json_write(const char *path, const struct setting *setting, const struct lineup *lineup,
               const struct contest *contests, int count, const struct standings *standings);

#endif
