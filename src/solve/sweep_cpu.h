/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweeps on the CPU, for one value type and instruction set. */
#ifndef SPRY_SWEEP_CPU_H
#define SPRY_SWEEP_CPU_H

#include <stdbool.h>

#include "core/internal.h"
#include "solve/sweep.h"

struct spry_sweep_code {
    /* Places begin to end - 1; sum[] becomes their sums. */
    void (*walk)(const struct spry_vectors *v, const struct spry_scalars *c, int64_t begin, int64_t end,
                 double *sum);
    void (*step)(struct spry_state *state, const double *sum); /* null for a sweep without sums */
    bool hold;
};

/* All sweeps. */
struct spry_sweep_table {
    unsigned needs; /* or of spry_cpu_feature */
    const struct spry_sweep_code *sweep;
};

#endif
