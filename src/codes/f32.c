/* SPDX-License-Identifier: BSD-3-Clause */
/* f64 values that are exact in f32. The cast must give back all bits: those of a NaN, and the sign of a zero, too. */
#include <string.h>

#include "codes/coder.h"
#include "core/split.h"
#include "core/team.h"

static bool is_exact(double value, float code) {
    double back = code;
    return memcmp(&value, &back, sizeof value) == 0;
}

static spry_status encode(spry_context *context, const struct spry_coded *how, int64_t n, const void *values,
                          void *codes, int64_t *broken) {
    (void)how;
    const double *from = values;
    float *to = codes;
    int64_t first = n;
#pragma omp parallel for num_threads(spry_team_over(context, n)) reduction(min : first)
    for (int64_t k = 0; k < n; k++) {
        to[k] = (float)from[k];
        if (!is_exact(from[k], to[k]) && k < first)
            first = k;
    }
    *broken = first;
    return SPRY_OK;
}

static spry_status decode(spry_context *context, const struct spry_coded *how, int64_t n, const void *codes,
                          void *values) {
    (void)how;
    return context->code->cast_values(context, codes, SPRY_F32, values, SPRY_F64, n);
}

const struct spry_value_coder spry_cpu_f32 = {.size = sizeof(float), .encode = encode, .decode = decode};
