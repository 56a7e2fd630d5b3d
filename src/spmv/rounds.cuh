/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in slots side by side (ELL, that part of HYB, and SELL) on a device: how many threads share each. */
#ifndef SPRY_ROUNDS_CUH
#define SPRY_ROUNDS_CUH

#include <algorithm>
#include <math.h>

#include "cuda/kernel.cuh"

/* Threads on a multiprocessor: few enough for their registers to hold what is in flight. */
#define SPRY_ROUNDS_RESIDENT 768
/* Warps that keep a multiprocessor busy: beside more of them, a warp's round takes longer. Of several numbers the one by which ELL took
   the least time, over 47 matrices with 1 to 16 threads a row on an H200. */
#define SPRY_ROUNDS_BUSY 12
/* Slots that a thread asks for before it uses the first: a round. */
#define SPRY_ROUNDS_AHEAD 8
/* Threads that share a row, at most. */
#define SPRY_ROUNDS_PARTS 16

/* Rounds of a row that so many threads share. */
static inline double spry_rounds_of_row(int64_t entries, int lanes) {
    return ceil((double)entries / (SPRY_ROUNDS_AHEAD * lanes));
}

/* Rounds of all warps, with as many at once as keep the device busy: those of `steps` slots, and what they waste. */
static inline double spry_rounds_of_all(const spry_context *context, double steps, double wasted) {
    const double busy = (double)context->device->multiprocessors * SPRY_ROUNDS_BUSY;
    return (steps / SPRY_ROUNDS_AHEAD + wasted) / busy;
}

/* Threads that share a row, and the rounds that a product takes with them. */
struct spry_shared_rows {
    int lanes;
    double rounds;
};

/* The fewest threads with the fewest rounds, which a function tells for a number of threads. */
template <class Rounds>
static inline spry_shared_rows spry_fewest_rounds(Rounds rounds_with) {
    spry_shared_rows best = {0, INFINITY};
    for (int lanes = 1; lanes <= SPRY_ROUNDS_PARTS; lanes *= 2) {
        const double rounds = rounds_with(lanes);
        if (rounds < best.rounds)
            best = {lanes, rounds};
    }
    return best;
}

#endif
