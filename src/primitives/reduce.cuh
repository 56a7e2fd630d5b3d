/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over all threads of a warp, a block or a grid, in an order that depends on the number of threads and blocks
 * alone: the same bits every time. Grids and blocks are of one dimension. Several sums are made side by side, since
 * they share what waiting there is.
 */
#ifndef SPRY_REDUCE_CUH
#define SPRY_REDUCE_CUH

#include "cuda/grid.cuh"

extern "C" {
#include "primitives/reduction.h"
}

struct add {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a + b;
    }
};

/* NaN, if one of them is. */
struct larger {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return b > a || b != b ? b : a;
    }
};

/* Join the values of a warp, or of its first `lanes`, a power of two; lane 0 has the result. */
template <int lanes = WARP, class T, class Join = add>
static __device__ inline T warp_join(T value, Join join = {}) {
#pragma unroll
    for (int step = lanes / 2; step > 0; step /= 2)
        value = join(value, __shfl_down_sync(ALL_LANES, value, step));
    return value;
}

/* Join the values of a block; thread 0 has the results. */
template <int block, int k, class T, class Join = add>
static __device__ inline void block_join(T (&value)[k], Join join = {}) {
    constexpr int warps = block / WARP;
    static_assert(block % WARP == 0 && warps <= WARP && (warps & (warps - 1)) == 0, "1, 2, 4 … 32 warps");
    __shared__ T of_warp[k][warps];
    const int lane = lane_number();
#pragma unroll
    for (int s = 0; s < k; s++) {
        value[s] = warp_join(value[s], join);
        if (lane == 0)
            of_warp[s][threadIdx.x / WARP] = value[s];
    }
    __syncthreads();
    if (threadIdx.x < WARP)
#pragma unroll
        for (int s = 0; s < k; s++)
            value[s] = warp_join<warps>(of_warp[s][lane % warps], join);
    __syncthreads(); /* of_warp may be written anew */
}

/* Whether this block is the last of the grid to arrive: it sees what the others wrote before. The same in all
   threads. The counter is zero again when the grid ends. */
static __device__ inline bool is_last_block(unsigned *arrived) {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    return last;
}

/*
 * Join the values of a grid of at most SPRY_REDUCTION_BLOCKS blocks, in one launch: each block leaves its part in
 * `space`, and the last to arrive joins all of them in the order of the blocks. True in that block, whose thread 0 has
 * the results; the values of others mean nothing afterwards. T{} must be without effect. Once a kernel.
 */
template <int block, int k, class T, class Join = add>
static __device__ inline bool grid_join(T (&value)[k], spry_reduction_space *space, Join join = {}) {
    static_assert(k <= SPRY_REDUCTION_SUMS && sizeof(T) == sizeof(double), "what the space has room for");
    block_join<block>(value, join);
    if (gridDim.x == 1)
        return true;
    if (threadIdx.x == 0)
#pragma unroll
        for (int s = 0; s < k; s++)
            reinterpret_cast<T *>(space->partial[s])[blockIdx.x] = value[s];
    if (!is_last_block(&space->arrived))
        return false;
#pragma unroll
    for (int s = 0; s < k; s++) {
        value[s] = T{};
        for (unsigned b = threadIdx.x; b < gridDim.x; b += block)
            value[s] = join(value[s], __ldcg(reinterpret_cast<const T *>(space->partial[s]) + b));
    }
    block_join<block>(value, join);
    return true;
}

template <int k, int block>
static __device__ inline bool grid_sum(double (&sum)[k], spry_reduction_space *space) {
    return grid_join<block>(sum, space);
}

/* Blocks of `size` threads, where n threads have something to do, for a kernel that joins: one at least. */
static inline unsigned reduction_blocks(const spry_context *context, int64_t n, int size) {
    unsigned blocks = n > 0 ? blocks_at_once(context, n, size) : 1;
    return blocks < SPRY_REDUCTION_BLOCKS ? blocks : SPRY_REDUCTION_BLOCKS;
}

#endif
