/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scan in one pass: a block reads a tile, looks back for the sum of all tiles before it, and writes. So an array is read
 * once and written once.
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
 * Tiles lie in shared memory, where more of them are under way at once than registers have room for. A tile's sum is
 * published before it is scanned, which goes on while a warp looks back.
 *
 * A tile waits for tiles with lower numbers only, which have begun before it as long as the device begins blocks in the
 * order of their numbers (docs/cuda.md, “Limits”).
 */
#ifndef SPRY_SCAN_LOOKBACK_CUH
#define SPRY_SCAN_LOOKBACK_CUH

#include <cuda_pipeline_primitives.h>

#include "cuda/lanes.cuh"
#include "primitives/pack.cuh"
#include "primitives/scan_blocks.cuh"

#define BLOCK 512
#define WARPS (BLOCK / WARP)
/* Packs that a lane scans: an odd number, so that lanes that read one each are in different banks. */
#define PACKS 9
/* Blocks that fit a multiprocessor, where that has 228 KiB. */
#define RESIDENT 3

constexpr int LENGTH = pack<wrap_t>::length;
/* A warp's part of a tile. */
constexpr int PART_PACKS = PACKS * WARP;
constexpr int PART = PART_PACKS * LENGTH;
constexpr int TILE = WARPS * PART;
constexpr int BYTES = TILE * (int)sizeof(wrap_t);
static_assert(PACKS % 2 == 1 && WARPS <= WARP, "see above");

/* ---- sums published for others ---- */

/* A sum and a mark, not zero, that it is there. Both are read and written as one word, of 16 bytes at most, which is never
   seen half written (“__nv_atomic_load” in the CUDA C++ Programming Guide; 16 bytes from compute capability 7.0 on): who
   finds the mark has the sum, without any fence. All are cleared before a scan. */
struct alignas(2 * sizeof(wrap_t)) published {
    wrap_t sum, there;
};

