/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/formats.cuh"

extern "C" {
extern const struct spry_format_code NAME(spry_dia_code);
const struct spry_format_code NAME(spry_dia_code) = {
    .validate = spry_cuda_validate_on_host,
    .plan = NAME(spry_dia_plan),
};
}
