/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL on a device: what its kernels and their plan share. */
#ifndef SPRY_SELL_CUH
#define SPRY_SELL_CUH

#include "formats/sell.cuh"
#include "spmv/rounds.cuh"

/* Threads on a multiprocessor, what a thread asks for before it uses the first, and threads that share a row, at most. */
#define SPRY_SELL_RESIDENT SPRY_ROUNDS_RESIDENT
#define SPRY_SELL_AHEAD SPRY_ROUNDS_AHEAD
#define SPRY_SELL_PARTS SPRY_ROUNDS_PARTS

/* How rows are shared: `lanes` threads have each; or one, and a block has each group of rows of which one is longer than
   `alone`, where there are such groups and no more of them than `blocks`, which may be less than one. */
struct spry_sell_sharing {
    int lanes;
    int64_t alone;
    double blocks;
};

/* For so many rows, the longest of that length; `steps` are the lengths of the longest of each 32 rows, added up. */
extern "C" spry_sell_sharing NAME(spry_sell_sharing)(const spry_context *context, int64_t rows,
                                                     int64_t longest, double steps);

#endif
