/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tiles of A and B on their way to shared memory. They are copied asynchronously, without a stay in registers (compute
 * capability 8.0), so that several are under way while one is multiplied. A tile has a row for each place of the sum,
 * with values of all lines; what is beyond the matrix becomes zero there.
 */
#ifndef SPRY_GEMM_COPY_CUH
#define SPRY_GEMM_COPY_CUH

#include "primitives/gemm_product.cuh"

/* The first `inside` of `size` values from global to shared memory, and zeros after them. 16 bytes pass by the first-level
   cache, unless they are to be kept there. */
template <int size, bool kept = false>
static __device__ inline void copy_async(num_t *to, const num_t *from, int inside) {
    constexpr int bytes = size * (int)sizeof(num_t);
    const unsigned shared = (unsigned)__cvta_generic_to_shared(to);
    const int count = inside * (int)sizeof(num_t);
    if constexpr (bytes == 16 && !kept)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(count)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(shared), "l"(from), "r"(count),
                     "n"(bytes)
                     : "memory");
}

/* What was copied since the last call of this is a batch. */
static __device__ inline void end_batch() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Wait until no more than `batches` of this thread's are under way. */
template <int batches>
static __device__ inline void wait_for_batches() {
    asm volatile("cp.async.wait_group %0;" ::"n"(batches) : "memory");
}

/* Values from one row of a tile to the next. Four more than there are, so that the 8 × 4 or 4 × 4 values that a warp or
   half of it reads or writes at once, in as many rows, are in different banks; and packets are aligned. */
template <int width>
constexpr int tile_stride = width + 4;

template <int width, int depth>
constexpr int tile_size = tile_stride<width> *depth;

/* A thread's share of each tile of `width` lines. Which depends on what is side by side in memory: values of a line, if
   `lengthwise`, or else values of neighbouring lines. Any other layout is right with both. */
template <int width, int depth, int threads, bool lengthwise>
struct copier;

/* A warp takes 8 values of 4 lines, then those of the lines after the block's others. */
template <int width, int depth, int threads>
struct copier<width, depth, threads, true> {
    static constexpr int lines = threads / WARP * 4;
    static_assert(width % lines == 0 && depth % 8 == 0, "all threads have equal shares");

    const num_t *from;
    int64_t next_lines, next_places;
    int room, place, to;

    __device__ copier(const factor &f, int64_t first, int64_t begin) {
        const int line = (int)threadIdx.x / WARP * 4 + (lane_number() >> 2 & 3);
        place = (lane_number() & 3) + (lane_number() >> 4) * 4;
        from = f.at + (first + line) * f.across + (begin + place) * f.along;
        next_lines = lines * f.across;
        next_places = 8 * f.along - width * f.across;
        room = (f.lines - first < width ? (int)(f.lines - first) : width) - line;
        to = place * tile_stride<width> + line;
    }
    /* The next tile, of which `left` places are in the sum. */
    __device__ void copy(num_t *tile, int64_t left) {
        const int length = (left < depth ? (int)left : depth) - place;
#pragma unroll
        for (int l = 0; l < depth; l += 8) {
#pragma unroll
            for (int i = 0; i < width; i += lines) {
                copy_async<1>(tile + to + l * tile_stride<width> + i, from, i < room && l < length ? 1 : 0);
                from += next_lines;
            }
            from += next_places;
        }
    }
};

/* Neighbouring threads take neighbouring lines, or packets of them. */
template <int width, int depth, int threads>
struct copier<width, depth, threads, false> {
    const num_t *from;
    int64_t next;
    int place, to;
    bool packets, has_line;

    __device__ copier(const factor &f, int64_t first, int64_t begin) {
        packets = has_packets_across(f);
        const int size = packets ? PACKET : 1, line = (int)threadIdx.x % (width / size) * size,
                  at_once = threads * size / width;
        place = (int)threadIdx.x / (width / size);
        from = f.at + (first + line) * f.across + (begin + place) * f.along;
        next = at_once * f.along;
        has_line = first + line < f.lines;
        to = place * tile_stride<width> + line;
    }
    __device__ void copy(num_t *tile, int64_t left) {
        const int length = has_line ? (left < depth ? (int)left : depth) - place : 0;
        if (packets)
            copy_by<PACKET>(tile, length);
        else
            copy_by<1>(tile, length);
    }
    template <int size>
    __device__ void copy_by(num_t *tile, int length) {
        constexpr int at_once = threads * size / width;
        static_assert(at_once * width == threads * size && depth % at_once == 0,
                      "all threads have equal shares");
#pragma unroll
        for (int l = 0; l < depth; l += at_once) {
            copy_async<size>(tile + to + l * tile_stride<width>, from, l < length ? size : 0);
            from += next;
        }
    }
};

#endif
