/* SPDX-License-Identifier: BSD-3-Clause */
/* Each row is compared with what its number stands for. After a search it is enough to compare the first row of each run: those
   after it have been compared with their neighbours. */
#include "convert/kind_search.cuh"
#include "cuda/kernel.cuh"

namespace convert_kind_compare {

static __global__ void __launch_bounds__(TILE_BLOCK)
    compare(csr_rows a, const unsigned long long *first, stencils s, const uint32_t *begins,
            unsigned long long *found) {
    __shared__ row_tile tiles[TILE_WARPS];
    const csr_row own = own_row(a);
    if (!has_work(own))
        return;
    const bool is_row = own.row < a.count;
    const bool looks = is_row && (!begins || (begins[tile_number()] >> lane_number() & 1));
    const uint32_t number = looks ? number_of(s, own.row) : 0;
    const csr_row model = row_at(a, looks ? (int64_t)first[number] : a.count);
    const int64_t at = looks ? s.ptr[number] : 0, length = looks ? length_of(s, number) : 0;
    unsigned differs = looks && (own.length != length || model.length != length) ? OTHER_PATTERN : 0;
    const bool takes_part = looks && !differs;
    walk_short(a, own, takes_part && is_first_part(), tiles[threadIdx.x / WARP],
               [&](int64_t k, idx_t offset, bits_t value, bool is_there) {
                   if (is_there && offset != s.offset[at + k])
                       differs |= OTHER_PATTERN;
                   if (is_there && value != value_at(a, model, k))
                       differs |= OTHER_VALUES;
               });
    each_long(own, takes_part, [&](const csr_row &row, int lane) {
        const csr_row like = row_of_lane(model, lane);
        const int64_t place = __shfl_sync(ALL_LANES, at, lane);
        walk_long(a, row, [&](int64_t k, idx_t offset, bits_t value) {
            differs |= offset != s.offset[place + k] ? OTHER_PATTERN : 0;
            differs |= value != value_at(a, like, k) ? OTHER_VALUES : 0;
        });
    });
    if (differs)
        atomicOr(found, (unsigned long long)differs);
}

extern "C" spry_status NAME(spry_cuda_compare_rows)(spry_context *context, const csr_rows &a,
                                                    const unsigned long long *first, const stencils &s,
                                                    const uint32_t *begins, int64_t *differences) {
    counter found(context);
    spry_status status = found.start();
    if (status)
        return status;
    compare<<<blocks_for_rows(a.count, a.longest), TILE_BLOCK, 0, context->device->stream>>>(
        a, first, s, begins, found.place());
    status = launched(context, "comparing rows with their kinds");
    return status ? status : found.read(differences);
}

} // namespace convert_kind_compare
