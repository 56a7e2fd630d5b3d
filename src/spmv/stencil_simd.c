/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils with vector registers, a row to a lane: rows of one stencil that follow each other lie side by side in x and y, those
   of which every second or third has the same stencil a fixed step apart. */
#include "spmv/runs.h"
#include "spmv/stencil_rows.h"

/* Registers that are summed side by side: each value and offset is loaded once for all of them. */
#define WIDE 4

/* WIDE * LANES rows of one stencil; x is that of the first. */
INLINE void wide_rows(const struct stencil_entries *entries, val_t alpha, struct input x, val_t beta,
                      val_t *y) {
    vec sum[WIDE];
    for (int w = 0; w < WIDE; w++)
        sum[w] = v_zero();
    for (int64_t k = 0; k < entries->length; k++) {
        const struct input from = input_at(x, entries->offset[k]);
        const vec value = v_set(entries->val[k]);
        for (int w = 0; w < WIDE; w++)
            sum[w] = v_fma(value, load_factors(from, w * LANES), sum[w]);
    }
    for (int w = 0; w < WIDE; w++)
        put_rows(sum[w], alpha, beta, y + w * LANES);
}

INLINE void whole_rows(const struct stencil_entries *entries, val_t alpha, struct input x, val_t beta,
                       val_t *y) {
    vec sum = v_zero();
    for (int64_t k = 0; k < entries->length; k++)
        sum = v_fma(v_set(entries->val[k]), load_factors(x, entries->offset[k]), sum);
    put_rows(sum, alpha, beta, y);
}

/* Fewer than LANES rows. */
INLINE void last_rows(const struct stencil_entries *entries, int64_t count, val_t alpha, struct input x,
                      val_t beta, val_t *y) {
    vec sum = v_zero();
    for (int64_t k = 0; k < entries->length; k++)
        sum = v_fma(v_set(entries->val[k]), load_first_factors(x, entries->offset[k], count), sum);
    put_first(sum, count, alpha, beta, y);
}

/* Rows that follow each other. */
INLINE void sum_run(const struct stencil_entries *entries, int64_t count, val_t alpha, struct input x,
                    val_t beta, val_t *y) {
    int64_t r = 0;
    for (; r + WIDE * LANES <= count; r += WIDE * LANES)
        wide_rows(entries, alpha, rows_from(x, r), beta, y + r);
    for (; r + LANES <= count; r += LANES)
        whole_rows(entries, alpha, rows_from(x, r), beta, y + r);
    if (r < count)
        last_rows(entries, count - r, alpha, rows_from(x, r), beta, y + r);
}

/* ---- every second or third row ---- */

/* Rows that lie `period` apart, LANES of them at most: x is gathered, with the same steps for all entries. */
INLINE void sum_apart(const struct stencil_entries *entries, int64_t period, int64_t count, val_t alpha,
                      struct input x, val_t beta, val_t *y) {
    idx_t step[LANES];
    vec sum = v_zero();
    find_steps(period, count, step);
    for (int64_t k = 0; k < entries->length; k++)
        sum = v_fma(v_set(entries->val[k]), gather_factors(x, entries->offset[k], step), sum);
    put_apart(sum, period, count, alpha, beta, y);
}

/* Rows 0 … count - 1, each with the stencil of the row `period` before it; numbers are those of the first rows. */
INLINE void sum_period(const spry_stencil *stencil, int64_t first, int64_t period, int64_t count, val_t alpha,
                       struct input x, val_t beta, val_t *y) {
    for (int64_t p = 0; p < period; p++) {
        const struct stencil_entries entries = stencil_at(stencil, stencil_number(stencil, first + p));
        for (int64_t r = p; r < count; r += LANES * period) {
            const int64_t left = (count - r + period - 1) / period;
            sum_apart(&entries, period, left < LANES ? left : LANES, alpha, rows_from(x, r), beta, y + r);
        }
    }
}

INLINE void multiply_rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, struct input x,
                          val_t beta, val_t *y) {
    const spry_stencil *stencil = &matrix->stencil;
    for (int64_t i = begin; i < end;) {
        const struct run run = run_from(stencil, i, end);
        if (run.period == 1) {
            const struct stencil_entries entries = stencil_at(stencil, stencil_number(stencil, i));
            sum_run(&entries, run.end - i, alpha, input_at(x, i), beta, y + (i - begin));
        } else
            sum_period(stencil, i, run.period, run.end - i, alpha, input_at(x, i), beta, y + (i - begin));
        i = run.end;
    }
}

static union spry_terms work(const struct spry_candidate *candidate) {
    return NAME(spry_runs_work)(candidate, &candidate->features->stencils, 1, LANES);
}

static const struct spry_kernel kernels[] = {
    {SPRY_KERNEL(SIMD_NAME("stencil"), SPRY_STENCIL, SPRY_N), .needs = SIMD_NEEDS,
     .run = SHARED(spry_scaled_rows_run), .partials = SHARED(spry_partials), .work = work, .scales = true,
     .part = (void (*)(void))rows},
};

extern const struct spry_kernel_list SIMD_LIST(stencil);
const struct spry_kernel_list SIMD_LIST(stencil) = {sizeof kernels / sizeof *kernels, kernels};
