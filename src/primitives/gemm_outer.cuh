/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C = alpha V H + beta C for a tall V and a small H, whose time is that of reading V and C once, and writing C. H stays in
 * shared memory. Warps take 16 rows of C in turn, each with the next pieces of V on their way to shared memory of its
 * own.
 */
#ifndef SPRY_GEMM_OUTER_CUH
#define SPRY_GEMM_OUTER_CUH

#include "primitives/gemm_piece.cuh"

/* Most columns of C, and most pieces of H. */
#define OUTER_COLS 64
#define OUTER_PIECES 16
/* Fewer rows are as well multiplied in blocks. */
#define LEAST_OUTER 32768

/* Pieces of C from left to right; warps of a block; pieces of V in shared memory for each; blocks on a multiprocessor. */
template <int across_, int warps_, int stages_, int resident_>
struct outer_shape {
    static constexpr int across = across_, warps = warps_, stages = stages_, resident = resident_;
    static constexpr int threads = warps * WARP, rows = warps * PIECE,
                         copied = warps * stages * PIECE_PAIRS * (int)sizeof(pair);
};

struct alignas(16) double_pair {
    double value[2];
};

/* H, piece after piece from left to right and then down, as lanes multiply it. What is beyond it is zero. */
template <class Shape>
static __device__ inline void read_small(const product &p, arrangement lanes, int pieces, double_pair *h) {
    for (int k = threadIdx.x; k < pieces * PIECE_PAIRS; k += Shape::threads) {
        const int piece = k / PIECE_PAIRS,
                  col = piece % Shape::across * PIECE + lanes.line(lane_number() / 4),
                  place = piece / Shape::across * PIECE + lanes.place(lane_number(), k % PIECE_PAIRS / WARP);
        const num_t *from = p.b.at + col * p.b.across + place * p.b.along;
        const bool first = place < p.depth && col < p.b.lines,
                   second = place < p.depth && col + lanes.second() < p.b.lines;
        h[k] = {first ? (double)from[0] : 0, second ? (double)from[lanes.second() * p.b.across] : 0};
    }
}

/* A warp's pieces of V, one after the other through all rows that it has. */
template <class Shape>
struct outer_pieces {
    const product &p;
    const pairing pairs;
    pair *const stages;
    int64_t row; /* of the next piece to copy */
    int place = 0, stage = 0, free = Shape::stages - 1;

    __device__ void copy_next(int to) {
        if (row < p.a.lines)
            copy_piece(stages + to * PIECE_PAIRS, p.a, pairs, p.depth, row, place);
        place += PIECE;
        if (place >= p.depth) {
            place = 0;
            row += (int64_t)gridDim.x * Shape::rows;
        }
        end_batch();
    }
    __device__ void start() {
        for (int to = 0; to < Shape::stages - 1; to++)
            copy_next(to);
    }
    /* The next one. All lanes have the one before, whose place is free. */
    __device__ piece take() {
        wait_for_batches<Shape::stages - 2>();
        __syncwarp();
        copy_next(free);
        free = stage;
        stage = stage + 1 < Shape::stages ? stage + 1 : 0;
        return piece(stages + free * PIECE_PAIRS, pairs == ALONG_LINES);
    }
};

/* Two values of C, of which a lane has the sums: in neighbouring columns, or in rows that are neighbours or 8 apart. */
struct place_of_pair {
    num_t *at;
    int64_t step;       /* from the first to the second */
    bool first, second; /* are in C */
    bool together;      /* can be read and written at once */

    /* Pair k of piece j of the rows from `row` on, of 4 that each lane has. */
    __device__ place_of_pair(const product &p, pairing pairs, int64_t row, int j, int k) {
        const arrangement lanes{pairs != NO_PAIRS};
        const bool along = pairs == ALONG_LINES;
        const int64_t r = row + lanes.line(lane_number() % 4 * 2 + k % 2) + (along ? k / 2 : 0);
        const int col = j * PIECE + lanes.line(lane_number() / 4) + (along ? 0 : k / 2 * lanes.second());
        at = p.c + r * p.c_row + col * p.c_col;
        step = along ? p.c_col : lanes.second() * p.c_row;
        first = r < p.a.lines && col < p.b.lines;
        second = first && (along ? col + 1 < p.b.lines : r + lanes.second() < p.a.lines);
        together = second && lanes.pairs;
    }
    __device__ pair get() const {
        if (together)
            return load<2>(at);
        return {first ? at[0] : 0, second ? at[step] : 0};
    }
    __device__ void put(const pair &x) const {
        if (together) {
            *reinterpret_cast<pair *>(at) = x;
            return;
        }
        if (first)
            at[0] = x.value[0];
        if (second)
            at[step] = x.value[1];
    }
};

