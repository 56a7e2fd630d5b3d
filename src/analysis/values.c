/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/values.h"

#include <string.h>

#include "analysis/stencil_key.h"
#include "codes/distinct.h"
#include "core/backend.h"
#include "core/table.h"

/* Values that are put into a code at a time. */
#define SOME 128

/* Whether a code without a table keeps so many values; the CPU's, as they are on the host. */
static bool keeps(spry_context *context, spry_value_code code, spry_value_type type, int64_t count,
                  const void *values) {
    const struct spry_coded how = {.coder = spry_cpu_backend.coder[code], .type = type};
    double encoded[SOME]; /* wide enough for any code */
    bool kept = true;
    for (int64_t s = 0; s < count && kept; s += SOME) {
        const int64_t some = count - s < SOME ? count - s : SOME;
        const char *from = (const char *)values + (size_t)s * spry_type_size(type);
        int64_t broken;
        kept = !how.coder->encode(context, &how, some, from, encoded, &broken) && broken == some;
    }
    return kept;
}

/* Codes for values of this type, wherever a layout has them. */
static unsigned codes_of(spry_value_type type) {
    return spry_cpu_backend.instance[type][SPRY_I32]->format[SPRY_CSR]->codes;
}

void spry_count_values(spry_context *context, spry_value_type type, int64_t count, const void *values,
                       struct spry_values_seen *seen) {
    uint64_t key[SPRY_VALUES_MOST];
    struct spry_kinds kinds;
    memset(&kinds, 0, sizeof kinds);
    for (int64_t s = 0; s < count; s++) {
        key[s] = spry_mix(0, spry_value_bits(type, values, s));
        spry_kinds_add(&kinds, key, s);
    }
    *seen = (struct spry_values_seen){
        .sampled = count, .kinds = kinds.count, .once = kinds.once, .twice = kinds.twice};
    for (int code = 0; code < SPRY_VALUE_CODE_COUNT && count > 0; code++)
        if (codes_of(type) >> code & 1 && spry_table_length((spry_value_code)code) == 0 &&
            keeps(context, (spry_value_code)code, type, count, values))
            seen->kept |= 1u << code;
}

double spry_expected_values(const struct spry_features *features) {
    const struct spry_values_seen *seen = &features->values;
    const double once = (double)seen->once, all = (double)features->nnz,
                 expected = (double)seen->kinds + once * (once - 1) / (2 * ((double)seen->twice + 1));
    return seen->sampled == 0 ? 0 : expected < all ? expected : all;
}

bool spry_expects_code(const struct spry_features *features, spry_value_code code) {
    const int64_t most = spry_table_length(code);
    if (features->values.sampled == 0)
        return false;
    return most > 0 ? spry_expected_values(features) <= (double)most : features->values.kept >> code & 1;
}
