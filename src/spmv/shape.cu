/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes on a device: a thread a row. Neighbouring rows have their values side by side, as in SELL, and mostly the same offsets,
   which the nearest cache holds. */
#include "cuda/early.cuh"
#include "formats/shape.cuh"
#include "primitives/reduce.cuh"

extern "C" {
#include "analysis/work.h"
}

namespace spmv_shape {

static constexpr int BLOCK = 256;

/* Entries that are all asked for before the first is used. */
static constexpr int AHEAD = 8;

/* What is left of a row, `left` entries. x is that of the row's own number. */
struct shape_row {
    const idx_t *offset;
    row_values value;
    int64_t left;
};

template <int height>
static __device__ inline shape_row row_of(const shapes &a, int64_t row) {
    const uint32_t number = number_of(a, row);
    return {a.offset + a.ptr[number], row_values_of<height>(a, number, row), length_of(a, number)};
}

/* `count` entries, which are all asked for before the first is used. Of a row that has fewer, the last one is asked for instead of
   those that are missing. */
template <int count>
static __device__ inline val_t sum_entries(const shape_row &at, const val_t *x, val_t sum, bool all) {
    val_t value[count], factor[count];
#pragma unroll
    for (int s = 0; s < count; s++) {
        const int64_t k = all || s < at.left ? s : at.left - 1;
        value[s] = __ldg(at.value.first + k * at.value.step);
        factor[s] = __ldg(x + __ldg(at.offset + k));
    }
#pragma unroll
    for (int s = 0; s < count; s++)
        sum = all || s < at.left ? sum + value[s] * factor[s] : sum;
    return sum;
}

static __device__ inline val_t sum_row(shape_row at, const val_t *x) {
    val_t sum = 0;
    for (; at.left >= AHEAD; at.left -= AHEAD) {
        sum = sum_entries<AHEAD>(at, x, sum, true);
        at.offset += AHEAD;
        at.value.first += AHEAD * at.value.step;
    }
    if (at.left > 5)
        return sum_entries<AHEAD - 1>(at, x, sum, false);
    if (at.left > 3)
        return sum_entries<5>(at, x, sum, false);
    return at.left > 0 ? sum_entries<3>(at, x, sum, false) : sum;
}

template <int height, bool dots>
static __global__ void __launch_bounds__(BLOCK)
    rows(shapes a, val_t alpha, const val_t *x, val_t beta, val_t *y, const val_t *w, double *partial) {
    await_earlier();
    const int64_t row = thread_number();
    double dot[1] = {0};
    if (row < a.rows) {
        const val_t sum = blend(alpha, sum_row(row_of<height>(a, row), x + row), beta, &y[row]);
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

template <int height>
static void launch(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    auto *kernel = product->partial ? rows<height, true> : rows<height, false>;
    launch_product(context, matrix, blocks_for(matrix->rows, BLOCK), BLOCK, kernel, shapes_of(matrix),
                   (val_t)product->alpha, static_cast<const val_t *>(product->x), (val_t)product->beta,
                   static_cast<val_t *>(product->y), static_cast<const val_t *>(product->w),
                   product->partial);
}

static spry_status run(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                       const spry_product *product) {
    if (matrix->shape.height == WARP)
        launch<WARP>(context, matrix, product);
    else
        launch<0>(context, matrix, product);
    return launched(context, kernel->name);
}

/* ---- the selector ---- */

static spry_terms work(const spry_candidate *candidate) {
    const spry_features *features = candidate->features;
    const int processors = candidate->context->device->multiprocessors;
    spry_terms amounts = spry_traffic(candidate, candidate->bytes, processors);
    amounts.critical = ceil((double)features->longest / AHEAD);
    amounts.steps = candidate->slots / WARP / processors;
    amounts.units = (double)features->rows / WARP / processors;
    return amounts;
}

static const spry_kernel kernels[] = {
    {SPRY_CUDA_KERNEL("shape_rows", SPRY_SHAPE, SPRY_N), .run = run, .partials = partials, .work = work},
};

extern "C" {
extern const spry_kernel_list NAME(spry_kernels_shape);
const spry_kernel_list NAME(spry_kernels_shape) = {sizeof kernels / sizeof *kernels, kernels};
}

} // namespace spmv_shape
