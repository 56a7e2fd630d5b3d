/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice among the kernels of CSR, by how long rows are. */
#include "primitives/device.cuh"
#include "spmv/csr.cuh"
#include "spmv/scatter.cuh"
#include "spmv/segments.cuh"

#define COUNTERS 256

/* The numbers of lanes that there are kernels for: 2, 4, 8, 16, 32, 128, 512. */
#define CHOICES 7
static __host__ __device__ constexpr int lanes_of(int choice) {
    return choice < 5 ? 2 << choice : 128 << 2 * (choice - 5);
}

/* How often warps go through the loop of csr_lanes: for each choice, all of them together; a warp goes as often as the
   longest of its rows asks for. */
struct row_rounds {
    unsigned long long rounds[CHOICES], longest;
};

/* The warps of one choice for the 32 rows that a warp looks at, a lane each. */
static __device__ inline unsigned warp_rounds(unsigned long long length, int lanes) {
    const unsigned long long exact = spry_csr_rounds(length, lanes);
    unsigned rounds = exact < 1u << 22 ? (unsigned)exact : 1u << 22; /* so that the sum does not overflow */
    if (lanes > WARP)
        return __reduce_add_sync(ALL_LANES, rounds * (lanes / WARP));
    const int rows = WARP / lanes;
    for (int d = 1; d < rows; d *= 2) {
        unsigned other = __shfl_xor_sync(ALL_LANES, rounds, d);
        rounds = other > rounds ? other : rounds;
    }
    return __reduce_add_sync(ALL_LANES, lane_number() % rows == 0 ? rounds : 0);
}

static __global__ void __launch_bounds__(COUNTERS)
    count_rounds(const ptr_t *ptr, int64_t count, row_rounds *found) {
    __shared__ row_rounds all;
    if (threadIdx.x == 0)
        all = {};
    __syncthreads();
    row_rounds mine = {};
    for (int64_t first = (int64_t)blockIdx.x * COUNTERS; first < count;
         first += (int64_t)gridDim.x * COUNTERS) {
        int64_t i = first + threadIdx.x;
        unsigned long long length = i < count ? ptr[i + 1] - ptr[i] : 0;
        mine.longest = length > mine.longest ? length : mine.longest;
#pragma unroll
        for (int c = 0; c < CHOICES; c++)
            mine.rounds[c] += warp_rounds(length, lanes_of(c));
    }
    atomicMax(&all.longest, mine.longest);
    if (lane_number() == 0)
        for (int c = 0; c < CHOICES; c++)
            atomicAdd(&all.rounds[c], mine.rounds[c]);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    atomicMax(&found->longest, all.longest);
    for (int c = 0; c < CHOICES; c++)
        atomicAdd(&found->rounds[c], all.rounds[c]);
}

static spry_status look(spry_context *context, const ptr_t *ptr, int64_t count, row_rounds *found) {
    cudaStream_t stream = context->device->stream;
    temporary counters(context);
    spry_status status = counters.take(1, sizeof *found);
    if (!status)
        status = spry_cuda_check(context, cudaMemsetAsync(counters.pointer, 0, sizeof *found, stream),
                                 "clearing counters");
    if (status)
        return status;
    count_rounds<<<blocks_at_once(context, count, COUNTERS), COUNTERS, 0, stream>>>(
        ptr, count, as<row_rounds>(counters.pointer));
    status = launched(context, "counting the rounds of rows");
    return status ? status : spry_cuda_fetch(context, found, counters.pointer, sizeof *found);
}

/* Microseconds, fitted to the times of all these kernels on 240 real matrices, f32 and f64, on an H200. With them the
   chosen kernel takes 1 % longer than the fastest in the geometric mean over those with more than 20,000 nonzeros.
   Work is spread over multiprocessors, so what it costs is for one of them. */
#define LAUNCH 1.4          /* of a kernel that reads a row, its entries and x, and writes y */
#define LONGEST_ROUND 0.36  /* of the longest row: loads one after the other, with nothing else to do */
#define WARP_ROUND 0.0101   /* among many warps */
#define WARP_START 0.0081   /* of a warp, whether it has entries or not */
#define BYTE (1 / 4.76e6)   /* of the matrix and the vectors, over the whole device */
#define SEGMENTS_LAUNCH 2.7 /* of segments, which hand sums from warp to warp and from block to block */
#define SEGMENTS_ENTRY 7e-5 /* for its share of the work in shared memory */
#define SEGMENTS_BYTE (1.05 * BYTE)

static double bytes_of(const spry_matrix *matrix) {
    return (double)matrix->nnz * (sizeof(idx_t) + sizeof(val_t)) +
           (double)matrix->rows * (sizeof(ptr_t) + sizeof(val_t)) + (double)matrix->cols * sizeof(val_t);
}

static double time_grouped(double bytes, const row_rounds &found, int choice, double rows,
                           double processors) {
    const int lanes = lanes_of(choice);
    double rounds = (double)found.rounds[choice] / processors, warps = rows * lanes / WARP / processors,
           work = rounds * WARP_ROUND + warps * WARP_START;
    return LAUNCH + (double)spry_csr_rounds(found.longest, lanes) * LONGEST_ROUND +
           (work > bytes * BYTE ? work : bytes * BYTE);
}

/* Take the number of lanes with the least expected time, or 0 for segments. */
static void choose_lanes(spry_matrix *matrix, const row_rounds &found, int64_t rows, double processors) {
    double bytes = bytes_of(matrix),
           best = SEGMENTS_LAUNCH + (double)matrix->nnz / processors * SEGMENTS_ENTRY + bytes * SEGMENTS_BYTE;
    matrix->cuda.lanes = 0;
    for (int c = 0; c < CHOICES; c++) {
        double time = time_grouped(bytes, found, c, (double)rows, processors);
        if (time < best) {
            best = time;
            matrix->cuda.lanes = lanes_of(c);
            matrix->cuda.rounds = (double)found.rounds[c];
        }
    }
}

spry_status NAME(spry_csr_plan)(spry_context *context, spry_matrix *matrix) {
    const bool by_rows = matrix->format == SPRY_CSR;
    const int64_t count = by_rows ? matrix->rows : matrix->cols;
    const spry_op across = by_rows ? SPRY_T : SPRY_N;
    matrix->cuda.scratch[across] = NAME(spry_scatter_scratch)(matrix, across);
    if (count == 0 || matrix->nnz == 0)
        return SPRY_OK;
    row_rounds found;
    spry_status status = look(context, as<ptr_t>(matrix->csr.ptr), count, &found);
    if (status)
        return status;
    choose_lanes(matrix, found, count, context->device->multiprocessors);
    return NAME(spry_segments_plan)(context, matrix);
}
