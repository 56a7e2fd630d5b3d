/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils and shapes: what their kernels share. */
#ifndef SPRY_SPMV_STENCIL_H
#define SPRY_SPMV_STENCIL_H

#include "spmv/parts.h"

#include "formats/stencil.h"

/* x from some place on and, where it is scaled, the diagonal from there on. What is INLINE here is written once for kernels that scale x
   and those that do not: `scaled` is a constant in both. */
struct input {
    const val_t *x, *right;
    bool scaled;
};

INLINE struct input input_at(struct input input, int64_t at) {
    return (struct input){input.x + at, input.scaled ? input.right + at : NULL, input.scaled};
}

/* What an entry is multiplied by. */
INLINE val_t factor(struct input input, int64_t at) {
    return input.scaled ? input.right[at] * input.x[at] : input.x[at];
}

/* Runs of rows that are alike, `lanes` of them side by side; slices of so many rows, if not of one, end runs too. */
union spry_terms NAME(spry_runs_work)(const struct spry_candidate *candidate, const struct spry_alike *alike,
                                      int64_t height, int lanes);

#endif
