/* SPDX-License-Identifier: BSD-3-Clause */
/* Over all matrices: how much faster Spry is than each peer, as geometric means of ratios of times. */
#ifndef SPRY_PEERS_STANDINGS_H
#define SPRY_PEERS_STANDINGS_H

#include "peers/contest.h"

/* Time of the other over time of Spry: over 1 where Spry is faster. */
struct ratios {
    int count; /* matrices where both were right */
    double mean;
    double least, most;
    const char *least_at; /* the matrix where Spry does worst; null without any */
};

struct standing {
    const char *against;
    struct ratios csr;    /* Spry's CSR */
    struct ratios best;   /* Spry's fastest format of each matrix */
    struct ratios choice; /* what Spry takes unasked */
};

struct standings {
    int matrices; /* counted */
    int rows;
    /* The fastest open-source peer of each matrix, then each peer in the order of the lineup. */
    struct standing row[LINEUP_MAX + 1];
    int fastest[LINEUP_MAX]; /* by place in the lineup: on how many matrices it was Spry's fastest */
    double quartiles;        /* median over all outcomes of outcome.quartiles */
};

/* From `count` contests, of which those that are counted matter. SPRY_ERROR_MEMORY or SPRY_OK. */
spry_status standings_make(const struct contest *contests, int count, const struct lineup *lineup,
                           struct standings *standings);

#endif
