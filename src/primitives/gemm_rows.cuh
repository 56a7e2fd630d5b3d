/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of a tall matrix V whose rows are contiguous with few vectors, Vᵀ W and V h, whose time is that of reading V once.
 * So many lanes share a row as there are packets in it, or the next power of two.
 */
#ifndef SPRY_GEMM_ROWS_CUH
#define SPRY_GEMM_ROWS_CUH

#include "primitives/gemm_blocks.cuh"
#include "primitives/gemm_panel.cuh"

/* Fewer rows are as well multiplied in blocks. */
#define LEAST_ROWS 1024

/* The lanes that share a row of so many packets. */
static inline int lanes_for(int64_t packets) {
    int lanes = 1;
    while (lanes < packets)
        lanes *= 2;
    return lanes;
}

/* Values of a packet: 16 bytes of them, or as many as rows of that length and so far apart consist of. */
static inline int row_packet(const num_t *at, int64_t apart, int64_t length) {
    int size = PACKET;
    while (size > 1 && (length % size != 0 || apart % size != 0 ||
                        reinterpret_cast<uintptr_t>(at) % (size * sizeof(num_t)) != 0))
        size /= 2;
    return size;
}

/* ---- C = Vᵀ W: a row of V for each place of the sums ---- */

/* Threads of a block, one of which is on each multiprocessor, so that there are few slices to add up. */
template <int cols>
constexpr int row_dots_block = cols == 1 ? 1024 : 512;
/* Rows that each lane has under way at once: more where packets are narrow, so that it is as much of memory. */
template <int size>
constexpr int row_dots_ahead = sizeof(packet<size>) < 8 ? 16 : 8;

/* Which values of C's rows a lane has the sums of, and part of which, for all columns. */
template <int size, int cols>
static __device__ inline void add_rows(const product &p, int lanes, num_t (&sum)[size * cols]) {
    constexpr int ahead = row_dots_ahead<size>;
    const int groups = row_dots_block<cols> / lanes, line = (int)threadIdx.x % lanes * size;
    const bool has_line = line < p.a.lines;
    const num_t *a = p.a.at + line;
    const int64_t step = (int64_t)gridDim.x * groups * ahead;
    for (int64_t row = (int64_t)blockIdx.x * groups * ahead + threadIdx.x / lanes; row < p.depth;
         row += step) {
        packet<size> x[ahead];
        num_t y[ahead][cols];
#pragma unroll
        for (int u = 0; u < ahead; u++) {
            const int64_t at = row + u * groups;
            const bool inside = at < p.depth;
            x[u] = inside && has_line ? load<size>(a + at * p.a.along) : packet<size>{};
            for (int j = 0; j < cols; j++)
                y[u][j] = inside && j < p.b.lines ? p.b.at[j * p.b.across + at * p.b.along] : 0;
        }
#pragma unroll
        for (int u = 0; u < ahead; u++)
            for (int j = 0; j < cols; j++)
                for (int e = 0; e < size; e++)
                    sum[e * cols + j] += x[u].value[e] * y[u][j];
    }
}

/* Each block leaves a slice, C row after row. */
template <int size, int cols>
static __global__ void __launch_bounds__(row_dots_block<cols>, 1)
    row_dots(product p, int lanes, num_t *part) {
    constexpr int sums = size * cols, block = row_dots_block<cols>, warps = block / WARP;
    __shared__ num_t of_warp[warps][WARP * sums];
    num_t sum[sums] = {};
    add_rows<size, cols>(p, lanes, sum);
    for (int step = lanes; step < WARP; step *= 2)
#pragma unroll
        for (int k = 0; k < sums; k++)
            sum[k] += __shfl_xor_sync(ALL_LANES, sum[k], step);
    if (lane_number() < lanes)
#pragma unroll
        for (int k = 0; k < sums; k++)
            of_warp[threadIdx.x / WARP][lane_number() * sums + k] = sum[k];
    __syncthreads();
    const int values = (int)(p.a.lines * p.b.lines);
    for (int k = threadIdx.x; k < values; k += block) {
        const int n = (int)p.b.lines, from = k / n * cols + k % n;
        num_t all = 0;
        for (int w = 0; w < warps; w++)
            all += of_warp[w][from];
        part[(int64_t)blockIdx.x * values + k] = all;
    }
}

static inline int row_dots_packet(const product &p) {
    return row_packet(p.a.at, p.a.along, p.a.lines);
}

/* Values one by one are slower for several columns than pieces are. */
static inline bool is_row_dots(const product &p) {
    const int size = row_dots_packet(p);
    return p.b.lines <= (size > 1 ? PANEL_COLS : 1) && p.a.across == 1 && p.depth >= LEAST_ROWS &&
           p.a.lines <= WARP * size;
}

template <int size, int cols>
static spry_status run_row_dots_by(spry_context *context, const product &p) {
    constexpr int block = row_dots_block<cols>;
    const int lanes = lanes_for(p.a.lines / size);
    const unsigned most = (unsigned)context->device->multiprocessors,
                   enough = blocks_for(p.depth, block / lanes * row_dots_ahead<size>);
    slicing slices = {0, enough < most ? enough : most, nullptr};
    spry_status status = take_parts(context, &slices.part);
    if (status)
        return status;
    row_dots<size, cols><<<slices.count, block, 0, context->device->stream>>>(p, lanes, slices.part);
    return add_up(context, p, slices);
}

template <int cols>
static spry_status run_row_dots(spry_context *context, const product &p) {
    const int size = row_dots_packet(p);
    return size == PACKET ? run_row_dots_by<PACKET, cols>(context, p)
           : size > 1     ? run_row_dots_by<2, cols>(context, p)
                          : run_row_dots_by<1, 1>(context, p);
}

