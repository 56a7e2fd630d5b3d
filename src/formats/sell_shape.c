/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cpu.h"
#include "formats/sell.h"

/* Rows of a window: enough for those of a slice to be about as long as each other, and few enough for their x and y to
   stay near. */
#define WINDOW 512
/* Slices of a window for heights that do not divide it. */
#define SLICES 32
/* Rows of a warp. */
#define WARP 32
/* Rows of a slice on a CPU, two registers of four f64 among them, and what a vector register of 64 bytes has of f32. */
#define ROWS 8
#define ROWS_OF_F32 16

int64_t spry_sell_height(const spry_context *context, spry_value_type type) {
    if (context->backend != SPRY_CPU)
        return WARP;
    return type == SPRY_F32 && context->cpu_features & SPRY_CPU_AVX512 ? ROWS_OF_F32 : ROWS;
}

int64_t spry_sell_window(int64_t height) {
    return WINDOW % height == 0 ? WINDOW : SLICES * height;
}

spry_status spry_refuse_sell_update(spry_context *context) {
    return spry_fail(
        context, SPRY_ERROR_UNSUPPORTED,
        "the columns do not rise in the rows of the SELL matrix: change its values in place instead");
}
