/* SPDX-License-Identifier: BSD-3-Clause */
/* DIA by slices on a device: a warp for each slice, a row to a lane. Values and x are read side by side, and offsets and masks are the
   same for all lanes. */
#include <algorithm>

#include "cuda/early.cuh"
#include "formats/formats.cuh"
#include "primitives/reduce.cuh"
#include "spmv/scatter.cuh"

extern "C" {
#include "analysis/diagonals.h"
#include "formats/diagonals.h"
}

namespace spmv_dia {

static constexpr int BLOCK = 256;

static_assert(SPRY_DIA_ROWS == WARP, "a row to a lane");

/* Diagonals that are all asked for before the first is used. */
static constexpr int AHEAD = 8;

/* This lane's part of a slice, from some diagonal on; x is that of its row's own number. */
struct dia_lane {
    const idx_t *offset;
    const uint32_t *mask;
    const val_t *val, *x;
    int64_t left;
};

/* `count` diagonals, which are all asked for before the first is used. Of a slice that has fewer left, the last one is asked for in
   place of those that are missing. */
template <int count>
static __device__ inline val_t add_diagonals(const dia_lane &at, val_t sum, bool all) {
    bool here[count];
    val_t value[count], factor[count];
#pragma unroll
    for (int s = 0; s < count; s++) {
        const int64_t d = all || s < at.left ? s : at.left - 1;
        here[s] = __ldg(at.mask + d) >> lane_number() & 1;
        value[s] = __ldg(at.val + d * WARP);
        factor[s] = here[s] ? __ldg(at.x + __ldg(at.offset + d)) : 0;
    }
#pragma unroll
    for (int s = 0; s < count; s++)
        sum = here[s] && (all || s < at.left) ? sum + value[s] * factor[s] : sum;
    return sum;
}

static __device__ inline val_t sum_row(dia_lane at) {
    val_t sum = 0;
    for (; at.left >= AHEAD; at.left -= AHEAD) {
        sum = add_diagonals<AHEAD>(at, sum, true);
        at.offset += AHEAD;
        at.mask += AHEAD;
        at.val += AHEAD * WARP;
    }
    if (at.left > 5)
        return add_diagonals<AHEAD - 1>(at, sum, false);
    if (at.left > 3)
        return add_diagonals<5>(at, sum, false);
    return at.left > 0 ? add_diagonals<3>(at, sum, false) : sum;
}

static __device__ inline dia_lane lane_of(const diagonal_arrays &a, int64_t row, const val_t *x) {
    const int64_t s = row / WARP, first = a.first[s];
    return {a.offset + first, a.mask + first, a.val + first * WARP + lane_number(), x + row,
            a.first[s + 1] - first};
}

template <bool dots>
static __global__ void __launch_bounds__(BLOCK) rows(diagonal_arrays a, val_t alpha, const val_t *x,
                                                     val_t beta, val_t *y, const val_t *w, double *partial) {
    await_earlier();
    const int64_t row = thread_number();
    double dot[1] = {0};
    if (row < a.rows) {
        const val_t sum = blend(alpha, sum_row(lane_of(a, row, x)), beta, &y[row]);
        y[row] = sum;
        if constexpr (dots)
            dot[0] = (double)w[row] * (double)sum;
    }
    if constexpr (dots) {
        block_join<BLOCK>(dot);
        if (threadIdx.x == 0)
            partial[blockIdx.x] = dot[0];
    }
}

static int64_t partials(const spry_matrix *matrix) {
    return blocks_for(matrix->rows, BLOCK);
}

static spry_status run(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                       const spry_product *product) {
    launch_product(context, matrix, blocks_for(matrix->rows, BLOCK), BLOCK,
                   product->partial ? rows<true> : rows<false>, diagonal_arrays_of(matrix),
                   (val_t)product->alpha, static_cast<const val_t *>(product->x), (val_t)product->beta,
                   static_cast<val_t *>(product->y), static_cast<const val_t *>(product->w),
                   product->partial);
    return launched(context, kernel->name);
}

/* ---- the plan ---- */

static spry_status plan(spry_context *, spry_matrix *matrix) {
    matrix->cuda.scratch[SPRY_T] = NAME(spry_scatter_scratch)(matrix, SPRY_T);
    return SPRY_OK;
}

/* ---- the selector ---- */

/* A row goes along all diagonals of its slice, those that it has no entry on among them. */
static spry_terms work(const spry_candidate *candidate) {
    const spry_features *features = candidate->features;
    const int processors = candidate->context->device->multiprocessors;
    const double rows = (double)features->rows;
    spry_terms amounts = spry_traffic(candidate, candidate->bytes, processors);
    amounts.critical = ceil(std::max((double)features->longest, candidate->slots / rows) / AHEAD);
    amounts.steps = candidate->slots / WARP / processors;
    amounts.units = rows / WARP / processors;
    return amounts;
}

static const spry_kernel kernels[] = {
    {SPRY_CUDA_KERNEL("dia_rows", SPRY_DIA, SPRY_N), .run = run, .partials = partials, .work = work},
};

extern "C" {
extern const struct spry_format_code NAME(spry_dia_code);
const struct spry_format_code NAME(spry_dia_code) = {
    .validate = spry_cuda_validate_on_host,
    .plan = plan,
};

extern const spry_kernel_list NAME(spry_kernels_dia);
const spry_kernel_list NAME(spry_kernels_dia) = {sizeof kernels / sizeof *kernels, kernels};
}

} // namespace spmv_dia
