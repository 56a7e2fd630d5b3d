/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * JDS on a device. Neighbouring threads take neighbouring sorted positions, whose entries lie side by side on
 * each diagonal; a position's row ends where a diagonal no longer reaches it.
 *
 * jds_sliced deals out slices of 32 positions to warps, `share` diagonals of a slice to each. The slices that
 * are deeper are the first ones, as rows are sorted: their warps leave partial sums, which a second launch
 * adds up in order. So one long row does not keep a warp busy when all others are done.
 */
#include <algorithm>

#include "cuda/early.cuh"
#include "cuda/lanes.cuh"
#include "primitives/device.cuh"
#include "formats/formats.cuh"
#include "spmv/scatter.cuh"

namespace spmv_jds {

static constexpr int BLOCK = 128;
/* Loads that a thread has in flight before it uses the first. */
static constexpr int AHEAD = 8;
/* Blocks on a multiprocessor: few enough for their registers to hold that. */
static constexpr int RESIDENT = 6;
/* Fewest diagonals worth a warp of their own, and warps that keep a multiprocessor busy. */
static constexpr int SHARE_LEAST = 32;
static constexpr int WARPS_WANTED = 64;
/* Warps that add up the partial sums of a slice. */
static constexpr int JOINERS = 8;

struct diagonals {
    int64_t rows, count;
    const ptr_t *ptr;
    const idx_t *perm, *idx;
    const val_t *val, *x;
};

static diagonals diagonals_of(const spry_matrix *matrix, const void *x) {
    const spry_jds *jds = &matrix->jds;
    return {matrix->rows,        jds->diagonals,      as<ptr_t>(jds->ptr),          as<idx_t>(jds->perm),
            as<idx_t>(jds->idx), as<val_t>(jds->val), static_cast<const val_t *>(x)};
}

/* One thread a row: what a kernel does, and no more. */
static __global__ void scalar(diagonals a, val_t alpha, val_t beta, val_t *y) {
    int64_t p = thread_number();
    if (p >= a.rows)
        return;
    val_t sum = 0;
    for (int64_t d = 0; d < a.count && a.ptr[d + 1] - a.ptr[d] > p; d++)
        sum += a.val[a.ptr[d] + p] * a.x[a.idx[a.ptr[d] + p]];
    y[a.perm[p]] = blend(alpha, sum, beta, &y[a.perm[p]]);
}

static spry_status run_scalar(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                              const spry_product *product) {
    scalar<<<blocks_for(matrix->rows, BLOCK), BLOCK, 0, context->device->stream>>>(
        diagonals_of(matrix, product->x), (val_t)product->alpha, (val_t)product->beta,
        static_cast<val_t *>(product->y));
    return launched(context, kernel->name);
}

/* ---- slices ---- */

/* What position p has on the diagonals d … end - 1. Slots and columns tell which of them reach p: conditions
   that live as long as the loads would need more predicate registers than there are, and then there are fewer
   loads in flight. */
static __device__ val_t sum_along(const diagonals &a, int64_t p, int64_t d, int64_t end) {
    val_t sum = 0;
    for (; d < end && p < a.ptr[d + 1] - a.ptr[d]; d += AHEAD) {
        int64_t slot[AHEAD], begin = a.ptr[d]; /* -1: there is none */
        idx_t column[AHEAD];
        val_t value[AHEAD], factor[AHEAD];
#pragma unroll
        for (int s = 0; s < AHEAD; s++) {
            int64_t next = a.ptr[d + s + 1 < end ? d + s + 1 : end]; /* past the end, diagonals are empty */
            slot[s] = p < next - begin ? begin + p : -1;
            begin = next;
        }
#pragma unroll
        for (int s = 0; s < AHEAD; s++) {
            column[s] = slot[s] >= 0 ? __ldg(a.idx + slot[s]) : -1;
            value[s] = slot[s] >= 0 ? __ldg(a.val + slot[s]) : 0;
        }
#pragma unroll
        for (int s = 0; s < AHEAD; s++)
            factor[s] = __ldg(a.x + (column[s] < 0 ? 0 : column[s]));
#pragma unroll
        for (int s = 0; s < AHEAD; s++)
            if (column[s] >= 0)
                sum += value[s] * factor[s];
    }
    return sum;
}

/* Warps of the deep slices come first, then one for each other slice. */
static __global__ void __launch_bounds__(BLOCK, RESIDENT)
    sliced(diagonals a, spry_slices slices, int64_t warps, val_t alpha, val_t beta, val_t *partial,
           val_t *y) {
    await_earlier();
    const int64_t warp = thread_number() / WARP;
    if (warp >= warps)
        return;
    if (warp < slices.deep_warps) {
        const ptr_t *first = as<ptr_t>(slices.first_warp);
        const int64_t slice = find_slice(first, slices.deep, warp);
        int64_t begin = (warp - first[slice]) * slices.share,
                end = begin + slices.share < a.count ? begin + slices.share : a.count;
        partial[thread_number()] = sum_along(a, slice * WARP + lane_number(), begin, end);
        return;
    }
    int64_t p = (slices.deep + warp - slices.deep_warps) * WARP + lane_number();
    if (p >= a.rows)
        return;
    idx_t row = a.perm[p];
    val_t before = beta == 0 ? 0 : y[row];
    y[row] = blend(alpha, sum_along(a, p, 0, a.count), beta, &before);
}

/* A block adds up what the warps of one deep slice have left. */
static __global__ void __launch_bounds__(JOINERS *WARP)
    join(diagonals a, const ptr_t *first_warp, val_t alpha, val_t beta, const val_t *partial, val_t *y) {
    await_earlier();
    __shared__ val_t sums[JOINERS][WARP];
    const int64_t slice = blockIdx.x, p = slice * WARP + threadIdx.x, end = first_warp[slice + 1];
    val_t sum = 0;
    for (int64_t warp = first_warp[slice] + threadIdx.y; warp < end; warp += JOINERS)
        sum += partial[warp * WARP + threadIdx.x];
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0 || p >= a.rows)
        return;
    for (int w = 1; w < JOINERS; w++)
        sum += sums[w][threadIdx.x];
    idx_t row = a.perm[p];
    y[row] = blend(alpha, sum, beta, &y[row]);
}

