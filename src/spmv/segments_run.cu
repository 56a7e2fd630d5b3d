/* SPDX-License-Identifier: BSD-3-Clause */
/* The products by segments that CSR, CSC transposed and COO share. */
#include "cuda/early.cuh"
#include "spmv/segments.cuh"

namespace spmv_segments_run {

/* Where sums go, and what becomes of rows without entries. */
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
    __device__ void put_empty(idx_t i) const {
        y[i] = beta == 0 ? 0 : beta * y[i];
    }
};

/* Rows without entries that a thread asks for at once. */
static constexpr int EMPTY_AT_ONCE = 4;

/* See to the rows without entries, those from the thread's own number on with so many threads. */
static __device__ void put_all_empty(const outputs &out, int64_t thread, int64_t threads) {
    for (int64_t e = thread; e < out.empty_count; e += EMPTY_AT_ONCE * threads) {
        idx_t row[EMPTY_AT_ONCE];
#pragma unroll
        for (int s = 0; s < EMPTY_AT_ONCE; s++)
            row[s] = e + s * threads < out.empty_count ? __ldg(out.empty + e + s * threads) : 0;
#pragma unroll
        for (int s = 0; s < EMPTY_AT_ONCE; s++)
            if (e + s * threads < out.empty_count)
                out.put_empty(row[s]);
    }
}

/* Blocks past those that sum up entries see to the rows that have none. Where one of the latter fills a multiprocessor, others would
   wait for it: it sees to its share of those rows when it is done. */
template <class Shape>
static __global__ void __launch_bounds__(Shape::block, Shape::blocks_at_once)
    multiply(segment_entries a, int64_t blocks, carry_t *carry, outputs out) {
    await_earlier();
    if (blockIdx.x < blocks) {
        sum_segments<Shape>(a, carry, out);
        if constexpr (Shape::several)
            put_all_empty(out, thread_number(), blocks * blockDim.x);
        return;
    }
    put_all_empty(out, thread_number() - blocks * blockDim.x, (gridDim.x - blocks) * blockDim.x);
}

/* Blocks for the rows without entries: no more than run at once. */
template <class Shape>
static int64_t blocks_for_empty(const spry_context *context, const spry_segments *segments, int block) {
    const int64_t at_once = (int64_t)context->device->multiprocessors * Shape::blocks_at_once,
                  wanted = blocks_for(segments->empty_count, block);
    return Shape::several ? 0 : wanted < at_once ? wanted : at_once;
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
    with_shape(*segments, [&](auto shape) {
        using Shape = decltype(shape);
        const int64_t blocks = segments->blocks + blocks_for_empty<Shape>(context, segments, block);
        launch_product(context, matrix, (unsigned)blocks, block, multiply<Shape>, a, segments->blocks, carry,
                       out);
    });
    return launched(context, kernel->name);
}

} // namespace spmv_segments_run
