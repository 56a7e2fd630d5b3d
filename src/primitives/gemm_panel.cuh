/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of a tall matrix V with few vectors, Vᵀ W and V H, whose time is that of reading V once. The columns of V are
 * contiguous, and B has few columns.
 */
#ifndef SPRY_GEMM_PANEL_CUH
#define SPRY_GEMM_PANEL_CUH

#include "primitives/gemm_product.cuh"
#include "primitives/reduce.cuh"

/* Most columns of B. */
#define PANEL_COLS 4

/* ---- C = Vᵀ W: long lines ---- */

#define DOTS_BLOCK 256
/* Lines of A whose sums a block makes. */
#define DOTS_LINES 4
/* Blocks on a multiprocessor. */
#define DOTS_RESIDENT 4
/* Threads that add up the parts of one value of C. */
#define DOTS_ADDERS 8

/* Where one block's share of the lines' packets begins: where a warp's does. */
static __device__ inline int64_t share_begin(int64_t packets, unsigned share, unsigned shares) {
    const int64_t all = (packets + WARP - 1) / WARP,
                  begin = (all / shares * share + all % shares * share / shares) * WARP;
    return begin < packets ? begin : packets;
}

/* sum[i][j] += part of the dot product of line first + i of A with line j of B, for the packets from `begin` to `end`.
   Lines beyond the last are the last again. */
template <int size, int cols>
static __device__ inline void add_dots(const product &p, int64_t first, int64_t begin, int64_t end,
                                       num_t (&sum)[DOTS_LINES * cols]) {
    /* Loads that are under way in each thread at once: some 128 bytes. */
    constexpr int ahead = 128 / (DOTS_LINES * size * (int)sizeof(num_t)) / (cols > 1 ? 2 : 1);
    constexpr int unrolled = ahead > 1 ? ahead : 1;
    const num_t *a[DOTS_LINES], *b[cols];
    for (int i = 0; i < DOTS_LINES; i++)
        a[i] = p.a.at + (first + i < p.a.lines ? first + i : p.a.lines - 1) * p.a.across;
    for (int j = 0; j < cols; j++)
        b[j] = p.b.at + (j < p.b.lines ? j : p.b.lines - 1) * p.b.across;
    for (int64_t k = begin + threadIdx.x; k < end; k += unrolled * DOTS_BLOCK) {
        packet<size> x[unrolled][DOTS_LINES], y[unrolled][cols];
#pragma unroll
        for (int u = 0; u < unrolled; u++) {
            const int64_t at = k + u * DOTS_BLOCK;
            for (int i = 0; i < DOTS_LINES; i++)
                x[u][i] = at < end ? load<size>(a[i] + at * size) : packet<size>{};
            for (int j = 0; j < cols; j++)
                y[u][j] = at < end ? load<size>(b[j] + at * size) : packet<size>{};
        }
#pragma unroll
        for (int u = 0; u < unrolled; u++)
            for (int i = 0; i < DOTS_LINES; i++)
                for (int j = 0; j < cols; j++)
                    for (int e = 0; e < size; e++)
                        sum[i * cols + j] += x[u][i].value[e] * y[u][j].value[e];
    }
}

/* C from the parts of all shares, by one block, in an order that depends on their number alone. */
static __device__ inline void add_parts(const product &p, const num_t *part, unsigned shares) {
    const int64_t values = p.a.lines * p.b.lines;
    for (int64_t first = 0; first < values; first += DOTS_BLOCK / DOTS_ADDERS) {
        const int64_t k = first + threadIdx.x / DOTS_ADDERS;
        num_t sum = 0;
        if (k < values)
            for (unsigned s = threadIdx.x % DOTS_ADDERS; s < shares; s += DOTS_ADDERS)
                sum += __ldcg(part + k * shares + s);
        for (int step = DOTS_ADDERS / 2; step > 0; step /= 2)
            sum += __shfl_down_sync(ALL_LANES, sum, step, DOTS_ADDERS);
        if (k < values && threadIdx.x % DOTS_ADDERS == 0)
            put(p, k / p.b.lines, k % p.b.lines, sum);
    }
}

/* Each block has a share of DOTS_LINES lines of A. The last block to end adds up the shares. */
template <int size, int cols>
static __global__ void __launch_bounds__(DOTS_BLOCK, cols == 1 ? DOTS_RESIDENT : DOTS_RESIDENT / 2)
    dots(product p, unsigned shares, num_t *part, unsigned *arrived) {
    const unsigned groups = gridDim.x / shares, share = blockIdx.x / groups;
    const int64_t first = (int64_t)(blockIdx.x % groups) * DOTS_LINES, packets = p.depth / size;
    num_t sum[DOTS_LINES * cols] = {};
    add_dots<size, cols>(p, first, share_begin(packets, share, shares),
                         share_begin(packets, share + 1, shares), sum);
    block_join<DOTS_BLOCK>(sum);
    if (threadIdx.x == 0)
#pragma unroll
        for (int k = 0; k < DOTS_LINES * cols; k++) {
            const int64_t i = first + k / cols, j = k % cols;
            if (i >= p.a.lines || j >= p.b.lines)
                continue;
            if (shares == 1)
                put(p, i, j, sum[k]);
            else
                part[(i * p.b.lines + j) * shares + share] = sum[k];
        }
    if (shares > 1 && is_last_block(arrived))
        add_parts(p, part, shares);
}

