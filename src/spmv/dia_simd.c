/* SPDX-License-Identifier: BSD-3-Clause */
/* DIA by slices with vector registers, a row to a lane: values and x are loaded as they lie. Nothing is asked for ahead, as the values
   are one stream. */
#include "spmv/dia.h"
#include "spmv/put.h"

/* Registers that hold the rows of a slice. */
#define WIDE (SPRY_DIA_ROWS / LANES)

/* Add a diagonal that all rows have an entry on. */
INLINE void add_all(vec sum[WIDE], const val_t *val, const val_t *x) {
#pragma GCC unroll 16
    for (int w = 0; w < WIDE; w++)
        sum[w] = v_fma(v_load(val + w * LANES), v_load(x + w * LANES), sum[w]);
}

/* Add one that only some have an entry on: of the others, nothing is read of x. */
INLINE void add_some(vec sum[WIDE], uint32_t mask, const val_t *val, const val_t *x) {
#pragma GCC unroll 16
    for (int w = 0; w < WIDE; w++) {
        const uint32_t bits = mask >> w * LANES;
        sum[w] = v_fma_some(v_load(val + w * LANES), v_load_some(x + w * LANES, bits), sum[w], bits);
    }
}

/* y of the rows of a slice, of which `count` are in the matrix. */
INLINE void put_slice(const vec sum[WIDE], int64_t count, val_t alpha, val_t beta, val_t *y) {
#pragma GCC unroll 16
    for (int w = 0; w < WIDE; w++)
        if (count >= (w + 1) * LANES)
            put_rows(sum[w], alpha, beta, y + w * LANES);
        else if (count > w * LANES)
            put_first(sum[w], count - w * LANES, alpha, beta, y + w * LANES);
}

static void rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                 val_t beta, val_t *y) {
    for (int64_t i = begin; i < end; i += SPRY_DIA_ROWS) {
        const struct dia_slice slice = dia_slice_at(matrix, i);
        const val_t *val = slice.val;
        vec sum[WIDE];
#pragma GCC unroll 16
        for (int w = 0; w < WIDE; w++)
            sum[w] = v_zero();
        for (int64_t d = 0; d < slice.count; d++, val += SPRY_DIA_ROWS)
            if (slice.mask[d] == SPRY_DIA_FULL)
                add_all(sum, val, x + i + slice.offset[d]);
            else
                add_some(sum, slice.mask[d], val, x + i + slice.offset[d]);
        put_slice(sum, end - i, alpha, beta, y + i);
    }
}

static union spry_terms work(const struct spry_candidate *candidate) {
    return SHARED(spry_dia_work)(candidate, LANES);
}

#define ROWS(INDEX)                                                                                          \
    {                                                                                                        \
        SPRY_KERNEL_OF(INDEX, SIMD_NAME("dia"), SPRY_DIA, SPRY_N),                                           \
            .needs = SIMD_NEEDS, .run = SHARED(spry_rows_run), .partials = SHARED(spry_partials),            \
            .work = work, .part = (void (*)(void))rows                                                       \
    }

SPRY_SHARED_LISTS(SIMD_KERNELS(dia), ROWS)
