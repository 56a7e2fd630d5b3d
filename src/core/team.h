/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads a parallel region may have without ending or hanging the process: what every num_threads clause of
   the library asks. */
#ifndef SPRY_TEAM_H
#define SPRY_TEAM_H

#include "core/internal.h"

/*
 * `wanted` threads, or as many as can be started: an OpenMP runtime ends the process when it cannot start those that a
 * region asks for. One in a child of fork whose calling thread had a team before: its other threads do not exist there,
 * and GCC's runtime waits for them for ever. One within a parallel region of the caller that is the last to be parallel.
 */
int spry_team(int wanted);

/* The context's threads for more than its grain of work, otherwise one. */
static inline int spry_team_over(const spry_context *context, int64_t work) {
    return spry_team(work > context->grain ? context->threads : 1);
}

/* Ask the system again about threads that it refused to the calling thread. */
void spry_team_ask_again(void);

#endif
