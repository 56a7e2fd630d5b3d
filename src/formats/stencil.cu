/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/formats.cuh"

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    spry_status status = NAME(spry_stencil_plan)(context, matrix);
    return status ? status : NAME(spry_stencil_parts)(context, matrix);
}

extern "C" {
extern const struct spry_format_code NAME(spry_stencil_code);
const struct spry_format_code NAME(spry_stencil_code) = {
    .validate = spry_cuda_validate_on_host,
    .plan = plan,
};
}
