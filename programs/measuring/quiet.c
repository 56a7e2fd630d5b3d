/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/quiet.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

#include "common/clock.h"
#include "common/interrupt.h"

/* A batch of so many seconds is not halved: it is to stay long against the clock's own cost. */
#define SHORT_SECONDS 1e-3
/* Time of a batch that the calling thread may lose without a trace, to interrupts: a part of it, and seconds. */
#define LOST_PART 0.05
#define LOST_SECONDS 50e-6

struct moment quiet_now(void) {
    struct rusage process, thread;
    struct timespec cpu;
    struct moment moment = {.wall = clock_now()};
    getrusage(RUSAGE_SELF, &process);
    getrusage(RUSAGE_THREAD, &thread);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    moment.cpu = (double)cpu.tv_sec + (double)cpu.tv_nsec * 1e-9;
    moment.taken = process.ru_nivcsw;
    moment.given = thread.ru_nvcsw;
    return moment;
}

/* A host that keeps its guest from running leaves no count, but time in which the thread neither worked nor waited. */
bool quiet_was_disturbed(const struct moment *since) {
    struct moment to = quiet_now();
    double wall = to.wall - since->wall, lost = wall - (to.cpu - since->cpu);
    return to.taken != since->taken ||
           (to.given == since->given && lost > fmax(LOST_PART * wall, LOST_SECONDS));
}

/* So many calls, one after the other. Stops at the first that fails and returns its status. */
static spry_status time_calls(const struct batch *batch, long calls, double *seconds) {
    spry_status status = SPRY_OK;
    double start = clock_now();
    for (long i = 0; i < calls && status == SPRY_OK; i++)
        status = batch->call(batch->user);
    if (status == SPRY_OK && batch->context)
        status = spry_synchronize(batch->context);
    *seconds = clock_now() - start;
    return status;
}

/* The same batch twice, and the shorter time: one interruption does not make a batch look long enough. */
static spry_status time_twice(const struct batch *batch, double *seconds) {
    double again = 0.0;
    spry_status status = time_calls(batch, batch->calls, seconds);
    if (status == SPRY_OK)
        status = time_calls(batch, batch->calls, &again);
    *seconds = again < *seconds ? again : *seconds;
    return status;
}

spry_status quiet_find_batch(struct batch *batch, double seconds, double *took) {
    batch->calls = 1;
    spry_status status = time_twice(batch, took);
    while (status == SPRY_OK && *took < seconds) {
        double grow = *took > 0.0 ? 1.1 * seconds / *took : 10.0;
        batch->calls = (long)((double)batch->calls * (grow > 10.0 ? 10.0 : grow)) + 1;
        status = interrupt_seen() ? INTERRUPTED : time_twice(batch, took);
    }
    return status;
}

static spry_status attempt(const struct batch *batch, long warm, long calls, double *seconds,
                           bool *disturbed) {
    double unused;
    spry_status status = time_calls(batch, warm, &unused);
    struct moment begin = quiet_now();
    if (status == SPRY_OK)
        status = time_calls(batch, calls, seconds);
    *disturbed = quiet_was_disturbed(&begin);
    return status;
}

spry_status quiet_time(const struct batch *batch, double *spare, double *seconds, bool *disturbed) {
    long calls = batch->calls;
    long again = batch->warm > 0 ? batch->warm : 1;
    double took = 0.0;
    spry_status status = attempt(batch, batch->warm, calls, &took, disturbed);
    *seconds = took / (double)calls;
    for (int i = 1; i < QUIET_ATTEMPTS && status == SPRY_OK && *disturbed && *spare > 0.0; i++) {
        if (took > SHORT_SECONDS)
            calls = (calls + 1) / 2;
        status = attempt(batch, again, calls, &took, disturbed);
        *spare -= took;
        double sample = took / (double)calls;
        *seconds = *disturbed ? fmin(*seconds, sample) : sample;
    }
    return status;
}
