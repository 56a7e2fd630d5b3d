/* SPDX-License-Identifier: BSD-3-Clause */
/* New values for layouts in which an entry is searched for: each by a thread of its own, so that a long row is no thread's work alone. */
#ifndef SPRY_PLACES_CUH
#define SPRY_PLACES_CUH

#include "primitives/device.cuh"

static constexpr int PLACES_BLOCK = 256;

template <class Places>
static __global__ void find_places(int64_t nnz, const idx_t *row, spry_csr rows, Places places,
                                   int64_t *place, unsigned long long *differences) {
    const int64_t k = thread_number();
    if (k >= nnz)
        return;
    place[k] = places.of(rows, k, (int64_t)row[k] - rows.base);
    if (place[k] < 0)
        *differences = 1;
}

static __global__ void put_in_places(int64_t nnz, const val_t *from, const int64_t *place, val_t *to) {
    const int64_t k = thread_number();
    if (k < nnz)
        to[place[k]] = from[k];
}

/* Take the values of sorted rows, as many as `val` has, which places.of(rows, k, i) says where to put: that of entry k, in row i, both
   from 0; -1 where there is no place for it. No two entries have the same place, so if all have one, the patterns are the same; where
   one has none, it returns SPRY_ERROR_PATTERN, and `val` stays as it is. Waits. */
template <class Places>
static spry_status put_values(spry_context *context, const spry_matrix *csr, Places places, val_t *val) {
    const spry_csr &rows = csr->csr;
    const int64_t nnz = csr->nnz;
    const unsigned blocks = blocks_for(nnz, PLACES_BLOCK);
    cudaStream_t stream = context->device->stream;
    temporary row(context), place(context);
    counter differences(context);
    spry_status status = row.take(nnz, sizeof(idx_t));
    if (!status)
        status = place.take(nnz, sizeof(int64_t));
    if (!status)
        status = differences.start();
    if (!status)
        status = NAME(spry_cuda_expand)(context, static_cast<const ptr_t *>(rows.ptr), rows.base, csr->rows,
                                        nnz, static_cast<idx_t *>(row.pointer));
    if (status)
        return status;
    int64_t *at = static_cast<int64_t *>(place.pointer);
    find_places<<<blocks, PLACES_BLOCK, 0, stream>>>(nnz, static_cast<idx_t *>(row.pointer), rows, places, at,
                                                     differences.place());
    status = launched(context, "comparing patterns");
    if (!status)
        status = differences.same_pattern();
    if (status)
        return status;
    put_in_places<<<blocks, PLACES_BLOCK, 0, stream>>>(nnz, static_cast<const val_t *>(rows.val), at, val);
    return launched(context, "placing values");
}

#endif
