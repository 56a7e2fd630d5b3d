/* SPDX-License-Identifier: BSD-3-Clause */
/* f64 values that are exact in f32. The cast must give back all bits: those of a NaN, and the sign of a zero, too. No value is cast
   that loses bits by it, as that raises a floating-point exception, which ends programs that ask for it. */
#include <stdint.h>
#include <string.h>

#include "codes/coder.h"
#include "core/round.h"
#include "core/team.h"

/* Bits of a fraction that f32 has no room for. */
#define LOST_BITS 29
/* Exponents of f64: the least of f32's subnormal numbers, and of its normal ones, how many these have, and what is not finite. */
#define LEAST_SUBNORMAL 874
#define LEAST_NORMAL 897
#define NORMALS 254
#define NOT_FINITE 0x7ff
#define QUIET (UINT64_C(1) << 51)
#define FRACTION ((UINT64_C(1) << 52) - 1)

/* Whether the last so many bits are zero. */
static bool ends_in_zeros(uint64_t bits, int count) {
    return (bits & ((UINT64_C(1) << count) - 1)) == 0;
}

static bool returns(double value) {
    const double back = spry_rounded_to_f32(value);
    return memcmp(&value, &back, sizeof value) == 0;
}

/* Of values that are no normal numbers in f32. A processor may be set to take subnormal ones for zero, so these are tried. */
static bool is_exact_apart(double value, uint64_t bits, int exponent) {
    if (exponent == NOT_FINITE)
        return ((bits & FRACTION) == 0 || (bits & QUIET)) && returns(value);
    if (exponent >= LEAST_SUBNORMAL && exponent < LEAST_NORMAL)
        return ends_in_zeros(bits, LOST_BITS + LEAST_NORMAL - exponent) && returns(value);
    return bits << 1 == 0;
}

static inline bool is_exact(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int exponent = (int)(bits >> 52 & NOT_FINITE);
    if (!ends_in_zeros(bits, LOST_BITS))
        return false;
    const bool is_normal = exponent >= LEAST_NORMAL && exponent < LEAST_NORMAL + NORMALS;
    return is_normal || is_exact_apart(value, bits, exponent);
}

static spry_status encode(spry_context *context, const struct spry_coded *how, int64_t n, const void *values,
                          void *codes, int64_t *broken) {
    (void)how;
    const double *from = values;
    float *to = codes;
    int64_t first = n;
#pragma omp parallel for num_threads(spry_team_over(context, n)) reduction(min : first)
    for (int64_t k = 0; k < n; k++) {
        if (is_exact(from[k]))
            to[k] = (float)from[k];
        else if (k < first)
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
