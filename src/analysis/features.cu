/* SPDX-License-Identifier: BSD-3-Clause */
/* Row-length statistics of CSR on a device, for all index types. */
#include <algorithm>
#include <cstring>

#include "analysis/blocks.cuh"
#include "cuda/grid.cuh"
#include "primitives/reduce.cuh"
#include "primitives/temporary.cuh"
extern "C" {
#include "analysis/analysis.h"
#include "analysis/features.h"
#include "analysis/stencil_key.h"
#include "analysis/stencils.h"
#include "analysis/values.h"
#include "analysis/windows.h"
#include "core/table.h"
}

/* ---- features ---- */

#define SURVEYORS 512

/* A warp looks at 32 rows, and at one window, at a time. */
static_assert(SPRY_WINDOW_ROWS <= SURVEYORS && SPRY_LENGTH_COUNTERS <= SURVEYORS, "a block a window of rows");
static_assert(SPRY_FEATURES_WARP == WARP && SPRY_SAMPLE_WINDOW <= WARP && WARP % SPRY_FEATURES_EIGHT == 0);

/* What a look finds: features, but for what they say of rows that are alike and of values, and what says it: the lengths of rows,
   their keys with and without values, and values one after the other, each as wide as its type. */
struct survey {
    spry_features features;
    uint64_t key_of_stencil[SPRY_STENCIL_SAMPLE], key_of_shape[SPRY_STENCIL_SAMPLE];
    int64_t length[SPRY_STENCIL_SAMPLE];
    uint64_t value[SPRY_VALUES_MOST];
};

static_assert(sizeof(survey) <= SPRY_FETCHED, "it comes by way of pinned memory");

template <class Pointer, class Index>
struct featured {
    int64_t rows, middle;
    const Pointer *ptr;
    const Index *idx;
    const void *val;
    int value_size, base, parts;
    int64_t run; /* rows of each part */
    spry_sample sample;
    spry_windows windows;
    spry_stencil_windows stencils;
    spry_value_sample values;
};

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

/* CUDA's atomic functions know no int64_t. */
static __device__ inline void add_to(int64_t *total, int64_t more) {
    if (more > 0)
        atomicAdd(reinterpret_cast<unsigned long long *>(total), (unsigned long long)more);
}

static __device__ inline void raise_to(int64_t *most, int64_t value) {
    atomicMax(reinterpret_cast<unsigned long long *>(most), (unsigned long long)value);
}

/* The longest of the lengths of `lanes` neighbours. */
template <int first, int lanes, class Length>
static __device__ inline Length longest_of(Length length) {
#pragma unroll
    for (int step = first; step < lanes; step *= 2) {
        const Length other = __shfl_xor_sync(ALL_LANES, length, step);
        length = other > length ? other : length;
    }
    return length;
}

/* Count the 32 rows that a warp looks at; a lane past the last row has length -1. Rows of one length count at once,
   as atomics on one address would wait for each other. */
template <class Length>
static __device__ inline void count_warp(Length length, counters &count) {
    const int lane = lane_number();
    const bool alike = __all_sync(ALL_LANES, length == __shfl_sync(ALL_LANES, length, 0));
    if (length >= 0 && (!alike || lane == 0))
        atomicAdd(&count.by_row[spry_length_bin(length)], alike ? WARP : 1);
    const Length eight = longest_of<1, SPRY_FEATURES_EIGHT>(length);
    const Length warp = longest_of<SPRY_FEATURES_EIGHT, WARP>(eight);
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
                mine.squares += (double)(length - a.middle) * (double)(length - a.middle);
        }
        count_warp(length, count);
#pragma unroll
        for (int c = 0; c < SPRY_ROUND_CHOICES; c++)
            mine.rounds[c] += rounds_of_warp(length, spry_round_lanes(c));
    }
    return mine;
}

