/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours within slices, counted without a look at where slices end: those of all entries, less those at
   the seams between slices. So one long slice takes no longer than many short ones. */
#include "primitives/device.cuh"

namespace primitives_neighbours {

static constexpr int BLOCK = 256;

struct falls {
    template <class T>
    static __device__ bool holds(T before, T here) {
        return here < before;
    }
};

struct repeats {
    template <class T>
    static __device__ bool holds(T before, T here) {
        return here == before;
    }
};

template <class Relation>
static __global__ void count_neighbours(int64_t n, const idx_t *idx, int64_t slices, const ptr_t *ptr,
                                        int base, unsigned long long *count) {
    long long mine = 0;
    FOR_ALL(k, 1, n)
    mine += Relation::holds(idx[k - 1], idx[k]);
    FOR_ALL(i, 1, slices) {
        int64_t begin = (int64_t)ptr[i] - base, end = (int64_t)ptr[i + 1] - base;
        if (begin > 0 && begin < end) /* of several slices that begin here, the one that has entries */
            mine -= Relation::holds(idx[begin - 1], idx[begin]);
    }
    add_to_total(mine, count);
}

template <class Relation>
static spry_status count(spry_context *context, const spry_matrix *matrix, int64_t *result) {
    const spry_csr *csr = &matrix->csr;
    int64_t n = matrix->nnz, slices = matrix->format == SPRY_CSR ? matrix->rows : matrix->cols;
    counter found(context);
    *result = 0;
    if (n < 2)
        return SPRY_OK;
    spry_status status = found.start();
    if (status)
        return status;
    count_neighbours<Relation>
        <<<blocks_at_once(context, n > slices ? n : slices, BLOCK), BLOCK, 0, context->device->stream>>>(
            n, as<idx_t>(csr->idx), slices, as<ptr_t>(csr->ptr), csr->base, found.place());
    status = launched(context, "comparing neighbours");
    return status ? status : found.read(result);
}

extern "C" spry_status NAME(spry_cuda_count_falls)(spry_context *context, const spry_matrix *matrix,
                                                   int64_t *result) {
    return count<falls>(context, matrix, result);
}

extern "C" spry_status NAME(spry_cuda_count_repeats)(spry_context *context, const spry_matrix *matrix,
                                                     int64_t *result) {
    return count<repeats>(context, matrix, result);
}

} // namespace primitives_neighbours
