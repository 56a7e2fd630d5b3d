/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of several calls that are to be compared with each other. */
#ifndef SPRY_MEASURING_ROUNDS_H
#define SPRY_MEASURING_ROUNDS_H

#include "measuring/timing.h"

/* So many rounds that an odd one out does not move the median; fewer when they are long. */
#define ROUNDS_MOST 31
#define ROUNDS_LEAST 7

struct contender {
    timed_call *call;
    void *user;
    double seconds; /* of one call: the median over the rounds */
    /* rounds.c's own */
    long batch;
    double sample[ROUNDS_MOST];
};

/*
 * Time the calls side by side, for about `seconds` in all: in every round each has its turn, which is one
 * call to warm up and then a batch of them, which is repeated when it was disturbed (quiet.h). So when the machine is
 * faster one moment than the next, it is so for all. Stops at the first call that fails and returns its status;
 * INTERRUPTED when Ctrl-C came.
 */
spry_status rounds_measure(struct contender *contenders, int count, double seconds);

#endif