/* The row that an entry belongs to: the last that begins at it or before. */
template <class Pointer, class Index>
static __device__ inline int64_t row_of(const featured<Pointer, Index> &a, int64_t entry) {
    int64_t row = 0;
    for (int64_t rows = a.rows, half; rows > 1; rows -= half) {
        half = rows / 2;
        row += a.ptr[row + half] - a.base <= entry ? half : 0;
    }
    return row;
}

/* A lane an entry. */
template <class Pointer, class Index>
static __device__ inline void look_at_window(const featured<Pointer, Index> &a, int64_t window,
                                             spry_features *features) {
    bool begins_line = false;
    double distance = 0;
    if (lane_number() < a.sample.length) {
        const int64_t k = spry_sample_begin(a.sample, window) + lane_number(), row = row_of(a, k);
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

/* Lanes that make a row's key. */
#define KEY_LANES 8
static_assert(WARP % KEY_LANES == 0 && SPRY_STENCIL_WINDOW % (WARP / KEY_LANES) == 0);

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
        key = spry_stencil_mix(key, __shfl_down_sync(ALL_LANES, key, step, KEY_LANES));
    return key;
}

/* A few lanes a row of the sample. */
template <class Pointer, class Index>
static __device__ inline void look_at_stencils(const featured<Pointer, Index> &a, survey *found) {
    const int64_t rows = spry_stencil_sample_rows(a.stencils, a.rows), step = WARP / KEY_LANES,
                  warps = (int64_t)gridDim.x * (SURVEYORS / WARP);
    for (int64_t first = thread_number() / WARP * step; first < rows; first += warps * step) {
        const int64_t s = first + lane_number() / KEY_LANES;
        const int64_t row = spry_stencil_sampled(a.stencils, s < rows ? s : rows - 1),
                      begin = a.ptr[row] - a.base, length = a.ptr[row + 1] - a.base - begin;
        const int64_t most = length < SPRY_STENCIL_ENTRIES ? length : SPRY_STENCIL_ENTRIES;
        uint64_t stencil = spry_stencil_key(0, length), shape = stencil;
#pragma unroll 4
        for (int64_t k = begin + lane_number() % KEY_LANES; k < begin + most; k += KEY_LANES) {
            const int64_t offset = a.idx[k] - a.base - row;
            stencil = spry_stencil_add(stencil, offset, value_bits(a, k));
            shape = spry_stencil_mix(shape, (uint64_t)offset);
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

/* A thread a run of rows. */
template <class Pointer, class Index>
static __device__ inline void look_at_runs(const featured<Pointer, Index> &a, spry_features *features) {
    FOR_ALL(run, 0, a.parts) {
        const int64_t begin = run * a.run, end = begin + a.run;
        if (begin < a.rows)
            raise_to(&features->largest_share, a.ptr[end < a.rows ? end : a.rows] - a.ptr[begin]);
    }
}

/* Count the rows of a window by length, of which each thread has one; -1: none. */
static __device__ inline void count_window(int bin, int *count) {
    for (int b = threadIdx.x; b < SPRY_LENGTH_COUNTERS; b += SURVEYORS)
        count[b] = 0;
    __syncthreads();
    const bool alike = __all_sync(ALL_LANES, bin == __shfl_sync(ALL_LANES, bin, 0));
    if (bin >= 0 && (!alike || lane_number() == 0))
        atomicAdd(&count[bin], alike ? WARP : 1);
    __syncthreads();
}

/* The sum of the values of the threads before this one. Until the next call, the block synchronises. */
static __device__ inline int sum_before(int mine) {
    __shared__ int of_warp[SURVEYORS / WARP];
    int sum = mine;
    for (int step = 1; step < WARP; step *= 2) {
        const int other = __shfl_up_sync(ALL_LANES, sum, step);
        sum += lane_number() >= step ? other : 0;
    }
    if (lane_number() == WARP - 1)
        of_warp[threadIdx.x / WARP] = sum;
    __syncthreads();
    for (int w = 0; w < (int)(threadIdx.x / WARP); w++)
        sum += of_warp[w];
    return sum - mine;
}

/* A block a window: what spry_look_at_windows does, with a thread for each row, then for each length, the longest first. */
template <class Pointer, class Index>
static __device__ inline void look_at_sorted(const featured<Pointer, Index> &a, spry_features *features) {
    __shared__ int count[SPRY_LENGTH_COUNTERS];
    for (int64_t window = blockIdx.x; window < a.windows.count; window += gridDim.x) {
        const int64_t begin = window * a.windows.share, left = a.rows - begin, i = begin + threadIdx.x;
        const bool is_here = threadIdx.x < (left < SPRY_WINDOW_ROWS ? left : SPRY_WINDOW_ROWS);
        count_window(is_here ? spry_length_bin(a.ptr[i + 1] - a.ptr[i]) : -1, count);
        const int bin = SPRY_LENGTH_COUNTERS - 1 - (int)threadIdx.x, rows = bin > 0 ? count[bin] : 0;
        const int64_t least = bin > 0 ? spry_bin_least(bin) : 0, rank = sum_before(rows), end = rank + rows;
        int64_t sums[4] = {rows * least, spry_groups_begun(rank, end, SPRY_FEATURES_EIGHT) * least,
                           spry_groups_begun(rank, end, SPRY_FEATURES_SIXTEEN) * least,
                           spry_groups_begun(rank, end, SPRY_FEATURES_WARP) * least};
        block_join<SURVEYORS>(sums); /* all have read what was counted */
        if (threadIdx.x == 0) {
            add_to(&features->window_entries, sums[0]);
            add_to(&features->sorted_eight, sums[1]);
            add_to(&features->sorted_sixteen, sums[2]);
            add_to(&features->sorted_warp, sums[3]);
        }
    }
}

template <class Pointer, class Index>
static __device__ inline void look_at_blocks(const featured<Pointer, Index> &a, spry_features *features) {
    spry_count_samples({a.ptr, a.idx, sizeof(Pointer), sizeof(Index), a.rows, a.base}, &features->blocks);
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

/* All that was found, as whole words. */
static __device__ inline void copy_survey(const survey *from, survey *to) {
    static_assert(sizeof(survey) % sizeof(int64_t) == 0);
    const int64_t *word = reinterpret_cast<const int64_t *>(from);
    int64_t *copy = reinterpret_cast<int64_t *>(to);
    for (size_t w = threadIdx.x; w < sizeof *from / sizeof *word; w += SURVEYORS)
        copy[w] = __ldcg(word + w);
}

/* `found` is zero before. The last block leaves `result` in host memory, which is sooner there than a copy that waits
   for the kernel. */
template <class Pointer, class Index>
static __global__ void __launch_bounds__(SURVEYORS)
    look(featured<Pointer, Index> a, survey *found, survey *result, spry_reduction_space *space) {
    __shared__ counters count;
    spry_features *features = &found->features;
    for (int bin = threadIdx.x; bin < SPRY_LENGTH_COUNTERS; bin += SURVEYORS)
        count.by_row[bin] = count.by_eight[bin] = count.by_warp[bin] = 0;
    if (threadIdx.x < SPRY_ROUND_CHOICES)
        count.rounds[threadIdx.x] = 0;
    __syncthreads();
    look_at_runs(a, features);
    look_at_sorted(a, features);
    look_at_blocks(a, features);
    for (int64_t w = blockIdx.x + (int64_t)gridDim.x * (threadIdx.x / WARP); w < a.sample.windows;
         w += (int64_t)gridDim.x * (SURVEYORS / WARP))
        look_at_window(a, w, features);
    look_at_stencils(a, found);
    look_at_values(a, found->value);
    if (!add_found(look_at_rows(a, count), count, features, space))
        return;
    __syncthreads();
    copy_survey(found, result);
}

template <class Pointer, class Index>
static void launch_look(spry_context *context, const spry_matrix *csr, spry_sample sample, survey *found) {
    const featured<Pointer, Index> a = {csr->rows,
                                        spry_features_middle(csr),
                                        static_cast<const Pointer *>(csr->csr.ptr),
                                        static_cast<const Index *>(csr->csr.idx),
                                        csr->csr.val,
                                        (int)spry_stored_size(csr->type, csr->values),
                                        csr->csr.base,
                                        context->device->multiprocessors,
                                        spry_features_run(csr->rows, context->device->multiprocessors),
                                        sample,
                                        spry_windows_of(csr->rows),
                                        spry_stencil_windows_of(csr->rows),
                                        spry_value_sample_of(csr)};
    /* A warp a window: to find the row of an entry it waits for one load after the other. */
    const int64_t looking = std::max(csr->rows, sample.windows * WARP);
    look<<<reduction_blocks(context, looking, SURVEYORS), SURVEYORS, 0, context->device->stream>>>(
        a, found, static_cast<survey *>(context->device->fetched), context->device->reduction);
}

static spry_status launch_by_types(spry_context *context, const spry_matrix *csr, spry_sample sample,
                                   survey *found) {
    if (spry_pointer_size(csr->index) == sizeof(int32_t))
        launch_look<int32_t, int32_t>(context, csr, sample, found);
    else if (spry_index_size(csr->index) == sizeof(int32_t))
        launch_look<int64_t, int32_t>(context, csr, sample, found);
    else
        launch_look<int64_t, int64_t>(context, csr, sample, found);
    return launched(context, "looking at a matrix");
}

static spry_status features_on_device(spry_context *context, const spry_matrix *csr,
                                      spry_features *features) {
    void *place;
    const spry_sample sample = spry_sample_of(csr);
    spry_status status = spry_cuda_scratch(context, sizeof(survey), &place);
    if (!status)
        status = spry_cuda_check(context, cudaMemsetAsync(place, 0, sizeof(survey), context->device->stream),
                                 "clearing counters");
    if (!status)
        status = launch_by_types(context, csr, sample, static_cast<survey *>(place));
    if (!status)
        status =
            spry_cuda_check(context, cudaStreamSynchronize(context->device->stream), "looking at a matrix");
    if (status)
        return status;
    const survey *found = static_cast<const survey *>(context->device->fetched);
    memcpy(features, &found->features, sizeof *features);
    features->alike_rows = spry_stencil_sample_rows(spry_stencil_windows_of(csr->rows), csr->rows);
    features->stencils = spry_count_alike(features->alike_rows, found->key_of_stencil, found->length);
    features->shapes = spry_count_alike(features->alike_rows, found->key_of_shape, found->length);
    spry_count_values(context, csr->type, spry_value_sample_of(csr).count, found->value, &features->values);
    features->shortest = INT64_MAX - features->shortest;
    features->parts = context->device->multiprocessors;
    features->sampled = sample.windows * sample.length;
    return SPRY_OK;
}

/* ---- rank ---- */

/* Lengths are counted by digits of this many bits, as many counters as a block has room for. */
#define BLOCK 1024
#define DIGIT 12
#define COUNTERS (1 << DIGIT)

/* How far the length that is looked for is known: `length` is its first digits, and `below` rows are shorter
   than all lengths that begin with them. */
struct selection {
    unsigned long long count[COUNTERS];
    int64_t length, below;
};

/* Count the lengths that begin with the digits known by their next one, the lowest bit of which is `shift`.
   Others are passed over or, if `clip`, taken for the largest digit. */
template <class Pointer>
static __global__ void count_digits(int64_t rows, const Pointer *ptr, int shift, bool clip,
                                    selection *sought) {
    __shared__ unsigned count[COUNTERS];
    for (int d = threadIdx.x; d < COUNTERS; d += BLOCK)
        count[d] = 0;
    __syncthreads();
    int64_t known = sought->length;
    FOR_ALL(i, 0, rows) {
        int64_t head = (int64_t)(ptr[i + 1] - ptr[i]) >> shift;
        bool fits = head >> DIGIT == known;
        if (fits || clip)
            atomicAdd(&count[fits ? head & (COUNTERS - 1) : COUNTERS - 1], 1u);
    }
    __syncthreads();
    for (int d = threadIdx.x; d < COUNTERS; d += BLOCK)
        if (count[d] > 0)
            atomicAdd(&sought->count[d], (unsigned long long)count[d]);
}

/* Append the digit that the rank falls into, and clear the counters. One block, each thread with its share of
   them. */
static __global__ void append_digit(int64_t rank, selection *sought) {
    const int share = COUNTERS / BLOCK, first = threadIdx.x * share;
    __shared__ int64_t of_warp[BLOCK / WARP];
    unsigned long long *count = &sought->count[first];
    int64_t own = 0, before = sought->below;
    for (int d = 0; d < share; d++)
        own += (int64_t)count[d];
    int64_t up_to_here = own;
    for (int step = 1; step < WARP; step *= 2) {
        int64_t other = __shfl_up_sync(~0u, up_to_here, step);
        up_to_here += (int)(threadIdx.x % WARP) >= step ? other : 0;
    }
    if (threadIdx.x % WARP == WARP - 1)
        of_warp[threadIdx.x / WARP] = up_to_here;
    __syncthreads();
    for (unsigned w = 0; w < threadIdx.x / WARP; w++)
        before += of_warp[w];
    before += up_to_here - own;
    for (int d = 0; d < share; d++) {
        int64_t rows = (int64_t)count[d];
        if (before < rank && rank <= before + rows) {
            sought->length = sought->length << DIGIT | (first + d);
            sought->below = before;
        }
        before += rows;
        count[d] = 0;
    }
}

static spry_status refine(spry_context *context, const spry_matrix *csr, int shift, bool clip, int64_t rank,
                          selection *sought) {
    cudaStream_t stream = context->device->stream;
    unsigned blocks = blocks_at_once(context, csr->rows, BLOCK);
    if (spry_pointer_size(csr->index) == sizeof(int32_t))
        count_digits<<<blocks, BLOCK, 0, stream>>>(csr->rows, static_cast<const int32_t *>(csr->csr.ptr),
                                                   shift, clip, sought);
    else
        count_digits<<<blocks, BLOCK, 0, stream>>>(csr->rows, static_cast<const int64_t *>(csr->csr.ptr),
                                                   shift, clip, sought);
    append_digit<<<1, BLOCK, 0, stream>>>(rank, sought);
    return spry_cuda_check(context, cudaGetLastError(), "counting row lengths");
}

/* The last digit, if `clip`, or all of them from the first that a row can have. Waits. */
static spry_status find_length(spry_context *context, const spry_matrix *csr, int64_t longest, bool clip,
                               int64_t rank, selection *sought, int64_t *length) {
    int shift = 0;
    while (!clip && longest >> shift >> DIGIT)
        shift += DIGIT;
    spry_status status = spry_cuda_check(
        context, cudaMemsetAsync(sought, 0, sizeof *sought, context->device->stream), "clearing counters");
    for (; shift >= 0 && !status; shift -= DIGIT)
        status = refine(context, csr, shift, clip, rank, sought);
    return status ? status : spry_cuda_fetch(context, length, &sought->length, sizeof *length);
}

/* Hardly any rank falls among rows of thousands of entries. One pass finds all others, even where it is not
   known how long the longest row is. */
static spry_status length_at_rank(spry_context *context, const spry_matrix *csr, int64_t longest,
                                  int64_t rank, int64_t *length) {
    temporary memory(context);
    spry_status status = memory.take(1, sizeof(selection));
    selection *sought = static_cast<selection *>(memory.pointer);
    if (!status)
        status = find_length(context, csr, longest, true, rank, sought, length);
    if (status || *length < COUNTERS - 1)
        return status;
    return find_length(context, csr, longest, false, rank, sought, length);
}

extern "C" {
extern const struct spry_analysis spry_cuda_analysis;
const struct spry_analysis spry_cuda_analysis = {features_on_device, length_at_rank};
}
