/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scan in one pass: each block reads its tile, looks back for the sum of all tiles before it, and writes. So an array is
 * read once and written once.
 *
 * In the look-back of Merrill and Garland (“Single-pass parallel prefix scan with decoupled look-back”, NVR-2016-002) a
 * tile adds up what it happens to find, so that sums of floating point numbers differ from run to run. Here it is fixed
 * what is added to what. 32 tiles are a group, and 32 groups a row. What is before a tile is
 *
 *     all earlier rows + (the earlier groups of its row + the earlier tiles of its group)
 *
 * and each of these is published by one tile: a tile's sum by itself, a group's by its last tile, and that of all rows so
 * far by the row's last tile. The first two are read by a warp at once, a lane each. Only the third goes from one to the
 * next, and a row is so long that this takes no time that counts.
 *
 * A tile waits for tiles with lower numbers only, which have begun before it as long as the device begins blocks in the
 * order of their numbers (docs/cuda.md, “Limits”).
 */
#ifndef SPRY_SCAN_LOOKBACK_CUH
#define SPRY_SCAN_LOOKBACK_CUH

#include "cuda/lanes.cuh"
#include "primitives/pack.cuh"
#include "primitives/scan_blocks.cuh"

#define BLOCK 512
#define WARPS (BLOCK / WARP)
/* Blocks that fit a multiprocessor. Together they have enough in flight to hide memory's and the look-back's time. */
#define RESIDENT 2
/* Packs a thread holds. */
#define ROUNDS 8

constexpr int LENGTH = pack<wrap_t>::length;
/* What a warp scans in one round: a pack each lane. */
constexpr int ROUND = WARP * LENGTH;
constexpr int WARP_TILE = ROUNDS * ROUND;
constexpr int TILE = WARPS * WARP_TILE;

/* ---- sums published for others ---- */

/* A sum in words that are read and written as a whole, each with four bytes of the sum and a mark that they are there:
   who finds all marks has the sum, without any fence. All are cleared before a scan. */
constexpr int HALVES = sizeof(wrap_t) / sizeof(uint32_t);
constexpr unsigned long long THERE = 1ull << 32;

struct published {
    unsigned long long half[HALVES];
};

static __device__ inline void publish(published *place, wrap_t sum) {
    uint32_t half[HALVES];
    memcpy(half, &sum, sizeof sum);
#pragma unroll
    for (int h = 0; h < HALVES; h++)
        *(volatile unsigned long long *)&place->half[h] = THERE | half[h];
}

/* A sum that is there or will be. It is looked for at once and waited for when it is needed, so that several take no
   longer to come than one. */
struct awaited {
    const published *place;
    published found;

    /* Nothing, which is zero, unless `wanted`. */
    __device__ awaited(const published *from, bool wanted) : place(from) {
#pragma unroll
        for (int h = 0; h < HALVES; h++)
            found.half[h] = THERE;
        if (wanted)
            look();
    }
    __device__ void look() {
#pragma unroll
        for (int h = 0; h < HALVES; h++)
            found.half[h] = *(const volatile unsigned long long *)&place->half[h];
    }
    __device__ bool is_there() const {
        unsigned long long marks = THERE;
#pragma unroll
        for (int h = 0; h < HALVES; h++)
            marks &= found.half[h];
        return marks != 0;
    }
    __device__ wrap_t sum() {
        while (!is_there())
            look();
        uint32_t half[HALVES];
        wrap_t value;
#pragma unroll
        for (int h = 0; h < HALVES; h++)
            half[h] = (uint32_t)found.half[h];
        memcpy(&value, half, sizeof value);
        return value;
    }
};

/* Where sums are published: of each tile, of each group, and of all rows up to each. */
struct board {
    published *tile, *group, *rows;
};

/* The sum of all tiles before this one, whose own sum is given. By one warp. */
static __device__ wrap_t look_back(const board &b, unsigned tile, wrap_t own) {
    const int lane = lane_number(), tiles = tile % WARP, groups = tile / WARP % WARP;
    const unsigned group = tile / WARP, row = group / WARP;
    const bool first = lane == 0, ends_group = tiles == WARP - 1, ends_row = ends_group && groups == WARP - 1;
    if (first)
        publish(b.tile + tile, own);
    awaited of_tile(b.tile + (tile - tiles) + lane, lane < tiles);
    awaited of_group(b.group + (group - groups) + lane, lane < groups);
    awaited of_rows(b.rows + row - 1, row > 0);
    const wrap_t in_group = sum_lanes<WARP>(of_tile.sum());
    if (first && ends_group)
        publish(b.group + group, in_group + own);
    const wrap_t in_row = sum_lanes<WARP>(of_group.sum()) + in_group;
    const wrap_t rows = of_rows.sum();
    if (first && ends_row)
        publish(b.rows + row, rows + (in_row + own));
    return rows + in_row;
}

/* ---- a tile ---- */

/* A warp's part of a tile: round r of lane l begins at r ROUND + l LENGTH. `n` is what is left of the array there. */
static __device__ inline void load_rounds(pack<wrap_t> (&round)[ROUNDS], int64_t n, bool whole,
                                          const wrap_t *x) {
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        if (whole) {
            round[r] = load_pack<true>(x + r * ROUND);
            continue;
        }
#pragma unroll
        for (int j = 0; j < LENGTH; j++)
            round[r].v[j] = r * ROUND + j < n ? x[r * ROUND + j] : 0;
    }
}

