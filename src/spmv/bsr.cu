/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * BSR on a device. A team of lanes walks a row of blocks: each lane has one place of a block, or two in one column where
 * blocks have more than 32 places, and keeps it from block to block, so that lanes beside each other read values beside each
 * other, and the lanes of a block the same index. Only at the end of the row they add up what they have. A warp has as many
 * teams as there is room for; where rows are long, its lanes are one team that reads several blocks of a row at once.
 * Padding is told by the masks: it may be read, but is never multiplied.
 */
#include <algorithm>

#include "primitives/reduce.cuh"
#include "spmv/scatter.cuh"

#define BLOCK 128
/* Blocks that a lane has in flight before it uses the first. */
#define AHEAD 4
/* Threads on a multiprocessor that it takes to keep it busy. */
#define THREADS_WANTED 1024

/* ---- teams ---- */

/* Rows of a block that lanes stand beside: half of them where blocks have more places than a warp has lanes. */
static __host__ __device__ inline int lane_rows(int height, int width) {
    return height * width > WARP ? (height + 1) / 2 : height;
}

/* Blocks that a warp has room for side by side. */
static __host__ __device__ inline int blocks_of_warp(int height, int width) {
    return WARP / (lane_rows(height, width) * width);
}

/* A lane of a team: its row of blocks, which of the blocks that the team reads at once, and its place in that. Where there
   is no such row, and in lanes that belong to no team, there is nothing to walk along. */
struct seat {
    int64_t row; /* of blocks */
    bool is_taken;
    int block, r, c;
    int rows; /* lane_rows */
};

static __device__ seat seat_of(const blocks &a, int blocks_at_once) {
    const int lane = lane_number(), rows = lane_rows(a.height, a.width), each = rows * a.width,
              team = each * blocks_at_once, teams = WARP / team, in_team = lane % team;
    seat at;
    at.row = thread_number() / WARP * teams + lane / team;
    at.is_taken = lane < teams * team && at.row < a.count;
    at.block = in_team / each;
    at.r = in_team % each / a.width;
    at.c = in_team % a.width;
    at.rows = rows;
    return at;
}

/* The sum over the lanes of a team that have the same row, in that of them which has the first column of the first block. */
static __device__ val_t join_team(const seat &at, int width, int blocks_at_once, val_t mine) {
    const int lane = lane_number();
    val_t sum = mine;
    for (int b = 1; b < blocks_at_once; b++)
        sum += __shfl_sync(ALL_LANES, mine, lane + b * at.rows * width);
    mine = sum;
    for (int c = 1; c < width; c++)
        sum += __shfl_sync(ALL_LANES, mine, lane + c);
    return sum;
}

/* ---- y = A x ---- */

