/* SPDX-License-Identifier: BSD-3-Clause */
/* What conversions want to know of the lengths of rows: a matrix may have it from when it was made, and then nothing is waited
   for. */
#ifndef SPRY_KNOWN_CUH
#define SPRY_KNOWN_CUH

#include "primitives/device.cuh"

extern "C" {
#include "analysis/features.h"
}

/* The longest row of a matrix in CSR. Waits where it has to look. */
static inline spry_status find_longest_row(spry_context *context, const spry_matrix *csr, int64_t *longest) {
    if (!csr->features)
        return NAME(spry_cuda_longest)(context, static_cast<const ptr_t *>(csr->csr.ptr), csr->rows, longest);
    *longest = csr->features->longest;
    return SPRY_OK;
}

/* No row has fewer entries; 0 where that is not known. */
static inline int64_t known_shortest(const spry_matrix *csr) {
    return csr->features ? csr->features->shortest : 0;
}

/* How many entries are past the first `width` of their rows; false where counters of lengths do not tell exactly. */
static inline bool knows_spilled(const spry_matrix *csr, int64_t width, int64_t *spilled) {
    if (!csr->features || width >= SPRY_LENGTH_EXACT)
        return false;
    *spilled = csr->nnz - (int64_t)spry_sum_within(csr->features->by_row, width);
    return true;
}

/* The segments that rows have past `width`, for their plan: how many there are and the longest. Both 0 where no row is so long, or
   where counters do not tell exactly. */
static inline void tell_segments(const spry_matrix *csr, int64_t width, struct spry_segments *segments) {
    const spry_features *features = csr->features;
    if (!features || width >= SPRY_LENGTH_EXACT || width >= features->longest)
        return;
    segments->count = csr->rows - spry_count_bins(features->by_row, 0, (int)width + 1);
    segments->longest = features->longest - width;
}

/* How many slots slices of 32 rows in their order have; false where counters do not tell exactly. */
static inline bool knows_slots(const spry_matrix *csr, int64_t *slots) {
    const spry_features *features = csr->features;
    if (!features || features->longest >= SPRY_LENGTH_EXACT)
        return false;
    *slots = WARP * (int64_t)spry_sum_within(features->by_warp, features->longest);
    return true;
}

#endif
