/* SPDX-License-Identifier: BSD-3-Clause */
/* A dense product C = alpha A B + beta C as kernels see it. */
#ifndef SPRY_GEMM_PRODUCT_CUH
#define SPRY_GEMM_PRODUCT_CUH

#include "cuda/grid.cuh"

extern "C" {
#include "core/algorithm.h"
#include "core/number.h"
}

/* Values that are loaded or stored at once where a layout allows. */
#define PACKET (16 / (int)sizeof(num_t))

template <int size>
struct alignas(size * sizeof(num_t)) packet {
    num_t value[size];
};

/* A, or B transposed, so that both are alike: a line for each row of A or column of B, and the sum runs along it. */
struct factor {
    const num_t *at;
    int64_t lines;
    int64_t across, along; /* strides from line to line, and on a line */
};

struct product {
    factor a, b;
    int64_t depth; /* length of the lines */
    num_t *c;
    int64_t c_row, c_col; /* strides */
    num_t alpha, beta;
};

static inline factor factor_of(const spry_view &view, int64_t lines, int64_t across, int64_t along) {
    return {static_cast<const num_t *>(view.data) + view.offset, lines, lines == 1 ? 0 : across, along};
}

/* Strides that nothing is reached by are zero, so that they decide nothing either. */
static inline product product_of(const spry_gemm_call *call) {
    const spry_view &a = call->a, &b = call->b, &c = call->c;
    product p;
    p.a = factor_of(a, c.rows, a.row_stride, a.col_stride);
    p.b = factor_of(b, c.cols, b.col_stride, b.row_stride);
    p.depth = call->alpha == 0 ? 0 : a.cols;
    p.c = static_cast<num_t *>(c.data) + c.offset;
    p.c_row = c.rows == 1 ? 0 : c.row_stride;
    p.c_col = c.cols == 1 ? 0 : c.col_stride;
    p.alpha = p.depth == 0 ? 0 : (num_t)call->alpha; /* of an infinite one, nothing times it would be NaN */
    p.beta = (num_t)call->beta;
    return p;
}

/* The same product from the other side: Cᵀ = alpha Bᵀ Aᵀ + beta Cᵀ. */
static inline product transposed(const product &p) {
    return {p.b, p.a, p.depth, p.c, p.c_col, p.c_row, p.alpha, p.beta};
}

/* Whether the addresses at + k stride are those of whole packets. */
static __host__ __device__ inline bool is_aligned(const num_t *at, int64_t stride) {
    return reinterpret_cast<uintptr_t>(at) % sizeof(packet<PACKET>) == 0 && stride % PACKET == 0;
}

/* Packets of A's or B's neighbouring lines, none of which is in part beyond the last. */
static __host__ __device__ inline bool has_packets_across(const factor &f) {
    return f.across == 1 && f.lines % PACKET == 0 && is_aligned(f.at, f.along);
}

template <int size>
static __device__ inline packet<size> load(const num_t *at) {
    return *reinterpret_cast<const packet<size> *>(at);
}

/* alpha sum + beta *c, where c is not read if beta is zero. */
static __device__ inline num_t blend(const product &p, num_t sum, const num_t *c) {
    return p.beta == 0 ? p.alpha * sum : p.alpha * sum + p.beta * *c;
}

static __device__ inline void put(const product &p, int64_t i, int64_t j, num_t sum) {
    num_t *c = p.c + i * p.c_row + j * p.c_col;
    *c = blend(p, sum, c);
}

/* Parts of sums that blocks leave for others to add up: most of them at once, and where. It is the same for all products,
   so that a context that has had one has enough for any other. */
static inline int64_t most_parts(const spry_context *context) {
    const int64_t tile = 64 * 64 * sizeof(double);
    return 2 * context->device->multiprocessors * (tile / (int64_t)sizeof(num_t));
}

static inline spry_status take_parts(spry_context *context, num_t **part) {
    void *scratch;
    spry_status status = spry_cuda_scratch(context, (size_t)most_parts(context) * sizeof(num_t), &scratch);
    *part = static_cast<num_t *>(scratch);
    return status;
}

#endif
