/* SPDX-License-Identifier: BSD-3-Clause */
/* All products of one matrix, checked and timed side by side. */
#ifndef SPRY_PEERS_CONTEST_H
#define SPRY_PEERS_CONTEST_H

#include "measuring/timing.h"
#include "peers/lineup.h"

enum outcome_status {
    OUTCOME_OK,
    OUTCOME_WRONG, /* timed, but the result is off by more than rounding explains: it never counts */
    OUTCOME_FAILED /* not timed */
};

/* What one peer made of one matrix. */
struct outcome {
    enum outcome_status status;
    char message[160];  /* unless OK: why */
    double error;       /* largest |y - exact| / sum of |a||x|, over the rows */
    double prepare;     /* seconds from CSR to what is multiplied with, tuning included */
    struct spread time; /* seconds of one product: median, least and largest of the rounds */
    double quartiles;   /* third quartile less the first, over the median */
};

struct contest {
    char name[128];
    int64_t rows, cols, nnz;
    bool counted; /* large enough for the means */
    struct outcome outcome[LINEUP_MAX];
};

struct rules {
    int rounds;   /* medians are over these, ROUNDS_MOST (measuring/rounds.h) at most */
    double block; /* seconds of products timed at a stretch */
};

/*
 * Run all of the lineup on a matrix in CSR, of the product's type with 32-bit indices, and fill `contest` but for its name
 * and whether it is counted. SPRY_ERROR_MEMORY when there is none for the vectors; a peer that fails is an
 * outcome.
 */
spry_status contest_run(spry_context *context, const spry_matrix *csr, spry_op op,
                        const struct lineup *lineup, const struct rules *rules, struct contest *contest);

/* Which of one kind was right and the fastest: its place in the lineup, -1 for none. */
int contest_best(const struct contest *contest, const struct lineup *lineup, enum peer_kind kind);

#endif
