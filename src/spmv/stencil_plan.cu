/* SPDX-License-Identifier: BSD-3-Clause */
/* How the rows of stencils are shared among threads, and how products that scatter find their entries. */
#include <algorithm>

#include "primitives/device.cuh"
#include "spmv/scatter.cuh"
#include "spmv/stencil.cuh"

namespace spmv_stencil_plan {

static constexpr int BLOCK = 256;
/* Entries that a thread may take alone, at least. */
static constexpr int LONGEST_LEAST = 64;

/* What one look at all rows finds. */
struct findings {
    unsigned long long tiles, long_rows;
    long long reach; /* of the stencil that most rows have: its farthest offset, up or down */
};

/* The tiles of each group of 32 rows. */
static __global__ void __launch_bounds__(BLOCK)
    look(stencils a, int64_t groups, int64_t longest, ptr_t *tiles, findings *found) {
    const int64_t warps = (int64_t)gridDim.x * (BLOCK / WARP);
    unsigned long long sum = 0, long_rows = 0;
    for (int64_t group = thread_number() / WARP; group < groups; group += warps) {
        const int64_t row = group * WARP + lane_number(),
                      length = row < a.rows ? length_of(a, number_of(a, row)) : 0;
        const int64_t rounds = largest_of_lanes((length + SPRY_TERMS - 1) / SPRY_TERMS);
        if (lane_number() == 0)
            tiles[group] = (ptr_t)rounds;
        sum += (unsigned long long)rounds;
        long_rows += __popc(__ballot_sync(ALL_LANES, length > longest));
    }
    if (thread_number() < WARP) {
        const uint32_t number = most_frequent(spread_stencil(a));
        const ptr_t begin = a.ptr[number], end = a.ptr[number + 1];
        if (lane_number() == 0 && begin < end)
            found->reach = std::max(a.offset[end - 1], -a.offset[begin]);
    }
    if (lane_number() > 0)
        return;
    atomicAdd(&found->tiles, sum);
    atomicAdd(&found->long_rows, long_rows);
}

/* Which rows are long, 1 each, and later their numbers, given how many are before each. */
static __global__ void mark_long(stencils a, int64_t longest, ptr_t *is_long) {
    const int64_t row = thread_number();
    if (row < a.rows)
        is_long[row] = length_of(a, number_of(a, row)) > longest;
}

static __global__ void list_long(int64_t rows, const ptr_t *before, idx_t *long_row) {
    const int64_t row = thread_number();
    if (row < rows && before[row + 1] > before[row])
        long_row[before[row]] = (idx_t)row;
}

static spry_status list_long_rows(spry_context *context, spry_matrix *matrix, int64_t count) {
    spry_groups *groups = &matrix->cuda.groups;
    const int64_t rows = matrix->rows;
    const unsigned blocks = blocks_for(rows, BLOCK);
    cudaStream_t stream = context->device->stream;
    temporary place(context);
    spry_status status = place.take(rows + 1, sizeof(ptr_t));
    if (!status)
        status = spry_matrix_array(context, matrix, count, sizeof(idx_t), &groups->long_group);
    if (status)
        return status;
    groups->long_count = count;
    ptr_t *before = as<ptr_t>(place.pointer);
    mark_long<<<blocks, BLOCK, 0, stream>>>(stencils_of(matrix), groups->longest, before);
    status = launched(context, "looking for long rows");
    if (!status)
        status = NAME(spry_cuda_scan)(context, before, rows);
    if (status)
        return status;
    list_long<<<blocks, BLOCK, 0, stream>>>(rows, before, as<idx_t>(groups->long_group));
    return launched(context, "listing long rows");
}

/* Number the tiles, and count the long rows. Waits. */
static spry_status look_at_rows(spry_context *context, spry_matrix *matrix, findings *found) {
    const int64_t groups = (matrix->rows + WARP - 1) / WARP;
    spry_tiles *tiles = &matrix->cuda.tiles;
    tally<findings> counters(context);
    spry_status status = counters.start();
    if (!status)
        status = spry_matrix_array(context, matrix, groups + 1, sizeof(ptr_t), &tiles->first);
    if (status)
        return status;
    look<<<blocks_at_once(context, matrix->rows, BLOCK), BLOCK, 0, context->device->stream>>>(
        stencils_of(matrix), groups, matrix->cuda.groups.longest, as<ptr_t>(tiles->first), counters.place());
    status = launched(context, "looking at row lengths");
    if (!status)
        status = NAME(spry_cuda_scan)(context, as<ptr_t>(tiles->first), groups);
    if (!status)
        status = counters.read(found);
    tiles->count = status ? 0 : (int64_t)found->tiles;
    return status;
}

extern "C" int64_t NAME(spry_stencil_longest)(const spry_context *context, int64_t nnz) {
    const int64_t share = nnz / ((int64_t)context->device->multiprocessors * SPRY_STENCIL_RESIDENT);
    return std::clamp(share, (int64_t)LONGEST_LEAST, (int64_t)INT32_MAX);
}

/* Of a thread that has rows in several planes, more than the planes at both ends are in full. */
static constexpr int PLANES_LEAST = 4 * SPRY_STENCIL_PLANES;

/* A row a thread while all run at once, and few while the second-level cache has x and y. Planes are as far apart as a stencil
   reaches, in whole warps so that these begin where lines of x do. */
static spry_planes choose_planes(const spry_context *context, const spry_matrix *matrix, int64_t reach) {
    const int64_t rows = matrix->rows,
                  busy = (int64_t)context->device->multiprocessors * SPRY_STENCIL_RESIDENT,
                  plane = (reach + WARP / 2) / WARP * WARP;
    if (rows <= busy)
        return {1, 1, rows};
    if ((uint64_t)(rows + matrix->cols) <= context->cache_bytes / sizeof(val_t))
        return {SPRY_STENCIL_FEW, 1, rows};
    if (plane < SPRY_STENCIL_BLOCK * SPRY_STENCIL_PLANES || rows / PLANES_LEAST < plane)
        return {SPRY_STENCIL_ROWS, 1, rows};
    return {SPRY_STENCIL_ROWS / SPRY_STENCIL_PLANES, SPRY_STENCIL_PLANES, plane};
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    findings found;
    matrix->sorted = true;
    matrix->cuda.scratch[SPRY_T] = NAME(spry_scatter_scratch)(matrix, SPRY_T);
    matrix->cuda.groups.longest = NAME(spry_stencil_longest)(context, matrix->nnz);
    if (matrix->nnz == 0)
        return SPRY_OK;
    spry_status status = look_at_rows(context, matrix, &found);
    if (status)
        return status;
    matrix->cuda.planes = choose_planes(context, matrix, found.reach);
    return found.long_rows > 0 ? list_long_rows(context, matrix, (int64_t)found.long_rows) : SPRY_OK;
}

static spry_status plan_with_parts(spry_context *context, spry_matrix *matrix) {
    spry_status status = plan(context, matrix);
    return status ? status : NAME(spry_stencil_parts)(context, matrix);
}

extern "C" {
extern const struct spry_format_code NAME(spry_stencil_code);
const struct spry_format_code NAME(spry_stencil_code) = {
    .validate = spry_cuda_validate_on_host,
    .plan = plan_with_parts,
};

extern const struct spry_format_code NAME(spry_shape_code);
const struct spry_format_code NAME(spry_shape_code) = {
    .validate = spry_cuda_validate_on_host,
    .plan = plan,
};
}

} // namespace spmv_stencil_plan
