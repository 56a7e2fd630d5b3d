/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows of SELL sorted by blocks, for both types of values at once: CUB's sort takes long to compile. */
#include <cub/block/block_radix_sort.cuh>

#include "convert/sell_windows.cuh"
#include "cuda/lanes.cuh"
extern "C" {
#include "formats/sell.h"
#include "primitives/sort.h"
}

/* Threads of a block, and rows of each. */
static constexpr int SORTERS = 256;
static constexpr int EACH = SPRY_SELL_SORTED / SORTERS;

/* The rows of CSR, and what is written of those of SELL. */
template <class Pointer, class Index>
struct sorted_rows {
    int64_t rows, places, height; /* places: those of the last slice that are past the last row too */
    const Pointer *ptr;
    Pointer *slots;
    Index *length, *perm;
};

/* The length of the row at a position. Gives the width of the slice that begins there, whose longest row that is; 0 where none
   does. */
template <class Pointer, class Index>
static __device__ int64_t put_length(const sorted_rows<Pointer, Index> &a, int64_t p, int64_t length) {
    a.length[p] = (Index)length;
    if (p % a.height != 0)
        return 0;
    a.slots[p / a.height] = (Pointer)(length * a.height);
    return length;
}

/* Sort the rows of a block, `block_rows` at most, and measure them. Past the last row are keys that come last. */
template <class Pointer, class Index>
static __global__ void __launch_bounds__(SORTERS)
    sort_windows(sorted_rows<Pointer, Index> a, int window, int block_rows, int64_t longest, int bits,
                 spry_sell_findings *found) {
    typedef cub::BlockRadixSort<uint32_t, SORTERS, EACH, uint16_t> sorter;
    __shared__ typename sorter::TempStorage storage;
    const int64_t first = (int64_t)blockIdx.x * block_rows, left = a.rows - first, places = a.places - first,
                  count = left < block_rows ? left : block_rows;
    uint32_t key[EACH];
    uint16_t row[EACH];
    bool rises = false;
    for (int j = 0; j < EACH; j++) {
        const int r = (int)threadIdx.x * EACH + j;
        const int64_t i = first + r;
        row[j] = (uint16_t)r;
        key[j] = r < count ? (uint32_t)(r / window * (longest + 1) + longest - (a.ptr[i + 1] - a.ptr[i]))
                           : UINT32_MAX;
        rises |= r < count && r % window != 0 && is_rise(a.ptr, i);
    }
    if (rises)
        found->rises = 1;
    sorter(storage).SortBlockedToStriped(key, row, 0, bits);
    long long widths = 0;
    for (int j = 0; j < EACH; j++) {
        const int r = j * SORTERS + (int)threadIdx.x;
        if (r >= block_rows || r >= places)
            continue;
        const int64_t length = r < count ? r / window * (longest + 1) + longest - key[j] : 0;
        if (r < count)
            a.perm[first + r] = (Index)(first + row[j]);
        widths += put_length(a, first + r, length);
    }
    add_to_total(widths, &found->widths);
}

template <class Pointer, class Index>
static spry_status sort(spry_context *context, const spry_matrix *csr, int64_t longest,
                        spry_sell_findings *found, const spry_sell *sell) {
    const int64_t block_rows = SPRY_SELL_SORTED / sell->window * sell->window,
                  places = spry_sell_slices(csr->rows, sell->height) * sell->height;
    const sorted_rows<Pointer, Index> a = {csr->rows,
                                           places,
                                           sell->height,
                                           static_cast<const Pointer *>(csr->csr.ptr),
                                           static_cast<Pointer *>(sell->ptr),
                                           static_cast<Index *>(sell->len),
                                           static_cast<Index *>(sell->perm)};
    sort_windows<<<blocks_for(csr->rows, block_rows), SORTERS, 0, context->device->stream>>>(
        a, (int)sell->window, (int)block_rows, longest,
        spry_bits_for(0, spry_sell_keys(sell->window, longest)), found);
    return launched(context, "sorting rows by length");
}

extern "C" spry_status spry_cuda_sell_sort_windows(spry_context *context, const spry_matrix *csr,
                                                   int64_t longest, spry_sell_findings *found,
                                                   const spry_matrix *matrix) {
    const spry_sell *sell = &matrix->sell;
    if (spry_index_size(csr->index) == sizeof(int64_t))
        return sort<int64_t, int64_t>(context, csr, longest, found, sell);
    return spry_pointer_size(csr->index) == sizeof(int64_t)
               ? sort<int64_t, int32_t>(context, csr, longest, found, sell)
               : sort<int32_t, int32_t>(context, csr, longest, found, sell);
}
