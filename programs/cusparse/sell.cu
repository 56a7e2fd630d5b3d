/* SPDX-License-Identifier: BSD-3-Clause */
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

extern "C" {
#include "cusparse/sell.h"
#include "measuring/gpu.h"
}

#define BLOCK 256

/* The longest row of each slice. */
template <class Ptr>
static __global__ void find_longest(int64_t rows, int64_t slices, const Ptr *ptr, Ptr *longest) {
    int64_t slice = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (slice >= slices)
        return;
    Ptr most = 0;
    for (int64_t row = slice * SELL_SLICE; row < rows && row < (slice + 1) * SELL_SLICE; row++)
        most = max(most, ptr[row + 1] - ptr[row]);
    longest[slice] = most;
}

/* The last slice that begins at a slot or before it: slices without slots are passed over. */
template <class Ptr>
static __device__ int64_t slice_of(const Ptr *offsets, int64_t slices, int64_t slot) {
    int64_t first = 0, last = slices - 1;
    while (first < last) {
        int64_t middle = last - (last - first) / 2;
        if (offsets[middle] <= slot)
            first = middle;
        else
            last = middle - 1;
    }
    return first;
}

/* One thread a slot, so that one long row does not hold up all else. Rows past the last are all padding. */
template <class Ptr, class Idx, class Val>
static __global__ void fill(int64_t rows, int64_t slices, int64_t slots, const Ptr *ptr, const Idx *idx,
                            const Val *val, const Ptr *offsets, Idx *sell_idx, Val *sell_val) {
    int64_t slot = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (slot >= slots)
        return;
    int64_t slice = slice_of(offsets, slices, slot), in_slice = slot - offsets[slice];
    int64_t row = slice * SELL_SLICE + in_slice % SELL_SLICE;
    bool inside = row < rows && in_slice / SELL_SLICE < ptr[row + 1] - ptr[row];
    int64_t entry = inside ? ptr[row] + in_slice / SELL_SLICE : 0;
    sell_idx[slot] = inside ? idx[entry] : (Idx)-1;
    sell_val[slot] = inside ? val[entry] : (Val)0;
}

static unsigned blocks_for(int64_t count) {
    return (unsigned)((count + BLOCK - 1) / BLOCK);
}

static spry_status new_array(struct place *place, int64_t count, size_t size, void **array, size_t *bytes) {
    *bytes = (size_t)count * size;
    return spry_array_new(place->context, *bytes, array);
}

static spry_status check_size(struct place *place, const spry_matrix *csr, int64_t slots, int64_t most) {
    double fill = (double)slots / (double)spry_matrix_nnz(csr);
    if (fill <= SELL_MOST_FILL && slots <= most)
        return SPRY_OK;
    if (slots > most)
        snprintf(place->message, sizeof place->message, "the offsets of sliced ELL would need 64 bits");
    else
        snprintf(place->message, sizeof place->message,
                 "sliced ELL would have %.3g slots a nonzero; more than %d are not built", fill,
                 SELL_MOST_FILL);
    return SPRY_ERROR_TOO_LARGE;
}

/* Offsets, by way of the host, which adds them up: there are few slices. */
template <class Ptr>
static spry_status make_offsets(struct place *place, const spry_matrix *csr, struct sell *sell) {
    const struct gpu *gpu = (const struct gpu *)place->own;
    std::vector<Ptr> offsets((size_t)sell->slices + 1);
    spry_status status =
        new_array(place, sell->slices + 1, sizeof(Ptr), &sell->offsets, &sell->offsets_bytes);
    if (status)
        return status;
    find_longest<<<blocks_for(sell->slices), BLOCK, 0, gpu->stream>>>(
        spry_matrix_rows(csr), sell->slices, (const Ptr *)spry_matrix_csr(csr)->ptr, (Ptr *)sell->offsets);
    status = gpu_check(place, cudaGetLastError(), "measuring slices");
    if (!status)
        status =
            spry_array_get(place->context, sell->offsets, offsets.data(), (size_t)sell->slices * sizeof(Ptr));
    if (status)
        return status;
    for (Ptr &offset : offsets) { /* the last, which was not read, is where the slots end */
        int64_t longest = offset;
        offset = (Ptr)sell->slots;
        sell->slots += longest * SELL_SLICE;
    }
    status = check_size(place, csr, sell->slots, std::numeric_limits<Ptr>::max());
    return status ? status
                  : spry_array_put(place->context, sell->offsets, offsets.data(), sell->offsets_bytes);
}

template <class Ptr, class Idx, class Val>
static spry_status build(struct place *place, const spry_matrix *csr, struct sell *sell) {
    const struct gpu *gpu = (const struct gpu *)place->own;
    const spry_csr *from = spry_matrix_csr(csr);
    spry_status status = make_offsets<Ptr>(place, csr, sell);
    if (!status)
        status = new_array(place, sell->slots, sizeof(Idx), &sell->idx, &sell->idx_bytes);
    if (!status)
        status = new_array(place, sell->slots, sizeof(Val), &sell->val, &sell->val_bytes);
    if (status)
        return status;
    fill<<<blocks_for(sell->slots), BLOCK, 0, gpu->stream>>>(
        spry_matrix_rows(csr), sell->slices, sell->slots, (const Ptr *)from->ptr, (const Idx *)from->idx,
        (const Val *)from->val, (const Ptr *)sell->offsets, (Idx *)sell->idx, (Val *)sell->val);
    return gpu_check(place, cudaGetLastError(), "filling slices");
}

template <class Val>
static spry_status build_of(struct place *place, const spry_matrix *csr, struct sell *sell) {
    switch (spry_matrix_index(csr)) {
    case SPRY_I32:
        return build<int32_t, int32_t, Val>(place, csr, sell);
    case SPRY_I32P64:
        return build<int64_t, int32_t, Val>(place, csr, sell);
    default:
        return build<int64_t, int64_t, Val>(place, csr, sell);
    }
}

spry_status sell_build(struct place *place, const spry_matrix *csr, struct sell *sell) {
    *sell = {};
    sell->slices = (spry_matrix_rows(csr) + SELL_SLICE - 1) / SELL_SLICE;
    return spry_matrix_type(csr) == SPRY_F32 ? build_of<float>(place, csr, sell)
                                             : build_of<double>(place, csr, sell);
}

void sell_free(struct place *place, struct sell *sell) {
    spry_array_free(place->context, sell->offsets, sell->offsets_bytes);
    spry_array_free(place->context, sell->idx, sell->idx_bytes);
    spry_array_free(place->context, sell->val, sell->val_bytes);
    *sell = {};
}
