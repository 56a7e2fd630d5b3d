/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils on a device: what their kernels and their plan share. */
#ifndef SPRY_STENCIL_CUH
#define SPRY_STENCIL_CUH

#include "formats/stencil.cuh"

/* Threads of a block, and on a multiprocessor: few enough for their registers to hold what is in flight. */
#define SPRY_STENCIL_BLOCK 256
#define SPRY_STENCIL_RESIDENT 1024

/* Rows of a thread: of many rows in all, beside each other or in so many planes, and of fewer. */
#define SPRY_STENCIL_ROWS 8
#define SPRY_STENCIL_PLANES 4
#define SPRY_STENCIL_FEW 4

/* Rows of more entries are a block's each: of those that a thread would take longer for than all threads take for an equal
   share of all rows. */
extern "C" int64_t NAME(spry_stencil_longest)(const spry_context *context, int64_t nnz);

/* Entries of a stencil that others may be parts of, at most: a bit each. */
#define SPRY_PART_MOST 32

/* The stencil that most rows seem to have: most of 32 that are spread by the golden ratio, so that the borders of no grid meet
   them all. For all lanes of a warp; there are rows. */
static __device__ inline uint32_t typical_stencil(const stencils &a) {
    const double turns = (lane_number() + 1) * 0.6180339887498949;
    const int64_t row = (int64_t)((double)a.rows * (turns - floor(turns)));
    const uint32_t number = number_of(a, row < a.rows ? row : a.rows - 1),
                   votes = __popc(__match_any_sync(ALL_LANES, number)),
                   best = __reduce_max_sync(ALL_LANES, votes * WARP + lane_number());
    return __shfl_sync(ALL_LANES, number, best % WARP);
}

#endif
