/* SPDX-License-Identifier: BSD-3-Clause */
/* Row-length statistics of CSR on a device, for all index types. */
#include <algorithm>
#include <cmath>

#include "cuda/grid.cuh"
#include "primitives/reduce.cuh"
#include "primitives/temporary.cuh"
extern "C" {
#include "cuda/arrays.h"
}

#define BLOCK 1024

/* ---- survey ---- */

/* What a block finds. They are put together in one order, so that sums are the same every time. */
struct partial {
    int64_t min, max;
    double squares; /* of the differences from the mean */
    unsigned rows[SPRY_LENGTH_BINS];
};

static __device__ int bin(int64_t length) {
    int b = length == 0 ? 0 : 64 - __clzll(length);
    return b < SPRY_LENGTH_BINS ? b : SPRY_LENGTH_BINS - 1;
}

template <class Pointer>
static __global__ void survey(int64_t rows, const Pointer *ptr, double mean, partial *found) {
    __shared__ unsigned count[SPRY_LENGTH_BINS];
    if (threadIdx.x < SPRY_LENGTH_BINS)
        count[threadIdx.x] = 0;
    __syncthreads();
    int64_t min[1] = {INT64_MAX}, max[1] = {0};
    double squares[1] = {0};
    FOR_ALL(i, 0, rows) {
        int64_t length = ptr[i + 1] - ptr[i];
        min[0] = length < min[0] ? length : min[0];
        max[0] = length > max[0] ? length : max[0];
        squares[0] += ((double)length - mean) * ((double)length - mean);
        atomicAdd(&count[bin(length)], 1u);
    }
    block_join<BLOCK>(min, [](int64_t a, int64_t b) { return a < b ? a : b; });
    block_join<BLOCK>(max, larger{});
    block_join<BLOCK>(squares);
    partial *mine = &found[blockIdx.x];
    if (threadIdx.x == 0) {
        mine->min = min[0];
        mine->max = max[0];
        mine->squares = squares[0];
    }
    /* All have counted: joining has waited for them. */
    if (threadIdx.x < SPRY_LENGTH_BINS)
        mine->rows[threadIdx.x] = count[threadIdx.x];
}

static void put_together(const partial *found, unsigned blocks, int64_t rows, spry_row_lengths *lengths) {
    double squares = 0;
    for (unsigned b = 0; b < blocks; b++) {
        lengths->min = b == 0 ? found[b].min : std::min(lengths->min, found[b].min);
        lengths->max = b == 0 ? found[b].max : std::max(lengths->max, found[b].max);
        squares += found[b].squares;
        for (int i = 0; i < SPRY_LENGTH_BINS; i++)
            lengths->histogram[i] = (b == 0 ? 0 : lengths->histogram[i]) + found[b].rows[i];
    }
    lengths->std = std::sqrt(squares / (double)rows);
    lengths->empty = lengths->histogram[0];
}

static spry_status run_survey(spry_context *context, const spry_matrix *csr, double mean, partial *found,
                              unsigned blocks) {
    cudaStream_t stream = context->device->stream;
    temporary device_found(context);
    spry_status status = device_found.take(blocks, sizeof *found);
    if (status)
        return status;
    partial *place = static_cast<partial *>(device_found.pointer);
    if (spry_pointer_size(csr->index) == sizeof(int32_t))
        survey<<<blocks, BLOCK, 0, stream>>>(csr->rows, static_cast<const int32_t *>(csr->csr.ptr), mean,
                                             place);
    else
        survey<<<blocks, BLOCK, 0, stream>>>(csr->rows, static_cast<const int64_t *>(csr->csr.ptr), mean,
                                             place);
    status = spry_cuda_check(context, cudaGetLastError(), "looking at row lengths");
    return status ? status : spry_cuda_fetch(context, found, place, blocks * sizeof *found);
}

extern "C" spry_status spry_cuda_survey(spry_context *context, const spry_matrix *csr,
                                        spry_row_lengths *lengths) {
    unsigned blocks = blocks_at_once(context, csr->rows, BLOCK);
    double mean = (double)csr->nnz / (double)csr->rows;
    void *found;
    spry_status status = spry_allocate(context, blocks, sizeof(partial), &found);
    if (status)
        return status;
    status = run_survey(context, csr, mean, static_cast<partial *>(found), blocks);
    lengths->mean = mean;
    if (!status)
        put_together(static_cast<partial *>(found), blocks, csr->rows, lengths);
    spry_release(&context->allocator, found, blocks, sizeof(partial));
    return status;
}

/* ---- rank ---- */

/* Lengths are counted by digits of this many bits, as many counters as a block has room for. */
#define DIGIT 12
#define COUNTERS (1 << DIGIT)

