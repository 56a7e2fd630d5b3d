/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/timing.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "measuring/quiet.h"

/* Enough batches for a median that one interruption does not move; few enough that each is long against
   the clock's own cost. */
#define BATCHES 21
#define LEAST_BATCHES 5
/* What may be spent on repeating batches, as a multiple of what the batches themselves are to take. */
#define SPARE 2.0

static int compare_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

struct spread timing_spread(double *samples, int count) {
    qsort(samples, (size_t)count, sizeof *samples, compare_doubles);
    return (struct spread){(samples[(count - 1) / 2] + samples[count / 2]) / 2, samples[0],
                           samples[count - 1], count, 0};
}

spry_status timing_batch(timed_call *call, void *user, long calls, double *seconds) {
    spry_status status = SPRY_OK;
    double start = clock_now();
    for (long i = 0; i < calls && status == SPRY_OK; i++)
        status = call(user);
    *seconds = clock_now() - start;
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
        status = interrupt_seen() ? INTERRUPTED : time_batch_twice(call, user, *calls, &seconds);
    }
    return status;
}

/* The batches of a measurement. */
struct batches {
    double sample[BATCHES]; /* those that were not disturbed first */
    int count, quiet;
    double total; /* seconds that the quiet ones took */
};

static void add_batch(struct batches *batches, double sample, long calls, bool disturbed) {
    batches->sample[batches->count++] = sample;
    if (disturbed)
        return;
    double *first_disturbed = &batches->sample[batches->quiet++];
    batches->sample[batches->count - 1] = *first_disturbed;
    *first_disturbed = sample;
    batches->total += sample * (double)calls;
}

/* What was disturbed is no time of the call: it counts only where there is too little else. */
static struct spread sum_up(struct batches *batches) {
    bool enough = batches->quiet >= LEAST_BATCHES;
    struct spread spread = timing_spread(batches->sample, enough ? batches->quiet : batches->count);
    spread.batches = batches->count;
    spread.disturbed = batches->count - batches->quiet;
    return spread;
}

spry_status timing_measure(timed_call *call, void *user, double min_time, struct spread *spread) {
    double spare = SPARE * min_time, begin, sample = 0.0;
    struct batch batch = {.call = call, .user = user};
    struct batches batches = {.count = 0};
    spry_status status = timing_find_batch(call, user, min_time / BATCHES, &batch.calls);
    begin = clock_now();
    while (status == SPRY_OK && batches.count < BATCHES &&
           (batches.count < LEAST_BATCHES ||
            (batches.total < min_time && clock_now() - begin < min_time + SPARE * min_time))) {
        bool disturbed = false;
        status = interrupt_seen() ? INTERRUPTED : quiet_time(&batch, &spare, &sample, &disturbed);
        add_batch(&batches, sample, batch.calls, disturbed);
    }
    if (status == SPRY_OK)
        *spread = sum_up(&batches);
    return status;
}
