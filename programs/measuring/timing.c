/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/timing.h"

#include <math.h>
#include <stdlib.h>

#include "measuring/rounds.h"

/* Enough batches for a median that one interruption does not move; few enough that each is long against
   the clock's own cost. */
#define BATCHES 21
#define LEAST_BATCHES 5

static int compare_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

bool timing_is_disturbed(const struct spread *spread) {
    return spread->disturbed > 0 && spread->batches - spread->disturbed < TIMING_ENOUGH;
}

bool timing_is_tie(const struct spread *spread, const struct spread *other) {
    const double apart = fmax(spread->max - spread->min, other->max - other->min);
    const bool overlap = spread->min <= other->max && other->min <= spread->max;
    return timing_is_disturbed(spread) || timing_is_disturbed(other) ||
           (overlap && fabs(spread->median - other->median) <= apart);
}

struct spread timing_spread(double *samples, int count) {
    qsort(samples, (size_t)count, sizeof *samples, compare_doubles);
    return (struct spread){
        .median = (samples[(count - 1) / 2] + samples[count / 2]) / 2,
        .min = samples[0],
        .max = samples[count - 1],
        .q1 = samples[count / 4],
        .q3 = samples[count * 3 / 4],
        .batches = count,
    };
}

spry_status timing_measure(timed_call *call, void *user, double min_time, struct spread *spread) {
    const struct rounds rounds = {
        .least = LEAST_BATCHES, .most = BATCHES, .seconds = min_time, .batch = min_time / BATCHES};
    struct contender alone = {.call = call, .user = user};
    spry_status status = rounds_measure(NULL, &alone, 1, &rounds);
    if (status == SPRY_OK)
        *spread = alone.time;
    return status;
}
