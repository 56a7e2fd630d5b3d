/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SELL-C-σ on a device. Neighbouring threads take neighbouring positions, whose slots lie side by side within a slice, so
 * that a warp reads whole cache lines of slices of 32 rows. A row's length tells where it ends: its padding is neither read
 * nor multiplied, and may be anything.
 *
 * sell_split lets a thread have a row, or several threads where rows are few, as ell_split does. Where some rows are much
 * longer than others, each group of 32 positions with such a row is shared by the warps of a block; those blocks come first.
 */
#include <algorithm>

#include "primitives/reduce.cuh"
#include "spmv/ell.cuh"
#include "spmv/sell.cuh"

#define BLOCK 256
#define BLOCK_WARPS (BLOCK / WARP)
/* Most threads that share a row. */
#define PARTS_MOST 16

/* ---- rows ---- */

/* A row, as the walk along ELL takes it: slots of a row are as far from each other as a slice is high. */
struct sell_row {
    int64_t row, length; /* past the last position, no entries of row 0 */
    int64_t slot;
};

/* The row at a position. Slices of `fixed` rows, unless that is 0, are found without a division. */
template <int fixed>
static __device__ inline sell_row sell_row_at(const slices &a, int64_t p) {
    if (p >= a.rows)
        return {0, 0, 0};
    const int64_t height = fixed > 0 ? fixed : a.height, s = p / height;
    return {row_at(a, p), a.len[p], slice_begin(a, s) + p % height};
}

template <int fixed>
static __device__ inline padded walk_of(const slices &a, const val_t *x) {
    return {a.rows, 0, fixed > 0 ? fixed : a.height, a.len, a.idx, a.val, x};
}

/* One thread a row: what a kernel does, and no more. */
static __global__ void scalar(slices a, val_t alpha, const val_t *x, val_t beta, val_t *y) {
    const int64_t p = thread_number();
    const sell_row at = sell_row_at<0>(a, p);
    if (p >= a.rows)
        return;
    val_t sum = 0;
    for (int64_t k = 0; k < at.length; k++)
        sum += a.val[at.slot + k * a.height] * x[a.idx[at.slot + k * a.height]];
    y[at.row] = blend(alpha, sum, beta, &y[at.row]);
}

static spry_status run_scalar(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                              const spry_product *product) {
    scalar<<<blocks_for(matrix->rows, BLOCK), BLOCK, 0, context->device->stream>>>(
        slices_of(matrix), (val_t)product->alpha, static_cast<const val_t *>(product->x),
        (val_t)product->beta, static_cast<val_t *>(product->y));
    return launched(context, kernel->name);
}

/* ---- a thread a row, and a block for 32 of the longest ---- */

/* Blocks of long groups come first: what takes longest begins first. In other blocks, warps pass over such groups. */
template <int fixed, bool dots>
static __global__ void __launch_bounds__(BLOCK, SPRY_SELL_RESIDENT / BLOCK)
    rows(slices a, spry_groups groups, val_t alpha, const val_t *x, val_t beta, val_t *y, const val_t *w,
         double *partial) {
    __shared__ val_t sums[BLOCK_WARPS][WARP];
    const bool shared = blockIdx.x < groups.long_count;
    const int64_t p = shared ? (int64_t)as<idx_t>(groups.long_group)[blockIdx.x] * WARP + lane_number()
                             : ((int64_t)blockIdx.x - groups.long_count) * BLOCK + threadIdx.x;
    sell_row at = sell_row_at<fixed>(a, p);
    const int part = shared ? threadIdx.x / WARP : 0;
    const bool passed = !shared && groups.long_count > 0 && __any_sync(ALL_LANES, at.length > groups.longest);
    const bool writes = p < a.rows && part == 0 && !passed;
    const val_t before = writes && beta != 0 ? y[at.row] : 0;
    val_t sum = sum_part<false>(walk_of<fixed>(a, x), at.slot, passed ? 0 : at.length, part,
                                shared ? BLOCK_WARPS : 1);
    if (shared) {
        sums[part][lane_number()] = sum;
        __syncthreads();
        for (int v = 1; v < BLOCK_WARPS && writes; v++)
            sum += sums[v][lane_number()];
    }
    if (writes)
        y[at.row] = sum = blend(alpha, sum, beta, &before);
    if constexpr (dots) {
        double dot[1] = {writes ? (double)w[at.row] * (double)sum : 0};
        block_join<BLOCK>(dot);
        if (threadIdx.x == 0)
            partial[blockIdx.x] = dot[0];
    }
}

