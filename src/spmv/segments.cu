/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of segments, and what the selector is told of them. */
#include <algorithm>
#include <math.h>

#include "cuda/early.cuh"
#include "cuda/find.cuh"
#include "primitives/device.cuh"
#include "primitives/reduce.cuh"
#include "spmv/segments.cuh"

extern "C" {
#include "formats/index_from.h"
}

namespace spmv_segments {

static constexpr int BLOCK = 256;

/* Rows of CSR, or columns of CSC: where they end, and where the one that has entry k begins and ends. */
struct compressed_units {
    const ptr_t *ptr;
    int base;
    int64_t count, nnz;

    __device__ int64_t begin(int64_t i) const {
        return (int64_t)ptr[i] - base;
    }
    /* The end of the row of thread i, if it has entries, and how many. */
    __device__ int64_t end_of(int64_t i) const {
        return i < count && begin(i) < begin(i + 1) ? begin(i + 1) : 0;
    }
    __device__ int64_t length(int64_t i) const {
        return i < count ? begin(i + 1) - begin(i) : 0;
    }
    /* By all lanes of a warp. */
    __device__ void around(int64_t k, int64_t *first, int64_t *end) const {
        const int64_t row = find_unit(count, k, [this](int64_t i) { return begin(i); });
        *first = begin(row);
        *end = begin(row + 1);
    }
};

/* The same of COO in row order. */
struct row_units {
    const idx_t *row;
    int base;
    int64_t nnz;

