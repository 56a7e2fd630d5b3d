/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads a parallel region may have without ending or hanging the process: what every num_threads clause of
   the library asks. */
#ifndef SPRY_TEAM_H
#define SPRY_TEAM_H

#include "core/internal.h"

/*
 * `wanted` threads, or as many as can be started: an OpenMP runtime ends the process when it cannot start those that a
 * region asks for. One in the thread that called fork, in the child, where the parent had other threads then: they may have
 * been its team, which does not exist there, and GCC's runtime waits for it for ever. One within a parallel region of the
 * caller that is the last to be parallel.
 */
int spry_team(int wanted);

/* So many threads more ask for another grain of work, as they take longer to call together. */
#define SPRY_CALLED_IN_A_GRAIN 32

/* How many parts so many items of work make: one, or one for each of the context's threads as soon as that pays. Never some of
   them: GCC's runtime ends the threads that a team leaves out and starts them again for the next larger one, which takes
   a hundred times as long as calling them all. */
static inline int spry_part_count(const spry_context *context, int64_t work) {
    const bool pays = work / context->grain > context->threads / SPRY_CALLED_IN_A_GRAIN;
    return !pays ? 1 : work < context->threads ? (int)work : context->threads;
}

/* A team for so much work. */
static inline int spry_team_over(const spry_context *context, int64_t work) {
    return spry_team(spry_part_count(context, work));
}

/* Ask the system again about threads that it refused to the calling thread. */
void spry_team_ask_again(void);

#endif
