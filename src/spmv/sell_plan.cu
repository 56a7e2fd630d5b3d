/* SPDX-License-Identifier: BSD-3-Clause */
/* How the rows of SELL are shared among threads. */
#include <algorithm>

#include "primitives/device.cuh"
#include "spmv/scatter.cuh"
#include "spmv/sell.cuh"

namespace spmv_sell_plan {

static constexpr int BLOCK = 256;
/* Rounds that a warp may go alone, at least. */
static constexpr int ROUNDS_LEAST = 4;
/* Rounds that a warp wastes where it begins and ends, and each of a block for long rows, whose warps wait for each other. By the times
   of 79 matrices with 1 to 16 threads a row, and of 470 shared in two ways, on an H200. */
static constexpr double WASTED = 0.75, WASTED_IN_BLOCK = 1;

/* What one look at the lengths finds: the longest, and the longest of each group, all added up. */
struct findings {
    unsigned long long longest, steps;
};

/* The longest row of the group that a warp looks at; 0 past the last. */
static __device__ int64_t longest_of_group(const slices &a, int64_t p) {
    return largest_of_lanes(p < a.rows ? (int64_t)a.len[p] : 0);
}

static __global__ void __launch_bounds__(BLOCK) look(slices a, findings *found) {
    unsigned long long longest = 0, steps = 0;
    for (int64_t first = (int64_t)blockIdx.x * BLOCK; first < a.rows; first += (int64_t)gridDim.x * BLOCK) {
        const unsigned long long length = longest_of_group(a, first + threadIdx.x);
        longest = length > longest ? length : longest;
        steps += length;
    }
    if (lane_number() > 0 || steps == 0)
        return;
    atomicMax(&found->longest, longest);
    atomicAdd(&found->steps, steps);
}

/* Which groups have rows longer than `longest`, 1 each, and later their numbers, given how many are before each. */
static __global__ void mark_long(slices a, int64_t longest, ptr_t *is_long) {
    const int64_t p = thread_number(), found = longest_of_group(a, p);
    if (p < a.rows && lane_number() == 0)
        is_long[p / WARP] = found > longest;
}

static __global__ void list_long(int64_t groups, const ptr_t *before, idx_t *group) {
    const int64_t g = thread_number();
    if (g < groups && before[g + 1] > before[g])
        group[before[g]] = (idx_t)g;
}

/* Waits, unless a conversion has left the length of the longest row where the plan will have another: what slices of 32 take is
   known with it. */
static spry_status look_at_lengths(spry_context *context, const spry_matrix *matrix, findings *found) {
    tally<findings> counters(context);
    const int64_t longest = matrix->cuda.groups.longest;
    if (longest > 0 && matrix->sell.height == WARP) {
        *found = {(unsigned long long)longest, (unsigned long long)matrix->sell.slots / WARP};
        return SPRY_OK;
    }
    spry_status status = counters.start();
    if (status)
        return status;
    look<<<blocks_at_once(context, matrix->rows, BLOCK), BLOCK, 0, context->device->stream>>>(
        slices_of(matrix), counters.place());
    status = launched(context, "looking at row lengths");
    return status ? status : counters.read(found);
}

/* Gives each group with a long row a block, unless they are too many. Waits. */
static spry_status share_long_groups(spry_context *context, spry_matrix *matrix,
                                     const spry_sell_sharing *suits) {
    spry_groups *groups = &matrix->cuda.groups;
    const int64_t count = (matrix->rows + WARP - 1) / WARP;
    cudaStream_t stream = context->device->stream;
    temporary place(context);
    ptr_t total = 0;
    spry_status status = place.take(count + 1, sizeof(ptr_t));
    if (status)
        return status;
    ptr_t *before = as<ptr_t>(place.pointer);
    mark_long<<<blocks_for(matrix->rows, BLOCK), BLOCK, 0, stream>>>(slices_of(matrix), suits->alone, before);
    status = launched(context, "looking for long rows");
    if (!status)
        status = NAME(spry_cuda_scan)(context, before, count);
    if (!status)
        status = spry_cuda_fetch(context, &total, before + count, sizeof total);
    if (status || (double)total > suits->blocks)
        return status;
    status = spry_matrix_array(context, matrix, total, sizeof(idx_t), &groups->long_group);
    if (status)
        return status;
    list_long<<<blocks_for(count, BLOCK), BLOCK, 0, stream>>>(count, before, as<idx_t>(groups->long_group));
    groups->long_count = total;
    groups->longest = suits->alone;
    matrix->cuda.lanes = 1;
    return launched(context, "listing long rows");
}

/* Rounds of the longest row, and of all: the longest may begin late. Where long groups have a block each, other rows go as many
   rounds as all would on average. */
extern "C" spry_sell_sharing NAME(spry_sell_sharing)(const spry_context *context, int64_t rows,
                                                     int64_t longest, double steps) {
    const double groups = ceil((double)rows / WARP),
                 resident = (double)context->device->multiprocessors * (SPRY_SELL_RESIDENT / WARP),
                 alone =
                     std::max((double)ROUNDS_LEAST, ceil((steps / SPRY_SELL_AHEAD + groups / 2) / resident));
    auto rounds = [&](int lanes) {
        return spry_rounds_of_row(longest, lanes) +
               spry_rounds_of_all(context, steps, WASTED * groups * lanes);
    };
    const spry_shared_rows best = spry_fewest_rounds(rounds);
    const double blocks = std::max(alone, spry_rounds_of_row(longest, SPRY_SELL_PARTS)),
                 others = spry_rounds_of_all(context, steps, WASTED * groups),
                 each = spry_rounds_of_all(context, 0, WASTED_IN_BLOCK * SPRY_SELL_PARTS);
    return {best.lanes, (int64_t)alone * SPRY_SELL_AHEAD, (best.rounds - blocks - others) / each};
}

extern "C" spry_status NAME(spry_sell_plan)(spry_context *context, spry_matrix *matrix) {
    findings found;
    matrix->cuda.scratch[SPRY_T] = NAME(spry_scatter_scratch)(matrix, SPRY_T);
    if (matrix->nnz == 0)
        return SPRY_OK;
    spry_status status = look_at_lengths(context, matrix, &found);
    if (status)
        return status;
    const int64_t longest = (int64_t)found.longest;
    const spry_sell_sharing suits =
        NAME(spry_sell_sharing)(context, matrix->rows, longest, (double)found.steps);
    matrix->cuda.lanes = suits.lanes;
    matrix->cuda.groups.longest = longest;
    return longest > suits.alone && suits.blocks >= 1 ? share_long_groups(context, matrix, &suits) : SPRY_OK;
}

} // namespace spmv_sell_plan
