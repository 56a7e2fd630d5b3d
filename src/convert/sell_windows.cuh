/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of SELL sorted by length, where whole windows fit a block. */
#ifndef SPRY_SELL_WINDOWS_CUH
#define SPRY_SELL_WINDOWS_CUH

extern "C" {
#include "core/internal.h"
#include "core/saturate.h"
}

/* Rows of a block, at most. */
#define SPRY_SELL_SORTED 2048

/* What is found on the way: whether a row is longer than the row before it in its window, and the slots of a row of each slice, all
   added up. */
struct spry_sell_findings {
    unsigned long long rises, widths;
};

/* Whether row i is longer than the one before. */
template <class Pointer>
static __device__ inline bool is_rise(const Pointer *ptr, int64_t i) {
    return ptr[i + 1] - ptr[i] > ptr[i] - ptr[i - 1];
}

/* How many keys the rows of a block are sorted by: the number of the window, and how much shorter than the longest row. 0 where no
   window fits; of more than UINT32_MAX keys none are made. */
static inline int64_t spry_sell_keys(int64_t window, int64_t longest) {
    return spry_multiply_counts(SPRY_SELL_SORTED / window, longest + 1);
}

/* Sort the rows of each window, the longest first and in their order where they are as long. Writes the permutation, the lengths in the
   new order and, in place of pointers, the slots of each slice. There are 1 to UINT32_MAX keys. */
extern "C" spry_status spry_cuda_sell_sort_windows(spry_context *context, const spry_matrix *csr,
                                                   int64_t longest, spry_sell_findings *found,
                                                   const spry_matrix *matrix);

#endif
