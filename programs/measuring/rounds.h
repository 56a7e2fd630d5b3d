/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of several calls that are to be compared with each other. */
#ifndef SPRY_MEASURING_ROUNDS_H
#define SPRY_MEASURING_ROUNDS_H

#include "measuring/place.h"

#define ROUNDS_MOST 101

struct contender {
    timed_call *call;
    void *user;
    /* Its batches end when this has no more to do; null: calls have ended when they return. */
    spry_context *context;
    spry_status status; /* of the call that failed, after which it had no more turns */
    struct spread time; /* of one call, where none failed */
    /* rounds.c's own */
    long batch, warm;
    int samples, quiet;
    bool is_behind;
    double sample[ROUNDS_MOST]; /* those that were not disturbed first */
};

/* How often each has its turn. One that took more than `behind` times as long as the fastest in the first round has no more; with 0 all
   have. */
struct rounds {
    int least, most; /* ROUNDS_MOST at most */
    double seconds;  /* after the least, no round is begun when this is over */
    double batch;    /* seconds of one turn, at least; 0: a turn is one call */
    double behind;
};

/*
 * Time the calls side by side: in every round each has its turn, from another one on each time. So when the machine
 * is faster one moment than the next it is so for all, and none always comes after the same one. On the CPU, or
 * without a place, a turn is a batch of calls by the host's clock, after a millisecond of them to warm up where there
 * are several contenders: a solver repeats a product until the branch predictor knows where its rows end. It is
 * repeated when it was disturbed (quiet.h), which may take twice as long again; elsewhere it is place->time of the
 * batch's seconds, for which the place's memory must be open. One that fails has no more turns. Returns the first
 * failure's status; INTERRUPTED, without times, when Ctrl-C came.
 */
spry_status rounds_measure(struct place *place, struct contender *contenders, int count,
                           const struct rounds *rounds);

#endif
