/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows are hashed into keys. Most say what the row before them says, entry by entry: a run of such rows, within the 32 of a warp,
 * is looked up once.
 */
#include "convert/kind_search.cuh"

#include <inttypes.h>

#include "primitives/device.cuh"

namespace convert_kind_keys {

static constexpr int BLOCK = 256;

/* Sizes of tables: of the first that is tried, and by how much the next one is larger. */
static constexpr int64_t SIZE_FIRST = (int64_t)1 << 17;
static constexpr int SIZE_GROWTH = 16;
static constexpr int64_t SIZE_MOST = (int64_t)1 << 32;

/* ---- keys ---- */

/* Add what this part of the blocks has of a long row's key: lanes make one each of every 32nd entry, which are mixed. */
static __device__ void add_to_key(const csr_rows &a, const csr_row &row, int salt, unsigned long long *sum) {
    uint64_t key = spry_mix(spry_stencil_key(salt, row.length), blockIdx.y);
    walk_long(a, row,
              [&](int64_t, idx_t offset, bits_t value) { key = spry_stencil_add(key, offset, value); });
    for (int step = WARP / 2; step > 0; step /= 2)
        key = spry_mix(key, __shfl_down_sync(ALL_LANES, key, step));
    if (lane_number() == 0)
        atomicAdd(sum, (unsigned long long)key);
}

/* The slot of a key. Of the lanes that ask for the same one, the first does. */
static __device__ uint32_t slot_for_all(const hash_table &t, unsigned asking, uint64_t key, int64_t row) {
    key = key == NO_KEY ? 0 : key;
    const int asks = __ffs(__match_any_sync(asking, key)) - 1;
    uint32_t found = 0;
    if (lane_number() == asks)
        found = slot_of(t, key, row);
    return __shfl_sync(asking, found, asks);
}

/* Find out where runs begin: bit r of begins[g], row r of group g. For short ones of those rows, slot[row] is the slot of their key;
   the keys of long ones, which are 0 before, are only made. */
static __global__ void __launch_bounds__(TILE_BLOCK)
    hash_rows(csr_rows a, int salt, hash_table t, uint32_t *begins, uint32_t *slot,
              unsigned long long *long_key) {
    __shared__ row_tile tiles[TILE_WARPS];
    const csr_row own = own_row(a);
    if (!has_work(own))
        return;
    each_long(own, true, [&](const csr_row &row, int) { add_to_key(a, row, salt, &long_key[row.row]); });
    if (!is_first_part())
        return;
    const bool is_row = own.row < a.count;
    const int64_t length_before = __shfl_up_sync(ALL_LANES, own.length, 1);
    bool differs = lane_number() == 0 || is_long(own) || own.length != length_before;
    uint64_t key = spry_stencil_key(salt, own.length);
    walk_short(a, own, true, tiles[threadIdx.x / WARP],
               [&](int64_t, idx_t offset, bits_t value, bool is_there) {
                   const idx_t offset_before = __shfl_up_sync(ALL_LANES, offset, 1);
                   const bits_t value_before = __shfl_up_sync(ALL_LANES, value, 1);
                   key = is_there ? spry_stencil_add(key, offset, value) : key;
                   differs |= is_there && (offset != offset_before || value != value_before);
               });
    const unsigned starting = __ballot_sync(ALL_LANES, is_row && differs);
    if (is_row && lane_number() == 0)
        begins[tile_number()] = starting;
    const bool asks = is_row && differs && !is_long(own);
    const unsigned asking = __ballot_sync(ALL_LANES, asks);
    if (asks)
        slot[own.row] = slot_for_all(t, asking, key, own.row);
}

/* The slots of long rows. */
static __global__ void __launch_bounds__(TILE_BLOCK)
    look_up_long(csr_rows a, hash_table t, const unsigned long long *long_key, uint32_t *slot) {
    const csr_row own = own_row(a);
    const unsigned asking = __ballot_sync(ALL_LANES, is_long(own));
    if (is_long(own))
        slot[own.row] = slot_for_all(t, asking, long_key[own.row], own.row);
}

/* ---- first rows ---- */

/* Mark the first rows of all kinds, a bit each, and count their entries. */
static __global__ void mark_firsts(hash_table t, csr_rows a, uint32_t *is_first, kind_counts *counts) {
    long long entries = 0;
    FOR_ALL(at, 0, t.size) {
        const int64_t row = (int64_t)t.slots[at].first;
        if (t.slots[at].key == NO_KEY)
            continue;
        atomicOr(&is_first[row / 32], 1u << row % 32);
        entries += a.ptr[row + 1] - a.ptr[row];
    }
    add_to_total(entries, &counts->entries);
}

static __global__ void count_firsts(int64_t groups, const uint32_t *is_first, ptr_t *before) {
    const int64_t g = thread_number();
    if (g < groups)
        before[g] = __popc(is_first[g]);
}

/* ---- tables ---- */

static spry_status fill_bytes(spry_context *context, const temporary &array, int byte) {
    return spry_cuda_check(
        context,
        cudaMemsetAsync(array.pointer, byte, (size_t)array.count * array.size, context->device->stream),
        "clearing an array");
}

extern "C" spry_status NAME(spry_cuda_open_search)(const csr_rows &a, kind_search *s) {
    const int64_t groups = groups_of(a.count);
    spry_status status = s->begins.take(groups, sizeof(uint32_t));
    if (!status)
        status = s->slot_of_row.take(a.count, sizeof(uint32_t));
    if (!status && a.longest > LONGEST_ALONE)
        status = s->long_keys.take(a.count, sizeof(unsigned long long));
    if (!status)
        status = s->is_first.take(groups, sizeof(uint32_t));
    if (!status)
        status = s->before.take(groups + 1, sizeof(ptr_t));
    return status ? status : s->counts.take(1, sizeof(kind_counts));
}

/* An empty table of that size, no keys of long rows, no first rows, no counts. */
static spry_status empty(spry_context *context, int64_t size, kind_search *s) {
    s->slots.release();
    spry_status status = s->slots.take(size, sizeof(hash_slot));
    if (!status)
        status = fill_bytes(context, s->slots, 0xff);
    if (!status)
        status = fill_bytes(context, s->counts, 0);
    if (!status && s->long_keys.pointer)
        status = fill_bytes(context, s->long_keys, 0);
    return status ? status : fill_bytes(context, s->is_first, 0);
}

/* Look up all rows in an empty table of that size. Waits. */
static spry_status try_size(spry_context *context, const csr_rows &a, int salt, int64_t size, kind_search *s,
                            kind_counts *found) {
    cudaStream_t stream = context->device->stream;
    spry_status status = empty(context, size, s);
    if (status)
        return status;
    unsigned long long *long_key = static_cast<unsigned long long *>(s->long_keys.pointer);
    hash_rows<<<blocks_for_rows(a.count, a.longest), TILE_BLOCK, 0, stream>>>(
        a, salt, s->keys(), as<uint32_t>(s->begins.pointer), as<uint32_t>(s->slot_of_row.pointer), long_key);
    if (long_key)
        look_up_long<<<blocks_for(groups_of(a.count), TILE_WARPS), TILE_BLOCK, 0, stream>>>(
            a, s->keys(), long_key, as<uint32_t>(s->slot_of_row.pointer));
    mark_firsts<<<blocks_at_once(context, size, BLOCK), BLOCK, 0, stream>>>(
        s->keys(), a, as<uint32_t>(s->is_first.pointer), static_cast<kind_counts *>(s->counts.pointer));
    status = launched(context, "looking for rows that are alike");
    return status ? status : spry_cuda_fetch(context, found, s->counts.pointer, sizeof *found);
}

/* A table that has room for as many kinds as there are rows. */
static int64_t size_for(int64_t rows) {
    int64_t size = 2;
    while (size < SIZE_MOST && size / 2 < rows)
        size *= 2;
    return size;
}

extern "C" spry_status NAME(spry_cuda_find_kinds)(spry_context *context, const csr_rows &a, int salt,
                                                  spry_format format, kind_search *s, kind_counts *found) {
    const int64_t groups = groups_of(a.count), most = size_for(a.count);
    int64_t size = most < SIZE_FIRST ? most : SIZE_FIRST;
    spry_status status = try_size(context, a, salt, size, s, found);
    while (!status && (int64_t)found->kinds > size / 2 && size < most) {
        size = most / SIZE_GROWTH < size ? most : size * SIZE_GROWTH;
        status = try_size(context, a, salt, size, s, found);
    }
    if (!status && (int64_t)found->kinds > size / 2)
        status = spry_fail(context, SPRY_ERROR_OVERFLOW, "%s: more than %" PRId64 " different rows",
                           spry_format_name(format), size / 2);
    if (status)
        return status;
    count_firsts<<<blocks_for(groups, BLOCK), BLOCK, 0, context->device->stream>>>(
        groups, as<uint32_t>(s->is_first.pointer), as<ptr_t>(s->before.pointer));
    status = launched(context, "counting rows that differ");
    return status ? status : NAME(spry_cuda_scan)(context, as<ptr_t>(s->before.pointer), groups);
}

} // namespace convert_kind_keys