/* Shorter lines are as well multiplied in blocks. */
#define SHORTEST_DOTS 256

static inline bool is_dots(const product &p) {
    return p.b.lines <= PANEL_COLS && p.a.along == 1 && p.b.along == 1 && p.depth >= SHORTEST_DOTS;
}

/* Workspace is asked for by the first product of all that might need some. */
template <int cols>
static spry_status run_dots(spry_context *context, const product &p) {
    const bool packets =
        p.depth % PACKET == 0 && is_aligned(p.a.at, p.a.across) && is_aligned(p.b.at, p.b.across);
    const int64_t groups = (p.a.lines + DOTS_LINES - 1) / DOTS_LINES,
                  most = (int64_t)context->device->multiprocessors * DOTS_RESIDENT / groups,
                  enough = p.depth / (packets ? PACKET : 1) / DOTS_BLOCK;
    const int64_t wanted = most < enough ? most : enough;
    const unsigned shares = wanted > 1 ? (unsigned)wanted : 1;
    num_t *part;
    spry_status status = take_parts(context, &part);
    if (status)
        return status;
    auto *kernel = packets ? dots<PACKET, cols> : dots<1, cols>;
    kernel<<<blocks_for(groups * shares, 1), DOTS_BLOCK, 0, context->device->stream>>>(
        p, shares, part, &context->device->reduction->arrived);
    return launched(context, "gemm_register");
}

/* ---- C = V H: short lines ---- */

#define LINEAR_BLOCK 128
/* Longest lines: those of B are in shared memory. */
#define LINEAR_DEPTH 128

/* B, transposed so that threads read it place by place, and zeros up to a whole number of batches. */
template <int batch, int cols>
static __device__ inline void read_columns(const product &p, num_t (&b)[LINEAR_DEPTH][cols]) {
    const int depth = ((int)p.depth + batch - 1) / batch * batch;
    for (int k = threadIdx.x; k < depth * cols; k += LINEAR_BLOCK) {
        const int l = k / cols, j = k % cols;
        b[l][j] = l < p.depth && j < p.b.lines ? p.b.at[j * p.b.across + l * p.b.along] : 0;
    }
    __syncthreads();
}

/* Each thread has a packet of neighbouring rows of C. Its loads come in batches, and none of them waits for B. */
template <int size, int cols>
static __global__ void __launch_bounds__(LINEAR_BLOCK) linear(product p) {
    constexpr int batch = size == 1 ? 16 : 8;
    static_assert(LINEAR_DEPTH % batch == 0, "room for whole batches");
    __shared__ num_t b[LINEAR_DEPTH][cols];
    const int64_t i = thread_number() * size;
    const bool inside = i < p.a.lines;
    const num_t *a = p.a.at + i;
    packet<size> sum[cols] = {}, before[cols] = {};
    if (inside && p.beta != 0)
        for (int j = 0; j < cols && j < p.b.lines; j++)
            before[j] = load<size>(p.c + i * p.c_row + j * p.c_col);
    for (int begin = 0; begin < p.depth; begin += batch) {
        packet<size> x[batch];
#pragma unroll
        for (int l = 0; l < batch; l++)
            x[l] = inside && begin + l < p.depth ? load<size>(a + (begin + l) * p.a.along) : packet<size>{};
        if (begin == 0)
            read_columns<batch>(p, b);
#pragma unroll
        for (int l = 0; l < batch; l++)
            for (int j = 0; j < cols; j++)
                for (int e = 0; e < size; e++)
                    sum[j].value[e] += x[l].value[e] * b[begin + l][j];
    }
    for (int j = 0; j < cols && j < p.b.lines && inside; j++) {
        for (int e = 0; e < size; e++)
            sum[j].value[e] = blend(p, sum[j].value[e], &before[j].value[e]);
        *reinterpret_cast<packet<size> *>(p.c + i * p.c_row + j * p.c_col) = sum[j];
    }
}

static inline bool is_linear(const product &p) {
    return p.b.lines <= PANEL_COLS && p.a.across == 1 && p.depth <= LINEAR_DEPTH;
}

/* Packets where there are rows enough to keep the device busy all the same. */
template <int cols>
static spry_status run_linear(spry_context *context, const product &p) {
    const bool packets = has_packets_across(p.a) && p.c_row == 1 && is_aligned(p.c, p.c_col) &&
                         p.a.lines >= (int64_t)context->device->multiprocessors * 1024;
    auto *kernel = packets ? linear<PACKET, cols> : linear<1, cols>;
    kernel<<<blocks_for(p.a.lines, LINEAR_BLOCK * (packets ? PACKET : 1)), LINEAR_BLOCK, 0,
             context->device->stream>>>(p);
    return launched(context, "gemm_register");
}

#endif
