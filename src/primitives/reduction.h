/* SPDX-License-Identifier: BSD-3-Clause */
/* Where blocks leave their parts of a sum: one for each CUDA context, see reduce.cuh. */
#ifndef SPRY_REDUCTION_H
#define SPRY_REDUCTION_H

/* Most blocks of a grid that adds up, and most sums that it makes at once. */
#define SPRY_REDUCTION_BLOCKS 2048
#define SPRY_REDUCTION_SUMS 4

struct spry_reduction_space {
    double partial[SPRY_REDUCTION_SUMS][SPRY_REDUCTION_BLOCKS];
    unsigned arrived; /* blocks that have left theirs; 0 between two launches */
};

#endif
