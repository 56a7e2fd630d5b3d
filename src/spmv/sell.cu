/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SELL-C-σ on a device. Neighbouring threads take neighbouring positions, whose slots lie side by side within a slice, so
 * that a warp reads whole cache lines of slices of 32 rows. A row's length tells where it ends: its padding may be read where
 * there is little of it, but neither is it multiplied nor does its column count, so that it may be anything.
 *
 * sell_split lets a thread have a row, or several threads where rows are few. Where some rows are much longer than others, each
 * group of 32 positions with such a row is shared by the warps of a block; those blocks come first.
 */
#include <algorithm>

#include "cuda/early.cuh"
#include "primitives/reduce.cuh"
#include "spmv/sell.cuh"

extern "C" {
#include "analysis/work.h"
}

namespace spmv_sell {

/* Positions of a block; of one that shares a group of long rows, threads. */
static constexpr int BLOCK = 256;
static constexpr int WIDE = WARP * SPRY_SELL_PARTS;

/* ---- rows ---- */

/* One thread a row: what a kernel does, and no more. */
static __global__ void scalar(slices a, val_t alpha, const val_t *x, val_t beta, val_t *y) {
    const int64_t p = thread_number();
    if (p >= a.rows)
        return;
    const int64_t row = row_at(a, p), slot = slice_begin(a, p / a.height) + p % a.height;
    const idx_t base = base_of_group(a.idx, p / a.height);
    val_t sum = 0;
    for (int64_t k = 0; k < a.len[p]; k++)
        sum = fma(value_at(a.val, slot + k * a.height), x[base + column_at(a.idx, slot + k * a.height)], sum);
    y[row] = blend(alpha, sum, beta, &y[row]);
}

static spry_status run_scalar(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                              const spry_product *product) {
    scalar<<<blocks_for(matrix->rows, BLOCK), BLOCK, 0, context->device->stream>>>(
        slices_of(matrix), (val_t)product->alpha, static_cast<const val_t *>(product->x),
        (val_t)product->beta, static_cast<val_t *>(product->y));
    return launched(context, kernel->name);
}

/* How slots are walked along: slices of `height` rows whose pointers count slots, or any slices where that is 0. An eager walk
   goes to the end of the slice, so that it need not wait for the length before it asks for slots. */
template <int height_, bool eager_>
struct walk {
    static constexpr int height = height_;
    static constexpr bool eager = eager_;
    static_assert(height > 0 || !eager, "all rows of a warp end together");
};

/* A row, at one of its slots and every `step` after it. */
struct sell_row {
    column_array idx;
    value_array val;
    int64_t step;
    idx_t slots;   /* to be read */
    idx_t entries; /* of them; the others are padding */
    idx_t base;    /* of its columns */
};

/* How many of `count` slots a thread has that takes every parts-th, from number `part` on. */
static __device__ inline idx_t share_of(idx_t count, int part, int parts) {
    return count > part ? (count - part + parts - 1) / parts : 0;
}

/* The row at a position, for one of the `parts` threads that share it. Past the last position there are no entries. */
template <class Walk>
static __device__ inline sell_row row_of(const slices &a, int64_t p, int part, int parts) {
    const int64_t height = Walk::height > 0 ? Walk::height : a.height, s = p / height, step = parts * height;
    if (s >= a.count)
        return {no_columns(), no_values(), step, 0, 0, 0};
    const ptr_t begin = a.ptr[s];
    const int64_t slot = (Walk::height > 0 ? begin : begin * a.unit) + p % height + part * height;
    const idx_t length = p < a.rows ? a.len[p] : 0,
                slots = Walk::eager ? (idx_t)((a.ptr[s + 1] - begin) / Walk::height) : length;
    return {a.idx + slot,
            a.val + slot,
            step,
            share_of(slots, part, parts),
            share_of(length, part, parts),
            base_of_group(a.idx, s)};
}

/* `count` slots, which are all asked for before the first is used. Of a row that has fewer, the last one is asked for
   instead of those that are missing: conditions would leave fewer of them in flight. */
template <int count, class Walk>
static __device__ inline val_t sum_slots(const sell_row &at, const val_t *x, val_t sum, bool all) {
    idx_t column[count];
    stored_t stored[count];
    val_t value[count], factor[count];
    load_entries(
        at.idx, at.val, [&](int s) { return (all || s < at.slots ? s : at.slots - 1) * at.step; }, column,
        stored);
#pragma unroll
    for (int s = 0; s < count; s++)
        factor[s] = __ldg(x + (!Walk::eager || s < at.entries ? at.base + column[s] : 0));
    values_of(at.val, stored, value);
#pragma unroll
    for (int s = 0; s < count; s++)
        sum = s < at.entries ? fma(value[s], factor[s], sum) : sum;
    return sum;
}

static __device__ inline void advance(sell_row &at) {
    at.idx += SPRY_SELL_AHEAD * at.step;
    at.val += SPRY_SELL_AHEAD * at.step;
    at.slots -= SPRY_SELL_AHEAD;
    at.entries -= SPRY_SELL_AHEAD;
}

/* What is left of an eager walk is as much for all rows of the slice: few are asked for twice. */
template <class Walk>
static __device__ inline val_t sum_row(sell_row at, const val_t *x) {
    val_t sum = 0;
    for (; at.slots >= SPRY_SELL_AHEAD; advance(at))
        sum = sum_slots<SPRY_SELL_AHEAD, Walk>(at, x, sum, true);
    if (at.slots > 5 || (!Walk::eager && at.slots > 0))
        return sum_slots<SPRY_SELL_AHEAD - 1, Walk>(at, x, sum, false);
    if (at.slots > 3)
        return sum_slots<5, Walk>(at, x, sum, false);
    return at.slots > 0 ? sum_slots<3, Walk>(at, x, sum, false) : sum;
}

/* What the threads of a block have of 32 rows, added up for the first warp. */
static __device__ inline val_t join_parts(val_t (*sums)[WARP], val_t sum, int part, int parts) {
    sums[part][lane_number()] = sum;
    __syncthreads();
    for (int v = 1; v < parts && part == 0; v++)
        sum += sums[v][lane_number()];
    return sum;
}

/* ---- a thread a row ---- */

template <class Walk, bool dots>
static __global__ void __launch_bounds__(BLOCK, SPRY_SELL_RESIDENT / BLOCK)
    rows(slices a, val_t alpha, const val_t *x, val_t beta, val_t *y, const val_t *w, double *partial) {
    await_earlier();
    const int64_t p = thread_number();
    const int64_t row = p < a.rows ? row_at(a, p) : 0;
    val_t sum = sum_row<Walk>(row_of<Walk>(a, p, 0, 1), x);
    if (p < a.rows)
        y[row] = sum = blend(alpha, sum, beta, &y[row]);
    if constexpr (dots) {
        double dot[1] = {p < a.rows ? (double)w[row] * (double)sum : 0};
        block_join<BLOCK>(dot);
        if (threadIdx.x == 0)
            partial[blockIdx.x] = dot[0];
    }
}

/* ---- a thread a row, and a block for 32 of the longest ---- */

/* Blocks of long groups come first: what takes longest begins first. In other blocks, warps pass over such groups. */
template <class Walk, bool dots>
static __global__ void __launch_bounds__(WIDE, SPRY_SELL_RESIDENT / WIDE)
    long_rows(slices a, spry_groups groups, val_t alpha, const val_t *x, val_t beta, val_t *y, const val_t *w,
              double *partial) {
    await_earlier();
    __shared__ val_t sums[SPRY_SELL_PARTS][WARP];
    const bool shared = blockIdx.x < groups.long_count;
    const int64_t p = shared ? (int64_t)as<idx_t>(groups.long_group)[blockIdx.x] * WARP + lane_number()
                             : ((int64_t)blockIdx.x - groups.long_count) * WIDE + threadIdx.x;
    const bool passed = !shared && __any_sync(ALL_LANES, p < a.rows && a.len[p] > groups.longest);
    const int part = shared ? threadIdx.x / WARP : 0;
    const bool writes = p < a.rows && part == 0 && !passed;
    const int64_t row = writes ? row_at(a, p) : 0;
    val_t sum = passed ? 0 : sum_row<Walk>(row_of<Walk>(a, p, part, shared ? SPRY_SELL_PARTS : 1), x);
    if (shared)
        sum = join_parts(sums, sum, part, SPRY_SELL_PARTS);
    if (writes)
        y[row] = sum = blend(alpha, sum, beta, &y[row]);
    if constexpr (dots) {
        double dot[1] = {writes ? (double)w[row] * (double)sum : 0};
        block_join<WIDE>(dot);
        if (threadIdx.x == 0)
            partial[blockIdx.x] = dot[0];
    }
}

/* ---- several threads a row ---- */

/* A block is a row of threads for each part: thread (r, p) takes every parts-th slot of row r from p on. */
template <class Walk, int parts>
static __global__ void __launch_bounds__(WARP *parts, SPRY_SELL_RESIDENT / (WARP * parts))
    split(slices a, val_t alpha, const val_t *x, val_t beta, val_t *y) {
    await_earlier();
    __shared__ val_t sums[parts][WARP];
    const int64_t p = (int64_t)blockIdx.x * WARP + threadIdx.x;
    const bool writes = p < a.rows && threadIdx.y == 0;
    const int64_t row = writes ? row_at(a, p) : 0;
    const val_t sum =
        join_parts(sums, sum_row<Walk>(row_of<Walk>(a, p, threadIdx.y, parts), x), threadIdx.y, parts);
    if (writes)
        y[row] = blend(alpha, sum, beta, &y[row]);
}

/* ---- the choice among them ---- */

static unsigned blocks_of_rows(const spry_matrix *matrix) {
    const int64_t long_count = matrix->cuda.groups.long_count;
    return long_count > 0 ? blocks_for(long_count * WIDE + matrix->rows, WIDE)
                          : blocks_for(matrix->rows, BLOCK);
}

/* Rows are not shared by all in matrices large enough to matter. */
static int64_t partials(const spry_matrix *matrix) {
    return matrix->cuda.lanes == 1 ? blocks_of_rows(matrix) : 0;
}

template <class Walk, bool dots>
static void launch_rows(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    const spry_groups &groups = matrix->cuda.groups;
    const slices a = slices_of(matrix);
    const val_t alpha = (val_t)product->alpha, beta = (val_t)product->beta,
                *x = static_cast<const val_t *>(product->x), *w = static_cast<const val_t *>(product->w);
    val_t *y = static_cast<val_t *>(product->y);
    const unsigned blocks = blocks_of_rows(matrix);
    /* Padding beside long rows is not worth reading. */
    if (groups.long_count > 0)
        launch_product(context, matrix, blocks, WIDE, long_rows<walk<Walk::height, false>, dots>, a, groups,
                       alpha, x, beta, y, w, product->partial);
    else
        launch_product(context, matrix, blocks, BLOCK, rows<Walk, dots>, a, alpha, x, beta, y, w,
                       product->partial);
}

template <class Walk, int parts>
static void launch_split(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    launch_product(context, matrix, blocks_for(matrix->rows, WARP), dim3(WARP, parts), split<Walk, parts>,
                   slices_of(matrix), (val_t)product->alpha, static_cast<const val_t *>(product->x),
                   (val_t)product->beta, static_cast<val_t *>(product->y));
}

template <class Walk>
static void launch(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    switch (matrix->cuda.lanes) {
    case 1:
        if (product->partial)
            launch_rows<Walk, true>(context, matrix, product);
        else
            launch_rows<Walk, false>(context, matrix, product);
        break;
    case 2:
        launch_split<Walk, 2>(context, matrix, product);
        break;
    case 4:
        launch_split<Walk, 4>(context, matrix, product);
        break;
    case 8:
        launch_split<Walk, 8>(context, matrix, product);
        break;
    default:
        launch_split<Walk, SPRY_SELL_PARTS>(context, matrix, product);
    }
}

static spry_status run_split(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                             const spry_product *product) {
    if (matrix->sell.height != WARP || matrix->sell.unit != 1)
        launch<walk<0, false>>(context, matrix, product);
    else if (spry_sell_is_full(matrix->sell.slots, matrix->nnz))
        launch<walk<WARP, true>>(context, matrix, product);
    else
        launch<walk<WARP, false>>(context, matrix, product);
    return launched(context, kernel->name);
}

/* ---- many columns ---- */

/* Entries that a thread has in flight before it uses the first. */
static constexpr int MANY_AHEAD = 4;

/* What one of `shares` adds to one column of the product of a row, which is x[0] of row 0: every shares-th entry. */
static __device__ val_t sum_column(const sell_row &at, int64_t x_step, const val_t *x) {
    val_t sum = 0;
    int64_t k = 0;
    for (; k + MANY_AHEAD <= at.slots; k += MANY_AHEAD) {
        val_t value[MANY_AHEAD], factor[MANY_AHEAD];
#pragma unroll
        for (int s = 0; s < MANY_AHEAD; s++) {
            value[s] = value_at(at.val, (k + s) * at.step);
            factor[s] = x[(at.base + column_at(at.idx, (k + s) * at.step)) * x_step];
        }
#pragma unroll
        for (int s = 0; s < MANY_AHEAD; s++)
            sum = fma(value[s], factor[s], sum);
    }
    for (; k < at.slots; k++)
        sum = fma(value_at(at.val, k * at.step), x[(at.base + column_at(at.idx, k * at.step)) * x_step], sum);
    return sum;
}

/* What the threads of a block have of a row, `columns` of them beside each other, added up for the first of a column. */
template <int columns>
static __device__ val_t join_shares(val_t sum) {
    __shared__ val_t sums[BLOCK];
    __syncthreads();
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int s = columns; s < BLOCK && threadIdx.x < columns; s += columns)
        sum += sums[threadIdx.x + s];
    return sum;
}

