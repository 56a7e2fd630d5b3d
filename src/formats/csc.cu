/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/compressed.cuh"

extern "C" {
extern const struct spry_format_code NAME(spry_csc_code);
const struct spry_format_code NAME(spry_csc_code) = {
    .validate = NAME(spry_compressed_validate),
    .plan = NAME(spry_compressed_plan),
};
}
