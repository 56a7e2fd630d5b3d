/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of a tall matrix V whose rows are contiguous with few vectors, Vᵀ W and V h, whose time is that of reading V once.
 * So many lanes share a row as there are packets in it, or the next power of two.
 */
#ifndef SPRY_GEMM_ROWS_CUH
#define SPRY_GEMM_ROWS_CUH

#include "primitives/gemm_blocks.cuh"
#include "primitives/gemm_panel.cuh"

#define ROWS_BLOCK 256
/* Rows that each lane has under way at once. */
#define ROWS_AHEAD 8
/* Fewer rows are as well multiplied in blocks. */
#define LEAST_ROWS 1024

/* The lanes that share a row of so many packets. */
static inline int lanes_for(int64_t packets) {
    int lanes = 1;
    while (lanes < packets)
        lanes *= 2;
    return lanes;
}

/* ---- C = Vᵀ W: a row of V for each place of the sums ---- */

/* Threads of a block, one of which is on each multiprocessor, so that there are few slices to add up. */
template <int cols>
constexpr int row_dots_block = cols == 1 ? 1024 : 512;

/* Which values of C's rows a lane has the sums of, and part of which, for all columns. */
template <int size, int cols>
static __device__ inline void add_rows(const product &p, int lanes, num_t (&sum)[size * cols]) {
    const int groups = row_dots_block<cols> / lanes, line = (int)threadIdx.x % lanes * size;
    const bool has_line = line < p.a.lines;
    const num_t *a = p.a.at + line;
    const int64_t step = (int64_t)gridDim.x * groups * ROWS_AHEAD;
    for (int64_t row = (int64_t)blockIdx.x * groups * ROWS_AHEAD + threadIdx.x / lanes; row < p.depth;
         row += step) {
        packet<size> x[ROWS_AHEAD];
        num_t y[ROWS_AHEAD][cols];
#pragma unroll
        for (int u = 0; u < ROWS_AHEAD; u++) {
            const int64_t at = row + u * groups;
            const bool inside = at < p.depth;
            x[u] = inside && has_line ? load<size>(a + at * p.a.along) : packet<size>{};
            for (int j = 0; j < cols; j++)
                y[u][j] = inside && j < p.b.lines ? p.b.at[j * p.b.across + at * p.b.along] : 0;
        }
#pragma unroll
        for (int u = 0; u < ROWS_AHEAD; u++)
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

/* Values one by one are slower for several columns than pieces are. */
static inline bool is_row_dots(const product &p) {
    const bool packets = has_packets_across(p.a);
    return p.b.lines <= (packets ? PANEL_COLS : 1) && p.a.across == 1 && p.depth >= LEAST_ROWS &&
           p.a.lines <= WARP * (packets ? PACKET : 1);
}

template <int cols>
static spry_status run_row_dots(spry_context *context, const product &p) {
    constexpr int block = row_dots_block<cols>;
    const int size = has_packets_across(p.a) ? PACKET : 1, lanes = lanes_for(p.a.lines / size);
    const unsigned most = (unsigned)context->device->multiprocessors,
                   enough = blocks_for(p.depth, block / lanes * ROWS_AHEAD);
    slicing slices = {0, enough < most ? enough : most, nullptr};
    spry_status status = take_parts(context, &slices.part);
    if (status)
        return status;
    auto *kernel = size == 1 ? row_dots<1, 1> : row_dots<PACKET, cols>;
    kernel<<<slices.count, block, 0, context->device->stream>>>(p, lanes, slices.part);
    return add_up(context, p, slices);
}

/* ---- C = V h: a row of V for each row of C ---- */

static __global__ void __launch_bounds__(ROWS_BLOCK) row_linear(product p, int lanes) {
    constexpr int size = PACKET;
    const int groups = ROWS_BLOCK / lanes, place = (int)threadIdx.x % lanes * size;
    const bool has_place = place < p.depth;
    const num_t *a = p.a.at + place;
    num_t h[size];
    for (int e = 0; e < size; e++)
        h[e] = has_place ? p.b.at[(place + e) * p.b.along] : 0;
    const int64_t step = (int64_t)gridDim.x * groups * ROWS_AHEAD;
    for (int64_t first = (int64_t)blockIdx.x * groups * ROWS_AHEAD; first < p.a.lines; first += step) {
        const int64_t row = first + threadIdx.x / lanes;
        packet<size> x[ROWS_AHEAD];
        num_t before[ROWS_AHEAD]; /* read ahead, since what is written might be it */
#pragma unroll
        for (int u = 0; u < ROWS_AHEAD; u++) {
            const int64_t i = row + u * groups;
            x[u] = has_place && i < p.a.lines ? load<size>(a + i * p.a.across) : packet<size>{};
            before[u] = place == 0 && i < p.a.lines && p.beta != 0 ? p.c[i * p.c_row] : 0;
        }
#pragma unroll
        for (int u = 0; u < ROWS_AHEAD; u++) {
            num_t sum = 0;
            for (int e = 0; e < size; e++)
                sum += x[u].value[e] * h[e];
            for (int far = lanes / 2; far > 0; far /= 2)
                sum += __shfl_xor_sync(ALL_LANES, sum, far);
            if (place == 0 && row + u * groups < p.a.lines)
                p.c[(row + u * groups) * p.c_row] = blend(p, sum, &before[u]);
        }
    }
}

static inline bool has_packets_along(const product &p) {
    return p.depth % PACKET == 0 && is_aligned(p.a.at, p.a.across);
}

static inline bool is_row_linear(const product &p) {
    return p.b.lines == 1 && p.a.along == 1 && p.a.lines >= LEAST_ROWS && p.depth > 0 &&
           p.depth <= WARP * PACKET && has_packets_along(p);
}

static spry_status run_row_linear(spry_context *context, const product &p) {
    const int lanes = lanes_for(p.depth / PACKET);
    row_linear<<<blocks_at_once(context, blocks_for(p.a.lines, ROWS_AHEAD) * (int64_t)lanes, ROWS_BLOCK),
                 ROWS_BLOCK, 0, context->device->stream>>>(p, lanes);
    return launched(context, "gemm_register");
}

#endif
