/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ELL on a device. Neighbouring threads take neighbouring rows, whose slots lie side by side, so that a warp
 * reads whole cache lines. A row's length tells where it ends: padding may be read, but is never multiplied,
 * so it cannot turn an infinite x into NaN.
 */
#include "cuda/early.cuh"
#include "primitives/reduce.cuh"
#include "spmv/ell.cuh"
#include "spmv/scatter.cuh"

namespace spmv_ell {

static constexpr int BLOCK = 128;

/* One thread a row: what a kernel does, and no more. */
static __global__ void scalar(padded a, val_t alpha, val_t beta, val_t *y) {
    int64_t i = thread_number();
    if (i >= a.rows)
        return;
    val_t sum = 0;
    for (int64_t k = 0; k < a.len[i]; k++)
        sum += a.val[k * a.stride + i] * a.x[a.idx[k * a.stride + i]];
    y[i] = blend(alpha, sum, beta, &y[i]);
}

static spry_status run_scalar(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                              const spry_product *product) {
    scalar<<<blocks_for(matrix->rows, BLOCK), BLOCK, 0, context->device->stream>>>(
        padded_of(matrix, product->x), (val_t)product->alpha, (val_t)product->beta,
        static_cast<val_t *>(product->y));
    return launched(context, kernel->name);
}

/* ---- several threads a row ---- */

/* Rows of a block: a warp of them at least, for the sake of whole cache lines. */
template <int parts>
constexpr int rows_of_block = parts *WARP < BLOCK ? BLOCK / parts : WARP;

/* A block is a row of threads for each part: thread (r, p) takes every parts-th slot of row r from p on. */
template <int parts, bool eager, bool dots>
static __global__ void __launch_bounds__(rows_of_block<parts> *parts,
                                         SPRY_ROUNDS_RESIDENT / (rows_of_block<parts> * parts))
    split(padded a, val_t alpha, val_t beta, val_t *y, const val_t *w, double *partial) {
    await_earlier();
    constexpr int block_rows = rows_of_block<parts>;
    __shared__ val_t sums[parts][block_rows];
    const int64_t i = (int64_t)blockIdx.x * block_rows + threadIdx.x;
    const bool inside = i < a.rows, writes = inside && threadIdx.y == 0;
    /* Threads past the last row repeat it, without an effect, to be there when the block synchronises. */
    const int64_t row = inside ? i : a.rows - 1;
    const int64_t length = inside ? a.len[row] : 0;
    const val_t before = writes && beta != 0 ? y[row] : 0;
    val_t sum = sum_part<eager>(a, row, length, parts == 1 ? 0 : threadIdx.y, parts);
    if (parts > 1) {
        sums[threadIdx.y][threadIdx.x] = sum;
        __syncthreads();
        for (int p = 1; p < parts && writes; p++)
            sum += sums[p][threadIdx.x];
    }
    if (writes)
        y[row] = sum = blend(alpha, sum, beta, &before);
    if constexpr (dots) {
        static_assert(parts == 1, "every thread has a row");
        double dot[1] = {writes ? (double)w[row] * (double)sum : 0};
        block_join<block_rows>(dot);
        if (threadIdx.x == 0)
            partial[blockIdx.x] = dot[0];
    }
}

/* Padding is worth reading while there is little of it. */
static bool is_worth_reading(double slots, double nnz) {
    return slots <= 1.1 * nnz;
}

static bool is_eager(const spry_matrix *matrix) {
    return is_worth_reading((double)matrix->ell.width * (double)matrix->ell.stride, (double)matrix->nnz);
}

/* Rows are not shared in matrices large enough to matter. */
static int64_t partials(const spry_matrix *matrix) {
    return matrix->cuda.lanes == 1 ? blocks_for(matrix->rows, rows_of_block<1>) : 0;
}

/* The product of rows that are not shared, and what they add to the sum. */
static void launch_dots(spry_context *context, const spry_matrix *matrix, const padded &a, bool eager,
                        const spry_product *product) {
    auto run = eager ? split<1, true, true> : split<1, false, true>;
    launch_product(context, matrix, blocks_for(a.rows, rows_of_block<1>), rows_of_block<1>, run, a, 1, 0,
                   static_cast<val_t *>(product->y), static_cast<const val_t *>(product->w),
                   product->partial);
}

template <int parts>
static void launch(spry_context *context, const spry_matrix *matrix, const padded &a, bool eager, val_t alpha,
                   val_t beta, val_t *y) {
    const dim3 block(rows_of_block<parts>, parts);
    const unsigned blocks = blocks_for(a.rows, rows_of_block<parts>);
    auto run = eager ? split<parts, true, false> : split<parts, false, false>;
    launch_product(context, matrix, blocks, block, run, a, alpha, beta, y, nullptr, nullptr);
}

static spry_status run_split(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                             const spry_product *product) {
    padded a = padded_of(matrix, product->x);
    const val_t alpha = (val_t)product->alpha, beta = (val_t)product->beta;
    val_t *y = static_cast<val_t *>(product->y);
    const bool eager = is_eager(matrix);
    if (product->partial) {
        launch_dots(context, matrix, a, eager, product);
        return launched(context, kernel->name);
    }
    switch (matrix->cuda.lanes) {
    case 1:
        launch<1>(context, matrix, a, eager, alpha, beta, y);
        break;
    case 2:
        launch<2>(context, matrix, a, eager, alpha, beta, y);
        break;
    case 4:
        launch<4>(context, matrix, a, eager, alpha, beta, y);
        break;
    case 8:
        launch<8>(context, matrix, a, eager, alpha, beta, y);
        break;
    default:
        launch<SPRY_ROUNDS_PARTS>(context, matrix, a, eager, alpha, beta, y);
    }
    return launched(context, kernel->name);
}

/* All rows count as long as the longest, for the plan has not looked at them. A product takes as long as a row or as all together,
   whichever is more, and the last rows begin late. A warp wastes a round where it begins and ends. */
static int threads_of_row(const spry_context *context, int64_t rows, int64_t width) {
    const double groups = ceil((double)rows / WARP);
    auto rounds = [&](int lanes) {
        const double row = spry_rounds_of_row(width, lanes);
        return std::max(row, spry_rounds_of_all(context, groups * (double)width, groups * lanes)) + row / 4;
    };
    return spry_fewest_rounds(rounds).lanes;
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    matrix->cuda.lanes = threads_of_row(context, matrix->rows, matrix->ell.width);
    matrix->cuda.scratch[SPRY_T] = NAME(spry_scatter_scratch)(matrix, SPRY_T);
    return SPRY_OK;
}

/* Eight rows side by side are a cache line of values, which is read as far as the longest of them; a warp ends with its
   longest. */
extern "C" spry_terms NAME(spry_ell_work)(const spry_candidate *candidate) {
    const spry_features *features = candidate->features;
    const int processors = candidate->context->device->multiprocessors,
              parts = threads_of_row(candidate->context, features->rows, candidate->width);
    const double rows = (double)features->rows, warps = rows / WARP * parts,
                 slots =
                     SPRY_FEATURES_EIGHT * spry_group_steps(features, SPRY_FEATURES_EIGHT, candidate->width);
    spry_terms amounts = spry_traffic(candidate,
                                      rows * sizeof(idx_t) + slots * (sizeof(idx_t) + sizeof(val_t)) +
                                          candidate->spilled * (2 * sizeof(idx_t) + sizeof(val_t)),
                                      processors);
    amounts.critical = spry_rounds_of_row(candidate->width, parts);
    /* Half a round is wasted at the end of each. */
    amounts.steps =
        (spry_group_steps(features, WARP, candidate->width) / SPRY_ROUNDS_AHEAD + warps / 2) / processors;
    amounts.units = warps / processors;
    /* A walk that is not eager waits for the length first. */
    amounts.extra = !is_worth_reading(candidate->slots, (double)features->nnz);
    return amounts;
}

static const spry_kernel kernels[] = {
    {SPRY_CUDA_KERNEL("ell_scalar", SPRY_ELL, SPRY_N), .run = run_scalar},
    {SPRY_CUDA_KERNEL("ell_split", SPRY_ELL, SPRY_N), .run = run_split, .partials = partials,
     .work = NAME(spry_ell_work)},
};

extern "C" {
extern const struct spry_format_code NAME(spry_ell_code);
const struct spry_format_code NAME(spry_ell_code) = {
    .validate = spry_cuda_validate_on_host,
    .plan = plan,
};

extern const spry_kernel_list NAME(spry_kernels_ell);
const spry_kernel_list NAME(spry_kernels_ell) = {sizeof kernels / sizeof *kernels, kernels};
}

} // namespace spmv_ell
