/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks as threads of one program: a system of equations whose rows are dealt out, and sums and values of x that go
   from one to another through memory. */
#ifndef TEST_RANKS_H
#define TEST_RANKS_H

#include <pthread.h>

#include "systems.h"

#define TEST_MOST_RANKS 4
#define TEST_MOST_SUMS 80

/* What all ranks see. */
struct ranks {
    int count;
    const struct list *list;
    spry_value_type type;
    int64_t first[TEST_MOST_RANKS + 1]; /* rows of each */
    struct rank *rank;                  /* count */
    char *x;                            /* of the whole system */
    double sum[TEST_MOST_RANKS][TEST_MOST_SUMS];
    int arrived; /* at the meeting now */
    unsigned meetings;
    bool ended; /* one has failed, and ended the others */
    pthread_mutex_t mutex;
    pthread_cond_t met;
};

/* What one of them has. */
struct rank {
    struct ranks *all;
    int number;
    spry_context *context, *host;
    spry_matrix *inner, *outer;
    spry_halo *halo;
    struct vector b, x, h; /* on the host */
    struct placed b_there, x_there, h_there;
    spry_operator operator;
    spry_precond *precond;
    spry_operator precondition; /* all zeros: none */
    spry_solver *solver;
    const void *right; /* what spry_solve is given for b */
    void *user;        /* what the monitor is given */
    spry_solve_result result;
    spry_status status;              /* of the last solve */
    int64_t sums, fail_sum;          /* so many sums; the one that fails, counted from 1; 0: none */
    int64_t products, break_product; /* the same; the one that has a NaN */
};

/* Deal out the rows: rank r gets share[r] of the sum of all shares. x = exact_value is the solution. */
void ranks_open(struct ranks *ranks, const struct list *list, spry_value_type type, int count,
                const int *share);
/* Give each the preconditioner of its own block. */
void ranks_precondition(struct ranks *ranks, spry_precond_kind kind);
/* Make the solvers. With one's `options` all have the same but `sum`. */
void ranks_prepare(struct ranks *ranks, const spry_solver_options *options);
/* All solve, each in a thread of its own. */
void ranks_solve(struct ranks *ranks);
/* The largest error of all places. */
double ranks_error(struct ranks *ranks);
void ranks_close(struct ranks *ranks);

#endif