/* A lane for each of `columns` columns: lanes beside each other read the same entries, and columns that lie side by side
   from the same lines of x. The rows of a block are neighbours, whose entries share lines. Rows of more than groups.longest
   entries, where there are any, have a block each; those come first. */
template <int columns>
static __global__ void __launch_bounds__(BLOCK) many(slices a, spry_groups groups, spry_product product) {
    await_earlier();
    const int64_t long_blocks = groups.long_count * WARP, lane = threadIdx.x % columns;
    const bool shared = blockIdx.x < long_blocks;
    const int64_t p =
        shared ? (int64_t)as<idx_t>(groups.long_group)[blockIdx.x / WARP] * WARP + blockIdx.x % WARP
               : (((int64_t)blockIdx.x - long_blocks) * BLOCK + threadIdx.x) / columns;
    const bool is_long = groups.long_count > 0 && p < a.rows && a.len[p] > groups.longest;
    if (p >= a.rows || shared != is_long)
        return;
    const sell_row at =
        row_of<walk<0, false>>(a, p, shared ? threadIdx.x / columns : 0, shared ? BLOCK / columns : 1);
    for (int64_t first = 0; first < product.columns; first += columns) {
        const int64_t c = first + lane;
        const bool is_there = c < product.columns;
        val_t sum = is_there ? sum_column(at, product.x_step,
                                          static_cast<const val_t *>(product.x) + c * product.x_next)
                             : 0;
        if (shared)
            sum = join_shares<columns>(sum);
        val_t *y = static_cast<val_t *>(product.y) + row_at(a, p) * product.y_step + c * product.y_next;
        if (is_there && (!shared || threadIdx.x < columns))
            *y = blend((val_t)product.alpha, sum, (val_t)product.beta, y);
    }
}

