/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cpu.h"
#include "formats/sell.h"

/* Slices that a window has. */
#define SLICES 32
/* Rows of a warp. */
#define WARP 32
/* Bytes of a vector register, and of a cache line where there are none. */
#define AVX512_BYTES 64
#define AVX2_BYTES 32

int64_t spry_sell_height(const spry_context *context, spry_value_type type) {
    if (context->backend != SPRY_CPU)
        return WARP;
    int bytes = context->cpu_features & SPRY_CPU_AVX512 ? AVX512_BYTES : AVX2_BYTES;
    return bytes / (int64_t)spry_type_size(type);
}

int64_t spry_sell_window(int64_t height) {
    return SLICES * height;
}

spry_status spry_refuse_sell_update(spry_context *context) {
    return spry_fail(
        context, SPRY_ERROR_UNSUPPORTED,
        "the columns do not rise in the rows of the SELL matrix: change its values in place instead");
}