    /* The first entry of row i or of one after it. */
    __device__ int64_t begin(int64_t i) const {
        return index_from(row, 0, nnz, i + base);
    }
    /* The end of the run that ends before entry i, if one does, and its entries. */
    __device__ int64_t end_of(int64_t i) const {
        return i > 0 && (i == nnz || (i < nnz && row[i] != row[i - 1])) ? i : 0;
    }
    __device__ int64_t length(int64_t i) const {
        const int64_t end = end_of(i);
        return end > 0 ? end - begin((int64_t)row[end - 1] - base) : 0;
    }
    /* All lanes look in the same places. */
    __device__ void around(int64_t k, int64_t *first, int64_t *end) const {
        int64_t i = (int64_t)row[k] - base;
        *first = begin(i);
        *end = begin(i + 1);
    }
};

/* How entries are dealt out: blocks of about `size`, cut where a segment ends if one does so within `reach` entries. */
struct deal {
    int64_t size, reach, blocks;
    int warps, words; /* of a block, and 32 entries of a warp each */
};

/* Where block b begins; a warp looks for it. `open` becomes the first entry of its first segment. */
template <class Units>
static __global__ void cut_blocks(Units units, deal d, spry_segment_cut *cut) {
    const int64_t b = thread_number() / WARP;
    if (b > d.blocks)
        return;
    int64_t k = b * d.size < units.nnz ? b * d.size : units.nnz, first = k, end;
    if (k > 0 && k < units.nnz) {
        units.around(k, &first, &end);
        if (k - first <= d.reach && k - first <= end - k)
            k = first;
        else if (end - k <= d.reach)
            k = first = end;
    }
    if (lane_number() == 0)
        cut[b] = {k, first};
}

/* The block that has entry k, k - 1 being before its end. */
static __device__ int64_t block_of_end(const spry_segment_cut *cut, const deal &d, int64_t k) {
    int64_t b = k / d.size < d.blocks ? k / d.size : d.blocks - 1;
    while (b > 0 && cut[b].begin >= k)
        b--;
    while (b < d.blocks - 1 && cut[b + 1].begin < k)
        b++;
    return b;
}

/* The bit for a segment that ends before entry k. */
static __device__ int64_t place_of_end(const spry_segment_cut *cut, const deal &d, int64_t k) {
    int64_t b = block_of_end(cut, d, k);
    return b * WARP * d.warps * d.words + k - cut[b].begin;
}

/* What was the first entry of a block's first segment becomes the block that has it. */
static __device__ void find_open(spry_segment_cut *cut, const deal &d, int64_t b) {
    const int64_t first = cut[b].open;
    cut[b].open = first == cut[b].begin ? b : block_of_end(cut, d, first + 1);
}

/* A thread for each row, and for each block. */
template <class Units>
static __global__ void mark_ends(Units units, deal d, spry_segment_cut *cut, uint32_t *ends) {
    await_earlier();
    if (thread_number() <= d.blocks)
        find_open(cut, d, thread_number());
    const int64_t k = units.end_of(thread_number());
    if (k == 0)
        return;
    const int64_t place = place_of_end(cut, d, k);
    atomicOr(&ends[place / 32], 1u << place % 32);
}

static __global__ void count_ends(const uint32_t *ends, int words, int64_t warps, ptr_t *count) {
    await_earlier();
    int64_t warp = thread_number();
    if (warp >= warps)
        return;
    int sum = 0;
    for (int w = 0; w < words; w++)
        sum += __popc(ends[warp * words + w]);
    count[warp] = sum;
}

/* Segments that end at or before entry k. */
static __device__ int64_t segments_before(const spry_segments &segments, const deal &d, int64_t k) {
    if (k == 0)
        return 0;
    int64_t place = place_of_end(segments.cut, d, k), warp = place / (WARP * segments.words),
            count = (int64_t)as<ptr_t>(segments.before)[warp];
    for (int64_t w = warp * segments.words; w < place / 32; w++)
        count += __popc(segments.ends[w]);
    return count + __popc(segments.ends[place / 32] & ((1u << place % 32) - 1)) + 1;
}

/* Which rows have entries and which have none, each in a list of its own; a row a thread. */
template <class Units>
static __global__ void list_rows(Units units, int64_t count, deal d, spry_segments segments) {
    await_earlier();
    int64_t i = thread_number();
    if (i >= count)
        return;
    int64_t begin = units.begin(i), segment = segments_before(segments, d, begin);
    if (begin < units.begin(i + 1))
        as<idx_t>(segments.row)[segment] = (idx_t)i;
    else
        as<idx_t>(segments.empty)[i - segment] = (idx_t)i;
}

/* The side whose entries lie together. */
static int64_t unit_count(const spry_matrix *matrix) {
    return matrix->format == SPRY_CSC ? matrix->cols : matrix->rows;
}

template <class Units>
static spry_status list(spry_context *context, spry_matrix *matrix, Units units, const deal &d) {
    spry_segments *segments = &matrix->cuda.segments;
    int64_t count = unit_count(matrix);
    segments->row = nullptr;
    segments->empty_count = count - segments->count;
    if (segments->empty_count == 0)
        return SPRY_OK;
    spry_status status =
        spry_matrix_array(context, matrix, segments->empty_count, sizeof(idx_t), &segments->empty);
    if (!status)
        status = spry_matrix_array(context, matrix, segments->count, sizeof(idx_t), &segments->row);
    if (status)
        return status;
    launch_early(context, blocks_for(count, BLOCK), BLOCK, list_rows<Units>, units, count, d, *segments);
    return launched(context, "listing rows");
}

static int64_t quotient_up(int64_t count, int64_t size) {
    return (count + size - 1) / size;
}

/* Entries dealt out to blocks with a tile a warp, of so many warps and entries a lane. Of their room, `slack` is left for blocks to be
   cut where segments end. */
static deal deal_in(int warps, int items, int64_t slack, int64_t nnz) {
    const int64_t size = warps * WARP * items - slack - WARP;
    return {size, (slack + 1) / 2, size > 0 ? quotient_up(nnz, size) : INT64_MAX, warps, items};
}

/* Blocks in which a matrix may be dealt out so that none waits for another: few, so that all run at once, with little on each
   multiprocessor. */
static int64_t few_blocks(const spry_context *context) {
    return (int64_t)context->device->multiprocessors * 3 / 2;
}

/* Whether there are so many entries that it does not matter how long segments are: even the largest blocks would not be few. */
static bool are_many(const spry_context *context, int64_t nnz) {
    return deal_in(8, 8, 0, nnz).blocks > few_blocks(context);
}

/* Blocks of 4 × 8 that all run at once, as many on each multiprocessor: with a few more than that, most of the device would wait for
   these at the end. A half of their room is slack where they are few, less where they are more. */
static deal deal_together(int64_t processors, int64_t nnz) {
    const int64_t room = 4 * 8 * WARP, at_once = SPRY_SEGMENT_THREADS / (4 * WARP),
                  wanted = quotient_up(nnz, processors * (room / 2 - WARP)),
                  blocks = processors * std::min(wanted, at_once);
    return deal_in(4, 8, room - WARP - quotient_up(nnz, blocks), nnz);
}

/* A block on each multiprocessor, in which warps take several tiles: as few as the most warps leave them, and then as many warps as
   fill those. */
static deal deal_in_tiles(int64_t processors, int64_t nnz) {
    const int items = SPRY_SEGMENT_ITEMS_OF_SEVERAL;
    const int64_t size = quotient_up(nnz, processors), all = quotient_up(size + 3 * WARP, WARP),
                  tiles = quotient_up(all, SPRY_SEGMENT_WARPS_MOST * items), words = tiles * items,
                  warps = quotient_up(all, words), slack = words * warps * WARP - WARP - size;
    return {size, (slack + 1) / 2, quotient_up(nnz, size), (int)warps, (int)words};
}

/* Entries of a lane, in blocks with several tiles a warp, from which on these take less time than blocks with one. */
static constexpr int ENTRIES_IF_SEVERAL = 8;

/*
 * How entries are dealt out, the longest segment having so many. Blocks that wait for none take the least time: those with as
 * much slack as that segment has entries, if they are few, and the smallest such blocks. Else small matrices have small blocks, in
 * which lanes do little one after the other. Larger ones have blocks that all run at once, and the largest ones a block on each
 * multiprocessor.
 */
static deal deal_for(const spry_context *context, int64_t nnz, int64_t longest) {
    static const struct { int warps, items; } apart[] = {{4, 4}, {4, 8}, {8, 8}};
    const int64_t few = few_blocks(context), processors = context->device->multiprocessors;
    for (auto shape : apart) {
        const deal d = deal_in(shape.warps, shape.items, longest, nnz);
        if (d.blocks <= few)
            return d;
    }
    const deal small = deal_in(4, 4, 4 * 4 * WARP / 4, nnz);
    if (small.blocks <= few)
        return small;
    return nnz <= processors * SPRY_SEGMENT_WARPS_MOST * WARP * ENTRIES_IF_SEVERAL
               ? deal_together(processors, nnz)
               : deal_in_tiles(processors, nnz);
}

/* Blocks that a long row is spread over wait for each other. */
extern "C" void NAME(spry_segments_add_work)(const spry_candidate *candidate, double entries, double segments,
                                             spry_terms *amounts) {
    const spry_context *context = candidate->context;
    const int processors = context->device->multiprocessors;
    const double longest = (double)candidate->features->longest;
    const deal d = deal_for(context, (int64_t)entries, (int64_t)fmin(longest, entries));
    amounts->extra += entries > (double)d.size && longest > (double)(2 * d.reach);
    amounts->carries += longest / (double)d.size;
    amounts->entries += entries / processors;
    amounts->branches += segments / processors;
}

extern "C" spry_terms NAME(spry_segments_work)(const spry_candidate *candidate) {
    const spry_features *features = candidate->features;
    spry_terms amounts =
        spry_traffic(candidate, candidate->bytes, candidate->context->device->multiprocessors);
    NAME(spry_segments_add_work)
    (candidate, (double)features->nnz, (double)(features->rows - features->by_row[0]), &amounts);
    return amounts;
}

/* Of segments: the longest one's entries, if asked for, and how many there are. */
struct segment_lengths {
    unsigned long long longest, count;
};

template <class Units>
static __global__ void measure_segments(Units units, int64_t threads, bool is_longest_asked,
                                        segment_lengths *found) {
    long long longest = 0, count = 0;
    FOR_ALL(i, 0, threads) {
        const long long length = is_longest_asked ? units.length(i) : 0;
        longest = length > longest ? length : longest;
        count += units.end_of(i) > 0;
    }
    longest = warp_join(longest, larger{});
    if (lane_number() == 0 && longest > 0)
        atomicMax(&found->longest, (unsigned long long)longest);
    add_to_total(count, &found->count);
}

/* How many segments there are and, if asked for, the longest. Waits. */
template <class Units>
static spry_status measure(spry_context *context, Units units, int64_t threads, bool is_longest_asked,
                           spry_segments *segments) {
    tally<segment_lengths> tally(context);
    segment_lengths found = {};
    spry_status status = tally.start();
    if (status)
        return status;
    measure_segments<<<blocks_at_once(context, threads, BLOCK), BLOCK, 0, context->device->stream>>>(
        units, threads, is_longest_asked, tally.place());
    status = launched(context, "measuring rows");
    if (!status)
        status = tally.read(&found);
    if (is_longest_asked)
        segments->longest = (int64_t)found.longest;
    segments->count = (int64_t)found.count;
    return status;
}

/* What is not known yet of how many segments there are and of the longest, which the choice among kernels looks at too. Waits. */
template <class Units>
static spry_status find_lengths(spry_context *context, spry_matrix *matrix, Units units, int64_t threads,
                                bool is_longest_asked) {
    spry_segments *segments = &matrix->cuda.segments;
    spry_status status = context->code->look(context, matrix);
    if (status || !matrix->features)
        return status ? status : measure(context, units, threads, is_longest_asked, segments);
    segments->count = matrix->features->rows - matrix->features->by_row[0];
    segments->longest = matrix->features->longest;
    return SPRY_OK;
}

/* Where there are many entries, all but the lists goes its way before anything is waited for. */
template <class Units>
static spry_status plan(spry_context *context, spry_matrix *matrix, Units units, int64_t threads) {
    spry_segments *segments = &matrix->cuda.segments;
    cudaStream_t stream = context->device->stream;
    spry_status status = SPRY_OK;
    if (!are_many(context, matrix->nnz) && segments->longest == 0)
        status = find_lengths(context, matrix, units, threads, true);
    if (status)
        return status;
    const deal d = deal_for(context, matrix->nnz, segments->longest);
    segments->warps = d.warps;
    segments->words = d.words;
    segments->blocks = d.blocks;
    const int64_t warps = d.blocks * d.warps, words = warps * d.words;
    void *ends, *cut;
    status = spry_matrix_array(context, matrix, words, sizeof(uint32_t), &ends);
    if (!status)
        status = spry_matrix_array(context, matrix, warps + 1, sizeof(ptr_t), &segments->before);
    if (!status)
        status = spry_matrix_array(context, matrix, d.blocks + 1, sizeof(spry_segment_cut), &cut);
    if (!status)
        status = spry_cuda_check(context, cudaMemsetAsync(ends, 0, (size_t)words * sizeof(uint32_t), stream),
                                 "clearing an array");
    if (status)
        return status;
    segments->ends = as<uint32_t>(ends);
    segments->cut = as<spry_segment_cut>(cut);
    ptr_t *before = as<ptr_t>(segments->before);
    cut_blocks<<<blocks_for((d.blocks + 1) * WARP, BLOCK), BLOCK, 0, stream>>>(units, d, segments->cut);
    launch_early(context, blocks_for(std::max(threads, d.blocks + 1), BLOCK), BLOCK, mark_ends<Units>, units,
                 d, segments->cut, segments->ends);
    launch_early(context, blocks_for(warps, BLOCK), BLOCK, count_ends, segments->ends, d.words, warps,
                 before);
    status = NAME(spry_cuda_scan)(context, before, warps);
    matrix->cuda.carry = (size_t)d.blocks * sizeof(carry_t);
    if (!status && segments->count == 0)
        status = find_lengths(context, matrix, units, threads, false);
    return status ? status : list(context, matrix, units, d);
}

/* A conversion to COO may leave where rows begin in the place of the list of rows, how many have entries, and the longest's. */
extern "C" spry_status NAME(spry_segments_plan)(spry_context *context, spry_matrix *matrix) {
    spry_segments *segments = &matrix->cuda.segments;
    const bool is_coo = matrix->format == SPRY_COO;
    const ptr_t *ptr = as<ptr_t>(is_coo ? segments->row : matrix->csr.ptr);
    const int64_t nnz = matrix->nnz, count = unit_count(matrix);
    if (nnz == 0) {
        segments->row = nullptr;
        return SPRY_OK;
    }
    if (!ptr)
        return plan(context, matrix, row_units{as<idx_t>(matrix->coo.row), matrix->coo.base, nnz}, nnz + 1);
    return plan(context, matrix, compressed_units{ptr, is_coo ? 0 : matrix->csr.base, count, nnz}, count);
}

} // namespace spmv_segments
