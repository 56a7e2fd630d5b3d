/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C = Vᵀ W for a C of 64 × 64 at most and long lines, whose time is that of reading V and W once. The lines are cut into
 * chunks, which teams of warps take in turn, all over the device side by side. A team has the sums of all of C in its
 * registers, and its next chunks on their way to shared memory. A block adds up what its teams have, and a second launch
 * what blocks have.
 */
#ifndef SPRY_GEMM_INNER_CUH
#define SPRY_GEMM_INNER_CUH

#include "cuda/early.cuh"
#include "primitives/gemm_blocks.cuh"
#include "primitives/gemm_piece.cuh"

/* Most lines of A and of B. */
#define INNER_LINES 64
/* Shorter lines are as well multiplied in blocks. */
#define SHORTEST_INNER 16384

/* Pieces of C from above to below and from left to right, and how many of both each warp of a team has. */
template <int down_, int across_, int warp_down_, int warp_across_>
struct team_shape {
    static constexpr int down = down_, across = across_, warp_down = warp_down_, warp_across = warp_across_;
    /* Warps side by side, and all of them. */
    static constexpr int abreast = across / warp_across, team = abreast * (down / warp_down);
    /* Sums of a lane, and of a team. */
    static constexpr int sums = warp_down * warp_across * 8, values = sums * team * WARP;
};

/* Pieces of a chunk along the lines; warps of a block, and chunks in shared memory for each team; blocks on a
   multiprocessor. */
template <class Team, int deep_, int warps_, int stages_, int resident_>
struct inner_shape : Team {
    using Team::across, Team::down, Team::team, Team::values;
    static constexpr int deep = deep_, stages = stages_, resident = resident_;
    static constexpr int teams = warps_ / team, threads = warps_ * WARP;
    /* Places of a chunk, and of those of all teams of a block. */
    static constexpr int places = deep * PIECE, span = teams * places;
    static constexpr int chunk_pieces = (down + across) * deep, chunk_pairs = chunk_pieces * PIECE_PAIRS;
    static constexpr int copied = teams * stages * chunk_pairs * (int)sizeof(pair),
                         added = teams * values * (int)sizeof(double),
                         bytes = copied > added ? copied : added;
};

/* A team's chunks of both factors. */
template <class Shape>
struct inner_chunks {
    const product &p;
    const pairing a_pairs, b_pairs;
    const int member; /* which of its warps this is */
    pair *const stages;
    int64_t next; /* the place of the next chunk to copy */
    int stage = 0, free = Shape::stages - 1;

    __device__ void copy_next(int to) {
        pair *slots = stages + to * Shape::chunk_pairs;
        if (next < p.depth)
#pragma unroll 1 /* or what each copy needs has registers of its own */
            for (int k = 0; k < Shape::chunk_pieces; k += Shape::team)
                if (k + member < Shape::chunk_pieces)
                    copy_one(slots + (k + member) * PIECE_PAIRS, k + member);
        next += (int64_t)gridDim.x * Shape::span;
        end_batch();
    }
    /* Pieces of A from above to below, then those of B, then the next ones along the lines. */
    __device__ void copy_one(pair *to, int k) {
        constexpr int lines = Shape::down + Shape::across;
        const int line = k % lines;
        const int64_t place = next + k / lines * PIECE;
        if (line < Shape::down)
            copy_piece(to, p.a, a_pairs, p.depth, line * PIECE, place);
        else
            copy_piece(to, p.b, b_pairs, p.depth, (line - Shape::down) * PIECE, place);
    }
    __device__ void start() {
        for (int to = 0; to < Shape::stages - 1; to++)
            copy_next(to);
    }
    /* The next one. All warps are done with the one before, whose place is free; and they stay side by side in memory, which
       is faster so. */
    __device__ const pair *take() {
        wait_for_batches<Shape::stages - 2>();
        __syncthreads();
        copy_next(free);
        free = stage;
        stage = stage + 1 < Shape::stages ? stage + 1 : 0;
        return stages + free * Shape::chunk_pairs;
    }
};

/* The first pieces of a team's warp, from above and from the left; without a division where there need be none. */
template <class Shape>
static __device__ inline int first_down(int member) {
    return Shape::warp_down == Shape::down ? 0 : member / Shape::abreast * Shape::warp_down;
}
template <class Shape>
static __device__ inline int first_across(int member) {
    return Shape::warp_down == Shape::down ? member * Shape::warp_across
                                           : member % Shape::abreast * Shape::warp_across;
}

/* The sums of a warp: the pieces of some rows of C in some of its columns. */
template <class Shape>
struct inner_sums {
    piece_sums sum[Shape::warp_down][Shape::warp_across];

    __device__ void add(const inner_chunks<Shape> &chunks, const pair *chunk) {
#pragma unroll
        for (int l = 0; l < Shape::deep; l++, chunk += (Shape::down + Shape::across) * PIECE_PAIRS) {
            const pair *a = chunk + first_down<Shape>(chunks.member) * PIECE_PAIRS,
                       *b = chunk + (Shape::down + first_across<Shape>(chunks.member)) * PIECE_PAIRS;
            piece y[Shape::warp_across];
#pragma unroll
            for (int j = 0; j < Shape::warp_across; j++)
                y[j] = piece(b + j * PIECE_PAIRS, chunks.b_pairs == ALONG_LINES);
#pragma unroll
            for (int i = 0; i < Shape::warp_down; i++) {
                const piece x(a + i * PIECE_PAIRS, chunks.a_pairs == ALONG_LINES);
#pragma unroll
                for (int j = 0; j < Shape::warp_across; j++)
                    sum[i][j].add(x, y[j]);
            }
        }
    }
    /* One after the other, each with those of all lanes side by side. */
    __device__ void put(double *to) const {
#pragma unroll
        for (int k = 0; k < Shape::sums; k++)
            to[k * WARP + lane_number()] =
                sum[k / 8 / Shape::warp_across][k / 8 % Shape::warp_across].value[k % 8 / 4][k % 4];
    }
};

