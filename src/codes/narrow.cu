/* SPDX-License-Identifier: BSD-3-Clause */
/* Narrow columns on a device: a block for each group. */
#include "primitives/device.cuh"

extern "C" {
#include "codes/columns.h"
}

namespace codes_narrow {

static constexpr int BLOCK = 128;

/* Groups as kernels go through them. */
struct group_list {
    int64_t count, units, each, step, height;
    const ptr_t *ptr;
    const idx_t *len; /* null where all slots are entries */

    __device__ int64_t begin(int64_t g) const {
        const int64_t unit = g * each;
        return (int64_t)ptr[unit < units ? unit : units] * step;
    }
    /* Of slot k, counted from the begin of the group. */
    __device__ bool is_entry(int64_t g, int64_t k) const {
        return !len || k / height < len[g * height + k % height];
    }
};

static group_list group_list_of(const struct spry_column_groups *groups) {
    return {spry_group_count(groups),
            groups->units,
            groups->each,
            groups->step,
            groups->height,
            static_cast<const ptr_t *>(groups->ptr),
            static_cast<const idx_t *>(groups->len)};
}

static unsigned blocks_of(const spry_context *context, int64_t groups) {
    return blocks_at_once(context, groups > 0 ? groups * BLOCK : 1, BLOCK);
}

/* The smallest and the largest column of a group, for all threads of the block; 0 and 0 where it has no entries. */
static __device__ void find_span(const group_list &a, const idx_t *columns, int64_t g, long long *low,
                                 long long *high) {
    __shared__ long long ends[2];
    const int64_t first = a.begin(g), count = a.begin(g + 1) - first;
    int64_t least = INT64_MAX, most = -1;
    for (int64_t k = threadIdx.x; k < count; k += BLOCK) {
        if (!a.is_entry(g, k))
            continue;
        const int64_t column = columns[first + k];
        least = column < least ? column : least;
        most = column > most ? column : most;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ends[0] = INT64_MAX;
        ends[1] = -1;
    }
    __syncthreads();
    least = least_of_lanes(least);
    most = largest_of_lanes(most);
    if (lane_number() == 0) {
        atomicMin(&ends[0], (long long)least);
        atomicMax(&ends[1], (long long)most);
    }
    __syncthreads();
    *low = ends[1] < 0 ? 0 : ends[0];
    *high = ends[1] < 0 ? 0 : ends[1];
}

/* *fault becomes the first group that spans too much. */
static __global__ void __launch_bounds__(BLOCK)
    encode_groups(group_list a, const idx_t *columns, uint16_t *codes, idx_t *bases,
                  unsigned long long *fault) {
    for (int64_t g = blockIdx.x; g < a.count; g += gridDim.x) {
        long long low, high;
        find_span(a, columns, g, &low, &high);
        if (threadIdx.x == 0) {
            bases[g] = (idx_t)low;
            if (high - low >= SPRY_NARROW_COLUMNS)
                atomicMin(fault, (unsigned long long)g);
        }
        const int64_t first = a.begin(g), count = a.begin(g + 1) - first;
        for (int64_t k = threadIdx.x; k < count; k += BLOCK)
            codes[first + k] = a.is_entry(g, k) ? (uint16_t)(columns[first + k] - low) : 0;
    }
}

static __global__ void __launch_bounds__(BLOCK)
    span_group(group_list a, const idx_t *columns, int64_t g, spry_column_span *span) {
    long long low, high;
    find_span(a, columns, g, &low, &high);
    if (threadIdx.x == 0)
        *span = {g, low, high};
}

/* Waits. */
static spry_status fetch_span(spry_context *context, const group_list &a, const idx_t *columns, int64_t g,
                              struct spry_column_span *span) {
    temporary place(context);
    spry_status status = place.take(1, sizeof *span);
    if (status)
        return status;
    span_group<<<1, BLOCK, 0, context->device->stream>>>(a, columns, g,
                                                         static_cast<spry_column_span *>(place.pointer));
    status = launched(context, "looking at the columns of a group");
    return status ? status : spry_cuda_fetch(context, span, place.pointer, sizeof *span);
}

/* Waits. */
static spry_status encode(spry_context *context, const struct spry_column_groups *groups, const void *columns,
                          void *codes, void *bases, struct spry_column_span *span) {
    const group_list a = group_list_of(groups);
    const idx_t *column = static_cast<const idx_t *>(columns);
    first_fault found(context);
    spry_status status = found.start();
    if (status)
        return status;
    encode_groups<<<blocks_of(context, a.count), BLOCK, 0, context->device->stream>>>(
        a, column, static_cast<uint16_t *>(codes), static_cast<idx_t *>(bases), found.place());
    status = launched(context, "encoding columns");
    if (!status)
        status = found.read(&span->group, a.count);
    return status || span->group == a.count ? status : fetch_span(context, a, column, span->group, span);
}

static __global__ void __launch_bounds__(BLOCK)
    decode_groups(group_list a, const uint16_t *codes, const idx_t *bases, idx_t *columns) {
    for (int64_t g = blockIdx.x; g < a.count; g += gridDim.x) {
        const unsigned_idx_t base = (unsigned_idx_t)bases[g];
        for (int64_t k = a.begin(g) + threadIdx.x; k < a.begin(g + 1); k += BLOCK)
            columns[k] = (idx_t)(base + codes[k]);
    }
}

static spry_status decode(spry_context *context, const struct spry_column_groups *groups, const void *codes,
                          const void *bases, void *columns) {
    const group_list a = group_list_of(groups);
    decode_groups<<<blocks_of(context, a.count), BLOCK, 0, context->device->stream>>>(
        a, static_cast<const uint16_t *>(codes), static_cast<const idx_t *>(bases),
        static_cast<idx_t *>(columns));
    return launched(context, "decoding columns");
}

/* Both become the first group with such a fault. */
static __global__ void check_groups(group_list a, int64_t most, int64_t cols, const idx_t *bases,
                                    unsigned long long *slots_fault, unsigned long long *base_fault) {
    FOR_ALL(g, 0, a.count) {
        const int64_t last = (g + 1) * a.each < a.units ? (g + 1) * a.each : a.units,
                      begin = a.ptr[g * a.each], end = a.ptr[last], base = bases[g];
        if (begin < 0 || end < begin || end > most)
            atomicMin(slots_fault, (unsigned long long)g);
        if (base != 0 && (base < 0 || base >= cols))
            atomicMin(base_fault, (unsigned long long)g);
    }
}

/* Waits. */
static spry_status check(spry_context *context, const struct spry_column_groups *groups, int64_t cols,
                         const void *bases, struct spry_group_faults *faults) {
    const group_list a = group_list_of(groups);
    first_fault slots(context), base(context);
    spry_status status = slots.start();
    if (!status)
        status = base.start();
    if (status)
        return status;
    check_groups<<<blocks_at_once(context, a.count > 0 ? a.count : 1, BLOCK), BLOCK, 0,
                   context->device->stream>>>(a, groups->slots / groups->step, cols,
                                              static_cast<const idx_t *>(bases), slots.place(), base.place());
    status = launched(context, "checking groups of columns");
    if (!status)
        status = slots.read(&faults->slots, a.count);
    return status ? status : base.read(&faults->base, a.count);
}

extern "C" {
extern const struct spry_column_coder NAME(spry_narrow_columns);
const struct spry_column_coder NAME(spry_narrow_columns) = {
    .encode = encode, .decode = decode, .check = check};
}

} // namespace codes_narrow
