/* SPDX-License-Identifier: BSD-3-Clause */
#include "timing.h"

#include <stdlib.h>
#include <time.h>

/* Enough batches for a median that one interruption does not move; few enough that each is long against
   the clock's own cost. */
#define BATCHES 21
#define LEAST_BATCHES 5

double timing_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

struct spread timing_spread(double *samples, int count) {
    qsort(samples, (size_t)count, sizeof *samples, compare_doubles);
    return (struct spread){(samples[(count - 1) / 2] + samples[count / 2]) / 2, samples[0],
                           samples[count - 1]};
}

spry_status timing_batch(timed_call *call, void *user, long calls, double *seconds) {
    spry_status status = SPRY_OK;
    double start = timing_now();
    for (long i = 0; i < calls && status == SPRY_OK; i++)
        status = call(user);
    *seconds = timing_now() - start;
    return status;
}

/* The same batch twice, and the shorter time: one interruption does not make a batch look long enough. */
static spry_status time_batch_twice(timed_call *call, void *user, long calls, double *seconds) {
    double again = 0.0;
    spry_status status = timing_batch(call, user, calls, seconds);
    if (status == SPRY_OK)
        status = timing_batch(call, user, calls, &again);
    *seconds = again < *seconds ? again : *seconds;
    return status;
}

spry_status timing_find_batch(timed_call *call, void *user, double batch_time, long *calls) {
    double seconds = 0.0;
    *calls = 1;
    spry_status status = time_batch_twice(call, user, *calls, &seconds);
    while (status == SPRY_OK && seconds < batch_time) {
        double grow = seconds > 0.0 ? 1.1 * batch_time / seconds : 10.0;
        *calls = (long)((double)*calls * (grow > 10.0 ? 10.0 : grow)) + 1;
        status = time_batch_twice(call, user, *calls, &seconds);
    }
    return status;
}

spry_status timing_measure(timed_call *call, void *user, double min_time, struct spread *spread) {
    double samples[BATCHES], total = 0.0;
    long calls;
    int count = 0;
    spry_status status = timing_find_batch(call, user, min_time / BATCHES, &calls);
    while (status == SPRY_OK && count < BATCHES && (count < LEAST_BATCHES || total < min_time)) {
        double seconds;
        status = timing_batch(call, user, calls, &seconds);
        total += seconds;
        samples[count++] = seconds / (double)calls;
    }
    if (status == SPRY_OK)
        *spread = timing_spread(samples, count);
    return status;
}
