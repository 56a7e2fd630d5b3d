/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the lanes of a warp, and up to each of them or of the threads of a block; the largest and the least of them; and runs
   that they fill together. */
#ifndef SPRY_CUDA_LANES_CUH
#define SPRY_CUDA_LANES_CUH

#include "cuda/grid.cuh"

/* The sum over each group of `lanes` neighbouring lanes, a power of two up to a warp, for all of them and in a fixed order. All
   lanes of the warp take part. */
template <int lanes, class Value>
static __device__ inline Value sum_lanes(Value sum) {
    static_assert(lanes <= WARP);
#pragma unroll
    for (int d = lanes / 2; d > 0; d /= 2)
        sum += __shfl_xor_sync(ALL_LANES, sum, d);
    return sum;
}

/* The largest value of each such group, for all of them. Groups of `known` lanes have theirs already. */
template <int lanes = WARP, int known = 1, class Value>
static __device__ inline Value largest_of_lanes(Value value) {
    static_assert(lanes <= WARP);
#pragma unroll
    for (int d = known; d < lanes; d *= 2) {
        const Value other = __shfl_xor_sync(ALL_LANES, value, d);
        value = other > value ? other : value;
    }
    return value;
}

/* Add the values of a warp's lanes to *total. All lanes take part. */
static __device__ inline void add_to_total(long long value, unsigned long long *total) {
    const long long sum = sum_lanes<WARP>(value);
    if (lane_number() == 0 && sum != 0)
        atomicAdd(total, (unsigned long long)sum);
}

/* The least value of a warp's lanes, for all of them. */
static __device__ inline int32_t least_of_lanes(int32_t value) {
    return __reduce_min_sync(ALL_LANES, value);
}

static __device__ inline int64_t least_of_lanes(int64_t value) {
#pragma unroll
    for (int d = WARP / 2; d > 0; d /= 2) {
        const int64_t other = __shfl_xor_sync(ALL_LANES, value, d);
        value = other < value ? other : value;
    }
    return value;
}

/* The values of this lane and of those `first`, 2 `first`, … before it, joined in the order of lanes: by Hillis and Steele (Data
   parallel algorithms, Communications of the ACM 29, 1986). All lanes of the warp take part. */
template <int first = 1, class Value, class Join>
static __device__ inline Value join_lanes_up_to(Value value, Join join) {
    const int lane = lane_number();
#pragma unroll
    for (int d = first; d < WARP; d *= 2) {
        const Value other = __shfl_up_sync(ALL_LANES, value, d);
        value = lane >= d ? join(other, value) : value;
    }
    return value;
}

/* Their sum. */
template <int first = 1, class Value>
static __device__ inline Value sum_lanes_up_to(Value value) {
    return join_lanes_up_to<first>(value, [](Value before, Value own) { return before + own; });
}

/* A value of each thread of a block: the sum of those of the threads before it, and of all. */
template <class Value>
struct prefix {
    Value before, all;
};

/* For a block of so many threads, all of which take part. */
template <int threads, class Value>
static __device__ inline prefix<Value> sum_threads_before(Value own) {
    constexpr int warps = threads / WARP;
    static_assert(threads % WARP == 0 && warps <= WARP, "a lane for the sum of each warp");
    __shared__ Value sums[warps];
    const int warp = threadIdx.x / WARP, lane = lane_number();
    const Value up_to = sum_lanes_up_to(own);
    __syncthreads(); /* the sums of a call before have been read */
    if (lane == WARP - 1)
        sums[warp] = up_to;
    __syncthreads();
    const Value of_warps = sum_lanes_up_to(lane < warps ? sums[lane] : 0);
    return {up_to - own + __shfl_sync(ALL_LANES, of_warps, warp) - sums[warp],
            __shfl_sync(ALL_LANES, of_warps, WARP - 1)};
}

/* Each lane has a value for the places first … end - 1: all lanes fill one such run after the other. All lanes of the warp take
   part. */
template <class Value>
static __device__ inline void fill_runs(Value *to, int64_t first, int64_t end, Value value) {
    for (unsigned left = __ballot_sync(ALL_LANES, first < end); left; left &= left - 1) {
        const int lane = __ffs(left) - 1;
        const int64_t run = __shfl_sync(ALL_LANES, first, lane), run_end = __shfl_sync(ALL_LANES, end, lane);
        const Value here = __shfl_sync(ALL_LANES, value, lane);
        for (int64_t k = run + lane_number(); k < run_end; k += WARP)
            to[k] = here;
    }
}

#endif
