/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of rows are numbered in the order of the first rows that have them. */
#include "convert/kind_search.cuh"
#include "primitives/device.cuh"

namespace convert_kind_numbers {

static constexpr int BLOCK = 256;

/* How many first rows there are before one of them: the number of its kind. */
static __device__ uint32_t rank_of(const uint32_t *is_first, const ptr_t *before, int64_t row) {
    return (uint32_t)before[row / 32] + __popc(is_first[row / 32] & ((1u << row % 32) - 1));
}

/* For each kind its first row, and how many entries that has. */
static __global__ void list_firsts(hash_table t, csr_rows a, const uint32_t *is_first, const ptr_t *before,
                                   unsigned long long *first, ptr_t *length) {
    FOR_ALL(at, 0, t.size) {
        const int64_t row = (int64_t)t.slots[at].first;
        if (t.slots[at].key == NO_KEY)
            continue;
        const uint32_t number = rank_of(is_first, before, row);
        first[number] = (unsigned long long)row;
        length[number] = a.ptr[row + 1] - a.ptr[row];
    }
}

/* Rows have the number of the row that their run begins with. */
static __global__ void write_numbers(hash_table t, const uint32_t *begins, const uint32_t *slot,
                                     const uint32_t *is_first, const ptr_t *before, stencils s) {
    const int64_t row = thread_number();
    if (row >= s.rows)
        return;
    const uint32_t up_to_here = begins[row / 32] & ((2u << row % 32) - 1);
    const int64_t begin = row - row % 32 + 31 - __clz(up_to_here);
    const uint32_t number = rank_of(is_first, before, (int64_t)t.slots[slot[begin]].first);
    switch (s.number_size) {
    case 1:
        as<uint8_t>(s.number)[row] = (uint8_t)number;
        break;
    case 2:
        as<uint16_t>(s.number)[row] = (uint16_t)number;
        break;
    default:
        as<uint32_t>(s.number)[row] = number;
    }
}

extern "C" spry_status NAME(spry_cuda_number_kinds)(spry_context *context, const csr_rows &a,
                                                    const kind_search &found, unsigned long long *first,
                                                    const stencils &s) {
    cudaStream_t stream = context->device->stream;
    const uint32_t *is_first = as<uint32_t>(found.is_first.pointer);
    const ptr_t *before = as<ptr_t>(found.before.pointer);
    list_firsts<<<blocks_at_once(context, found.slots.count, BLOCK), BLOCK, 0, stream>>>(
        found.keys(), a, is_first, before, first, s.ptr);
    write_numbers<<<blocks_for(s.rows, BLOCK), BLOCK, 0, stream>>>(
        found.keys(), as<uint32_t>(found.begins.pointer), as<uint32_t>(found.slot_of_row.pointer), is_first,
        before, s);
    spry_status status = launched(context, "numbering rows that are alike");
    return status ? status : NAME(spry_cuda_scan)(context, s.ptr, s.count);
}

} // namespace convert_kind_numbers
