/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products in tiles of C: a block for each, or several blocks for a tile where there are few of them, each with a slice
 * of the sum. A block has the next tiles of A and B on their way to shared memory while its warps multiply one.
 */
#ifndef SPRY_GEMM_BLOCKS_CUH
#define SPRY_GEMM_BLOCKS_CUH

#include <stdlib.h>

#include "primitives/gemm_copy.cuh"
#if TMPL_IS == TMPL_IS_F64
#include "primitives/gemm_mma.cuh"
#else
#include "primitives/gemm_fma.cuh"
#endif

/* The tile of a block and what each of its warps has of it; how much of the sum is copied at once, and how many such
   stages are in shared memory; blocks that a multiprocessor is to have room for. */
template <int rows_, int cols_, int warp_rows_, int warp_cols_, int depth_, int stages_, int resident_>
struct block_shape {
    static constexpr int rows = rows_, cols = cols_, warp_rows = warp_rows_, warp_cols = warp_cols_,
                         depth = depth_, stages = stages_, resident = resident_;
    static constexpr int warps_across = cols / warp_cols, threads = rows / warp_rows * warps_across * WARP;
    static constexpr int a_size = tile_size<rows, depth>, stage_size = a_size + tile_size<cols, depth>,
                         bytes = stages * stage_size * (int)sizeof(num_t);
};

/* How the sums are cut: slice s has those from s × length on. */
struct slicing {
    int64_t length;
    unsigned count;
    num_t *part; /* all values of C, row after row, for each slice; not used with one alone */
};

struct place {
    int64_t row, col;
};

/* Tiles go down 8 rows of tiles before they go on to the next column, so that blocks that run at once share more of A
   and B in the cache than if each had a column of its own. */
template <class Shape>
static __device__ inline place place_of(const product &p, int64_t tile) {
    const int64_t down = (p.a.lines + Shape::rows - 1) / Shape::rows,
                  across = (p.b.lines + Shape::cols - 1) / Shape::cols, band = tile / (8 * across) * 8,
                  in_band = tile % (8 * across), high = down - band < 8 ? down - band : 8;
    return {(band + in_band % high) * Shape::rows, in_band / high * Shape::cols};
}

/* The product of the lines from `at` on, between two places of the sum. */
template <class Shape, bool a_lengthwise, bool b_lengthwise, class Sums>
static __device__ inline void multiply_slice(const product &p, place at, int64_t begin, int64_t end,
                                             Sums &sums) {
    extern __shared__ __align__(16) unsigned char shared[];
    num_t *const tiles = reinterpret_cast<num_t *>(shared);
    const int warp = (int)threadIdx.x / WARP, row = warp / Shape::warps_across * Shape::warp_rows,
              col = warp % Shape::warps_across * Shape::warp_cols;
    copier<Shape::rows, Shape::depth, Shape::threads, a_lengthwise> a(p.a, at.row, begin);
    copier<Shape::cols, Shape::depth, Shape::threads, b_lengthwise> b(p.b, at.col, begin);
    int64_t left = end - begin; /* to be copied */
    auto copy_next = [&](int stage) {
        if (left > 0) {
            a.copy(tiles + stage * Shape::stage_size, left);
            b.copy(tiles + stage * Shape::stage_size + Shape::a_size, left);
        }
        left -= Shape::depth;
        end_batch();
    };
    for (int stage = 0; stage < Shape::stages - 1; stage++)
        copy_next(stage);
    int stage = 0, free = Shape::stages - 1;
    for (int64_t l = begin; l < end; l += Shape::depth) {
        wait_for_batches<Shape::stages - 2>();
        __syncthreads(); /* all threads' copies are there, and all warps are done with the stage that is free */
        copy_next(free);
        const num_t *tile = tiles + stage * Shape::stage_size;
        sums.template add<Shape::depth, tile_stride<Shape::rows>, tile_stride<Shape::cols>>(
            tile + row, tile + Shape::a_size + col);
        free = stage;
        stage = stage + 1 < Shape::stages ? stage + 1 : 0;
    }
}

/* Blend a packet of sums into C, some of which may be beyond its last row and column. */
static __device__ inline void put_packet(const product &p, bool packets, int64_t i, int64_t j,
                                         const num_t (&sum)[PACKET]) {
    if (i >= p.a.lines)
        return;
    if (packets && j + PACKET <= p.b.lines) {
        auto *c = reinterpret_cast<packet<PACKET> *>(p.c + i * p.c_row + j);
        packet<PACKET> value{};
        if (p.beta != 0)
            value = *c;
#pragma unroll
        for (int e = 0; e < PACKET; e++)
            value.value[e] = blend(p, sum[e], &value.value[e]);
        *c = value;
    } else {
#pragma unroll
        for (int e = 0; e < PACKET; e++)
            if (j + e < p.b.lines)
                put(p, i, j + e, sum[e]);
    }
}

