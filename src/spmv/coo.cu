/* SPDX-License-Identifier: BSD-3-Clause */
/* COO in row order on a device: segments of entries, as CSR has them. Other orders scatter: see scatter.cu. */
#include "spmv/segments.cuh"
#include "spmv/scatter.cuh"

namespace spmv_coo {

extern "C" spry_status NAME(spry_coo_plan)(spry_context *context, spry_matrix *matrix) {
    matrix->cuda.scratch[SPRY_T] = NAME(spry_scatter_scratch)(matrix, SPRY_T);
    if (matrix->row_sorted)
        return NAME(spry_segments_plan)(context, matrix);
    matrix->cuda.scratch[SPRY_N] = NAME(spry_scatter_scratch)(matrix, SPRY_N);
    return SPRY_OK;
}

/* A matrix without entries has no segments, and its products are done before any kernel is called. */
static bool has_segments(const spry_matrix *matrix) {
    return matrix->cuda.segments.warps > 0 || matrix->nnz == 0;
}

static const spry_kernel kernels[] = {
    {SPRY_CUDA_KERNEL("coo_segments", SPRY_COO, SPRY_N), .takes = has_segments,
     .run = NAME(spry_segments_run), .work = NAME(spry_segments_work)},
    {SPRY_CUDA_KERNEL("coo_many_segments", SPRY_COO, SPRY_N), .many = true, .takes = has_segments,
     .run = NAME(spry_segments_run_many)},
};

extern "C" {
extern const spry_kernel_list NAME(spry_kernels_coo);
const spry_kernel_list NAME(spry_kernels_coo) = {sizeof kernels / sizeof *kernels, kernels};
}

} // namespace spmv_coo
