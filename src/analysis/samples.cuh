/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of entries, rows and values on a device. */
#ifndef SPRY_SAMPLES_CUH
#define SPRY_SAMPLES_CUH

#include "analysis/survey.cuh"
#include "primitives/reduce.cuh"

extern "C" {
#include "analysis/diagonals.h"
#include "analysis/stencil_key.h"
}

/* A warp a window, and a lane an entry. */
template <class Pointer, class Index>
static __device__ inline void look_at_window(const featured<Pointer, Index> &a, int64_t window,
                                             spry_features *features) {
    bool begins_line = false;
    double distance = 0;
    if (lane_number() < a.sample.length) {
        const spry_rows rows = rows_of(a);
        const int64_t k = spry_sample_begin(a.sample, window) + lane_number(), row = spry_row_of(&rows, k);
        const int64_t column = a.idx[k] - a.base, away = column - spry_sample_diagonal(a.sample, row);
        const uint64_t line_before =
            k > a.ptr[row] - a.base ? spry_line_of(a.idx[k - 1] - a.base) : SPRY_NO_LINE;
        begins_line = spry_line_of(column) != line_before;
        distance = (double)(away < 0 ? -away : away);
    }
    const unsigned lines = __popc(__ballot_sync(ALL_LANES, begins_line));
    distance = warp_join(distance);
    if (lane_number() == 0) {
        add_to(&features->lines, lines);
        atomicAdd(&features->distance, distance);
    }
}

/* To find the row of an entry, a warp waits for one load after the other. */
template <class Pointer, class Index>
static __device__ inline void look_at_entries(const featured<Pointer, Index> &a, spry_features *features) {
    const int64_t warp = warp_from(a.first.entries), warps = (int64_t)gridDim.x * (SURVEYORS / WARP);
    for (int64_t w = warp; w < a.sample.windows; w += warps)
        look_at_window(a, w, features);
}

/* Lanes that make a row's key. */
static constexpr int KEY_LANES = 8;
static_assert(SPRY_ROW_WINDOW == WARP);
static_assert(WARP % KEY_LANES == 0 && SPRY_ROW_WINDOW % (WARP / KEY_LANES) == 0);

/* The bits that a value is kept in: it, or its code. */
template <class Pointer, class Index>
static __device__ inline uint64_t value_bits(const featured<Pointer, Index> &a, int64_t k) {
    return a.value_size == sizeof(uint64_t)   ? static_cast<const uint64_t *>(a.val)[k]
           : a.value_size == sizeof(uint32_t) ? static_cast<const uint32_t *>(a.val)[k]
           : a.value_size == sizeof(uint16_t) ? static_cast<const uint16_t *>(a.val)[k]
           : a.value_size == sizeof(uint8_t)  ? static_cast<const uint8_t *>(a.val)[k]
                                              : 0;
}

/* The keys that the lanes of a row have made of its entries, mixed in the first of them. */
static __device__ inline uint64_t mix_keys(uint64_t key) {
    for (int step = KEY_LANES / 2; step > 0; step /= 2)
        key = spry_mix(key, __shfl_down_sync(ALL_LANES, key, step, KEY_LANES));
    return key;
}

/* A few lanes a row of the sample. */
template <class Pointer, class Index>
static __device__ inline void look_at_stencils(const featured<Pointer, Index> &a, survey *found) {
    const int64_t rows = spry_row_sample_size(a.stencils, a.rows), step = WARP / KEY_LANES,
                  warps = (int64_t)gridDim.x * (SURVEYORS / WARP);
    for (int64_t first = warp_from(a.first.stencils) * step; first < rows; first += warps * step) {
        const int64_t s = first + lane_number() / KEY_LANES;
        const int64_t row = spry_row_sampled(a.stencils, s < rows ? s : rows - 1),
                      begin = a.ptr[row] - a.base, length = a.ptr[row + 1] - a.base - begin;
        const int64_t most = length < SPRY_STENCIL_ENTRIES ? length : SPRY_STENCIL_ENTRIES;
        uint64_t stencil = spry_stencil_key(0, length), shape = stencil;
#pragma unroll 4
        for (int64_t k = begin + lane_number() % KEY_LANES; k < begin + most; k += KEY_LANES) {
            const int64_t offset = a.idx[k] - a.base - row;
            stencil = spry_stencil_add(stencil, offset, value_bits(a, k));
            shape = spry_mix(shape, (uint64_t)offset);
        }
        stencil = mix_keys(stencil);
        shape = mix_keys(shape);
        if (s < rows && lane_number() % KEY_LANES == 0) {
            found->key_of_stencil[s] = stencil;
            found->key_of_shape[s] = shape;
            found->length[s] = length;
        }
    }
}