/* ---- C = V h: a row of V for each row of C ---- */

#define ROWS_BLOCK 256
/* Rows that each lane has under way at once. */
#define ROWS_AHEAD 8
/* Blocks on a multiprocessor. */
#define ROWS_RESIDENT 3

/* Values of a packet, and lanes that share a row. */
template <int size_, int lanes_>
struct row_shape {
    static constexpr int size = size_, lanes = lanes_, ahead = ROWS_AHEAD,
                         resident = lanes == 1 ? 2 : ROWS_RESIDENT;
    /* Rows that a warp reads by one instruction, those that it has under way, and a block. */
    static constexpr int groups = WARP / lanes, rows = groups * ahead, block_rows = ROWS_BLOCK / WARP * rows;
    /* Sums that a lane ends up with, and lanes that end up with the same. */
    static constexpr int sums = ahead > lanes ? ahead / lanes : 1, alike = lanes > ahead ? lanes / ahead : 1;
};

/* Add up `count` sums of each lane over lanes `far` apart, half of that, and so on. As long as lanes have several sums, one of
   two keeps one half and gives away the other, so that there are fewer to add up from step to step. */
template <int count, int far, int all>
static __device__ inline void fold(num_t (&sum)[all]) {
    if constexpr (far > 0 && count > 1) {
        const bool upper = lane_number() & far;
#pragma unroll
        for (int k = 0; k < count / 2; k++) {
            const num_t given = upper ? sum[k] : sum[k + count / 2],
                        kept = upper ? sum[k + count / 2] : sum[k];
            sum[k] = kept + __shfl_xor_sync(ALL_LANES, given, far);
        }
        fold<count / 2, far / 2>(sum);
    } else if constexpr (far > 0) {
        sum[0] += __shfl_xor_sync(ALL_LANES, sum[0], far);
        fold<1, far / 2>(sum);
    }
}

/* A warp has neighbouring rows, as many as it reads at once. */
template <class Shape>
static __global__ void __launch_bounds__(ROWS_BLOCK, Shape::resident) row_linear(product p) {
    constexpr int size = Shape::size, groups = Shape::groups;
    const int group = lane_number() / Shape::lanes, lane = lane_number() % Shape::lanes, place = lane * size,
              mine = lane * Shape::ahead / Shape::lanes; /* the first of the sums that it ends up with */
    const bool has_place = place < p.depth, puts = lane % Shape::alike == 0;
    num_t h[size];
    for (int e = 0; e < size; e++)
        h[e] = has_place ? p.b.at[(place + e) * p.b.along] : 0;
    const int64_t first = thread_number() / WARP * Shape::rows, left = p.a.lines - first - group;
    const num_t *a = p.a.at + (first + group) * p.a.across + place;
    num_t *c = p.c + (first + group + mine * groups) * p.c_row;
    packet<size> x[Shape::ahead];
    num_t before[Shape::sums]; /* read ahead, since what is written might be it */
    num_t sum[Shape::ahead] = {};
#pragma unroll
    for (int u = 0; u < Shape::ahead; u++)
        x[u] = has_place && u * groups < left ? load<size>(a + u * groups * p.a.across) : packet<size>{};
#pragma unroll
    for (int k = 0; k < Shape::sums; k++)
        before[k] = puts && p.beta != 0 && (mine + k) * groups < left ? c[k * groups * p.c_row] : 0;
#pragma unroll
    for (int u = 0; u < Shape::ahead; u++)
        for (int e = 0; e < size; e++)
            sum[u] += x[u].value[e] * h[e];
    fold<Shape::ahead, Shape::lanes / 2>(sum);
#pragma unroll
    for (int k = 0; k < Shape::sums; k++)
        if (puts && (mine + k) * groups < left)
            c[k * groups * p.c_row] = blend(p, sum[k], &before[k]);
}

static inline int row_linear_packet(const product &p) {
    return row_packet(p.a.at, p.a.across, p.depth);
}

/* Packets of 4 bytes are as well multiplied in pieces. */
static inline bool is_row_linear(const product &p) {
    const int size = row_linear_packet(p);
    return p.b.lines == 1 && p.a.along == 1 && p.a.lines >= LEAST_ROWS && p.depth > 0 &&
           p.depth <= WARP * size && size >= PACKET / 2;
}

template <class Shape>
static spry_status run_row_linear_by(spry_context *context, const product &p) {
    row_linear<Shape>
        <<<blocks_for(p.a.lines, Shape::block_rows), ROWS_BLOCK, 0, context->device->stream>>>(p);
    return launched(context, "gemm_register");
}

template <int size>
static spry_status run_row_linear_of(spry_context *context, const product &p) {
    switch (lanes_for(p.depth / size)) {
    case 1:
        return run_row_linear_by<row_shape<size, 1>>(context, p);
    case 2:
        return run_row_linear_by<row_shape<size, 2>>(context, p);
    case 4:
        return run_row_linear_by<row_shape<size, 4>>(context, p);
    case 8:
        return run_row_linear_by<row_shape<size, 8>>(context, p);
    case 16:
        return run_row_linear_by<row_shape<size, 16>>(context, p);
    default:
        return run_row_linear_by<row_shape<size, 32>>(context, p);
    }
}

/* By packets of 16 bytes or of 8. */
static spry_status run_row_linear(spry_context *context, const product &p) {
    return row_linear_packet(p) == PACKET ? run_row_linear_of<PACKET>(context, p)
                                          : run_row_linear_of<PACKET / 2>(context, p);
}

#endif
