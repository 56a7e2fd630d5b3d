/* SPDX-License-Identifier: BSD-3-Clause */
/* Histograms on a device. Counts are integers, so it does not matter in which order they are added to. */
#include <algorithm>

#include "primitives/algorithm.cuh"
#include "primitives/pack.cuh"

#define BLOCK 1024
/* Packs a thread has in flight. */
#define AHEAD 4
/* Numbers a block takes at least, and times as many as it has bins, to be worth its start and its end. */
#define LEAST_NUMBERS 4096
#define LEAST_PER_BIN 4
/* Up to so many bins blocks always count by themselves, and more of them where there are so many numbers a bin.
   Otherwise what it takes to clear them, and to add them to the others', is more than what it saves. */
#define ALWAYS_SHARED 2048
#define SHARED_PER_BIN 32
/* What a block may have without having been asked for more. */
#define PLAIN_SHARED ((size_t)48 << 10)

constexpr int LENGTH = pack<num_t>::length;

/* ---- bins in shared memory ---- */

static __device__ inline void count_one(unsigned *count, int bins, num_t x) {
    if ((wrap_t)x < (wrap_t)bins)
        atomicAdd(&count[x], 1u);
}

template <bool aligned, int packs>
static __device__ inline void count_packs(unsigned *count, int bins, const num_t *x, int64_t first,
                                          int64_t stride) {
    pack<num_t> values[packs];
#pragma unroll
    for (int u = 0; u < packs; u++)
        values[u] = load_pack<aligned>(x + (first + u * stride) * LENGTH);
#pragma unroll
    for (int u = 0; u < packs; u++)
#pragma unroll
        for (int j = 0; j < LENGTH; j++)
            count_one(count, bins, values[u].v[j]);
}

/* Each block counts by itself, and then adds what it has to the others'. */
template <bool aligned>
static __global__ void __launch_bounds__(BLOCK)
    count_in_blocks(int64_t n, const num_t *x, int bins, unsigned long long *count) {
    extern __shared__ unsigned of_block[];
    const int64_t packs = n / LENGTH, stride = (int64_t)gridDim.x * BLOCK;
    for (int b = threadIdx.x; b < bins; b += BLOCK)
        of_block[b] = 0;
    __syncthreads();
    int64_t p = thread_number();
    for (; p + (AHEAD - 1) * stride < packs; p += AHEAD * stride)
        count_packs<aligned, AHEAD>(of_block, bins, x, p, stride);
    for (; p < packs; p += stride)
        count_packs<aligned, 1>(of_block, bins, x, p, stride);
    const int64_t rest = packs * LENGTH + thread_number();
    if (rest < n)
        count_one(of_block, bins, x[rest]);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += BLOCK)
        if (of_block[b] > 0)
            atomicAdd(&count[b], (unsigned long long)of_block[b]);
}

static spry_status count_shared(spry_context *context, const spry_histogram_call *call, size_t bytes) {
    const num_t *x = static_cast<const num_t *>(call->x);
    auto *kernel = is_aligned(x) ? count_in_blocks<true> : count_in_blocks<false>;
    int resident = 0;
    spry_status status = bytes > PLAIN_SHARED ? allow_shared(context, kernel, (int)bytes) : SPRY_OK;
    if (!status)
        status = spry_cuda_check(
            context, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, BLOCK, bytes),
            "asking for shared memory");
    if (status)
        return status;
    const int64_t worth = call->n / std::max<int64_t>(LEAST_NUMBERS, LEAST_PER_BIN * call->bins),
                  most = (int64_t)context->device->multiprocessors * std::max(resident, 1);
    const unsigned blocks = (unsigned)std::clamp<int64_t>(worth, 1, most);
    kernel<<<blocks, BLOCK, bytes, context->device->stream>>>(
        call->n, x, (int)call->bins, reinterpret_cast<unsigned long long *>(call->count));
    return launched(context, "histogram");
}

/* ---- bins in memory ---- */

/* Atomics on one address wait for each other: lanes with the same number send one of them. Whole warps, past the end
   too. */
static __global__ void __launch_bounds__(BLOCK)
    count_in_memory(int64_t n, const num_t *x, int64_t bins, unsigned long long *count) {
    const int64_t stride = (int64_t)gridDim.x * BLOCK;
    for (int64_t first = thread_number() - lane_number(); first < n; first += stride) {
        const int64_t i = first + lane_number();
        const num_t bin = i < n ? x[i] : -1;
        const unsigned same = __match_any_sync(ALL_LANES, bin);
        if (bin >= 0 && bin < bins && lane_number() == __ffs(same) - 1)
            atomicAdd(&count[bin], (unsigned long long)__popc(same));
    }
}

static spry_status histogram(spry_context *context, const spry_histogram_call *call) {
    cudaStream_t stream = context->device->stream;
    spry_status status = spry_cuda_check(
        context, cudaMemsetAsync(call->count, 0, (size_t)call->bins * sizeof *call->count, stream),
        "clearing counts");
    if (status || call->n == 0)
        return status;
    const bool fits = (uint64_t)call->bins <= (size_t)context->device->shared_bytes / sizeof(unsigned);
    if (fits && (call->bins <= ALWAYS_SHARED || call->n / call->bins >= SHARED_PER_BIN))
        return count_shared(context, call, (size_t)call->bins * sizeof(unsigned));
    count_in_memory<<<blocks_at_once(context, call->n, BLOCK), BLOCK, 0, stream>>>(
        call->n, static_cast<const num_t *>(call->x), call->bins,
        reinterpret_cast<unsigned long long *>(call->count));
    return launched(context, "histogram");
}

static const spry_algorithm algorithms[] = {
    {SPRY_CUDA_ALGORITHM("histogram", SPRY_HISTOGRAM), .histogram = histogram}};

extern "C" {
extern const spry_algorithm_list NAME(spry_algorithms_histogram);
const spry_algorithm_list NAME(spry_algorithms_histogram) = {sizeof algorithms / sizeof *algorithms,
                                                             algorithms};
}
