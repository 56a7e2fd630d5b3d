/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of a kind of rows are those of the first row of that kind. */
#include "convert/kind_search.cuh"
#include "cuda/kernel.cuh"

namespace convert_kind_entries {

static constexpr int BLOCK = 256;

/* The first row that has each number; before, a number that is larger than all of them. */
static __global__ void find_firsts(stencils s, unsigned long long *first) {
    const int64_t row = thread_number();
    if (row >= s.rows)
        return;
    const uint32_t number = number_of(s, row);
    const bool begins = row == 0 || number_of(s, row - 1) != number;
    if (begins && (unsigned long long)row < first[number])
        atomicMin(&first[number], (unsigned long long)row);
}

extern "C" spry_status NAME(spry_cuda_first_rows)(spry_context *context, const stencils &s,
                                                  const temporary &first) {
    cudaStream_t stream = context->device->stream;
    spry_status status = spry_cuda_check(
        context, cudaMemsetAsync(first.pointer, 0xff, (size_t)first.count * first.size, stream),
        "clearing an array");
    if (status)
        return status;
    find_firsts<<<blocks_for(s.rows, BLOCK), BLOCK, 0, stream>>>(
        s, static_cast<unsigned long long *>(first.pointer));
    return launched(context, "first rows of each kind");
}

/* A warp takes 32 kinds. */
static __global__ void __launch_bounds__(TILE_BLOCK)
    copy_firsts(csr_rows a, const unsigned long long *first, stencils s) {
    __shared__ row_tile tiles[TILE_WARPS];
    const int64_t number = tile_number() * WARP + lane_number();
    const csr_row own = row_at(a, number < s.count ? (int64_t)first[number] : a.count);
    const int64_t to = number < s.count ? s.ptr[number] : 0;
    bits_t *val = as<bits_t>(s.val);
    if (!has_work(own))
        return;
    walk_short(a, own, is_first_part(), tiles[threadIdx.x / WARP],
               [&](int64_t k, idx_t offset, bits_t value, bool is_there) {
                   if (!is_there)
                       return;
                   s.offset[to + k] = offset;
                   if (val)
                       val[to + k] = value;
               });
    each_long(own, true, [&](const csr_row &row, int lane) {
        const int64_t place = __shfl_sync(ALL_LANES, to, lane);
        walk_long(a, row, [&](int64_t k, idx_t offset, bits_t value) {
            s.offset[place + k] = offset;
            if (val)
                val[place + k] = value;
        });
    });
}

extern "C" spry_status NAME(spry_cuda_copy_kinds)(spry_context *context, const csr_rows &a,
                                                  const unsigned long long *first, const stencils &s) {
    copy_firsts<<<blocks_for_rows(s.count, a.longest), TILE_BLOCK, 0, context->device->stream>>>(a, first, s);
    return launched(context, "entries of each kind of rows");
}

} // namespace convert_kind_entries
