/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of rows, with vector registers: rows that follow each other and are alike, or, where rows alternate, as those of several
   unknowns a node do, every second or third. */
#ifndef SPRY_RUNS_H
#define SPRY_RUNS_H

#include "analysis/stencils.h"
#include "spmv/put.h"
#include "spmv/stencil.h"

struct run {
    int64_t period, end;
};

/* Where a run of this period ends, if its first row comes back; else `row`. */
static inline int64_t end_of(const spry_stencil *stencil, int64_t row, int64_t period, int64_t last) {
    const bool comes_back =
        row + period < last && stencil_number(stencil, row + period) == stencil_number(stencil, row);
    return comes_back ? NAME(spry_stencil_run_end)(stencil, row, period, last) : row;
}

/* Rows that are all alike, and else rows that alternate: whichever goes further. */
static inline struct run run_from(const spry_stencil *stencil, int64_t row, int64_t last) {
    struct run run = {1, end_of(stencil, row, 1, last)};
    for (int64_t period = 2; period <= SPRY_STENCIL_PERIODS && run.end - row < LANES; period++) {
        const int64_t end = end_of(stencil, row, period, last);
        if (end - row >= 2 * period && end > run.end)
            run = (struct run){period, end};
    }
    run.end = run.end > row ? run.end : row + 1;
    return run;
}

/* ---- the inputs of a register ---- */

/* What the first row of a register reads: places that the compiler takes as they are. It would put them together with each entry's
   offset, in a step of its own, where an address has room for both. */
INLINE struct input rows_from(struct input input, int64_t row) {
    input = input_at(input, row);
    __asm__("" : "+r"(input.x));
    if (input.scaled)
        __asm__("" : "+r"(input.right));
    return input;
}

INLINE vec load_factors(struct input input, int64_t at) {
    const vec x = v_load(input.x + at);
    return input.scaled ? v_mul(v_load(input.right + at), x) : x;
}

/* The first `count` lanes. */
INLINE vec load_first_factors(struct input input, int64_t at, int64_t count) {
    const vec x = v_load_first(input.x + at, count);
    return input.scaled ? v_mul(v_load_first(input.right + at, count), x) : x;
}

INLINE vec gather_factors(struct input input, int64_t at, const idx_t *step) {
    const vec x = v_gather(input.x + at, step);
    return input.scaled ? v_mul(v_gather(input.right + at, step), x) : x;
}

/* ---- rows that lie apart ---- */

/* The places of `count` rows at most, `period` apart; lanes past them have the last one again. */
static inline void find_steps(int64_t period, int64_t count, idx_t *step) {
    for (int l = 0; l < LANES; l++)
        step[l] = (idx_t)((l < count ? l : count - 1) * period);
}

#endif
