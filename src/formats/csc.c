/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/compressed.h"

static void estimate(struct spry_candidate *candidate) {
    NAME(spry_compressed_estimate)(candidate, candidate->features->cols);
}

const struct spry_format_code NAME(spry_csc_code) = {
    .validate = NAME(spry_compressed_validate),
    .plan = NAME(spry_compressed_plan),
    .slots = NAME(spry_compressed_slots),
    .arrays = NAME(spry_compressed_arrays),
    .estimate = estimate,
    .as_csr = NAME(spry_compressed_as_csr),
    .values = NAME(spry_compressed_values),
    .codes = TMPL_CODES,
    .columns = NAME(spry_compressed_columns),
    .groups = NAME(spry_compressed_groups),
    .column_codes = TMPL_COLUMN_CODES,
};
