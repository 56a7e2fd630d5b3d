/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that solve together: processes, or threads, of which each has some rows of the system. */
#ifndef SPRY_SOLVE_RANKS_H
#define SPRY_SOLVE_RANKS_H

#include "core/internal.h"

struct spry_ranks {
    spry_status (*sum)(spry_context *context, void *user, double *values, int count); /* the caller's */
    void *user;
    double *values; /* room where the solver works */
};

/* `count` values become their sums over all ranks: host memory for the CPU, else put into the context's stream. A
   failure has a message. */
spry_status spry_add_up(spry_context *context, const struct spry_ranks *ranks, int count, double *values);

#endif