static __device__ inline void store_rounds(const pack<wrap_t> (&round)[ROUNDS], int64_t n, bool whole,
                                           wrap_t *y) {
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        if (whole) {
            store_pack<true>(y + r * ROUND, round[r]);
            continue;
        }
#pragma unroll
        for (int j = 0; j < LENGTH; j++)
            if (r * ROUND + j < n)
                y[r * ROUND + j] = round[r].v[j];
    }
}

/* Up to and with this lane. */
static __device__ inline wrap_t scan_lanes(wrap_t value) {
    const int lane = lane_number();
#pragma unroll
    for (int step = 1; step < WARP; step *= 2) {
        wrap_t other = __shfl_up_sync(ALL_LANES, value, step);
        value += lane >= step ? other : 0;
    }
    return value;
}

/* Scan a lane's pack, `before` being the sum of what is before it. */
template <spry_scan_kind kind>
static __device__ inline void scan_pack(pack<wrap_t> &p, wrap_t before) {
#pragma unroll
    for (int j = 0; j < LENGTH; j++) {
        const wrap_t with = before + p.v[j];
        p.v[j] = kind == SPRY_INCLUSIVE ? with : before;
        before = with;
    }
}

/* Scan a warp's part by itself. All lanes get its sum. */
template <spry_scan_kind kind>
static __device__ inline wrap_t scan_rounds(pack<wrap_t> (&round)[ROUNDS]) {
    wrap_t sum = 0;
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        wrap_t own = round[r].v[0];
#pragma unroll
        for (int j = 1; j < LENGTH; j++)
            own += round[r].v[j];
        const wrap_t up_to = scan_lanes(own), earlier = __shfl_up_sync(ALL_LANES, up_to, 1);
        scan_pack<kind>(round[r], sum + (lane_number() > 0 ? earlier : 0));
        sum += __shfl_sync(ALL_LANES, up_to, WARP - 1);
    }
    return sum;
}

/* From the sums of the warps, what is before this one: in its tile, and in the tiles before, which the first warp looks
   back for. */
static __device__ inline wrap_t before_warp(wrap_t sum, const board &b) {
    __shared__ wrap_t of_warp[WARPS], before_tile;
    const int warp = threadIdx.x / WARP;
    wrap_t before = 0, all = 0;
    if (lane_number() == 0)
        of_warp[warp] = sum;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        before = w == warp ? all : before;
        all += of_warp[w];
    }
    if (warp == 0) {
        const wrap_t tiles = gridDim.x > 1 ? look_back(b, blockIdx.x, all) : 0;
        if (lane_number() == 0)
            before_tile = tiles;
    }
    __syncthreads();
    return before_tile + before;
}

template <spry_scan_kind kind>
static __global__ void __launch_bounds__(BLOCK, RESIDENT)
    scan_tiles(int64_t n, bool aligned, const wrap_t *x, wrap_t *y, board b) {
    const int64_t tile = (int64_t)blockIdx.x * TILE, inputs = scan_inputs(kind, n);
    const int64_t first = tile + threadIdx.x / WARP * WARP_TILE + lane_number() * LENGTH;
    pack<wrap_t> round[ROUNDS];
    load_rounds(round, inputs - first, aligned && tile + TILE <= inputs, x + first);
    const wrap_t before = before_warp(scan_rounds<kind>(round), b);
#pragma unroll
    for (int r = 0; r < ROUNDS; r++)
#pragma unroll
        for (int j = 0; j < LENGTH; j++)
            round[r].v[j] += before;
    store_rounds(round, n - first, aligned && tile + TILE <= n, y + first);
}

/* Room for all sums that tiles publish, cleared. One tile publishes none. */
static spry_status make_board(spry_context *context, int64_t tiles, board *b) {
    const int64_t groups = blocks_for(tiles, WARP), rows = blocks_for(groups, WARP);
    const size_t bytes = (size_t)(tiles + groups + rows) * sizeof(published);
    void *space = nullptr;
    *b = board{};
    if (tiles == 1)
        return SPRY_OK;
    spry_status status = spry_cuda_scratch(context, bytes, &space);
    if (status)
        return status;
    b->tile = static_cast<published *>(space);
    b->group = b->tile + tiles;
    b->rows = b->group + groups;
    return spry_cuda_check(context, cudaMemsetAsync(space, 0, bytes, context->device->stream),
                           "clearing workspace");
}

static spry_status scan_lookback(spry_context *context, const spry_scan_call *call) {
    const unsigned tiles = blocks_for(call->n, TILE);
    const wrap_t *x = static_cast<const wrap_t *>(call->x);
    wrap_t *y = static_cast<wrap_t *>(call->y);
    auto *kernel = call->kind == SPRY_INCLUSIVE ? scan_tiles<SPRY_INCLUSIVE> : scan_tiles<SPRY_EXCLUSIVE>;
    board b;
    spry_status status = make_board(context, tiles, &b);
    if (status)
        return status;
    kernel<<<tiles, BLOCK, 0, context->device->stream>>>(call->n, is_aligned(x) && is_aligned(y), x, y, b);
    return launched(context, "scan_lookback");
}

#endif
