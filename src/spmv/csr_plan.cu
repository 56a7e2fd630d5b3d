/* SPDX-License-Identifier: BSD-3-Clause */
/* What the products with CSR, and with CSC, need on a device, whatever its values are kept as. */
#include "formats/compressed.cuh"
#include "primitives/device.cuh"
#include "spmv/scatter.cuh"
#include "spmv/segments.cuh"

namespace spmv_csr_plan {

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    const spry_op across = matrix->format == SPRY_CSR ? SPRY_T : SPRY_N;
    int64_t falls = 0;
    spry_status status = matrix->sorted ? SPRY_OK : NAME(spry_cuda_count_falls)(context, matrix, &falls);
    matrix->sorted = falls == 0;
    matrix->cuda.scratch[across] = NAME(spry_scatter_scratch)(matrix, across);
    return status ? status : NAME(spry_segments_plan)(context, matrix);
}

extern "C" {
extern const struct spry_format_code NAME(spry_csr_code);
const struct spry_format_code NAME(spry_csr_code) = {
    .validate = NAME(spry_compressed_validate),
    .plan = plan,
};

extern const struct spry_format_code NAME(spry_csc_code);
const struct spry_format_code NAME(spry_csc_code) = {
    .validate = NAME(spry_compressed_validate),
    .plan = plan,
};
}

} // namespace spmv_csr_plan
