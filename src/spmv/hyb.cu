/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HYB on a device, in one launch. The first blocks sum up the segments of the COO part and publish each sum in a carry slot of
 * its row; the blocks after them take a row of the ELL part a thread, and a row that has entries in both collects
 * the other sum there. So y is written once. A block waits for blocks with lower numbers only: see segments.cuh.
 */
#include <algorithm>

#include "cuda/early.cuh"
#include "primitives/device.cuh"
#include "spmv/ell.cuh"
#include "spmv/segments.cuh"
#include "spmv/scatter.cuh"

namespace spmv_hyb {

static constexpr int BLOCK = 256;
/* Threads on a multiprocessor: few enough for their registers to hold what is in flight. */
static constexpr int RESIDENT = 768;

/* ---- the plan ---- */

/* The bit of each row with entries in the COO part, a row a thread; and how many such rows there are before each word, which the
   first row of a word, or what is past the last, writes, for words without one before it too. */
static __global__ void mark_spilled(spry_segments segments, int64_t words, uint32_t *spill, ptr_t *before) {
    await_earlier();
    const int64_t s = thread_number();
    const idx_t *row = as<idx_t>(segments.row);
    int64_t first = 0, end = 0;
    if (s <= segments.count) {
        const int64_t i = s == segments.count ? 0 : row ? row[s] : s;
        first = s == 0 ? 0 : (row ? row[s - 1] : s - 1) / 32 + 1;
        end = s == segments.count ? words + 1 : i / 32 + 1;
        if (s < segments.count)
            atomicOr(&spill[i / 32], 1u << i % 32);
    }
    fill_runs(before, first, end, (ptr_t)s);
}

static spry_status plan_spill(spry_context *context, spry_matrix *matrix) {
    const spry_segments *segments = &matrix->hyb.coo->cuda.segments;
    int64_t words = matrix->rows / 32 + 1;
    cudaStream_t stream = context->device->stream;
    void *spill;
    spry_status status = spry_matrix_array(context, matrix, words, sizeof(uint32_t), &spill);
    if (!status)
        status = spry_matrix_array(context, matrix, words + 1, sizeof(ptr_t), &matrix->cuda.spill_before);
    if (!status)
        status = spry_cuda_check(context, cudaMemsetAsync(spill, 0, (size_t)words * sizeof(uint32_t), stream),
                                 "clearing an array");
    if (status)
        return status;
    matrix->cuda.spill = as<uint32_t>(spill);
    matrix->cuda.carry = (size_t)(segments->blocks + segments->count) * sizeof(carry_t);
    launch_early(context, blocks_for(segments->count + 1, BLOCK), BLOCK, mark_spilled, *segments, words,
                 matrix->cuda.spill, as<ptr_t>(matrix->cuda.spill_before));
    return launched(context, "marking rows that spill");
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    matrix->cuda.scratch[SPRY_T] = NAME(spry_scatter_scratch)(matrix, SPRY_T);
    return matrix->hyb.coo->nnz > 0 ? plan_spill(context, matrix) : SPRY_OK;
}

/* ---- the product ---- */

/* Where the sums of the COO part are. */
struct spilled {
    const uint32_t *spill;
    const ptr_t *before;
    carry_t *slot; /* one for each row that has any */

    __device__ idx_t place(int64_t segment) const {
        return (idx_t)segment;
    }
    __device__ void put(idx_t segment, val_t sum) const {
        publish(slot + segment, sum);
    }
};

static __device__ val_t sum_spilled(const spilled &rest, int64_t i) {
    if (!rest.spill)
        return 0;
    const uint32_t word = rest.spill[i / 32], bit = 1u << i % 32;
    return word & bit ? take(rest.slot + rest.before[i / 32] + __popc(word & (bit - 1))) : 0;
}

/* The rows of a block of the ELL part: `parts` threads take turns at the slots of each, as in ell.cu. */
template <int most>
static __device__ void sum_rows(const padded &ell, int64_t block, int parts, const spilled &rest, val_t alpha,
                                val_t beta, val_t *y) {
    __shared__ val_t sums[most];
    const int rows = blockDim.x / parts, part = threadIdx.x / rows;
    const int64_t i = block * rows + threadIdx.x % rows;
    const bool inside = i < ell.rows;
    val_t sum = inside ? sum_part<false>(ell, i, ell.len[i], part, parts) : 0;
    if (parts > 1) {
        sums[threadIdx.x] = sum;
        __syncthreads();
        for (int p = 1; p < parts && part == 0; p++)
            sum += sums[p * rows + threadIdx.x];
    }
    if (inside && part == 0)
        y[i] = blend(alpha, sum + sum_spilled(rest, i), beta, &y[i]);
}

template <class Shape>
static __global__ void __launch_bounds__(Shape::block, std::max(RESIDENT / Shape::block, 1))
    multiply(segment_entries coo, int64_t coo_blocks, carry_t *carry, padded ell, int parts, spilled rest,
             val_t alpha, val_t beta, val_t *y) {
    await_earlier();
    if (blockIdx.x < coo_blocks)
        sum_segments<Shape>(coo, carry, rest);
    else
        sum_rows<Shape::block>(ell, blockIdx.x - coo_blocks, parts, rest, alpha, beta, y);
}

static spry_status run(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                       const spry_product *product) {
    const spry_matrix *ell = matrix->hyb.ell, *coo = matrix->hyb.coo;
    const spry_segments *segments = &coo->cuda.segments;
    const int parts = ell->cuda.lanes;
    carry_t *carry = static_cast<carry_t *>(spry_workspace(&context->device->carry));
    segment_entries entries = segment_entries_of(segments, column_array_of(coo, coo->coo.col),
                                                 value_array_of(coo, coo->coo.val), 0, coo->nnz, product->x);
    padded rows = padded_of(ell, product->x);
    spilled rest = {matrix->cuda.spill, as<ptr_t>(matrix->cuda.spill_before), carry + segments->blocks};
    const int block = segment_threads(segments);
    const unsigned blocks = (unsigned)segments->blocks + blocks_for(matrix->rows, block / parts);
    with_shape(*segments, [&](auto shape) {
        launch_product(context, matrix, blocks, block, multiply<decltype(shape)>, entries, segments->blocks,
                       carry, rows, parts, rest, (val_t)product->alpha, (val_t)product->beta,
                       static_cast<val_t *>(product->y));
    });
    return launched(context, kernel->name);
}

/* Rows with entries in both parts wait for a sum. */
static spry_terms work(const spry_candidate *candidate) {
    spry_terms amounts = NAME(spry_ell_work)(candidate);
    if (candidate->spilled > 0) {
        amounts.padding = 1;
        NAME(spry_segments_add_work)
        (candidate, candidate->spilled,
         (double)spry_count_above(candidate->features->by_row, candidate->width), &amounts);
    }
    return amounts;
}

static const spry_kernel kernels[] = {
    {SPRY_CUDA_KERNEL("hyb", SPRY_HYB, SPRY_N), .run = run, .work = work},
};

extern "C" {
extern const struct spry_format_code NAME(spry_hyb_code);
const struct spry_format_code NAME(spry_hyb_code) = {
    .validate = spry_cuda_validate_on_host,
    .plan = plan,
};

extern const spry_kernel_list NAME(spry_kernels_hyb);
const spry_kernel_list NAME(spry_kernels_hyb) = {sizeof kernels / sizeof *kernels, kernels};
}

} // namespace spmv_hyb
