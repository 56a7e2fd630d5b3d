/* SPDX-License-Identifier: BSD-3-Clause */
/* The products by segments that CSR, CSC transposed and COO share. */
#include "cuda/early.cuh"
#include "spmv/segments.cuh"

namespace spmv_segments_run {

/* Where sums go. */
struct outputs {
    const idx_t *row, *empty;
    int64_t empty_count;
    val_t alpha, beta, *y;

    __device__ idx_t place(int64_t segment) const {
        return row ? row[segment] : (idx_t)segment;
    }
    __device__ void put(idx_t i, val_t sum) const {
        y[i] = blend(alpha, sum, beta, &y[i]);
    }
};

/* Blocks past those that sum up entries see to the rows that have none. */
template <class Shape>
static __global__ void __launch_bounds__(Shape::block, Shape::blocks_at_once)
    multiply(segment_entries a, int64_t blocks, carry_t *carry, outputs out) {
    await_earlier();
    if (blockIdx.x < blocks) {
        sum_segments<Shape>(a, carry, out);
        return;
    }
    int64_t e = (blockIdx.x - blocks) * blockDim.x + threadIdx.x;
    if (e < out.empty_count) {
        val_t *y = &out.y[out.empty[e]];
        *y = out.beta == 0 ? 0 : out.beta * *y;
    }
}

extern "C" spry_status CODED(spry_segments_run)(spry_context *context, const spry_kernel *kernel,
                                                const spry_matrix *matrix, const spry_product *product) {
    const spry_segments *segments = &matrix->cuda.segments;
    const spry_coo *coo = matrix->format == SPRY_COO ? &matrix->coo : nullptr;
    const column_array idx = column_array_of(matrix, coo ? coo->col : matrix->csr.idx);
    const value_array val = value_array_of(matrix, coo ? coo->val : matrix->csr.val);
    int base = coo ? coo->base : matrix->csr.base;
    segment_entries a = segment_entries_of(segments, idx, val, base, matrix->nnz, product->x);
    outputs out = {as<idx_t>(segments->row), as<idx_t>(segments->empty), segments->empty_count,
                   (val_t)product->alpha,    (val_t)product->beta,       static_cast<val_t *>(product->y)};
    carry_t *carry = static_cast<carry_t *>(spry_workspace(&context->device->carry));
    const int block = segment_threads(segments);
    const unsigned blocks = (unsigned)segments->blocks + blocks_for(segments->empty_count, block);
    with_shape(*segments, [&](auto shape) {
        launch_product(context, matrix, blocks, block, multiply<decltype(shape)>, a, segments->blocks, carry,
                       out);
    });
    return launched(context, kernel->name);
}

} // namespace spmv_segments_run
