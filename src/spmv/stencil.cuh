/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils on a device: what their kernels and their plan share. */
#ifndef SPRY_STENCIL_CUH
#define SPRY_STENCIL_CUH

#include "formats/stencil.cuh"

/* Threads of a block, and on a multiprocessor: few enough for their registers to hold what is in flight. */
#define SPRY_STENCIL_BLOCK 512
#define SPRY_STENCIL_RESIDENT 1024

/* Rows of a thread: of many rows in all, beside each other or in so many planes, and of fewer. */
#define SPRY_STENCIL_ROWS 8
#define SPRY_STENCIL_PLANES 4
#define SPRY_STENCIL_FEW 4

/* Rows of more entries are a block's each: of those that a thread would take longer for than all threads take for an equal
   share of all rows. */
int64_t NAME(spry_stencil_longest)(const spry_context *context, int64_t nnz);

#endif
