/* SPDX-License-Identifier: BSD-3-Clause */
/* The lengths of all rows on a device, and how many rounds they take. */
#ifndef SPRY_LENGTHS_CUH
#define SPRY_LENGTHS_CUH

#include "analysis/survey.cuh"
#include "cuda/lanes.cuh"
#include "primitives/reduce.cuh"

/* What a thread finds in its rows. */
struct found {
    int64_t shortest, longest, changes;
    double squares;
    unsigned long long rounds[SPRY_ROUND_CHOICES]; /* of its warp; the same in all lanes */
};

/* The counters of a block, in shared memory. */
struct counters {
    unsigned by_row[SPRY_LENGTH_COUNTERS], by_eight[SPRY_LENGTH_COUNTERS], by_warp[SPRY_LENGTH_COUNTERS];
    unsigned long long rounds[SPRY_ROUND_CHOICES];
};

/* Count the 32 rows that a warp looks at; a lane past the last row has length -1. Rows of one length count at once,
   as atomics on one address would wait for each other. */
template <class Length>
static __device__ inline void count_warp(Length length, counters &count) {
    const int lane = lane_number();
    const bool alike = __all_sync(ALL_LANES, length == __shfl_sync(ALL_LANES, length, 0));
    if (length >= 0 && (!alike || lane == 0))
        atomicAdd(&count.by_row[spry_length_bin(length)], alike ? WARP : 1);
    const Length eight = largest_of_lanes<SPRY_FEATURES_EIGHT>(length);
    const Length warp = largest_of_lanes<WARP, SPRY_FEATURES_EIGHT>(eight);
    if (length >= 0 && lane % SPRY_FEATURES_EIGHT == 0)
        atomicAdd(&count.by_eight[spry_length_bin(eight)], 1);
    if (length >= 0 && lane == 0)
        atomicAdd(&count.by_warp[spry_length_bin(warp)], 1);
}

/* The rounds of a number of lanes for the 32 rows that a warp looks at, a lane each. */
template <class Length>
static __device__ inline unsigned rounds_of_warp(Length length, int lanes) {
    const int64_t exact = spry_rounds_of(length > 0 ? length : 0, lanes);
    unsigned rounds = exact < 1 << 22 ? (unsigned)exact : 1u << 22; /* so that the sum does not overflow */
    if (lanes > WARP)
        return __reduce_add_sync(ALL_LANES, rounds * (lanes / WARP));
    const int rows = WARP / lanes;
    for (int step = 1; step < rows; step *= 2) {
        const unsigned other = __shfl_xor_sync(ALL_LANES, rounds, step);
        rounds = other > rounds ? other : rounds;
    }
    return __reduce_add_sync(ALL_LANES, lane_number() % rows == 0 ? rounds : 0);
}

/* All threads of a warp go round as often, since count_warp and rounds_of_warp want them all. */
template <class Pointer, class Index>
static __device__ inline found look_at_rows(const featured<Pointer, Index> &a, counters &count) {
    found mine = {INT64_MAX, 0, 0, 0, {}};
    for (int64_t first = (int64_t)blockIdx.x * SURVEYORS; first < a.rows;
         first += (int64_t)gridDim.x * SURVEYORS) {
        const int64_t i = first + threadIdx.x;
        Pointer length = -1;
        if (i < a.rows) {
            const Pointer begin = a.ptr[i];
            length = a.ptr[i + 1] - begin;
            mine.changes += i > 0 && begin - a.ptr[i - 1] != length;
            mine.shortest = length < mine.shortest ? length : mine.shortest;
            mine.longest = length > mine.longest ? length : mine.longest;
            if (length >= SPRY_LENGTH_EXACT)
                mine.squares += (double)(length - a.mean) * (double)(length - a.mean);
        }
        count_warp(length, count);
#pragma unroll
        for (int c = 0; c < SPRY_ROUND_CHOICES; c++)
            mine.rounds[c] += rounds_of_warp(length, spry_round_lanes(c));
    }
    return mine;
}

static __device__ inline void add_counters(int64_t *total, const unsigned *count) {
    for (int bin = threadIdx.x; bin < SPRY_LENGTH_COUNTERS; bin += SURVEYORS)
        add_to(&total[bin], count[bin]);
}

/* Add what the threads of a block have found to what others have. So that nothing found is zero there, the shortest is
   kept as what it lacks to INT64_MAX. True in the last block to do so. */
static __device__ inline bool add_found(const found &mine, counters &count, spry_features *features,
                                        spry_reduction_space *space) {
    for (int c = 0; c < SPRY_ROUND_CHOICES && lane_number() == 0; c++)
        atomicAdd(&count.rounds[c], mine.rounds[c]);
    int64_t extremes[2] = {mine.longest, INT64_MAX - mine.shortest}, changes[1] = {mine.changes};
    double squares[1] = {mine.squares};
    block_join<SURVEYORS>(extremes, larger{});
    block_join<SURVEYORS>(changes);
    if (threadIdx.x == 0) {
        raise_to(&features->longest, extremes[0]);
        raise_to(&features->shortest, extremes[1]);
        add_to(&features->changes, changes[0]);
    }
    /* All have counted: joining has waited for them. */
    add_counters(features->by_row, count.by_row);
    add_counters(features->by_eight, count.by_eight);
    add_counters(features->by_warp, count.by_warp);
    if (threadIdx.x < SPRY_ROUND_CHOICES)
        add_to(&features->rounds[threadIdx.x], (int64_t)count.rounds[threadIdx.x]);
    const bool last = grid_sum<1, SURVEYORS>(squares, space);
    if (last && threadIdx.x == 0)
        features->squares = squares[0];
    return last;
}

#endif
