/* SPDX-License-Identifier: BSD-3-Clause */
/* A look at a CSR matrix on a device: what it goes by, and what it finds. */
#ifndef SPRY_SURVEY_CUH
#define SPRY_SURVEY_CUH

#include "analysis/atomic.cuh"

extern "C" {
#include "analysis/features.h"
#include "analysis/rows.h"
#include "analysis/stencils.h"
#include "analysis/values.h"
#include "analysis/windows.h"
}

/* Threads of a block. */
static constexpr int SURVEYORS = 512;

/* A warp looks at 32 rows, and at one window, at a time. */
static_assert(SPRY_WINDOW_ROWS <= SURVEYORS && SPRY_LENGTH_COUNTERS <= SURVEYORS, "a block a window of rows");
static_assert(SPRY_FEATURES_WARP == WARP && SPRY_SAMPLE_WINDOW <= WARP && WARP % SPRY_FEATURES_EIGHT == 0);

/* What a look finds: features, but for what they say of rows that are alike and of values, and what says it: the lengths of rows,
   their keys with and without values, and values one after the other, each as wide as its type. */
struct survey {
    spry_features features;
    uint64_t key_of_stencil[SPRY_ROW_SAMPLE], key_of_shape[SPRY_ROW_SAMPLE];
    int64_t length[SPRY_ROW_SAMPLE];
    uint64_t value[SPRY_VALUES_MOST];
};

static_assert(sizeof(survey) <= SPRY_FETCHED, "it comes by way of pinned memory");

/* Where parts of a look begin that have work for a few blocks each: at blocks of their own, so that they run beside each other. All: how
   many blocks they need for that. */
struct first_blocks {
    int64_t blocks, entries, stencils, diagonals, all;
};

/* The number of this block for a part that begins at another than the first; those before it come last. */
static __device__ inline int64_t block_from(int64_t first) {
    return (blockIdx.x + gridDim.x - first % gridDim.x) % gridDim.x;
}

/* The number of this warp, counted from there. */
static __device__ inline int64_t warp_from(int64_t first) {
    return block_from(first) * (SURVEYORS / WARP) + threadIdx.x / WARP;
}

template <class Pointer, class Index>
struct featured {
    int64_t rows, entries;
    int64_t mean; /* of the lengths of rows, rounded */
    const Pointer *ptr;
    const Index *idx;
    const void *val;
    int value_size, base, parts;
    int64_t run; /* rows of each part */
    spry_sample sample;
    spry_windows windows, stencils;
    spry_value_sample values;
    first_blocks first;
};

template <class Pointer, class Index>
static __device__ inline spry_rows rows_of(const featured<Pointer, Index> &a) {
    return {a.ptr, a.idx, sizeof(Pointer), sizeof(Index), a.rows, a.entries, a.base};
}

#endif