static spry_status run_sliced(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                              const spry_product *product) {
    const spry_slices *slices = &matrix->cuda.slices;
    diagonals a = diagonals_of(matrix, product->x);
    int64_t warps = slices->deep_warps + (matrix->rows + WARP - 1) / WARP - slices->deep;
    const val_t alpha = (val_t)product->alpha, beta = (val_t)product->beta;
    val_t *y = static_cast<val_t *>(product->y);
    val_t *partial = static_cast<val_t *>(spry_workspace(&context->device->scratch));
    launch_product(context, matrix, blocks_for(warps * WARP, BLOCK), BLOCK, sliced, a, *slices, warps, alpha,
                   beta, partial, y);
    if (slices->deep > 0)
        launch_product(context, matrix, (unsigned)slices->deep, dim3(WARP, JOINERS), join, a,
                       as<ptr_t>(slices->first_warp), alpha, beta, partial, y);
    return launched(context, kernel->name);
}

/* ---- the plan ---- */

/* Threads of the block that plans, and slices that each of them looks at at a time: searches that do not wait for each other. */
static constexpr int PLANNERS = 1024;
static constexpr int PLANNED = 4;

/* What the plan finds: how many slices are deep, and all their warps. */
struct deep_slices {
    int64_t count, warps;
};

/* Rows that diagonal d reaches. */
static __device__ int64_t reached_rows(const ptr_t *ptr, int64_t d) {
    return ptr[d + 1] - ptr[d];
}

/* The warps of the slices from `first` on: one for each share of diagonals that reaches a slice, whose first row is the longest, or 0
   where that is one, as the slice is not deep. By bisection, of all at once. */
static __device__ void count_warps(const ptr_t *ptr, int64_t shares, int64_t share, int64_t first,
                                   int64_t (&warps)[PLANNED]) {
#pragma unroll
    for (int e = 0; e < PLANNED; e++)
        warps[e] = 0;
    for (int64_t step = (int64_t)1 << (63 - __clzll(shares)); step > 0; step /= 2)
#pragma unroll
        for (int e = 0; e < PLANNED; e++)
            if (warps[e] + step <= shares &&
                reached_rows(ptr, (warps[e] + step - 1) * share) > (first + e) * WARP)
                warps[e] += step;
#pragma unroll
    for (int e = 0; e < PLANNED; e++)
        warps[e] = warps[e] > 1 ? warps[e] : 0;
}

/* The first warp of each slice, as if those that are not deep had none. Past the last of `most`, which is as many as can be deep, stands
   how many there are. One block. */