/* ---- many columns, a warp a slice ---- */

/* Warps on a multiprocessor that it takes for slices to keep it busy. */
static constexpr int SLICES_WANTED = 16;

/* The slots of a warp's slice that are its rows' number k: a lane loads those of its row, which lie side by side. */
struct slice_slots {
    idx_t column;
    stored_t stored;
    unsigned rows; /* bit r: row r has an entry there */

    __device__ slice_slots(const sell_row &at, int64_t k) {
        const bool is_there = k < at.entries;
        column = is_there ? at.base + load_column(at.idx, k * WARP) : 0;
        stored = is_there ? load_stored(at.val, k * WARP) : 0;
        rows = __ballot_sync(ALL_LANES, is_there);
    }
};

/* A lane takes one of `columns` columns, and every row of the slice with its number modulo the groups of lanes that these
   make. */
template <int columns>
static __global__ void __launch_bounds__(BLOCK) many_of_slice(slices a, spry_product product) {
    await_earlier();
    constexpr int groups = WARP / columns;
    const int64_t p = thread_number(), c = (int64_t)blockIdx.y * columns + threadIdx.x % columns;
    const int group = lane_number() / columns;
    const bool is_there = c < product.columns;
    const sell_row at = row_of<walk<WARP, true>>(a, p, 0, 1);
    const val_t *x = static_cast<const val_t *>(product.x) + (is_there ? c : 0) * product.x_next;
    val_t sum[columns] = {};
    slice_slots next(at, 0);
    for (int64_t k = 0; k < at.slots; k++) {
        const slice_slots here = next;
        const val_t mine = value_of(at.val, here.stored);
        val_t factor[columns];
        next = slice_slots(at, k + 1);
#pragma unroll
        for (int j = 0; j < columns; j++)
            factor[j] = __ldg(x + __shfl_sync(ALL_LANES, here.column, j * groups + group) * product.x_step);
#pragma unroll
        for (int j = 0; j < columns; j++) {
            const val_t value = __shfl_sync(ALL_LANES, mine, j * groups + group);
            sum[j] = here.rows >> (j * groups + group) & 1 ? fma(value, factor[j], sum[j]) : sum[j];
        }
    }
    const int64_t row = p < a.rows ? row_at(a, p) : -1;
#pragma unroll
    for (int j = 0; j < columns; j++) {
        const int64_t i = __shfl_sync(ALL_LANES, (long long)row, j * groups + group);
        val_t *y = static_cast<val_t *>(product.y) + i * product.y_step + c * product.y_next;
        if (i >= 0 && is_there)
            *y = blend((val_t)product.alpha, sum[j], (val_t)product.beta, y);
    }
}

