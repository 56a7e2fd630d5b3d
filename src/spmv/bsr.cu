/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * BSR on a device. A lane keeps one column of the blocks that it walks along, with up to four rows of it, or every other row of
 * higher blocks: so an index and a value of x serve several values, and many of these are in flight at a time. The lanes of a
 * block, and of the blocks beside it, read values side by side. Columns of the next blocks are on their way while the values of
 * these are waited for. Only at the end of the row the lanes add up what they have. A warp has as many teams as there is room for,
 * each with a row of blocks, of which it reads one or several blocks at once. Padding is told by the masks: it may be read, but is
 * never multiplied.
 */
#include <algorithm>

#include "cuda/early.cuh"
#include "primitives/reduce.cuh"
#include "spmv/bsr.cuh"
#include "spmv/scatter.cuh"

namespace spmv_bsr {

static constexpr int BLOCK = 128;

/* ---- teams ---- */

/* How a warp is divided: teams of lanes, each with a row of blocks, of which they read some at once. */
struct team {
    int at_once; /* blocks */
    int lanes;   /* of a block */
    int count;   /* of teams */
};

static team team_of(const spry_matrix *matrix) {
    const int lanes = spry_block_lanes((int)matrix->bsr.height, (int)matrix->bsr.width),
              at_once = matrix->cuda.lanes;
    return {at_once, lanes, WARP / (lanes * at_once)};
}

/* A lane: its row of blocks, which of the blocks that the team reads at once, its number in that, its column and, of higher blocks,
   whether it has the second of each two rows. Where there is no such row, and in lanes that belong to no team, there is nothing
   to walk along. */
struct seat {
    int64_t row;
    bool is_taken;
    int block, lane, column, second;
};

static __device__ seat seat_of(const blocks &a, const team &team) {
    const int lane = lane_number(), lanes = team.lanes * team.at_once, number = lane / lanes,
              in_team = lane - number * lanes;
    seat at;
    at.row = thread_number() / WARP * team.count + number;
    at.is_taken = number < team.count && at.row < a.count;
    at.block = in_team / team.lanes;
    at.lane = in_team - at.block * team.lanes;
    at.second = at.lane >= a.width;
    at.column = at.lane - at.second * a.width;
    return at;
}

/* The sum over the lanes of a team that have the same rows, in that of them which has the first column of the first block. */
static __device__ val_t join_team(const team &team, int width, val_t mine) {
    const int lane = lane_number();
    val_t sum = mine;
    for (int b = 1; b < team.at_once; b++)
        sum += __shfl_sync(ALL_LANES, mine, lane + b * team.lanes);
    mine = sum;
    for (int c = 1; c < width; c++)
        sum += __shfl_sync(ALL_LANES, mine, lane + c);
    return sum;
}

/* ---- the blocks of a lane ---- */

/* What a lane has of an array: items that lie so many bytes apart. */
template <class T>
struct strided {
    const T *first;
    int bytes;

    __device__ T load(ptr_t k) const {
        return __ldg(reinterpret_cast<const T *>(reinterpret_cast<const char *>(first) + (int64_t)k * bytes));
    }
};

/* Every how-manieth block of a row a lane has, and how many. Past the last of them, loads repeat it: see ell.cuh. */
struct lane_blocks {
    int64_t first;
    ptr_t count;
    int step;

    template <class T>
    __device__ strided<T> of(const T *array, int items) const {
        return {array + first * items, step * items * (int)sizeof(T)};
    }

