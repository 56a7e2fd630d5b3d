/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/compressed.h"

static void foresee(struct spry_prospect *prospect) {
    NAME(spry_compressed_foresee)(prospect, prospect->survey->rows);
}

const struct spry_format_code NAME(spry_csr_code) = {
    .validate = NAME(spry_compressed_validate),
    .plan = NAME(spry_compressed_plan),
    .slots = NAME(spry_compressed_slots),
    .arrays = NAME(spry_compressed_arrays),
    .foresee = foresee,
};