/* Call each(number, pair of C, its two sums). H's lines are the rows of the sums, as its pieces are many and V's is one. */
template <int across, class Each>
static __device__ inline void each_pair(const product &p, pairing pairs, int64_t row,
                                        const piece_sums (&sums)[across], Each each) {
    const bool along = pairs == ALONG_LINES;
#pragma unroll
    for (int j = 0; j < across; j++)
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int half = k / 2, e = k % 2;
            const double(&sum)[2][4] = sums[j].value;
            each(j * 4 + k, place_of_pair(p, pairs, row, j, k), along ? sum[half][e] : sum[0][2 * half + e],
                 along ? sum[half][2 + e] : sum[1][2 * half + e]);
        }
}

template <class Shape>
static __global__ void __launch_bounds__(Shape::threads, Shape::resident)
    outer(product p, pairing v_pairs, pairing c_pairs) {
    extern __shared__ __align__(16) unsigned char shared[];
    constexpr int across = Shape::across;
    const int deep = (int)((p.depth + PIECE - 1) / PIECE), warp = (int)threadIdx.x / WARP;
    double_pair *const h = reinterpret_cast<double_pair *>(shared);
    pair *const stages = reinterpret_cast<pair *>(h + deep * across * PIECE_PAIRS);
    const int64_t first = (int64_t)blockIdx.x * Shape::rows;
    outer_pieces<Shape> v{p, v_pairs, stages + warp * Shape::stages * PIECE_PAIRS, first + warp * PIECE};
    v.start();
    read_small<Shape>(p, arrangement{v_pairs != NO_PAIRS}, deep * across, h);
    __syncthreads();
    for (int64_t top = first; top < p.a.lines; top += (int64_t)gridDim.x * Shape::rows) {
        const int64_t row = top + warp * PIECE;
        __syncthreads(); /* warps that are neighbours in memory stay so in time, for which memory is faster */
        piece_sums sums[across];
        pair before[across * 4];
        each_pair(p, c_pairs, row, sums, [&](int k, const place_of_pair &c, double, double) {
            before[k] = p.beta == 0 ? pair{} : c.get();
        });
        for (int l = 0; l < deep; l++) {
            const piece rows = v.take();
#pragma unroll
            for (int j = 0; j < across; j++)
                sums[j].add(piece(h + (l * across + j) * PIECE_PAIRS, false), rows);
        }
        each_pair(p, c_pairs, row, sums, [&](int k, const place_of_pair &c, double x, double y) {
            c.put({blend(p, (num_t)x, &before[k].value[0]), blend(p, (num_t)y, &before[k].value[1])});
        });
    }
}

/* Pieces of C from left to right for which there is a shape. */
static inline int64_t outer_across(const product &p) {
    const int64_t across = pieces_of(p.b.lines);
    return across > 2 ? OUTER_COLS / PIECE : across;
}

static inline bool is_outer(const product &p) {
    return p.b.lines <= OUTER_COLS && p.a.lines >= LEAST_OUTER && p.depth > 0 &&
           pieces_of(p.depth) <= OUTER_PIECES / outer_across(p);
}

/* Rows of V and C are arranged alike. */
template <class Shape>
static spry_status run_outer(spry_context *context, const product &p) {
    auto *kernel = outer<Shape>;
    pairing v = pairing_of(p.a), c = pairing_of(p.c, p.c_row, p.c_col);
    if (v == NO_PAIRS || c == NO_PAIRS)
        v = c = NO_PAIRS;
    const int64_t blocks = blocks_for(p.a.lines, Shape::rows),
                  most = (int64_t)context->device->multiprocessors * Shape::resident;
    const int small = (int)pieces_of(p.depth) * Shape::across * PIECE_PAIRS * (int)sizeof(double_pair);
    spry_status status =
        allow_shared(context, kernel, OUTER_PIECES * PIECE_PAIRS * (int)sizeof(double_pair) + Shape::copied);
    if (status)
        return status;
    kernel<<<(unsigned)(blocks < most ? blocks : most), Shape::threads, small + Shape::copied,
             context->device->stream>>>(p, v, c);
    return launched(context, "gemm_register");
}

#endif
