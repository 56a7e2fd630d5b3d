/* SPDX-License-Identifier: BSD-3-Clause */
/* Time of a call that is repeated. */
#ifndef SPRY_MEASURING_TIMING_H
#define SPRY_MEASURING_TIMING_H

#include <spry/spry.h>

/* Seconds of one call, over the batches of a measurement. */
struct spread {
    double median, min, max;
    int batches;
    int disturbed; /* of these: a processor was taken away, however often they were repeated (quiet.h). They count only
                      where there are fewer than 5 others */
};

/* A call to be timed: returns how it went. */
typedef spry_status timed_call(void *user);

/* Time so many calls, one after the other, in all. Stops at the first that fails and returns its status. */
spry_status timing_batch(timed_call *call, void *user, long calls, double *seconds);

/* Warm up with growing batches until one takes `batch_time`: *calls is its size. INTERRUPTED when Ctrl-C came. */
spry_status timing_find_batch(timed_call *call, void *user, double batch_time, long *calls);

/*
 * Call `call` in batches for about `min_time` seconds, after a warm-up that also finds the size of a batch,
 * and give the spread of the batches' means. Repeating batches that were disturbed may take twice as long again. Stops
 * at the first call that fails and returns its status; INTERRUPTED when Ctrl-C came.
 */
spry_status timing_measure(timed_call *call, void *user, double min_time, struct spread *spread);

/* Median, least and largest of `count` > 0 samples, none of them disturbed, which are sorted in place. */
struct spread timing_spread(double *samples, int count);

#endif
