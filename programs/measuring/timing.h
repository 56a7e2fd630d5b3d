/* SPDX-License-Identifier: BSD-3-Clause */
/* Time of a call that is repeated. */
#ifndef SPRY_MEASURING_TIMING_H
#define SPRY_MEASURING_TIMING_H

#include <stdbool.h>

#include <spry/spry.h>

/* So many batches that were not disturbed are enough to leave out those that were. */
#define TIMING_ENOUGH 5

/* Seconds of one call, over the batches of a measurement. */
struct spread {
    double median, min, max, q1, q3; /* q1, q3: the first and the third quartile */
    int batches;
    int disturbed; /* of these: a processor was taken away, however often they were repeated (quiet.h). They count only
                      where there are fewer than TIMING_ENOUGH others */
};

/* A call to be timed: returns how it went. */
typedef spry_status timed_call(void *user);

/*
 * Call `call` in batches for about `min_time` seconds, after a warm-up that also finds the size of a batch,
 * and give the spread of the batches' means. Repeating batches that were disturbed may take twice as long again. Stops
 * at the first call that fails and returns its status; INTERRUPTED when Ctrl-C came.
 */
spry_status timing_measure(timed_call *call, void *user, double min_time, struct spread *spread);

/* Whether so many batches were disturbed that these count too. */
bool timing_is_disturbed(const struct spread *spread);

/* Whether neither of two is faster for certain: one was disturbed, or their medians lie no further apart than the batches of either do,
   and not all batches of one are faster than all of the other. */
bool timing_is_tie(const struct spread *spread, const struct spread *other);

/* Spread of `count` > 0 samples, none of them disturbed, which are sorted in place. */
struct spread timing_spread(double *samples, int count);

#endif