static __global__ void __launch_bounds__(PLANNERS)
    plan_slices(const ptr_t *ptr, int64_t count, int64_t share, int64_t most, ptr_t *first_warp,
                deep_slices *found) {
    await_earlier();
    const int64_t shares = (count + share - 1) / share;
    ptr_t all = 0;
    for (int64_t done = 0; done < most; done += PLANNERS * PLANNED) {
        const int64_t first = done + (int64_t)threadIdx.x * PLANNED;
        int64_t warps[PLANNED], sum = 0;
        count_warps(ptr, shares, share, first, warps);
        for (int e = 0; e < PLANNED; e++)
            sum += warps[e];
        const prefix<ptr_t> of_block = sum_threads_before<PLANNERS>((ptr_t)sum);
        sum = all + of_block.before;
        for (int e = 0; e < PLANNED && first + e < most; e++) {
            first_warp[first + e] = (ptr_t)sum;
            sum += warps[e];
        }
        all += of_block.all;
    }
    if (threadIdx.x > 0)
        return;
    first_warp[most] = all;
    *found = {(reached_rows(ptr, share) + WARP - 1) / WARP, all};
}

/* Rows that are so long take more entries than `share` each, so that few slices can be deep: as many as the device has warps that
   keep it busy, at most. Waits. */
static spry_status plan_deep(spry_context *context, spry_matrix *matrix) {
    spry_slices *slices = &matrix->cuda.slices;
    const int64_t rows = std::min(matrix->rows, matrix->nnz / (slices->share + 1)),
                  most = (rows + WARP - 1) / WARP;
    spry_status status = spry_matrix_array(context, matrix, most + 1, sizeof(ptr_t), &slices->first_warp);
    if (status)
        return status;
    deep_slices *found = static_cast<deep_slices *>(context->device->fetched);
    launch_early(context, 1, PLANNERS, plan_slices, as<ptr_t>(matrix->jds.ptr), matrix->jds.diagonals,
                 slices->share, most, as<ptr_t>(slices->first_warp), found);
    status = launched(context, "planning slices");
    if (!status)
        status = spry_cuda_check(context, cudaStreamSynchronize(context->device->stream), "planning slices");
    if (status)
        return status;
    slices->deep = found->count;
    slices->deep_warps = found->warps;
    matrix->cuda.partial = (size_t)slices->deep_warps * WARP * sizeof(val_t);
    return SPRY_OK;
}

/* Diagonals that a warp takes. */
static int64_t share_of(const spry_context *context, int64_t nnz) {
    int64_t busy = (int64_t)context->device->multiprocessors * WARPS_WANTED, fair = nnz / WARP / busy;
    return fair > SHARE_LEAST ? fair : SHARE_LEAST;
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    matrix->cuda.slices.share = share_of(context, matrix->nnz);
    matrix->cuda.scratch[SPRY_T] = NAME(spry_scatter_scratch)(matrix, SPRY_T);
    return matrix->jds.diagonals > matrix->cuda.slices.share ? plan_deep(context, matrix) : SPRY_OK;
}

/* A warp goes to the end of its share, or of its longest row; deep slices are joined by a second launch, which waits for
   the deepest. */
static spry_terms work(const spry_candidate *candidate) {
    const spry_features *features = candidate->features;
    const int processors = candidate->context->device->multiprocessors;
    const double share = (double)share_of(candidate->context, features->nnz),
                 longest = (double)features->longest, rows = (double)features->rows;
    spry_terms amounts = spry_traffic(candidate, candidate->bytes, processors);
    amounts.critical = (longest < share ? longest : share) / AHEAD;
    amounts.steps = ((double)features->nnz / AHEAD + rows / 2) / WARP / processors;
    amounts.units = rows / WARP / processors;
    amounts.entries = rows / processors;
    if (longest > share) {
        amounts.extra = 1;
        amounts.padding = longest / share / JOINERS;
        amounts.branches = (double)spry_count_above(features->by_row, (int64_t)share) / processors;
    }
    return amounts;
}

static const spry_kernel kernels[] = {
    {SPRY_CUDA_KERNEL("jds_scalar", SPRY_JDS, SPRY_N), .run = run_scalar},
    {SPRY_CUDA_KERNEL("jds_sliced", SPRY_JDS, SPRY_N), .run = run_sliced, .work = work},
};

extern "C" {
extern const struct spry_format_code NAME(spry_jds_code);
const struct spry_format_code NAME(spry_jds_code) = {
    .validate = spry_cuda_validate_on_host,
    .plan = plan,
};

extern const spry_kernel_list NAME(spry_kernels_jds);
const spry_kernel_list NAME(spry_kernels_jds) = {sizeof kernels / sizeof *kernels, kernels};
}

} // namespace spmv_jds