/* What a block counts of a window of rows. */
struct window_counters {
    unsigned of_buckets[SPRY_DIAGONAL_BUCKETS / 2]; /* the one bucket's in the lower half of a word */
    long long longest;
    unsigned long long all, looked_at, buckets, full;
};

/* A thread a row. */
template <class Pointer, class Index>
static __device__ inline void measure_window(const featured<Pointer, Index> &a, int64_t first, int64_t rows,
                                             window_counters &window) {
    for (int64_t row = first + threadIdx.x; row < first + rows; row += SURVEYORS) {
        const long long length = a.ptr[row + 1] - a.ptr[row];
        atomicAdd(&window.all, (unsigned long long)length);
        atomicAdd(&window.looked_at, (unsigned long long)spry_diagonal_entries(length));
        atomicMax(&window.longest, length);
    }
}

/* A few lanes a row. */
template <class Pointer, class Index>
static __device__ inline void count_offsets(const featured<Pointer, Index> &a, int64_t first, int64_t rows,
                                            window_counters &window) {
    const int thinning = spry_diagonal_thinning((int64_t)window.looked_at);
    for (int64_t r = threadIdx.x / KEY_LANES; r < rows; r += SURVEYORS / KEY_LANES) {
        const int64_t row = first + r, begin = a.ptr[row] - a.base,
                      end = begin + spry_diagonal_entries(a.ptr[row + 1] - a.base - begin);
#pragma unroll 4
        for (int64_t k = begin + threadIdx.x % KEY_LANES; k < end; k += KEY_LANES) {
            const unsigned bucket = spry_diagonal_bucket(a.idx[k] - a.base - row, thinning);
            if (bucket < SPRY_DIAGONAL_BUCKETS)
                atomicAdd(&window.of_buckets[bucket / 2], bucket % 2 == 0 ? 1 : 1 << 16);
        }
    }
}

static __device__ inline void count_buckets(window_counters &window) {
    unsigned buckets = 0, full = 0;
    for (int w = threadIdx.x; w < SPRY_DIAGONAL_BUCKETS / 2; w += SURVEYORS) {
        const unsigned low = window.of_buckets[w] & 0xffff, high = window.of_buckets[w] >> 16;
        buckets += (low > 0) + (high > 0);
        full += (low >= SPRY_ROW_WINDOW) + (high >= SPRY_ROW_WINDOW);
    }
    buckets = __reduce_add_sync(ALL_LANES, buckets);
    full = __reduce_add_sync(ALL_LANES, full);
    if (lane_number() == 0) {
        atomicAdd(&window.buckets, (unsigned long long)buckets);
        atomicAdd(&window.full, (unsigned long long)full);
    }
}

/* A block a window of rows: what spry_look_at_diagonals does. */
template <class Pointer, class Index>
static __device__ inline void look_at_diagonals(const featured<Pointer, Index> &a, window_counters &window,
                                                spry_diagonal_count *count) {
    const int64_t rows = spry_row_sample_size(a.stencils, a.rows), share = SPRY_ROW_WINDOW;
    for (int64_t s = block_from(a.first.diagonals) * share; s < rows; s += gridDim.x * share) {
        for (int w = threadIdx.x; w < SPRY_DIAGONAL_BUCKETS / 2; w += SURVEYORS)
            window.of_buckets[w] = 0;
        if (threadIdx.x == 0)
            window.longest = window.all = window.looked_at = window.buckets = window.full = 0;
        __syncthreads();
        const int64_t first = spry_row_sampled(a.stencils, s), here = rows - s < share ? rows - s : share;
        measure_window(a, first, here, window);
        __syncthreads();
        count_offsets(a, first, here, window);
        __syncthreads();
        count_buckets(window);
        __syncthreads();
        if (threadIdx.x == 0) {
            const spry_diagonal_count found =
                spry_diagonals_of_window({(int64_t)window.all, window.longest, (int64_t)window.looked_at,
                                          (int64_t)window.buckets, (int64_t)window.full});
            add_to(&count->entries, found.entries);
            add_to(&count->diagonals, found.diagonals);
            add_to(&count->full, found.full);
        }
        __syncthreads();
    }
}

/* A thread a value of the sample. */
template <class Pointer, class Index>
static __device__ inline void look_at_values(const featured<Pointer, Index> &a, uint64_t *value) {
    FOR_ALL(s, 0, a.values.count) {
        const uint64_t bits = value_bits(a, spry_value_sampled(a.values, s));
        if (a.value_size == sizeof(uint64_t))
            value[s] = bits;
        else
            reinterpret_cast<uint32_t *>(value)[s] = (uint32_t)bits;
    }
}

#endif
