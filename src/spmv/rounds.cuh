/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in slots side by side (ELL, that part of HYB, and SELL) on a device: how many threads share each. */
#ifndef SPRY_ROUNDS_CUH
#define SPRY_ROUNDS_CUH

#include <algorithm>
#include <math.h>

#include "cuda/kernel.cuh"

/* Threads on a multiprocessor: few enough for their registers to hold what is in flight. */
#define SPRY_ROUNDS_RESIDENT 768
/* Slots that a thread asks for before it uses the first: a round. */
#define SPRY_ROUNDS_AHEAD 8
/* Threads that share a row, at most. */
#define SPRY_ROUNDS_PARTS 16

/* How often the warps that run at once go round, when as many threads share each row of `groups` of 32 rows, whose longest
   have `steps` slots in all: half a round is wasted at the end of each row's share. */
static inline double spry_rounds_of_all(const spry_context *context, double groups, double steps, int lanes) {
    const double busy = (double)context->device->multiprocessors * (SPRY_ROUNDS_RESIDENT / WARP);
    return (steps / SPRY_ROUNDS_AHEAD + groups * lanes / 2) / busy;
}

/* The same of the longest row alone. */
static inline double spry_rounds_of_longest(int64_t longest, int lanes) {
    return ceil((double)longest / (SPRY_ROUNDS_AHEAD * lanes));
}

/* Threads that share a row, and the rounds that a product takes with them. */
struct spry_shared_rows {
    int lanes;
    double rounds;
};

/* The fewest threads with the fewest rounds: a product takes as long as the longest row or as all rows together, whichever
   is more. */
static inline spry_shared_rows spry_fewest_rounds(const spry_context *context, double groups, int64_t longest,
                                                  double steps) {
    spry_shared_rows best = {0, INFINITY};
    for (int lanes = 1; lanes <= SPRY_ROUNDS_PARTS; lanes *= 2) {
        const double rounds = std::max(spry_rounds_of_longest(longest, lanes),
                                       spry_rounds_of_all(context, groups, steps, lanes));
        if (rounds < best.rounds)
            best = {lanes, rounds};
    }
    return best;
}

#endif