/* ---- several threads a row ---- */

/* A block is a row of threads for each part: thread (r, p) takes every parts-th slot of row r from p on. */
template <int parts, int fixed>
static __global__ void __launch_bounds__(WARP *parts, SPRY_SELL_RESIDENT / (WARP * parts))
    split(slices a, val_t alpha, const val_t *x, val_t beta, val_t *y) {
    __shared__ val_t sums[parts][WARP];
    const int64_t p = (int64_t)blockIdx.x * WARP + threadIdx.x;
    const sell_row at = sell_row_at<fixed>(a, p);
    const bool writes = p < a.rows && threadIdx.y == 0;
    const val_t before = writes && beta != 0 ? y[at.row] : 0;
    val_t sum = sum_part<false>(walk_of<fixed>(a, x), at.slot, at.length, threadIdx.y, parts);
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    for (int v = 1; v < parts && writes; v++)
        sum += sums[v][threadIdx.x];
    if (writes)
        y[at.row] = blend(alpha, sum, beta, &before);
}

static unsigned blocks_of_rows(const spry_matrix *matrix) {
    return blocks_for(matrix->cuda.groups.long_count * BLOCK + matrix->rows, BLOCK);
}

/* Rows are not shared by all in matrices large enough to matter. */
static int64_t partials(const spry_matrix *matrix) {
    return matrix->cuda.lanes == 1 ? blocks_of_rows(matrix) : 0;
}

template <int fixed>
static void launch_rows(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    auto run = product->partial ? rows<fixed, true> : rows<fixed, false>;
    run<<<blocks_of_rows(matrix), BLOCK, 0, context->device->stream>>>(
        slices_of(matrix), matrix->cuda.groups, (val_t)product->alpha, static_cast<const val_t *>(product->x),
        (val_t)product->beta, static_cast<val_t *>(product->y), static_cast<const val_t *>(product->w),
        product->partial);
}

template <int parts, int fixed>
static void launch_split(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    split<parts, fixed><<<blocks_for(matrix->rows, WARP), dim3(WARP, parts), 0, context->device->stream>>>(
        slices_of(matrix), (val_t)product->alpha, static_cast<const val_t *>(product->x),
        (val_t)product->beta, static_cast<val_t *>(product->y));
}

template <int fixed>
static void launch(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    switch (matrix->cuda.lanes) {
    case 1:
        launch_rows<fixed>(context, matrix, product);
        break;
    case 2:
        launch_split<2, fixed>(context, matrix, product);
        break;
    case 4:
        launch_split<4, fixed>(context, matrix, product);
        break;
    case 8:
        launch_split<8, fixed>(context, matrix, product);
        break;
    default:
        launch_split<PARTS_MOST, fixed>(context, matrix, product);
    }
}

static spry_status run_split(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                             const spry_product *product) {
    if (matrix->sell.height == WARP)
        launch<WARP>(context, matrix, product);
    else
        launch<0>(context, matrix, product);
    return launched(context, kernel->name);
}

/* ---- many columns ---- */

/* Entries that a thread has in flight before it uses the first. */
#define MANY_AHEAD 4

/* What a row adds to one column of the product, which is at[0] of row 0 of x. */
static __device__ val_t sum_column(const slices &a, const sell_row &row, int64_t x_step, const val_t *at) {
    const idx_t *idx = a.idx + row.slot;
    const stored_t *val = a.val + row.slot;
    val_t sum = 0;
    int64_t k = 0;
    for (; k + MANY_AHEAD <= row.length; k += MANY_AHEAD) {
        val_t value[MANY_AHEAD], x[MANY_AHEAD];
#pragma unroll
        for (int s = 0; s < MANY_AHEAD; s++) {
            value[s] = val[(k + s) * a.height];
            x[s] = at[idx[(k + s) * a.height] * x_step];
        }
#pragma unroll
        for (int s = 0; s < MANY_AHEAD; s++)
            sum += value[s] * x[s];
    }
    for (; k < row.length; k++)
        sum += val[k * a.height] * at[idx[k * a.height] * x_step];
    return sum;
}

