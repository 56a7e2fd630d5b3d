/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches of calls, timed while the processors are this program's own. */
#ifndef SPRY_MEASURING_QUIET_H
#define SPRY_MEASURING_QUIET_H

#include <stdbool.h>

#include "measuring/timing.h"

/* What the clock, and the system's accounts of this process and of the calling thread, say. */
struct moment {
    double wall, cpu; /* seconds; of the thread */
    long taken;       /* times that a processor was taken from a thread of this process */
    long given;       /* times that the calling thread gave its own up, to wait */
};

struct moment quiet_now(void);

/* Whether a processor was taken away since then; by the system or, from a guest, by its host. */
bool quiet_was_disturbed(const struct moment *since);

struct batch {
    timed_call *call;
    void *user;
    /* The batch ends when this has no more to do; null: calls have ended when they return. */
    spry_context *context;
    long calls; /* that are timed */
    /* Calls before them: they bring the data back to the caches, let the branch predictor learn them again, and let the
       threads that others left spinning sleep. */
    long warm;
};

/* Warm up with growing batches until one takes `seconds`: batch->calls is its size, *took are its seconds. INTERRUPTED when
   Ctrl-C came. */
spry_status quiet_find_batch(struct batch *batch, double seconds, double *took);

/* Times that a batch is timed, at most, to find one without interruption. */
#define QUIET_ATTEMPTS 5

/*
 * Time a batch: *seconds are those of one call. Threads that wait for each other lose whole time slices when another
 * program takes a processor from one of them, so a batch in which that happened is timed again, a few times, as long as
 * *spare is over 0: the seconds that it takes are taken from there. A long one is halved for that, since it then fits
 * between two interruptions more easily. Where all were interrupted, *disturbed is true and the shortest counts. Stops
 * at the first call that fails and returns its status.
 */
spry_status quiet_time(const struct batch *batch, double *spare, double *seconds, bool *disturbed);

#endif
