/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans, sorts and searches over arrays on the device, put into the context's stream and not waited for. */
#ifndef SPRY_PRIMITIVES_DEVICE_CUH
#define SPRY_PRIMITIVES_DEVICE_CUH

#include "cuda/kernel.cuh"
#include "cuda/lanes.cuh"
#include "primitives/temporary.cuh"

extern "C" {
#include "primitives/sort.h"
}

/* Exclusive scan in place: array[i] becomes the sum of those before it, for i from 0 to n; what array[n] was
   has no influence. */
extern "C" spry_status NAME(spry_cuda_scan)(spry_context *context, ptr_t *array, int64_t n);

/* Stable sort of n pairs by key, all keys from 0 to limit - 1. The sorted pairs are in `keys_out` and
   `payload_out`; the inputs are kept. */
static inline spry_status NAME(spry_cuda_sort)(spry_context *context, const idx_t *keys, idx_t *keys_out,
                                               const idx_t *payload, idx_t *payload_out, int64_t n,
                                               int64_t limit) {
    return spry_cuda_sort_pairs(context, sizeof(idx_t), keys, keys_out, sizeof(idx_t), payload, payload_out,
                                n, spry_bits_for(0, limit));
}

/* The largest difference of neighbours, ptr[i + 1] - ptr[i] for i < n; 0 for n = 0. Waits for the result. */
extern "C" spry_status NAME(spry_cuda_longest)(spry_context *context, const ptr_t *ptr, int64_t n,
                                               int64_t *longest);

/* From pointers to slices: slice[k] becomes the number of the slice that entry k lies in, for the n entries
   of `slices` slices. Pointers and slices are both counted from `base`, entries from 0. */
extern "C" spry_status NAME(spry_cuda_expand)(spry_context *context, const ptr_t *ptr, int base,
                                              int64_t slices, int64_t n, idx_t *slice);

/* Back, to pointers counted from 0: ptr[i] becomes the first of the n entries in slice i or a later one, for
   i from 0 to `slices`. slice[k], counted from `base`, never falls. */
extern "C" spry_status NAME(spry_cuda_compress)(spry_context *context, const idx_t *slice, int base,
                                                int64_t n, int64_t slices, ptr_t *ptr);

/* How many entries of a CSR or CSC matrix have an index smaller than, or as large as, the one before them in
   their slice. Wait for the result. */
extern "C" spry_status NAME(spry_cuda_count_falls)(spry_context *context, const spry_matrix *matrix,
                                                   int64_t *count);
extern "C" spry_status NAME(spry_cuda_count_repeats)(spry_context *context, const spry_matrix *matrix,
                                                     int64_t *count);

/* Whether an index is none of the `limit` that are counted from `base`. */
static __device__ inline bool is_outside(idx_t index, int base, int64_t limit) {
    return index < base || index - base >= limit;
}

#endif
