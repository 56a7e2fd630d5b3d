/* SPDX-License-Identifier: BSD-3-Clause */
/* The updates on the CPU, for one value type and instruction set. */
#ifndef SPRY_UPDATE_CPU_H
#define SPRY_UPDATE_CPU_H

#include <stdbool.h>

#include "core/internal.h"
#include "solve/update.h"

struct spry_update_code {
    /* Places begin to end - 1; sum[] becomes their sums. */
    void (*walk)(const struct spry_vectors *v, const struct spry_scalars *c, int64_t begin, int64_t end,
                 double *sum);
    void (*step)(struct spry_state *state, const double *sum); /* null for an update without sums */
    int sums, shared;
    bool hold;
};

/* All updates. */
struct spry_update_table {
    unsigned needs; /* or of spry_cpu_feature */
    const struct spry_update_code *update;
};

#endif
