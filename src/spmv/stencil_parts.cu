/* SPDX-License-Identifier: BSD-3-Clause */
/* Which stencils are parts of the one that most rows have: at the borders of a grid, rows have the entries that lie inside. The
   kernel multiplies such rows along with their neighbours. For that the plan has the whole one once more, and a number a stencil, with a
   bit for each entry that it has of the whole. */
#include <algorithm>

#include "spmv/stencil.cuh"

namespace spmv_stencil_parts {

static constexpr int BLOCK = 256;

static_assert(SPRY_PART_MOST == WARP, "a lane describes an entry");

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

/* By a warp: the whole one, an entry a lane; and whether more than half of the rows that were looked at have at least a part of it. */
static __device__ inline void describe(const stencils &a, uint32_t whole, uint32_t spread,
                                       typical_stencil *typical) {
    const int lane = lane_number();
    const ptr_t begin = a.ptr[whole], count = a.ptr[whole + 1] - begin;
    const int entries = count <= SPRY_PART_MOST ? (int)count : 0;
    const unsigned with_part = __ballot_sync(ALL_LANES, part_of(a, whole, spread) != 0);
    typical->offset[lane] = entries > 0 ? a.offset[begin + std::min(lane, entries - 1)] : 0;
    typical->val[lane] = lane < entries ? a.val[begin + lane] : 0;
    if (lane == 0) {
        typical->number = whole;
        typical->count = entries;
        typical->is_of_most = __popc(with_part) > WARP / 2;
    }
}

static __global__ void __launch_bounds__(BLOCK) find_parts(stencils a, stencil_parts parts) {
    const int64_t number = thread_number();
    const uint32_t spread = spread_stencil(a), whole = most_frequent(spread);
    if (number < WARP)
        describe(a, whole, spread, parts.typical);
    if (number < a.count)
        parts.part[number] = part_of(a, whole, number);
}

extern "C" spry_status NAME(spry_stencil_parts)(spry_context *context, spry_matrix *matrix) {
    const stencils a = stencils_of(matrix);
    if (a.rows == 0)
        return SPRY_OK;
    const int64_t bytes = (int64_t)sizeof(typical_stencil) + a.count * (int64_t)sizeof(uint32_t);
    spry_status status =
        matrix->cuda.typical ? SPRY_OK : spry_matrix_array(context, matrix, bytes, 1, &matrix->cuda.typical);
    if (status)
        return status;
    find_parts<<<blocks_for(a.count, BLOCK), BLOCK, 0, context->device->stream>>>(a,
                                                                                  stencil_parts_of(matrix));
    return launched(context, "parts of stencils");
}

} // namespace spmv_stencil_parts
