/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scan in three steps: sections of the array, each by a block; the sums of the sections, in the same way; and the sums
 * before it added to each section. Two ways to scan a section are here to be read and compared. Both give the sum up to
 * and with each thread's value, in shared memory, when all threads of the block call them.
 */
#ifndef SPRY_SCAN_BLOCKS_CUH
#define SPRY_SCAN_BLOCKS_CUH

#include "primitives/algorithm.cuh"

#define SECTION 1024

/* What a scan reads: it does not need the last number if it is exclusive. */
static __host__ __device__ inline int64_t scan_inputs(spry_scan_kind kind, int64_t n) {
    return kind == SPRY_EXCLUSIVE ? n - 1 : n;
}

/* In log₂ steps each value gets added to it what is 1, 2, 4 … places before: the fewest steps, but n additions in each.
   One buffer is read and the other written, so that a step needs one barrier (P. M. Kogge and H. S. Stone, “A parallel
   algorithm for the efficient solution of a general class of recurrence equations”, IEEE Transactions on Computers C-22,
   1973). */
struct kogge_stone {
    static constexpr const char *name = "scan_kogge_stone";

    static __device__ const wrap_t *scan(wrap_t value) {
        __shared__ wrap_t buffer[2][SECTION];
        const int i = threadIdx.x;
        int now = 0;
        buffer[now][i] = value;
        __syncthreads();
        for (int step = 1; step < SECTION; step *= 2) {
            value += i >= step ? buffer[now][i - step] : 0;
            now = 1 - now;
            buffer[now][i] = value;
            __syncthreads();
        }
        return buffer[now];
    }
};

/* A tree of sums upwards, then down again to the places between: twice as many steps, but no more than two additions a
   value (R. P. Brent and H. T. Kung, “A regular layout for parallel adders”, IEEE Transactions on Computers C-31, 1982).
   In the step of width w, thread t is at the last place of the t-th pair of stretches of w values. */
struct brent_kung {
    static constexpr const char *name = "scan_brent_kung";

    static __device__ const wrap_t *scan(wrap_t value) {
        __shared__ wrap_t sum[SECTION];
        sum[threadIdx.x] = value;
        for (int width = 1; width < SECTION; width *= 2) {
            const int last = (threadIdx.x + 1) * 2 * width - 1;
            __syncthreads();
            if (last < SECTION)
                sum[last] += sum[last - width];
        }
        for (int width = SECTION / 4; width > 0; width /= 2) {
            const int last = (threadIdx.x + 1) * 2 * width - 1;
            __syncthreads();
            if (last + width < SECTION)
                sum[last + width] += sum[last];
        }
        __syncthreads();
        return sum;
    }
};

/* `sums`, which is null for one section, gets the sum of each. */
template <class Algorithm>
static __global__ void scan_sections(spry_scan_kind kind, int64_t n, const wrap_t *x, wrap_t *y,
                                     wrap_t *sums) {
    const int64_t i = thread_number();
    const wrap_t *up_to = Algorithm::scan(i < scan_inputs(kind, n) ? x[i] : 0);
    const int place = (int)threadIdx.x - (kind == SPRY_EXCLUSIVE);
    if (i < n)
        y[i] = place >= 0 ? up_to[place] : 0;
    if (sums && threadIdx.x == SECTION - 1)
        sums[blockIdx.x] = up_to[SECTION - 1];
}

static __global__ void add_sums_before(int64_t n, wrap_t *y, const wrap_t *before) {
    const int64_t i = thread_number();
    if (i < n)
        y[i] += before[blockIdx.x];
}

/* `sums` has room for those of all levels. */
template <class Algorithm>
static void scan_levels(cudaStream_t stream, spry_scan_kind kind, int64_t n, const wrap_t *x, wrap_t *y,
                        wrap_t *sums) {
    const unsigned sections = blocks_for(n, SECTION);
    scan_sections<Algorithm><<<sections, SECTION, 0, stream>>>(kind, n, x, y, sections > 1 ? sums : nullptr);
    if (sections == 1)
        return;
    scan_levels<Algorithm>(stream, SPRY_EXCLUSIVE, sections, sums, sums, sums + sections);
    add_sums_before<<<sections, SECTION, 0, stream>>>(n, y, sums);
}

template <class Algorithm>
static spry_status scan_in_sections(spry_context *context, const spry_scan_call *call) {
    int64_t sums = 0;
    void *space = nullptr;
    for (int64_t n = call->n; n > SECTION; sums += n)
        n = blocks_for(n, SECTION);
    spry_status status =
        sums > 0 ? spry_cuda_scratch(context, (size_t)sums * sizeof(wrap_t), &space) : SPRY_OK;
    if (status)
        return status;
    scan_levels<Algorithm>(context->device->stream, call->kind, call->n, static_cast<const wrap_t *>(call->x),
                           static_cast<wrap_t *>(call->y), static_cast<wrap_t *>(space));
    return launched(context, Algorithm::name);
}

#endif
