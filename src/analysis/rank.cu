/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantiles of the row lengths on a device, by counting a digit of all lengths at a time. */
#include "cuda/lanes.cuh"
#include "primitives/temporary.cuh"
extern "C" {
#include "analysis/rank.h"
}

/* Lengths are counted by digits of this many bits, as many counters as a block has room for. */
#define BLOCK 1024
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
    unsigned long long *count = &sought->count[first];
    const int64_t below = sought->below; /* before a thread replaces it */
    int64_t own = 0;
    for (int d = 0; d < share; d++)
        own += (int64_t)count[d];
    int64_t before = below + sum_threads_before<BLOCK>(own).before;
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
spry_status spry_cuda_length_at_rank(spry_context *context, const spry_matrix *csr, int64_t longest,
                                     int64_t rank, int64_t *length) {
    temporary memory(context);
    spry_status status = memory.take(1, sizeof(selection));
    selection *sought = static_cast<selection *>(memory.pointer);
    if (!status)
        status = find_length(context, csr, longest, true, rank, sought, length);
    if (status || *length < COUNTERS - 1)
        return status;
    return find_length(context, csr, longest, false, rank, sought, length);
}