    __device__ ptr_t there(ptr_t k) const {
        return k < count ? k : count - 1;
    }
};

static __device__ lane_blocks blocks_of_lane(const blocks &a, const seat &at, int at_once) {
    if (!at.is_taken)
        return {0, 0, at_once};
    const ptr_t begin = a.ptr[at.row], count = a.ptr[at.row + 1] - begin;
    return {(int64_t)begin + at.block, count > at.block ? (count - at.block + at_once - 1) / at_once : 0,
            at_once};
}

template <class Mask, int ahead>
static __device__ inline void load_masks_of(const blocks &a, const lane_blocks &mine, ptr_t k,
                                            uint64_t (&mask)[ahead]) {
    const strided<Mask> masks = mine.of(static_cast<const Mask *>(a.mask), 1);
#pragma unroll
    for (int s = 0; s < ahead; s++)
        mask[s] = masks.load(mine.there(k + s));
}

template <int ahead>
static __device__ inline void load_masks(const blocks &a, const lane_blocks &mine, ptr_t k,
                                         uint64_t (&mask)[ahead]) {
    switch (a.mask_bytes) {
    case 1:
        return load_masks_of<uint8_t>(a, mine, k, mask);
    case 2:
        return load_masks_of<uint16_t>(a, mine, k, mask);
    case 4:
        return load_masks_of<uint32_t>(a, mine, k, mask);
    default:
        return load_masks_of<uint64_t>(a, mine, k, mask);
    }
}

/* The values of a lane's next blocks, as they are kept. */
template <class Code, int rows, int ahead>
static __device__ inline void load_blocks(const Code *codes, const blocks &a, const lane_blocks &mine,
                                          const int (&place)[rows], ptr_t k,
                                          stored_t (&stored)[ahead][rows]) {
    strided<Code> values[rows];
#pragma unroll
    for (int r = 0; r < rows; r++)
        values[r] = mine.of(codes + place[r], a.places);
#pragma unroll
    for (int s = 0; s < ahead; s++)
#pragma unroll
        for (int r = 0; r < rows; r++)
            stored[s][r] = (stored_t)values[r].load(mine.there(k + s));
}

/* The value of x that a lane needs for a block. A column that has no entry may not be there. */
template <bool masked>
static __device__ inline val_t factor_of(const blocks &a, const seat &at, idx_t block, const val_t *x) {
    const int64_t column = (int64_t)block * a.width + at.column;
    return __ldg(x + (!masked || column < a.cols ? column : 0));
}

/* Add the products of a lane's blocks to the sums of its rows, which are at `place` in each block. */
template <int rows, bool masked>
static __device__ inline void sum_blocks(const blocks &a, const value_array &val, const seat &at,
                                         const lane_blocks &mine, const int (&place)[rows], const val_t *x,
                                         val_t (&sum)[rows]) {
    constexpr int ahead = spry_bsr_ahead(rows);
    const strided<idx_t> columns = mine.of(a.idx, 1);
    idx_t column[ahead];
#pragma unroll
    for (int s = 0; s < ahead; s++)
        column[s] = mine.count > 0 ? columns.load(mine.there(s)) : 0;
    for (ptr_t k = 0; k < mine.count; k += ahead) {
        stored_t stored[ahead][rows] = {};
        val_t factor[ahead];
        uint64_t mask[ahead];
        with_codes(val, [&](auto *codes) { load_blocks(codes, a, mine, place, k, stored); });
        if constexpr (masked)
            load_masks(a, mine, k, mask);
#pragma unroll
        for (int s = 0; s < ahead; s++)
            factor[s] = factor_of<masked>(a, at, column[s], x);
        if (k + ahead < mine.count)
#pragma unroll
            for (int s = 0; s < ahead; s++)
                column[s] = columns.load(mine.there(k + ahead + s));
#pragma unroll
        for (int s = 0; s < ahead; s++)
#pragma unroll
            for (int r = 0; r < rows; r++)
                if (k + s < mine.count && (!masked || (mask[s] >> place[r] & 1)))
                    sum[r] = fma(value_of(val, stored[s][r]), factor[s], sum[r]);
    }
}

/* ---- y = A x ---- */

/* Of blocks with an odd number of rows above four, the second of the lanes of a column has one row less, and repeats its first. */
template <int rows, bool masked, bool dots>
static __global__ void __launch_bounds__(BLOCK, masked ? 5 : 7)
    walk(blocks a, value_array val, team team, val_t alpha, const val_t *x, val_t beta, val_t *y,
         const val_t *w, double *partial) {
    await_earlier();
    const seat at = seat_of(a, team);
    int place[rows];
#pragma unroll
    for (int r = 0; r < rows; r++)
        place[r] = at.lane + r * team.lanes < a.places ? at.lane + r * team.lanes : at.lane;
    val_t sum[rows] = {};
    sum_blocks<rows, masked>(a, val, at, blocks_of_lane(a, at, team.at_once), place, x, sum);
    const bool writes = at.is_taken && at.block == 0 && at.column == 0;
    const int64_t first = at.row * a.height + at.second, next = team.lanes > a.width ? 2 : 1;
    double dot[1] = {0};
#pragma unroll
    for (int r = 0; r < rows; r++) {
        const val_t all = join_team(team, a.width, sum[r]);
        const int64_t i = first + r * next;
        if (!writes || i >= a.rows || (r > 0 && place[r] == at.lane))
            continue;
        const val_t result = blend(alpha, all, beta, &y[i]);
        y[i] = result;
        if (dots)
            dot[0] += (double)w[i] * (double)result;
    }
    if constexpr (dots) {
        block_join<BLOCK>(dot);
        if (threadIdx.x == 0)
            partial[blockIdx.x] = dot[0];
    }
}

/* Rows of blocks that a block of threads has. */
static int64_t rows_of_block(const spry_matrix *matrix) {
    return (int64_t)(BLOCK / WARP) * team_of(matrix).count;
}

static int64_t partials(const spry_matrix *matrix) {
    return blocks_for(spry_cover(matrix->rows, matrix->bsr.height), rows_of_block(matrix));
}

template <int rows, bool masked>
static void launch(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    auto run = product->partial ? walk<rows, masked, true> : walk<rows, masked, false>;
    const blocks a = blocks_of(matrix);
    launch_product(context, matrix, blocks_for(a.count, rows_of_block(matrix)), BLOCK, run, a,
                   value_array_of(matrix, matrix->bsr.val), team_of(matrix), (val_t)product->alpha,
                   static_cast<const val_t *>(product->x), (val_t)product->beta,
                   static_cast<val_t *>(product->y), static_cast<const val_t *>(product->w),
                   product->partial);
}

template <bool masked>
static void launch_rows(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    switch (spry_lane_rows((int)matrix->bsr.height)) {
    case 1:
        launch<1, masked>(context, matrix, product);
        break;
    case 2:
        launch<2, masked>(context, matrix, product);
        break;
    case 3:
        launch<3, masked>(context, matrix, product);
        break;
    default:
        launch<4, masked>(context, matrix, product);
    }
}

static spry_status run(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                       const spry_product *product) {
    if (matrix->bsr.mask)
        launch_rows<true>(context, matrix, product);
    else
        launch_rows<false>(context, matrix, product);
    return launched(context, kernel->name);
}

/* ---- the table ---- */

/* Loads of a warp: of each block an index, a mask where there are masks, a value of x and those of its rows, for as many blocks at
   once as the warp has room for. At the end of each row, half of what is asked for at a time is wasted. */
static spry_terms work(const spry_candidate *candidate) {
    const spry_features *features = candidate->features;
    const int height = (int)candidate->storage.parameter[0], width = (int)candidate->storage.parameter[1],
              room = spry_blocks_of_warp(height, width),
              processors = candidate->context->device->multiprocessors,
              ahead = spry_bsr_ahead(spry_lane_rows(height));
    const spry_block_estimate found = spry_blocks_of(features, height, width);
    const double rows = (double)spry_cover(features->rows, height),
                 loads = spry_lane_rows(height) + (found.full < found.blocks ? 3 : 2);
    const int at_once =
        NAME(spry_bsr_at_once)(candidate->context, (int64_t)rows, found.blocks, height, width);
    const double warps = rows * at_once / room;
    spry_terms amounts = spry_traffic(candidate, candidate->bytes, processors);
    /* Rows of a block share what is read of x. */
    amounts.lines /= spry_lane_rows(height);
    amounts.misses /= spry_lane_rows(height);
    amounts.critical = (double)features->longest / width / (ahead * at_once);
    amounts.steps = loads * (found.blocks / room + warps * ahead / 2) / processors;
    amounts.units = warps / processors;
    return amounts;
}

static const spry_kernel kernels[] = {
    SPRY_CUDA_KERNELS("bsr", SPRY_BSR, SPRY_N, .run = run, .partials = partials, .work = work),
};

extern "C" {
extern const spry_kernel_list CODED(spry_kernels_bsr);
const spry_kernel_list CODED(spry_kernels_bsr) = {sizeof kernels / sizeof *kernels, kernels};
}

} // namespace spmv_bsr