/* How far the length that is looked for is known: `length` is its first digits, and `below` rows are shorter
   than all lengths that begin with them. */
struct selection {
    unsigned long long count[COUNTERS];
    int64_t length, below;
};

/* Count the lengths that begin with the digits known by their next one, the lowest bit of which is `shift`.
   Others are passed over or, if `clip`, taken for the largest digit. */
template <class Pointer>
static __global__ void count_digits(int64_t rows, const Pointer *ptr, int shift, bool clip,
                                    selection *sought) {
    __shared__ unsigned count[COUNTERS];
    for (int d = threadIdx.x; d < COUNTERS; d += BLOCK)
        count[d] = 0;
    __syncthreads();
    int64_t known = sought->length;
    FOR_ALL(i, 0, rows) {
        int64_t head = (int64_t)(ptr[i + 1] - ptr[i]) >> shift;
        bool fits = head >> DIGIT == known;
        if (fits || clip)
            atomicAdd(&count[fits ? head & (COUNTERS - 1) : COUNTERS - 1], 1u);
    }
    __syncthreads();
    for (int d = threadIdx.x; d < COUNTERS; d += BLOCK)
        if (count[d] > 0)
            atomicAdd(&sought->count[d], (unsigned long long)count[d]);
}

/* Append the digit that the rank falls into, and clear the counters. One block, each thread with its share of
   them. */
static __global__ void append_digit(int64_t rank, selection *sought) {
    const int share = COUNTERS / BLOCK, first = threadIdx.x * share;
    __shared__ int64_t of_warp[BLOCK / WARP];
    unsigned long long *count = &sought->count[first];
    int64_t own = 0, before = sought->below;
    for (int d = 0; d < share; d++)
        own += (int64_t)count[d];
    int64_t up_to_here = own;
    for (int step = 1; step < WARP; step *= 2) {
        int64_t other = __shfl_up_sync(~0u, up_to_here, step);
        up_to_here += (int)(threadIdx.x % WARP) >= step ? other : 0;
    }
    if (threadIdx.x % WARP == WARP - 1)
        of_warp[threadIdx.x / WARP] = up_to_here;
    __syncthreads();
    for (unsigned w = 0; w < threadIdx.x / WARP; w++)
        before += of_warp[w];
    before += up_to_here - own;
    for (int d = 0; d < share; d++) {
        int64_t rows = (int64_t)count[d];
        if (before < rank && rank <= before + rows) {
            sought->length = sought->length << DIGIT | (first + d);
            sought->below = before;
        }
        before += rows;
        count[d] = 0;
    }
}

static spry_status refine(spry_context *context, const spry_matrix *csr, int shift, bool clip, int64_t rank,
                          selection *sought) {
    cudaStream_t stream = context->device->stream;
    unsigned blocks = blocks_at_once(context, csr->rows, BLOCK);
    if (spry_pointer_size(csr->index) == sizeof(int32_t))
        count_digits<<<blocks, BLOCK, 0, stream>>>(csr->rows, static_cast<const int32_t *>(csr->csr.ptr),
                                                   shift, clip, sought);
    else
        count_digits<<<blocks, BLOCK, 0, stream>>>(csr->rows, static_cast<const int64_t *>(csr->csr.ptr),
                                                   shift, clip, sought);
    append_digit<<<1, BLOCK, 0, stream>>>(rank, sought);
    return spry_cuda_check(context, cudaGetLastError(), "counting row lengths");
}

/* The last digit, if `clip`, or all of them from the first that a row can have. Waits. */
static spry_status find_length(spry_context *context, const spry_matrix *csr, int64_t longest, bool clip,
                               int64_t rank, selection *sought, int64_t *length) {
    int shift = 0;
    while (!clip && longest >> shift >> DIGIT)
        shift += DIGIT;
    spry_status status = spry_cuda_check(
        context, cudaMemsetAsync(sought, 0, sizeof *sought, context->device->stream), "clearing counters");
    for (; shift >= 0 && !status; shift -= DIGIT)
        status = refine(context, csr, shift, clip, rank, sought);
    return status ? status : spry_cuda_fetch(context, length, &sought->length, sizeof *length);
}

/* Hardly any rank falls among rows of thousands of entries. One pass finds all others, even where it is not
   known how long the longest row is. */
extern "C" spry_status spry_cuda_length_at_rank(spry_context *context, const spry_matrix *csr,
                                                int64_t longest, int64_t rank, int64_t *length) {
    temporary memory(context);
    spry_status status = memory.take(1, sizeof(selection));
    selection *sought = static_cast<selection *>(memory.pointer);
    if (!status)
        status = find_length(context, csr, longest, true, rank, sought, length);
    if (status || *length < COUNTERS - 1)
        return status;
    return find_length(context, csr, longest, false, rank, sought, length);
}
