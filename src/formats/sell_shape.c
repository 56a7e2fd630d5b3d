/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cpu.h"
#include "core/saturate.h"
#include "core/team.h"
#include "formats/sell.h"

/* Rows of a window: enough for those of a slice to be about as long as each other, and few enough for their x and y to
   stay near. */
#define WINDOW 512
/* The same where they are very uneven: a tenth of a megabyte of y, which stays in any core's own cache. */
#define WINDOW_MOST 16384
/* Within a window that two threads share, they write the same lines of y. Windows that each thread has at least before they grow; and
   how many there are for each that is shared before they become shorter, and slices of these at least. */
#define WINDOWS_EACH 8
#define WINDOWS_A_SHARED_ONE 2
#define SLICES_LEAST 4
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

bool spry_sell_window_grows(const spry_context *context, int64_t window, int64_t rows, int64_t nnz) {
    const int64_t windows = spry_cover(rows, 2 * window), threads = spry_part_count(context, nnz + rows);
    return context->backend == SPRY_CPU && 2 * window <= WINDOW_MOST && windows >= WINDOWS_EACH * threads;
}

bool spry_sell_window_shrinks(const spry_context *context, int64_t height, int64_t window, int64_t rows,
                              int64_t nnz) {
    const int64_t windows = spry_cover(rows, window), shared = spry_part_count(context, nnz + rows) - 1;
    return context->backend == SPRY_CPU && window % (2 * SLICES_LEAST * height) == 0 &&
           windows < WINDOWS_A_SHARED_ONE * shared;
}

int64_t spry_sell_unshared_worth(int64_t slots, int64_t rows) {
    const int64_t quarter = slots / 4, few = spry_multiply_counts(4, rows);
    return quarter < few ? quarter : few;
}

int64_t spry_sell_slots_shrunk(int64_t slots, int64_t rows, int64_t longest, int64_t height) {
    const bool is_long = spry_multiply_counts(longest, 16 * height) > slots;
    return is_long ? slots : slots + spry_sell_unshared_worth(slots, rows);
}

spry_status spry_refuse_sell_update(spry_context *context) {
    return spry_fail(
        context, SPRY_ERROR_UNSUPPORTED,
        "the columns do not rise in the rows of the SELL matrix: change its values in place instead");
}
