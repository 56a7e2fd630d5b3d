/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/compressed.cuh"
#include "primitives/device.cuh"

namespace formats_compressed {

static constexpr int BLOCK = 256;

/* Nothing is read through the pointers, which may be wrong. */
static __global__ void check(int64_t major, int64_t minor, int64_t nnz, spry_csr csr,
                             unsigned long long *faults) {
    const ptr_t *ptr = as<ptr_t>(csr.ptr);
    const idx_t *idx = as<idx_t>(csr.idx);
    bool wrong = thread_number() == 0 && (ptr[0] != csr.base || (int64_t)ptr[major] - csr.base != nnz);
    FOR_ALL(i, 0, major)
    wrong |= ptr[i + 1] < ptr[i];
    FOR_ALL(k, 0, nnz)
    wrong |= is_outside(idx[k], csr.base, minor);
    if (wrong)
        *faults = 1;
}

extern "C" spry_status NAME(spry_compressed_validate)(spry_context *context, const spry_matrix *matrix,
                                                      unsigned flags) {
    bool by_rows = matrix->format == SPRY_CSR;
    int64_t major = by_rows ? matrix->rows : matrix->cols, minor = by_rows ? matrix->cols : matrix->rows;
    int64_t nnz = matrix->nnz, faults = 1;
    counter found(context);
    if (flags)
        return spry_cuda_validate_on_host(context, matrix, flags);
    spry_status status = found.start();
    if (status)
        return status;
    check<<<blocks_at_once(context, nnz > major ? nnz : major + 1, BLOCK), BLOCK, 0,
            context->device->stream>>>(major, minor, nnz, matrix->csr, found.place());
    status = launched(context, "checking pointers and indices");
    if (!status)
        status = found.read(&faults);
    return status || !faults ? status : spry_cuda_validate_on_host(context, matrix, flags);
}

} // namespace formats_compressed
