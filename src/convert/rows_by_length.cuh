/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows sorted by falling length, in their order where they are as long, by counting (Knuth, “Sorting and Searching”, 5.2): blocks
   count the rows of their tile in each bin of lengths, a scan tells where those begin, and blocks place them there. Where there are too
   many lengths for a bin each, bins are those of features, and rows in bins of several lengths, which are the longest and few, are
   compared with each other. */
#ifndef SPRY_ROWS_BY_LENGTH_CUH
#define SPRY_ROWS_BY_LENGTH_CUH

#include <algorithm>

#include "convert/known.cuh"
#include "cuda/early.cuh"
#include "cuda/lanes.cuh"

static constexpr int COUNTERS = 512;
static constexpr int COUNTER_WARPS = COUNTERS / WARP;
/* Rows of a thread, and of a block. */
static constexpr int COUNTED = 8;
static constexpr int COUNTED_ROWS = COUNTERS * COUNTED;
static constexpr int MOST_BINS = SPRY_LENGTH_COUNTERS;
/* Rows of a bin of several lengths, at most: each is compared with all others. */
static constexpr int MOST_COMPARED = 4096;
static constexpr int LISTERS = 256;

/* Rows are sorted by keys: what they lack to the longest. */
struct sorted_rows {
    idx_t *key, *row;
};

static sorted_rows halves_of(const temporary &pairs) {
    idx_t *key = as<idx_t>(pairs.pointer);
    return {key, key + pairs.count / 2};
}

/* The rows of CSR, and their bins: the longest come first. */
struct length_bins {
    int64_t rows, longest;
    const ptr_t *ptr;
    bool are_exact; /* a length each */
    int count;
    int64_t tiles, mixed; /* mixed: rows in bins of several lengths, which take the first places */

    __device__ idx_t key_of(int64_t i) const {
        return (idx_t)(longest - (ptr[i + 1] - ptr[i]));
    }
    __device__ int bin_of(idx_t key) const {
        return are_exact ? (int)key : spry_length_bin(longest) - spry_length_bin(longest - key);
    }
};

/* ---- counting ---- */

/* A thread's rows, a warp's width apart: their keys and bins, none past the last row, and how many rows of its warp before each are
   in the same bin. */
struct counted_rows {
    int64_t first;
    idx_t key[COUNTED];
    int bin[COUNTED], before[COUNTED];
};

/* How many rows of each warp of a block are in each bin. */
typedef int warp_counts[COUNTER_WARPS][MOST_BINS];

/* By all threads of a block, which then has its counts. */
static __device__ counted_rows count_rows(const length_bins &a, warp_counts &counts) {
    const int lane = lane_number(), warp = threadIdx.x / WARP;
    int *count = counts[warp];
    counted_rows mine;
    mine.first = (int64_t)blockIdx.x * COUNTED_ROWS + warp * WARP * COUNTED + lane;
#pragma unroll
    for (int j = 0; j < COUNTED; j++) {
        const int64_t i = mine.first + j * WARP;
        mine.key[j] = i < a.rows ? a.key_of(i) : 0;
        mine.bin[j] = i < a.rows ? a.bin_of(mine.key[j]) : -1;
    }
    for (int bin = lane; bin < a.count; bin += WARP)
        count[bin] = 0;
#pragma unroll
    for (int j = 0; j < COUNTED; j++) {
        __syncwarp();
        const unsigned alike = __match_any_sync(ALL_LANES, mine.bin[j]), lower = alike & ((1u << lane) - 1);
        const int before = mine.bin[j] < 0 ? 0 : count[mine.bin[j]];
        mine.before[j] = before + __popc(lower);
        __syncwarp();
        if (mine.bin[j] >= 0 && lower == 0)
            count[mine.bin[j]] = before + __popc(alike);
    }
    __syncthreads();
    return mine;
}

/* begin[bin tiles + tile] becomes how many rows of a tile are in a bin, and by a scan the place of the first of them. */
static __global__ void __launch_bounds__(COUNTERS) count_tiles(length_bins a, ptr_t *begin) {
    __shared__ warp_counts counts;
    count_rows(a, counts);
    for (int bin = threadIdx.x; bin < a.count; bin += COUNTERS) {
        ptr_t sum = 0;
        for (int w = 0; w < COUNTER_WARPS; w++)
            sum += counts[w][bin];
        begin[bin * a.tiles + blockIdx.x] = sum;
    }
}

