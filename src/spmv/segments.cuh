/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products over entries in row order that do not care where rows begin: each block takes a range of entries, and each of its
 * warps consecutive ones of it, in one or several tiles of 32 × items, so that a row of a million entries beside a million of
 * one is as good as any other matrix. It is a segmented sum (Blelloch, Heroux and Zagha, "Segmented operations for
 * sparse matrix computation on vector multiprocessors", CMU-CS-93-173, 1993) with the segments' ends kept as
 * bits, one an entry, so that neither row pointers nor rows are read.
 *
 * A segment is summed up within a lane, then across the lanes of a warp, then across the warps of a block. Ranges end where
 * a segment does, where one ends nearby; then no block waits for another. Else what is open at the end goes
 * into the block's carry slot, and the block that ends that segment collects all carries since it began. It waits for
 * blocks with lower numbers only, which have begun before it, as in Merrill and Garland's look-back ("Single-pass
 * parallel prefix scan with decoupled look-back", NVR-2016-002). All sums are in a fixed order.
 */
#ifndef SPRY_SEGMENTS_CUH
#define SPRY_SEGMENTS_CUH

#include "cuda/lanes.cuh"
#include "formats/formats.cuh"

extern "C" {
#include "analysis/work.h"
}

/* Blocks of one on each multiprocessor, whose warps take several tiles one after the other: warps at most, and entries of a lane in a
   tile, which have 32 bytes of products. More entries would leave registers for fewer warps; doubles take more of them. */
#define SPRY_SEGMENT_WARPS_MOST (SPRY_TMPL_TYPE == 32 ? 32 : 24)
#define SPRY_SEGMENT_ITEMS_OF_SEVERAL (32 / (int)sizeof(val_t))

/* Threads on a multiprocessor that registers are kept for where blocks have one tile a warp. */
#define SPRY_SEGMENT_THREADS 1152

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

/* What is in the slot, which `seen` was: once it is published. The slot is left empty for the next product. */
static __device__ inline val_t take_after(carry_t *slot, carry_t seen) {
    volatile carry_t *watched = slot;
    while (seen == 0)
        seen = *watched;
    *watched = 0;
    return from_carry(seen);
}

static __device__ inline val_t take(carry_t *slot) {
    return take_after(slot, 0);
}

/* Entries, x (which begins so much earlier that the columns' base fits it), and how they fall into segments. */
struct segment_entries {
    column_array idx;
    value_array val;
    const val_t *x;
    int64_t nnz;
    const spry_segment_cut *cut;
    const uint32_t *ends;
    const ptr_t *before;
    int words; /* of ends, that a warp has */
};

static inline segment_entries segment_entries_of(const spry_segments *segments, column_array idx,
                                                 value_array val, int base, int64_t nnz, const void *x) {
    return {idx,
            val,
            static_cast<const val_t *>(x) - base,
            nnz,
            segments->cut,
            segments->ends,
            static_cast<const ptr_t *>(segments->before),
            segments->words};
}

/* Warps of a block, entries of a lane in a tile, and whether a warp takes several tiles, as constants. Blocks with several tiles may
   have fewer warps. */
template <int warps_, int items_, bool several_>
struct segment_shape {
    static constexpr int warps = warps_, items = items_, block = warps * WARP;
    static constexpr bool several = several_;
    static constexpr int blocks_at_once = several ? 1 : SPRY_SEGMENT_THREADS / block;

    /* Warps that the block has. */
    static __device__ int warps_here() {
        return several ? blockDim.x / WARP : warps;
    }
};

/* Threads of a block, as the plan says; of the smallest where there are no entries, and so no plan. */
static inline int segment_threads(const spry_segments *segments) {
    return (segments->warps > 0 ? segments->warps : 4) * WARP;
}

/* Call launch(shape) with what the plan says. More words than the largest tile has are several tiles. */
template <class Launch>
static void with_shape(const spry_segments &segments, Launch launch) {
    if (segments.words > 8)
        launch(segment_shape<SPRY_SEGMENT_WARPS_MOST, SPRY_SEGMENT_ITEMS_OF_SEVERAL, true>());
    else if (segments.warps == 8)
        launch(segment_shape<8, 8, false>());
    else if (segments.words == 8)
        launch(segment_shape<4, 8, false>());
    else
        launch(segment_shape<4, 4, false>());
}

/* What a block has of the entries, and a warp of that. */
struct segment_range {
    int64_t begin; /* the warp's first entry */
    int left;      /* its entries; none or less past the end of the block */
    int64_t open;  /* the block in which the segment of the block's first entry begins */
    bool closed;   /* a segment ends where the block does */
};

static __device__ inline segment_range find_range(const segment_entries &a, int words) {
    const longlong2 *cut = reinterpret_cast<const longlong2 *>(a.cut + blockIdx.x);
    const longlong2 here = __ldg(cut), next = __ldg(cut + 1);
    const int most = WARP * words;
    const int64_t begin = here.x + (int64_t)(threadIdx.x / WARP) * most, left = next.x - begin;
    return {begin, left < most ? (int)left : most, here.y, next.y > blockIdx.x};
}

/* What a warp tells the others of its tile. */
struct segment_tile {
    bool any;   /* a segment ends in it */
    val_t tail; /* sum from where the last one ends; of the whole tile if none does */
};

/* Entries of a tile on their way, every 32nd one to each lane. */
template <int items>
struct segment_load {
    idx_t column[items];
    stored_t stored[items];
};

/* Where the lane's entries of a tile are, counted from its first on, of which the tile has `left`. Past the last, that one is repeated:
   a condition for each load would leave fewer of them in flight. `full`, a constant here and below: the tile has all that it can
   have, so that places need no bounds. */
template <bool full>
static __device__ inline int place_in_tile(int s, int left) {
    return full || s * WARP < left ? s * WARP : left - 1;
}

template <int items, bool full>
static __device__ inline void load_some(const segment_entries &a, int64_t begin, int count,
                                        segment_load<items> *load) {
    const int64_t first = begin + lane_number();
    const int left = count - lane_number();
    const auto place = [&](int s) { return place_in_tile<full>(s, left); };
    load_entries(a.idx + first, a.val + first, place, load->column, load->stored);
}

/* Ask for the entries of the tile that begins there: all that it can have, those that are left, or none. */
template <int items>
static __device__ inline void load_tile(const segment_entries &a, int64_t begin, int left,
                                        segment_load<items> *load) {
    if (left >= WARP * items)
        load_some<items, true>(a, begin, WARP * items, load);
    else if (left > 0)
        load_some<items, false>(a, begin, left, load);
}

template <int items, bool full>
static __device__ inline void multiply_some(const segment_entries &a, int64_t begin, int count,
                                            const segment_load<items> &load, val_t *product) {
    const int64_t first = begin + lane_number();
    const int left = count - lane_number();
    const base_finder base(a.idx, begin, begin + count - 1);
    val_t value[items];
    values_of(a.val + first, load.stored, value);
#pragma unroll
    for (int s = 0; s < items; s++) {
        const idx_t column = base(first + place_in_tile<full>(s, left)) + load.column[s];
        const val_t term = times(value[s], __ldg(a.x + column));
        product[s] = full || s * WARP < left ? term : 0;
    }
}

/* Their products; zeros past the last. */
template <int items>
static __device__ inline void multiply_tile(const segment_entries &a, int64_t begin, int left,
                                            const segment_load<items> &load, val_t (&product)[items]) {
    if (left >= WARP * items)
        return multiply_some<items, true>(a, begin, WARP * items, load, product);
    if (left > 0)
        return multiply_some<items, false>(a, begin, left, load, product);
#pragma unroll
    for (int s = 0; s < items; s++)
        product[s] = 0;
}

/* Of products that every 32nd went to a lane, `items` consecutive ones to each, by way of shared memory, where one gap every
   `items` keeps the lanes on different banks. */
template <int items>
static __device__ void turn(val_t *shared, val_t *product) {
    const int lane = lane_number();
    val_t *first = shared + (lane + lane / items);
#pragma unroll
    for (int s = 0; s < items; s++)
        first[s * (WARP + WARP / items)] = product[s];
    __syncwarp();
#pragma unroll
    for (int j = 0; j < items; j++)
        product[j] = shared[lane * (items + 1) + j];
    __syncwarp();
}

/* Where segments end in a tile, as a lane sees it. Nothing of it waits for the entries. */
struct segment_ends {
    unsigned mine; /* bit j: just before the lane's entry j */
    int before;    /* in the lanes before this one */
    int all;
    int since; /* the last lane up to this one in which one ends, or 0 */
};

/* The last bit of a word up to the lane's own, or 0. */
static __device__ inline int last_up_to_lane(unsigned word) {
    const unsigned low = word & (~0u >> (WARP - 1 - lane_number()));
    return low ? WARP - 1 - __clz(low) : 0;
}

/* Of the words with a tile's bits, so many, the one that has the lane's bits. */
template <int items>
static __device__ inline uint32_t load_ends(const uint32_t *words, int count) {
    const int mine = lane_number() / (WARP / items);
    return mine < count ? __ldg(words + mine) : 0;
}

template <int items>
static __device__ segment_ends find_ends(uint32_t word) {
    constexpr int sharers = WARP / items;
    const int bit = lane_number() % sharers * items;
    const int up_to_word = sum_lanes_up_to<sharers>(__popc(word));
    segment_ends ends;
    ends.mine = word >> bit & ((1u << items) - 1);
    ends.before = up_to_word - __popc(word >> bit);
    ends.all = __shfl_sync(ALL_LANES, up_to_word, WARP - 1);
    ends.since = last_up_to_lane(__ballot_sync(ALL_LANES, ends.mine != 0));
    return ends;
}

/* Sum up consecutive products: what ends among them goes to *ended and on. Returns what is open at their end. */
template <int items>
static __device__ val_t sum_consecutive(const val_t *product, unsigned ends, val_t *ended) {
    val_t sum = 0;
#pragma unroll
    for (int j = 0; j < items; j++) {
        const bool ends_here = ends >> j & 1;
        if (ends_here)
            *ended++ = sum;
        sum = ends_here ? product[j] : sum + product[j];
    }
    return sum;
}

/* Of a tile in which no segment ends: in any order, as long as it is always the same. */
template <int items>
static __device__ val_t sum_products(const val_t *product) {
    val_t sum = 0;
#pragma unroll
    for (int j = 0; j < items; j++)
        sum += product[j];
    return sum;
}

/* The sum of `open` over the lanes from `since` to this one. */
static __device__ inline val_t sum_open(val_t open, int since) {
#pragma unroll
    for (int d = 1; d < WARP; d *= 2) {
        val_t other = __shfl_up_sync(ALL_LANES, open, d);
        open = lane_number() - d >= since ? other + open : open;
    }
    return open;
}

/* Carries that a lane asks for before it waits for the first. */
static constexpr int CARRIES_AHEAD = 4;

/* What the blocks first … end - 1 have published, for all lanes. */
static __device__ inline val_t take_all(carry_t *carry, int64_t first, int64_t end) {
    val_t sum = 0;
    for (int64_t b = first + lane_number(); b < end; b += CARRIES_AHEAD * WARP) {
        carry_t seen[CARRIES_AHEAD];
#pragma unroll
        for (int s = 0; s < CARRIES_AHEAD; s++)
            seen[s] = b + s * WARP < end ? *(volatile carry_t *)(carry + b + s * WARP) : 0;
#pragma unroll
        for (int s = 0; s < CARRIES_AHEAD; s++)
            if (b + s * WARP < end)
                sum += take_after(carry + b + s * WARP, seen[s]);
    }
    return sum_lanes<WARP>(sum);
}

/* What the warps before this one have of the segment that is open at its begin; *whole if it began before the block. */
static __device__ inline val_t sum_earlier(const segment_tile *tiles, int warp, bool *whole) {
    const int lane = lane_number();
    const segment_tile tile = lane < warp ? tiles[lane] : segment_tile{false, 0};
    const unsigned any = __ballot_sync(ALL_LANES, tile.any);
    *whole = any == 0;
    return sum_lanes<WARP>(lane >= (any ? WARP - 1 - __clz(any) : 0) ? tile.tail : 0);
}

/* What a warp needs of those and of the blocks before it: the sum so far of the segment that is open at its begin, where `any` ends
   in it. `open` is what it has, in its last lane, of the segment that is open at its end. */
template <class Shape>
static __device__ inline val_t join_warps(const segment_range &range, carry_t *carry, bool any, val_t open) {
    __shared__ segment_tile tiles[Shape::warps];
    const int warp = threadIdx.x / WARP;
    const bool is_last_lane = lane_number() == WARP - 1;
    if (is_last_lane)
        tiles[warp] = {any, open};
    __syncthreads();
    bool whole;
    val_t earlier = sum_earlier(tiles, warp, &whole);
    if (warp == Shape::warps_here() - 1 && is_last_lane && !range.closed)
        publish(carry + blockIdx.x, any ? open : earlier + open);
    if (any && whole && range.open < blockIdx.x)
        earlier = take_all(carry, range.open, blockIdx.x) + earlier;
    return earlier;
}

/* Of the products of a tile in which segments end: *ended and on become the sums of those. Returns what is open at the lane's end. */
template <int items>
static __device__ val_t sum_tile(const segment_ends &ends, val_t *product, val_t *ended) {
    turn<items>(ended, product);
    const val_t sum = sum_consecutive<items>(product, ends.mine, ended + ends.before),
                open = sum_open(sum, ends.since), left = __shfl_up_sync(ALL_LANES, open, 1);
    if (ends.mine && lane_number() > 0)
        ended[ends.before] += left;
    return open;
}

/* A tile a warp. Places of its first segments are asked for before its entries, so that sums need not wait for them. */
template <class Shape, class Outputs>
static __device__ void sum_one_tile(const segment_entries &a, carry_t *carry, const Outputs &out) {
    constexpr int warps = Shape::warps, items = Shape::items;
    __shared__ val_t room[warps][WARP * (items + 1)];
    const int lane = lane_number(), warp = threadIdx.x / WARP;
    const int64_t tile = (int64_t)blockIdx.x * warps + warp;
    const segment_range range = find_range(a, items);
    const segment_ends ends = find_ends<items>(load_ends<items>(a.ends + tile * items, items));
    const int64_t before = a.before[tile]; /* the number of the segment that is open at the tile's begin */
    const idx_t place = lane < ends.all ? out.place(before + lane) : 0;
    val_t *ended = room[warp]; /* the sum of each segment that ends in the tile */

    segment_load<items> load;
    val_t product[items];
    load_tile<items>(a, range.begin, range.left, &load);
    multiply_tile<items>(a, range.begin, range.left, load, product);
    const val_t open =
        ends.all > 0 ? sum_tile<items>(ends, product, ended) : sum_lanes<WARP>(sum_products<items>(product));

    const val_t earlier = join_warps<Shape>(range, carry, ends.all > 0, open);
    for (int r = lane; r < ends.all; r += WARP)
        out.put(r < WARP ? place : out.place(before + r), r == 0 ? earlier + ended[r] : ended[r]);
}

/* What a warp has of the segments in its tiles so far. */
struct segment_sums {
    int64_t before;    /* the number of the segment that is open */
    val_t open;        /* of that, spread over the lanes */
    bool any;          /* one has ended */
    val_t first;       /* in lane 0, of the first that has: that may have begun before the warp's entries */
    idx_t first_place; /* where that goes */
};

/* Sums of the segments that ended in a tile, `count` of them, go to their places, except the warp's first. `place`: the lane's of the
   first 32. `open`, in the last lane, is what is open after them. */
template <class Outputs>
static __device__ void put_ended(const Outputs &out, const val_t *ended, int count, idx_t place, val_t open,
                                 segment_sums *sums) {
    const int lane = lane_number();
    const val_t earlier = sum_lanes<WARP>(sums->open);
    __syncwarp();
    for (int r = lane; r < count; r += WARP) {
        const val_t sum = r == 0 ? earlier + ended[r] : ended[r];
        if (r == 0 && !sums->any) {
            sums->first = sum;
            sums->first_place = place;
        } else {
            out.put(r < WARP ? place : out.place(sums->before + r), sum);
        }
    }
    __syncwarp();
    sums->before += count;
    sums->any = true;
    sums->open = lane == WARP - 1 ? open : 0;
}

/* Several tiles a warp, one after the other. A tile's entries, and where segments end in it, are asked for before the products of the
   tile before it are summed up. */
template <class Shape, class Outputs>
static __device__ void sum_tiles(const segment_entries &a, carry_t *carry, const Outputs &out) {
    constexpr int warps = Shape::warps, items = Shape::items;
    __shared__ val_t room[warps][WARP * (items + 1)];
    const int lane = lane_number(), warp = threadIdx.x / WARP;
    const int64_t share = (int64_t)blockIdx.x * Shape::warps_here() + warp;
    const segment_range range = find_range(a, a.words);
    const uint32_t *words = a.ends + share * a.words;
    val_t *ended = room[warp]; /* the sum of each segment that ends in the tile */
    segment_sums sums = {a.before[share], 0, false, 0, 0};
    segment_load<items> load;
    load_tile<items>(a, range.begin, range.left, &load);
    uint32_t word = load_ends<items>(words, a.words);
    int64_t begin = range.begin;
    int left = range.left, words_left = a.words;
    do {
        const segment_ends ends = find_ends<items>(word);
        const idx_t place = lane < ends.all ? out.place(sums.before + lane) : 0;
        val_t product[items];
        multiply_tile<items>(a, begin, left, load, product);
        begin += WARP * items;
        left -= WARP * items;
        words += items;
        words_left -= items;
        load_tile<items>(a, begin, left, &load);
        word = load_ends<items>(words, words_left);
        if (ends.all > 0) {
            const val_t open = sum_tile<items>(ends, product, ended);
            put_ended(out, ended, ends.all, place, open, &sums);
        } else {
            sums.open += sum_products<items>(product);
        }
    } while (left >= 0 && words_left > 0); /* one may end where the entries do */

    const val_t earlier = join_warps<Shape>(range, carry, sums.any, sum_lanes<WARP>(sums.open));
    if (sums.any && lane == 0)
        out.put(sums.first_place, earlier + sums.first);
}

/* Sum up the segments that end in this block: out.put(out.place(segment), sum) is called once for each of them, by neighbouring
   lanes for neighbouring segments. `carry` has a slot for each block. A lane sums up consecutive entries. */
template <class Shape, class Outputs>
static __device__ void sum_segments(const segment_entries &a, carry_t *carry, const Outputs &out) {
    if constexpr (Shape::several)
        sum_tiles<Shape>(a, carry, out);
    else
        sum_one_tile<Shape>(a, carry, out);
}

/* Plan the segments of a CSR or CSC matrix, or of a COO matrix in row order, with carry slots for its product. */
extern "C" spry_status NAME(spry_segments_plan)(spry_context *context, spry_matrix *matrix);

/* The kernel of all three; `run` of a record. */
extern "C" spry_status CODED(spry_segments_run)(spry_context *context, const spry_kernel *kernel,
                                                const spry_matrix *matrix, const spry_product *product);

/* The same for many columns; see segments_many.cu. */
extern "C" spry_status CODED(spry_segments_run_many)(spry_context *context, const spry_kernel *kernel,
                                                     const spry_matrix *matrix, const spry_product *product);

/* What the selector is told of it: `work` of a record. */
extern "C" spry_terms NAME(spry_segments_work)(const spry_candidate *candidate);
/* The same of so many entries in so many segments, besides what amounts has. */
extern "C" void NAME(spry_segments_add_work)(const spry_candidate *candidate, double entries, double segments,
                                             spry_terms *amounts);

#endif