static __device__ inline void publish(published *place, wrap_t sum) {
    published word = {sum, 1};
    __nv_atomic_store(place, &word, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

/* A sum that is there or will be. It is looked for at once and waited for when it is needed, so that several take no
   longer to come than one. */
struct awaited {
    published *place, found;

    /* Nothing, which is zero, unless `wanted`. */
    __device__ awaited(published *from, bool wanted) : place(from), found{0, 1} {
        if (wanted)
            look();
    }
    __device__ void look() {
        __nv_atomic_load(place, &found, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    }
    __device__ wrap_t sum() {
        while (found.there == 0)
            look();
        return found.sum;
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

/* ---- a warp's part of a tile ---- */

struct task {
    int64_t n, inputs;
    bool aligned;
    const wrap_t *x;
    wrap_t *y;
};

/* What is before this lane, from the sums up to and with each. */
static __device__ inline wrap_t before_lane(wrap_t up_to) {
    const wrap_t earlier = __shfl_up_sync(ALL_LANES, up_to, 1);
    return lane_number() > 0 ? earlier : 0;
}

/* In the array it begins at `first`, and in shared memory it is `part`, which only this warp uses. It is as in the array:
   lane l scans the PACKS packs from l PACKS on, but lanes read and write arrays side by side. */

/* Read it; what is beyond the array becomes zero. */
static __device__ inline void read_part(const task &s, int64_t first, pack<wrap_t> *part) {
    const int lane = lane_number();
    if (s.aligned && first + PART <= s.inputs) {
#pragma unroll
        for (int p = lane; p < PART_PACKS; p += WARP)
            __pipeline_memcpy_async(part + p, s.x + first + p * LENGTH, sizeof(pack<wrap_t>));
    } else
        for (int i = lane; i < PART; i += WARP) {
            const bool inside = first + i < s.inputs;
            __pipeline_memcpy_async(&part->v[0] + i, s.x + (inside ? first + i : 0), sizeof(wrap_t),
                                    inside ? 0 : sizeof(wrap_t));
        }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
}

/* *all gets its sum. The result is the sum of what is before this lane in it. */
static __device__ inline wrap_t sum_part(const pack<wrap_t> *part, wrap_t *all) {
    const int lane = lane_number();
    wrap_t sum = 0;
#pragma unroll
    for (int p = 0; p < PACKS; p++) {
        const pack<wrap_t> values = part[lane * PACKS + p];
        wrap_t own = values.v[0];
#pragma unroll
        for (int j = 1; j < LENGTH; j++)
            own += values.v[j];
        sum += own;
    }
    const wrap_t up_to = sum_lanes_up_to(sum);
    if (lane == WARP - 1)
        *all = up_to;
    return before_lane(up_to);
}

/* `before` is the sum of what is before this lane in the tile. */
template <spry_scan_kind kind>
static __device__ inline void scan_part(pack<wrap_t> *part, wrap_t before) {
    const int lane = lane_number();
#pragma unroll
    for (int p = 0; p < PACKS; p++) {
        pack<wrap_t> values = part[lane * PACKS + p];
#pragma unroll
        for (int j = 0; j < LENGTH; j++) {
            const wrap_t with = before + values.v[j];
            values.v[j] = kind == SPRY_INCLUSIVE ? with : before;
            before = with;
        }
        part[lane * PACKS + p] = values;
    }
}

/* `before` is the sum of what is before the tile. */
static __device__ inline void write_part(const task &s, int64_t first, const pack<wrap_t> *part,
                                         wrap_t before) {
    const int lane = lane_number();
    if (s.aligned && first + PART <= s.n) {
#pragma unroll
        for (int p = lane; p < PART_PACKS; p += WARP) {
            pack<wrap_t> values = part[p];
#pragma unroll
            for (int j = 0; j < LENGTH; j++)
                values.v[j] += before;
            store_pack<true>(s.y + first + p * LENGTH, values);
        }
        return;
    }
    for (int i = lane; i < PART && first + i < s.n; i += WARP)
        s.y[first + i] = (&part->v[0])[i] + before;
}

/* ---- a tile ---- */

template <spry_scan_kind kind>
static __global__ void __launch_bounds__(BLOCK, RESIDENT) scan_tiles(task s, board b) {
    extern __shared__ pack<wrap_t> parts[];
    __shared__ wrap_t of_warp[WARPS], before_tile;
    const int lane = lane_number(), warp = threadIdx.x / WARP;
    const int64_t first = (int64_t)blockIdx.x * TILE + warp * PART;
    pack<wrap_t> *part = parts + warp * PART_PACKS;
    read_part(s, first, part);
    const wrap_t in_warp = sum_part(part, &of_warp[warp]);
    __syncthreads();
    const wrap_t up_to = sum_lanes_up_to(lane < WARPS ? of_warp[lane] : 0),
                 earlier = __shfl_sync(ALL_LANES, before_lane(up_to), warp),
                 all = __shfl_sync(ALL_LANES, up_to, WARPS - 1);
    if (warp == 0) {
        const wrap_t tiles = gridDim.x > 1 ? look_back(b, blockIdx.x, all) : 0;
        if (lane == 0)
            before_tile = tiles;
    }
    scan_part<kind>(part, earlier + in_warp);
    __syncthreads();
    write_part(s, first, part, before_tile);
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

/* Let blocks have shared memory for a tile: a context asks once for each number type and kind of scan. */
template <class Kernel>
static spry_status allow_tiles(spry_context *context, Kernel *kernel, spry_scan_kind kind) {
    static_assert(SPRY_NUMBER_COUNT * SPRY_SCAN_KIND_COUNT <= 8, "a bit each");
    const uint8_t bit = (uint8_t)(1 << (TMPL_NUMBER * SPRY_SCAN_KIND_COUNT + kind));
    if (context->device->scans_allowed & bit)
        return SPRY_OK;
    spry_status status = allow_shared(context, kernel, BYTES);
    if (!status)
        context->device->scans_allowed |= bit;
    return status;
}

static spry_status scan_lookback(spry_context *context, const spry_scan_call *call) {
    const unsigned tiles = blocks_for(call->n, TILE);
    const wrap_t *x = static_cast<const wrap_t *>(call->x);
    wrap_t *y = static_cast<wrap_t *>(call->y);
    const task s = {call->n, scan_inputs(call->kind, call->n), is_aligned(x) && is_aligned(y), x, y};
    auto *kernel = call->kind == SPRY_INCLUSIVE ? scan_tiles<SPRY_INCLUSIVE> : scan_tiles<SPRY_EXCLUSIVE>;
    board b;
    spry_status status = make_board(context, tiles, &b);
    if (!status)
        status = allow_tiles(context, kernel, call->kind);
    if (status)
        return status;
    kernel<<<tiles, BLOCK, BYTES, context->device->stream>>>(s, b);
    return launched(context, "scan_lookback");
}

#endif
