/* SPDX-License-Identifier: BSD-3-Clause */
/* What the products with CSR, and with CSC, need on a device, whatever its values are kept as. */
#include "spmv/scatter.cuh"
#include "spmv/segments.cuh"

spry_status NAME(spry_csr_plan)(spry_context *context, spry_matrix *matrix) {
    const spry_op across = matrix->format == SPRY_CSR ? SPRY_T : SPRY_N;
    matrix->cuda.scratch[across] = NAME(spry_scatter_scratch)(matrix, across);
    return NAME(spry_segments_plan)(context, matrix);
}
