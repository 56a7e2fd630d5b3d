/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL on a device: what its kernels and their plan share. */
#ifndef SPRY_SELL_CUH
#define SPRY_SELL_CUH

#include "formats/sell.cuh"

/* Threads on a multiprocessor: few enough for their registers to hold what is in flight. */
#define SPRY_SELL_RESIDENT 768

/* Slots that a thread asks for before it uses the first. */
#define SPRY_SELL_AHEAD 8
/* Threads that share a row, at most. */
#define SPRY_SELL_PARTS 16

/* How rows are shared: `lanes` threads have each row; one, with a block for each group of rows longer than `longest`, where
   those would go round too often. */
struct spry_sell_sharing {
    int lanes;
    int64_t longest;
};

/* For so many rows, the longest of that length; `steps` are the lengths of the longest of each 32 rows, added up. */
spry_sell_sharing NAME(spry_sell_sharing)(const spry_context *context, int64_t rows, int64_t longest,
                                          double steps);

#endif