/* What a block leaves: the sums of all its teams, as a team's warps have them. All its threads take part, and nobody needs what
   is in shared memory. Of warps beyond those of the teams there are no sums. */
template <class Shape>
static __device__ inline void leave_slice(const inner_sums<Shape> &sums, double *all, num_t *part) {
    const int warp = (int)threadIdx.x / WARP;
    __syncthreads();
    if (warp < Shape::teams * Shape::team)
        sums.put(all + warp * Shape::sums * WARP);
    __syncthreads();
    for (int k = threadIdx.x; k < Shape::values; k += Shape::threads) {
        double sum = all[k];
#pragma unroll
        for (int t = 1; t < Shape::teams; t++)
            sum += all[t * Shape::values + k];
        part[(int64_t)blockIdx.x * Shape::values + k] = (num_t)sum;
    }
}

/* Each block leaves a slice. */
template <class Shape>
static __global__ void __launch_bounds__(Shape::threads, Shape::resident)
    inner(product p, pairing a_pairs, pairing b_pairs, num_t *part) {
    extern __shared__ __align__(16) unsigned char shared[];
    const int warp = (int)threadIdx.x / WARP, team = warp / Shape::team;
    const int64_t first = (int64_t)blockIdx.x * Shape::span;
    pair *const stages = reinterpret_cast<pair *>(shared) + team * Shape::stages * Shape::chunk_pairs;
    const int64_t ahead = team * Shape::places;
    inner_chunks<Shape> chunks{p, a_pairs, b_pairs, warp % Shape::team, stages, first + ahead};
    inner_sums<Shape> sums;
    chunks.start();
    for (int64_t top = first; top < p.depth; top += (int64_t)gridDim.x * Shape::span) {
        const pair *chunk = chunks.take();
        if (top + ahead < p.depth)
            sums.add(chunks, chunk);
    }
    wait_for_batches<0>();
    leave_slice(sums, reinterpret_cast<double *>(shared), part);
}

/* C from the slices, a value of them for each x, added up by ADDERS threads in an order that depends on their number
   alone. Lines are as `lanes` says where lanes have them. */
template <class Shape, class Arrangement>
static __global__ void __launch_bounds__(WARP *ADDERS)
    add_inner(product p, Arrangement lanes, slicing slices) {
    await_earlier();
    __shared__ double sums[ADDERS][WARP];
    const int k = (int)blockIdx.x, lane = (int)threadIdx.x; /* sum k of that lane */
    const num_t *from = slices.part + k * WARP + lane;
    double sum = 0;
#pragma unroll 8
    for (unsigned s = threadIdx.y; s < slices.count; s += ADDERS)
        sum += from[(int64_t)s * Shape::values];
    sums[threadIdx.y][lane] = sum;
    __syncthreads();
    if (threadIdx.y > 0)
        return;
    for (int y = 1; y < ADDERS; y++)
        sum += sums[y][lane];
    const int member = k / Shape::sums, piece = k % Shape::sums / 8, j = k % 8 / 4, i = k % 4 / 2, e = k % 2;
    const int row = (first_down<Shape>(member) + piece / Shape::warp_across) * PIECE + lanes.line(lane / 4) +
                    i * lanes.second(),
              col = (first_across<Shape>(member) + piece % Shape::warp_across) * PIECE +
                    lanes.line(lane % 4 * 2 + e) + j * lanes.second();
    if (row < p.a.lines && col < p.b.lines)
        put(p, row, col, (num_t)sum);
}

static inline bool is_inner(const product &p) {
    return p.a.lines <= INNER_LINES && p.b.lines <= INNER_LINES && p.depth >= SHORTEST_INNER;
}

template <class Shape, class Arrangement>
static spry_status add_up_inner(spry_context *context, const product &p, Arrangement lanes,
                                const slicing &slices) {
    launch_early(context, Shape::values / WARP, dim3(WARP, ADDERS), add_inner<Shape, Arrangement>, p, lanes,
                 slices);
    return launched(context, "gemm_register");
}

/* Places of both factors are arranged alike. */
template <class Shape>
static spry_status run_inner(spry_context *context, const product &p) {
    auto *kernel = inner<Shape>;
    pairing a = pairing_of(p.a), b = pairing_of(p.b);
    if (a == NO_PAIRS || b == NO_PAIRS)
        a = b = NO_PAIRS;
    const unsigned shares = blocks_for(p.depth, Shape::span),
                   most = (unsigned)context->device->multiprocessors * Shape::resident;
    slicing slices = {0, shares < most ? shares : most, nullptr};
    spry_status status = take_parts(context, &slices.part);
    if (!status)
        status = allow_shared(context, kernel, Shape::bytes);
    if (status)
        return status;
    cudaStream_t stream = context->device->stream;
    kernel<<<slices.count, Shape::threads, Shape::bytes, stream>>>(p, a, b, slices.part);
    return add_up_inner<Shape>(context, p, arrangement{a != NO_PAIRS}, slices);
}

#endif