/* Whether there are enough slices of a warp's size and without long rows. */
static bool suits_slices(const spry_context *context, const spry_matrix *matrix) {
    return matrix->sell.height == WARP && matrix->sell.unit == 1 && matrix->cuda.groups.long_count == 0 &&
           matrix->rows / WARP >= (int64_t)context->device->multiprocessors * SLICES_WANTED;
}

template <int columns>
static void launch_many(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    const spry_groups &groups = matrix->cuda.groups;
    const slices a = slices_of(matrix);
    if (suits_slices(context, matrix)) {
        const dim3 blocks(blocks_for(matrix->rows, BLOCK), blocks_for(product->columns, columns));
        launch_product(context, matrix, blocks, BLOCK, many_of_slice<columns>, a, *product);
        return;
    }
    const int64_t threads = groups.long_count * WARP * BLOCK + matrix->rows * columns;
    launch_product(context, matrix, blocks_for(threads, BLOCK), BLOCK, many<columns>, a, groups, *product);
}

static spry_status run_many(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                            const spry_product *product) {
    if (product->columns <= 2)
        launch_many<2>(context, matrix, product);
    else if (product->columns <= 4)
        launch_many<4>(context, matrix, product);
    else
        launch_many<8>(context, matrix, product);
    return launched(context, kernel->name);
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

/* Groups of 32 positions of which a row is longer than that: as rows lie, or, sorted, as full of such rows but for one group of
   each window, which is half full. */
static double long_groups(const spry_candidate *candidate, int64_t length) {
    const spry_features *features = candidate->features;
    const double as_they_lie = (double)spry_count_above(features->by_warp, length),
                 rows = (double)spry_count_above(features->by_row, length),
                 window = (double)candidate->storage.parameter[1];
    if (window <= 1)
        return as_they_lie;
    return std::min(as_they_lie, rows / WARP + std::min(rows, ceil((double)features->rows / window)) / 2);
}

/* A walk waits for the slice first, and where padding is not worth reading for the length. */
static spry_terms work(const spry_candidate *candidate) {
    const spry_features *features = candidate->features;
    const int processors = candidate->context->device->multiprocessors;
    const double rows = (double)features->rows, steps = candidate->slots / WARP;
    const spry_sell_sharing suits =
        NAME(spry_sell_sharing)(candidate->context, features->rows, features->longest, steps);
    const double count = features->longest > suits.alone ? long_groups(candidate, suits.alone) : 0;
    const bool has_blocks = count > 0 && count <= suits.blocks;
    const int lanes = has_blocks ? 1 : suits.lanes;
    const double warps = rows / WARP * lanes + (has_blocks ? count * SPRY_SELL_PARTS : 0),
                 padding = candidate->slots - slots_read(candidate),
                 each = (double)(spry_column_size(TMPL_INDEX, candidate->storage.columns) +
                                 spry_stored_size(TMPL_TYPE, candidate->storage.values));
    spry_terms amounts = spry_traffic(candidate, candidate->bytes - padding * each, processors);
    amounts.critical = has_blocks ? std::max((double)suits.alone / SPRY_SELL_AHEAD,
                                             spry_rounds_of_row(features->longest, SPRY_SELL_PARTS))
                                  : spry_rounds_of_row(features->longest, lanes);
    /* Half a round is wasted at the end of each. */
    amounts.steps = (steps / SPRY_SELL_AHEAD + warps / 2) / processors;
    amounts.units = warps / processors;
    /* Rows that come back in their order. */
    amounts.entries = candidate->storage.parameter[1] > 1 ? rows / processors : 0;
    amounts.extra = 1;
    return amounts;
}

static const spry_kernel kernels[] = {
    SPRY_CUDA_KERNELS("sell_scalar", SPRY_SELL, SPRY_N, .run = run_scalar),
    SPRY_CUDA_KERNELS("sell_many", SPRY_SELL, SPRY_N, .many = true, .run = run_many),
    SPRY_CUDA_KERNELS("sell_split", SPRY_SELL, SPRY_N, .run = run_split, .partials = partials, .work = work),
};

extern "C" {
extern const spry_kernel_list CODED(spry_kernels_sell);
const spry_kernel_list CODED(spry_kernels_sell) = {sizeof kernels / sizeof *kernels, kernels};
}

} // namespace spmv_sell
