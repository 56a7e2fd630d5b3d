/* SPDX-License-Identifier: BSD-3-Clause */
/* Which stencils are parts of the one that most rows have: at the borders of a grid, rows have the entries that lie inside. The
   kernel multiplies such rows along with their neighbours. For that the plan has a number a stencil, with a bit for each entry
   that it has of the whole, and behind them the number of the whole. */
#include "spmv/stencil.cuh"

namespace spmv_stencil_parts {

static constexpr int BLOCK = 256;

/* Products with 0 and -0 differ. */
static __device__ inline bool is_same(val_t a, val_t b) {
    return a == b && signbit(a) == signbit(b);
}

/* The entries of `whole` that a stencil consists of, in the same order; 0 if it has another one, or `whole` more than there are
   bits. */
static __device__ inline uint32_t part_of(const stencils &a, uint32_t whole, int64_t number) {
    const ptr_t begin = a.ptr[whole], end = a.ptr[whole + 1], last = a.ptr[number + 1];
    ptr_t next = a.ptr[number];
    uint32_t bits = 0;
    if (end - begin > SPRY_PART_MOST)
        return 0;
    for (ptr_t k = begin; k < end; k++)
        if (next < last && a.offset[next] == a.offset[k] && is_same(a.val[next], a.val[k])) {
            bits |= 1u << (k - begin);
            next++;
        }
    return next == last ? bits : 0;
}

static __global__ void __launch_bounds__(BLOCK) find_parts(stencils a, uint32_t *part) {
    const int64_t number = thread_number();
    const uint32_t whole = typical_stencil(a);
    if (number <= a.count)
        part[number] = number < a.count ? part_of(a, whole, number) : whole;
}

extern "C" spry_status NAME(spry_stencil_parts)(spry_context *context, spry_matrix *matrix) {
    const stencils a = stencils_of(matrix);
    if (a.rows == 0)
        return SPRY_OK;
    void *part = matrix->cuda.part;
    spry_status status =
        part ? SPRY_OK : spry_matrix_array(context, matrix, a.count + 1, sizeof(uint32_t), &part);
    if (status)
        return status;
    matrix->cuda.part = as<uint32_t>(part);
    find_parts<<<blocks_for(a.count + 1, BLOCK), BLOCK, 0, context->device->stream>>>(a, as<uint32_t>(part));
    return launched(context, "parts of stencils");
}

} // namespace spmv_stencil_parts