/* A lane for each of `columns` columns: lanes beside each other read the same entries, and columns that lie side by side
   from the same lines of x. The rows of a block are neighbours, whose entries share lines. */
template <int columns>
static __global__ void __launch_bounds__(BLOCK) many(slices a, spry_product product) {
    const int64_t p = thread_number() / columns;
    if (p >= a.rows)
        return;
    const sell_row at = sell_row_at<0>(a, p);
    for (int64_t c = threadIdx.x % columns; c < product.columns; c += columns) {
        const val_t sum =
            sum_column(a, at, product.x_step, static_cast<const val_t *>(product.x) + c * product.x_next);
        val_t *y = static_cast<val_t *>(product.y) + at.row * product.y_step + c * product.y_next;
        *y = blend((val_t)product.alpha, sum, (val_t)product.beta, y);
    }
}

template <int columns>
static void launch_many(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    many<columns><<<blocks_for(matrix->rows, BLOCK / columns), BLOCK, 0, context->device->stream>>>(
        slices_of(matrix), *product);
}

static spry_status run_many(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                            const spry_product *product) {
    if (product->columns <= 4)
        launch_many<4>(context, matrix, product);
    else if (product->columns <= 8)
        launch_many<8>(context, matrix, product);
    else if (product->columns <= 16)
        launch_many<16>(context, matrix, product);
    else
        launch_many<WARP>(context, matrix, product);
    return launched(context, kernel->name);
}

/* A few long rows among many short ones are left to products with one column after the other. */
static bool has_even_rows(const spry_matrix *matrix) {
    return matrix->cuda.groups.long_count == 0;
}

/* ---- the selector ---- */

/* Eight rows side by side are a cache line of values, which is read as far as the longest of them; sorted rows are about as
   long as each other. */
static double slots_read(const spry_candidate *candidate) {
    const spry_features *features = candidate->features;
    const double eight =
        SPRY_FEATURES_EIGHT * spry_group_steps(features, SPRY_FEATURES_EIGHT, features->longest);
    return eight < candidate->slots ? eight : candidate->slots;
}

/* A walk waits for the length and the slice first; one that is shared by a block, for its warps. */
static spry_terms work(const spry_candidate *candidate) {
    const spry_features *features = candidate->features;
    const int processors = candidate->context->device->multiprocessors;
    const double rows = (double)features->rows, warps = rows / WARP, longest = (double)features->longest,
                 steps = candidate->slots / WARP;
    const spry_sell_sharing suits =
        NAME(spry_sell_sharing)(candidate->context, features->rows, features->longest, steps);
    const bool has_long = suits.lanes == 1 && features->longest > suits.longest;
    const double round = (double)SPRY_ELL_AHEAD * suits.lanes,
                 padding = candidate->slots - slots_read(candidate);
    spry_terms amounts =
        spry_traffic(candidate, candidate->bytes - padding * (sizeof(idx_t) + sizeof(stored_t)), processors);
    amounts.critical = has_long ? std::max((double)suits.longest / SPRY_ELL_AHEAD,
                                           ceil(longest / (SPRY_ELL_AHEAD * BLOCK_WARPS)))
                                : ceil(longest / round);
    /* Half a round is wasted at the end of each. */
    amounts.steps = (steps / round + warps / 2) * suits.lanes / processors;
    amounts.units = warps * suits.lanes / processors;
    /* Rows that come back in their order. */
    amounts.entries = candidate->storage.parameter[1] > 1 ? rows / processors : 0;
    amounts.extra = 1;
    return amounts;
}

static const spry_kernel kernels[] = {
    {SPRY_CUDA_KERNEL("sell_scalar", SPRY_SELL, SPRY_N), .run = run_scalar},
    {SPRY_CUDA_KERNEL("sell_many", SPRY_SELL, SPRY_N), .many = true, .takes = has_even_rows, .run = run_many},
    {SPRY_CUDA_KERNEL("sell_split", SPRY_SELL, SPRY_N), .run = run_split, .partials = partials, .work = work},
};

extern "C" {
extern const spry_kernel_list CODED(spry_kernels_sell);
const spry_kernel_list CODED(spry_kernels_sell) = {sizeof kernels / sizeof *kernels, kernels};
}