/* A lane has `places` places of a block, which lie in one column: 1 or 2. Past the last block, loads repeat it: see ell.cu. */
template <int places, bool masked, bool dots>
static __global__ void __launch_bounds__(BLOCK)
    walk(blocks a, int blocks_at_once, val_t alpha, const val_t *x, val_t beta, val_t *y, const val_t *w,
         double *partial) {
    const seat at = seat_of(a, blocks_at_once);
    const int first = at.r * a.width + at.c, second = first + at.rows * a.width;
    const bool has_second = places == 2 && at.r + at.rows < a.height;
    const int place[2] = {first, has_second ? second : first};
    const int64_t end = at.is_taken ? a.ptr[at.row + 1] : 0;
    val_t sum[places] = {};
    for (int64_t b = at.is_taken ? a.ptr[at.row] + at.block : 0; b < end; b += AHEAD * blocks_at_once) {
        idx_t column[AHEAD];
        uint64_t mask[AHEAD];
        val_t value[AHEAD][places], factor[AHEAD];
#pragma unroll
        for (int s = 0; s < AHEAD; s++) {
            const int64_t here = b + s * blocks_at_once < end ? b + s * blocks_at_once : end - 1;
            column[s] = stream(a.idx + here);
#pragma unroll
            for (int p = 0; p < places; p++)
                value[s][p] = stream(a.val + here * a.places + place[p]);
        }
#pragma unroll
        for (int s = 0; s < AHEAD; s++) {
            const int64_t here = b + s * blocks_at_once < end ? b + s * blocks_at_once : end - 1;
            mask[s] = masked ? mask_at(&a, here) : ~(uint64_t)0;
        }
#pragma unroll
        for (int s = 0; s < AHEAD; s++) {
            /* A column that has no entry here may not be there. */
            const bool is_read = !masked || (mask[s] >> place[0] & 1) || (mask[s] >> place[places - 1] & 1);
            factor[s] = is_read ? __ldg(x + (int64_t)column[s] * a.width + at.c) : 0;
        }
#pragma unroll
        for (int s = 0; s < AHEAD; s++)
#pragma unroll
            for (int p = 0; p < places; p++)
                if (b + s * blocks_at_once < end && (mask[s] >> place[p] & 1))
                    sum[p] += value[s][p] * factor[s];
    }
    double dot[1] = {0};
#pragma unroll
    for (int p = 0; p < places; p++) {
        const val_t all = join_team(at, a.width, blocks_at_once, sum[p]);
        const int64_t i = at.row * a.height + at.r + p * at.rows;
        const bool writes = at.is_taken && at.block == 0 && at.c == 0 && i < a.rows && (p == 0 || has_second);
        if (!writes)
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
    const int room = blocks_of_warp((int)matrix->bsr.height, (int)matrix->bsr.width);
    return (int64_t)(BLOCK / WARP) * (room / matrix->cuda.lanes);
}

static int64_t partials(const spry_matrix *matrix) {
    return blocks_for(spry_cover(matrix->rows, matrix->bsr.height), rows_of_block(matrix));
}

template <int places, bool masked>
static void launch(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    auto run = product->partial ? walk<places, masked, true> : walk<places, masked, false>;
    const blocks a = blocks_of(matrix);
    run<<<blocks_for(a.count, rows_of_block(matrix)), BLOCK, 0, context->device->stream>>>(
        a, matrix->cuda.lanes, (val_t)product->alpha, static_cast<const val_t *>(product->x),
        (val_t)product->beta, static_cast<val_t *>(product->y), static_cast<const val_t *>(product->w),
        product->partial);
}

static spry_status run(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                       const spry_product *product) {
    const bool masked = matrix->bsr.mask != nullptr;
    if (matrix->bsr.height * matrix->bsr.width <= WARP)
        masked ? launch<1, true>(context, matrix, product) : launch<1, false>(context, matrix, product);
    else
        masked ? launch<2, true>(context, matrix, product) : launch<2, false>(context, matrix, product);
    return launched(context, kernel->name);
}

/* ---- the plan ---- */

/* Blocks of a row that a team reads at once: so many that a row is gone through in about one round, and all that a warp has
   room for where rows are few. Room that no further team fits in is used too. */
static int blocks_at_once_for(const spry_context *context, int64_t rows, double blocks, int height,
                              int width) {
    const int room = blocks_of_warp(height, width);
    const double threads = (double)rows * WARP / room,
                 wanted = (double)context->device->multiprocessors * THREADS_WANTED;
    if (rows == 0 || threads < wanted)
        return room;
    const double round = blocks / (double)rows / AHEAD;
    const int some = round < 1 ? 1 : round < room ? (int)round : room;
    return room / (room / some);
}

spry_status NAME(spry_bsr_plan)(spry_context *context, spry_matrix *matrix) {
    const spry_bsr *bsr = &matrix->bsr;
    matrix->cuda.lanes = blocks_at_once_for(context, spry_cover(matrix->rows, bsr->height),
                                            (double)bsr->blocks, (int)bsr->height, (int)bsr->width);
    matrix->cuda.scratch[SPRY_T] = NAME(spry_scatter_scratch)(matrix, SPRY_T);
    return SPRY_OK;
}

/* ---- the table ---- */

/* Rounds of AHEAD blocks, of which a warp reads as many at once as it has room for; half a round is wasted at the end of each
   row. */
static spry_terms work(const spry_candidate *candidate) {
    const spry_features *features = candidate->features;
    const int height = (int)candidate->storage.parameter[0], width = (int)candidate->storage.parameter[1],
              room = blocks_of_warp(height, width), processors = candidate->context->device->multiprocessors;
    const double rows = (double)spry_cover(features->rows, height),
                 blocks = candidate->slots / (double)(height * width);
    const int at_once = blocks_at_once_for(candidate->context, (int64_t)rows, blocks, height, width);
    const double warps = rows * at_once / room, places = height * width > WARP ? 2 : 1;
    spry_terms amounts = spry_traffic(candidate, candidate->bytes, processors);
    amounts.critical = (double)features->longest / width / (AHEAD * at_once);
    amounts.steps = places * (blocks / (AHEAD * room) + warps / 2) / processors;
    amounts.units = warps / processors;
    return amounts;
}

static const spry_kernel kernels[] = {
    {SPRY_CUDA_KERNEL("bsr", SPRY_BSR, SPRY_N), .run = run, .partials = partials, .work = work},
};

extern "C" {
extern const spry_kernel_list NAME(spry_kernels_bsr);
const spry_kernel_list NAME(spry_kernels_bsr) = {sizeof kernels / sizeof *kernels, kernels};
}