/* Rows in bins of several lengths are left to be compared. */
static __global__ void __launch_bounds__(COUNTERS)
    place_tiles(length_bins a, const ptr_t *begin, sorted_rows mixed, sorted_rows to) {
    await_earlier();
    __shared__ warp_counts counts;
    const counted_rows mine = count_rows(a, counts);
    for (int bin = threadIdx.x; bin < a.count; bin += COUNTERS) {
        int before = 0;
        for (int w = 0; w < COUNTER_WARPS; w++) {
            const int own = counts[w][bin];
            counts[w][bin] = before;
            before += own;
        }
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < COUNTED; j++) {
        const int bin = mine.bin[j];
        if (bin < 0)
            continue;
        const int64_t place =
            begin[bin * a.tiles + blockIdx.x] + counts[threadIdx.x / WARP][bin] + mine.before[j];
        const sorted_rows side = place < a.mixed ? mixed : to;
        side.key[place] = mine.key[j];
        side.row[place] = (idx_t)(mine.first + j * WARP);
    }
}

/* A warp compares a row with all those of its bin, which are in their order there. */
static __global__ void compare_mixed(length_bins a, const ptr_t *begin, sorted_rows mixed, sorted_rows to) {
    await_earlier();
    const int64_t place = thread_number() / WARP;
    if (place >= a.mixed)
        return;
    const idx_t key = mixed.key[place];
    const int64_t bin = a.bin_of(key), first = begin[bin * a.tiles], end = begin[(bin + 1) * a.tiles];
    int before = 0;
    for (int64_t p = first + lane_number(); p < end; p += WARP)
        before += mixed.key[p] < key || (mixed.key[p] == key && p < place);
    before = sum_lanes<WARP>(before);
    if (lane_number() == 0) {
        to.key[first + before] = key;
        to.row[first + before] = mixed.row[place];
    }
}

static spry_status sort_by_counting(spry_context *context, const length_bins &a, sorted_rows to) {
    const cudaStream_t stream = context->device->stream;
    const int64_t counts = a.count * a.tiles;
    temporary begins(context), pairs(context);
    spry_status status = begins.take(counts + 1, sizeof(ptr_t));
    if (status)
        return status;
    ptr_t *begin = as<ptr_t>(begins.pointer);
    count_tiles<<<(unsigned)a.tiles, COUNTERS, 0, stream>>>(a, begin);
    status = launched(context, "counting rows by length");
    if (!status)
        status = NAME(spry_cuda_scan)(context, begin, counts);
    if (!status && a.mixed > 0)
        status = pairs.take(2 * a.mixed, sizeof(idx_t));
    if (status)
        return status;
    const sorted_rows mixed = halves_of(pairs);
    launch_early(context, (unsigned)a.tiles, COUNTERS, place_tiles, a, begin, mixed, to);
    if (a.mixed > 0)
        launch_early(context, blocks_for(a.mixed * WARP, LISTERS), LISTERS, compare_mixed, a, begin, mixed,
                     to);
    return launched(context, "placing rows by length");
}

/* ---- where that is not to be done ---- */

static __global__ void list_rows(length_bins a, sorted_rows listed) {
    const int64_t i = thread_number();
    if (i >= a.rows)
        return;
    listed.key[i] = a.key_of(i);
    listed.row[i] = (idx_t)i;
}

static spry_status sort_by_digits(spry_context *context, const length_bins &a, int64_t shortest,
                                  sorted_rows to) {
    temporary pairs(context);
    spry_status status = pairs.take(2 * a.rows, sizeof(idx_t));
    if (status)
        return status;
    const sorted_rows listed = halves_of(pairs);
    list_rows<<<blocks_for(a.rows, LISTERS), LISTERS, 0, context->device->stream>>>(a, listed);
    status = launched(context, "listing rows by length");
    return status ? status
                  : NAME(spry_cuda_sort)(context, listed.key, to.key, listed.row, to.row, a.rows,
                                         a.longest - shortest + 1);
}

/* ---- which ---- */

/* Bins of several lengths, as features count rows. False where some have too many rows, or that is not known. */
static bool find_mixed_bins(const spry_features *features, length_bins *a) {
    if (!features)
        return false;
    const int64_t *count = features->by_row;
    a->count = spry_length_bin(a->longest) - spry_length_bin(features->shortest) + 1;
    a->mixed = spry_count_bins(count, SPRY_LENGTH_EXACT, SPRY_LENGTH_COUNTERS);
    return *std::max_element(count + SPRY_LENGTH_EXACT, count + SPRY_LENGTH_COUNTERS) <= MOST_COMPARED;
}

/* Sort the rows of a matrix, which has some. */
static spry_status sort_rows_by_length(spry_context *context, const spry_matrix *csr, int64_t longest,
                                       sorted_rows to) {
    const int64_t shortest = known_shortest(csr), lengths = longest - shortest + 1;
    length_bins a = {.rows = csr->rows,
                     .longest = longest,
                     .ptr = as<ptr_t>(csr->csr.ptr),
                     .are_exact = lengths <= MOST_BINS,
                     .count = (int)lengths,
                     .tiles = blocks_for(csr->rows, COUNTED_ROWS)};
    return a.are_exact || find_mixed_bins(csr->features, &a) ? sort_by_counting(context, a, to)
                                                             : sort_by_digits(context, a, shortest, to);
}

#endif