template <class Shape, bool a_lengthwise, bool b_lengthwise>
static __global__ void __launch_bounds__(Shape::threads, Shape::resident)
    multiply(product p, slicing slices, unsigned tiles) {
    const unsigned slice = blockIdx.x / tiles;
    const int64_t begin = slice * slices.length,
                  end = begin + slices.length < p.depth ? begin + slices.length : p.depth;
    const int warp = (int)threadIdx.x / WARP;
    place at = place_of<Shape>(p, blockIdx.x % tiles);
    warp_sums<Shape::warp_rows, Shape::warp_cols> sums;
    multiply_slice<Shape, a_lengthwise, b_lengthwise>(p, at, begin, end, sums);
    if (slices.count > 1) {
        p.c = slices.part + slice * p.a.lines * p.b.lines;
        p.c_row = p.b.lines;
        p.c_col = 1;
        p.alpha = 1;
        p.beta = 0;
    }
    at.row += warp / Shape::warps_across * Shape::warp_rows;
    at.col += warp % Shape::warps_across * Shape::warp_cols;
    const bool packets = p.c_col == 1 && is_aligned(p.c, p.c_row);
    sums.each([&](int i, int j, const num_t(&sum)[PACKET]) {
        put_packet(p, packets, at.row + i, at.col + j, sum);
    });
}

/* Values of C for a block that adds up slices, and threads for each. */
#define ADDED WARP
#define ADDERS 16

/* C from the parts that slices have left, in an order that depends on their number alone. */
static __global__ void __launch_bounds__(ADDED *ADDERS) add_slices(product p, slicing slices) {
    __shared__ num_t sums[ADDERS][ADDED];
    const int64_t values = p.a.lines * p.b.lines, k = (int64_t)blockIdx.x * ADDED + threadIdx.x;
    num_t sum = 0;
    if (k < values)
#pragma unroll 8
        for (unsigned s = threadIdx.y; s < slices.count; s += ADDERS)
            sum += slices.part[s * values + k];
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0 || k >= values)
        return;
    for (int y = 1; y < ADDERS; y++)
        sum += sums[y][threadIdx.x];
    put(p, k / p.b.lines, k % p.b.lines, sum);
}

static inline spry_status add_up(spry_context *context, const product &p, const slicing &slices) {
    add_slices<<<blocks_for(p.a.lines * p.b.lines, ADDED), dim3(ADDED, ADDERS), 0, context->device->stream>>>(
        p, slices);
    return launched(context, "gemm_register");
}

template <class Shape>
static inline int64_t tiles_of(const product &p) {
    return (p.a.lines + Shape::rows - 1) / Shape::rows * ((p.b.lines + Shape::cols - 1) / Shape::cols);
}

/* Slices shorter than this are not worth the adding up. */
#define SHORTEST_SLICE 128

/* One slice where tiles alone nearly fill the device; otherwise as many as fill it, and leave no more than there is room
   for. */
template <class Shape>
static inline slicing slicing_of(const spry_context *context, const product &p) {
    const int64_t tiles = tiles_of<Shape>(p),
                  room = (int64_t)context->device->multiprocessors * Shape::resident,
                  parts = most_parts(context) / (Shape::rows * Shape::cols),
                  most = (room < parts ? room : parts) / tiles, worthwhile = p.depth / SHORTEST_SLICE;
    int64_t count = 2 * tiles > room ? 1 : most < worthwhile ? most : worthwhile;
    count = count > 1 ? count : 1;
    int64_t length = (p.depth + count - 1) / count;
    length = (length + Shape::depth - 1) / Shape::depth * Shape::depth;
    return {length, length > 0 ? (unsigned)((p.depth + length - 1) / length) : 1, nullptr};
}

template <class Shape, bool a_lengthwise, bool b_lengthwise>
static spry_status launch_blocks(spry_context *context, const product &p, const slicing &slices) {
    auto *kernel = multiply<Shape, a_lengthwise, b_lengthwise>;
    const int64_t tiles = tiles_of<Shape>(p);
    spry_status status = allow_shared(context, kernel, Shape::bytes);
    if (status)
        return status;
    kernel<<<blocks_for(tiles * slices.count, 1), Shape::threads, Shape::bytes, context->device->stream>>>(
        p, slices, (unsigned)tiles);
    return launched(context, "gemm_register");
}

/* Whether values of one line are closer together than those of neighbouring ones. */
static inline bool is_lengthwise(const factor &f) {
    return f.lines == 1 || llabs(f.along) < llabs(f.across);
}

template <class Shape>
static spry_status multiply_in_blocks(spry_context *context, const product &p) {
    slicing slices = slicing_of<Shape>(context, p);
    spry_status status = slices.count > 1 ? take_parts(context, &slices.part) : SPRY_OK;
    if (status)
        return status;
    const bool a = is_lengthwise(p.a), b = is_lengthwise(p.b);
    auto *launch = a   ? b ? launch_blocks<Shape, true, true> : launch_blocks<Shape, true, false>
                     : b ? launch_blocks<Shape, false, true>
                       : launch_blocks<Shape, false, false>;
    status = launch(context, p, slices);
    return status || slices.count == 1 ? status : add_up(context, p, slices);
}

#endif
