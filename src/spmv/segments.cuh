/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products over entries in row order that do not care where rows begin: each warp takes a tile of 32 × items
 * consecutive entries, each block SPRY_SEGMENT_TILES tiles, so that a row of a million entries beside a million of one
 * is as good as any other matrix. It is a segmented sum (Blelloch, Heroux and Zagha, "Segmented operations for
 * sparse matrix computation on vector multiprocessors", CMU-CS-93-173, 1993) with the segments' begins kept as
 * bits, one an entry, so that neither row pointers nor rows are read.
 *
 * A segment is summed up by whoever finds where the next one begins: within a lane, then across the lanes of a warp,
 * then across the warps of a block. What is open at a block's end goes into the block's carry slot, and the block that
 * ends that segment collects all carries since it began. It waits for blocks with lower numbers only, which have
 * begun before it, as in Merrill and Garland's look-back ("Single-pass parallel prefix scan with decoupled
 * look-back", NVR-2016-002). All sums are in a fixed order.
 */
#ifndef SPRY_SEGMENTS_CUH
#define SPRY_SEGMENTS_CUH

#include <type_traits>

#include "formats/formats.cuh"

extern "C" {
#include "analysis/work.h"
}

#define SPRY_SEGMENT_TILES 4
#define SPRY_SEGMENT_BLOCK (SPRY_SEGMENT_TILES * WARP)

/* A carry slot holds one sum, and zero bits when it is empty. So a sum of zero is published as -0, which changes nothing
   that it is added to. */
#if SPRY_TMPL_TYPE == 32
typedef unsigned carry_t;
static __device__ inline carry_t to_carry(val_t sum) {
    return sum == 0 ? 0x80000000u : __float_as_uint(sum);
}
static __device__ inline val_t from_carry(carry_t carry) {
    return __uint_as_float(carry);
}
#else
typedef unsigned long long carry_t;
static __device__ inline carry_t to_carry(val_t sum) {
    return sum == 0 ? 0x8000000000000000ull : (carry_t)__double_as_longlong(sum);
}
static __device__ inline val_t from_carry(carry_t carry) {
    return __longlong_as_double((long long)carry);
}
#endif

static __device__ inline void publish(carry_t *slot, val_t sum) {
    *(volatile carry_t *)slot = to_carry(sum);
}

/* Wait for the carry, and leave the slot empty for the next product. */
static __device__ inline val_t take(carry_t *slot) {
    volatile carry_t *watched = slot;
    carry_t carry;
    while ((carry = *watched) == 0)
        ;
    *watched = 0;
    return from_carry(carry);
}

/* Entries, x (which begins so much earlier that the columns' base fits it), and how they fall into segments. */
struct segment_entries {
    column_array idx;
    value_array val;
    const val_t *x;
    int64_t nnz;
    const uint32_t *head;
    const ptr_t *before;
    const int32_t *open;
};

static inline segment_entries segment_entries_of(const spry_segments *segments, column_array idx,
                                                 value_array val, int base, int64_t nnz, const void *x) {
    return {idx,
            val,
            static_cast<const val_t *>(x) - base,
            nnz,
            segments->head,
            static_cast<const ptr_t *>(segments->before),
            segments->open};
}

/* Call launch(n), n being the number of items as a constant. */
template <class Launch>
static void with_items(int items, Launch launch) {
    if (items == 16)
        launch(std::integral_constant<int, 16>());
    else if (items == 8)
        launch(std::integral_constant<int, 8>());
    else if (items == 4)
        launch(std::integral_constant<int, 4>());
    else
        launch(std::integral_constant<int, 2>());
}

/* What a warp tells the others of its tile. */
struct segment_tile {
    bool any;   /* a segment begins in it */
    val_t tail; /* sum from where the last one begins; of the whole tile if none does */
};

/* The products of a tile, `items` consecutive ones to each lane. They are loaded across the lanes and turned
   around in shared memory, one gap every `items`, which keeps the lanes on different banks. Past the last entry,
   loads repeat it: a condition for each would leave fewer of them in flight. */
template <int items>
static __device__ void load_products(const segment_entries &a, int64_t begin, val_t *shared, val_t *product) {
    const int lane = lane_number(), left = a.nnz - begin < WARP * items ? (int)(a.nnz - begin) : WARP * items;
    const column_array idx = a.idx + begin;
    const value_array val = a.val + begin;
    idx_t column[items];
    stored_t stored[items];
    val_t value[items];
    const auto place = [&](int s) { return s * WARP + lane < left ? s * WARP + lane : left - 1; };
    load_entries(idx, val, place, column, stored);
    const base_finder base(a.idx, begin, begin + left - 1);
    values_of(val, stored, value);
#pragma unroll
    for (int s = 0; s < items; s++) {
        int at = s * WARP + lane;
        val_t term = times(value[s], __ldg(a.x + (base(begin + place(s)) + column[s])));
        shared[at + at / items] = at < left ? term : 0;
    }
    __syncwarp();
#pragma unroll
    for (int j = 0; j < items; j++)
        product[j] = shared[lane * (items + 1) + j];
    __syncwarp();
}

/* Where segments begin in a tile, as a lane sees it. Nothing of it waits for the entries. */
struct segment_heads {
    unsigned mine; /* bit j: at the lane's entry j */
    int before;    /* in the lanes before this one */
    int all;
    int since; /* the last lane up to this one in which one begins, or 0 */
};

template <int items>
struct alignas(items < 4 ? 8 : 16) head_words {
    uint32_t word[items];
};

template <int items>
static __device__ segment_heads find_heads(const uint32_t *head, int64_t tile) {
    const head_words<items> words = reinterpret_cast<const head_words<items> *>(head)[tile];
    const int lane = lane_number(), bit = lane * items;
    segment_heads heads = {};
#pragma unroll
    for (int w = 0; w < items; w++) {
        uint32_t word = words.word[w], below = bit / 32 > w ? ~0u : bit / 32 == w ? (1u << bit % 32) - 1 : 0;
        heads.mine |= bit / 32 == w ? word >> bit % 32 & ((1u << items) - 1) : 0;
        heads.before += __popc(word & below);
        heads.all += __popc(word);
    }
    unsigned begins = __ballot_sync(ALL_LANES, heads.mine != 0) & (~0u >> (WARP - 1 - lane));
    heads.since = begins ? WARP - 1 - __clz(begins) : 0;
    return heads;
}

/* The sum of `open` over the lanes since the segment of this one began. */
static __device__ inline val_t sum_open(val_t open, int since) {
#pragma unroll
    for (int d = 1; d < WARP; d *= 2) {
        val_t other = __shfl_up_sync(ALL_LANES, open, d);
        open = lane_number() - d >= since ? other + open : open;
    }
    return open;
}

/* What the blocks first … end - 1 have published, for lane 0. */
static __device__ inline val_t take_all(carry_t *carry, int first, int end) {
    if (end - first <= 1)
        return lane_number() == 0 && first < end ? take(carry + first) : 0;
    val_t sum = 0;
    for (int b = first + lane_number(); b < end; b += WARP)
        sum += take(carry + b);
#pragma unroll
    for (int d = WARP / 2; d > 0; d /= 2)
        sum += __shfl_xor_sync(ALL_LANES, sum, d);
    return sum;
}

/* What the warps before this one have of the segment that is open at its begin; *whole if it began before the block. */
static __device__ inline val_t sum_earlier(const segment_tile *tiles, int warp, bool *whole) {
    segment_tile tile[SPRY_SEGMENT_TILES - 1];
#pragma unroll
    for (int w = 0; w < SPRY_SEGMENT_TILES - 1; w++)
        tile[w] = tiles[w];
    val_t sum = 0;
    bool open = true;
#pragma unroll
    for (int w = SPRY_SEGMENT_TILES - 2; w >= 0; w--) {
        sum = open && w < warp ? tile[w].tail + sum : sum;
        open = open && !(w < warp && tile[w].any);
    }
    *whole = open;
    return sum;
}

/* Sum up the segments that end in this block: emit(segment, sum) is called once for each of them, by neighbouring lanes for
   neighbouring segments. `carry` has a slot for each block. */
template <int items, class Emit>
static __device__ void sum_segments(const segment_entries &a, carry_t *carry, Emit emit) {
    __shared__ val_t shared[SPRY_SEGMENT_TILES][WARP * (items + 1)];
    __shared__ segment_tile tiles[SPRY_SEGMENT_TILES];
    const int lane = lane_number(), warp = threadIdx.x / WARP;
    const int64_t tile = (int64_t)blockIdx.x * SPRY_SEGMENT_TILES + warp, begin = tile * (WARP * items);
    const segment_heads heads = find_heads<items>(a.head, tile);
    const int64_t before =
        a.before[tile]; /* so the segment that is open at the tile's begin has this number, less 1 */
    const int opened = a.open[blockIdx.x];
    val_t *ended = shared[warp]; /* the sum of each segment that ends in the tile */

    val_t product[items] = {};
    if (begin < a.nnz)
        load_products<items>(a, begin, ended, product);

    /* Within the lane. A segment ends where the next one begins. */
    int end = heads.before;
    val_t sum = 0;
#pragma unroll
    for (int j = 0; j < items; j++) {
        bool head = heads.mine >> j & 1;
        if (head)
            ended[end++] = sum;
        sum = head ? product[j] : sum + product[j];
    }

    /* Across the lanes. */
    const val_t open = sum_open(sum, heads.since), left = __shfl_up_sync(ALL_LANES, open, 1);
    if (heads.mine && lane > 0)
        ended[heads.before] += left;
    if (lane == WARP - 1)
        tiles[warp] = {heads.all > 0, open};
    __syncthreads();

    /* Across the warps, then the blocks. */
    bool whole;
    val_t earlier = sum_earlier(tiles, warp, &whole);
    if (warp == SPRY_SEGMENT_TILES - 1 && lane == WARP - 1 && begin + WARP * items <= a.nnz)
        publish(carry + blockIdx.x, heads.all > 0 ? open : earlier + open);
    for (int r = 1 + lane; r < heads.all; r += WARP)
        emit(before - 1 + r, ended[r]);
    if (heads.all > 0 && whole)
        earlier = take_all(carry, opened, blockIdx.x) + earlier;
    if (heads.all > 0 && before > 0 && lane == 0)
        emit(before - 1, earlier + ended[0]);
}

/* Plan the segments of a CSR or CSC matrix, or of a COO matrix in row order, with carry slots for its product. */
spry_status NAME(spry_segments_plan)(spry_context *context, spry_matrix *matrix);

/* The kernel of all three; `run` of a record. */
spry_status CODED(spry_segments_run)(spry_context *context, const spry_kernel *kernel,
                                     const spry_matrix *matrix, const spry_product *product);

/* The same for many columns; see segments_many.cu. */
spry_status CODED(spry_segments_run_many)(spry_context *context, const spry_kernel *kernel,
                                          const spry_matrix *matrix, const spry_product *product);

/* What the selector is told of it: `work` of a record. */
spry_terms NAME(spry_segments_work)(const spry_candidate *candidate);
/* The same of so many entries in so many segments, besides what amounts has. */
void NAME(spry_segments_add_work)(const spry_candidate *candidate, double entries, double segments,
                                  spry_terms *amounts);

#endif
