/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes with vector registers, a row to a lane: rows of one shape that follow each other in a slice lie side by side in its values
   and in x, those of which every second or third has the same shape a fixed step apart. */
#include "formats/shape.h"
#include "spmv/runs.h"

/* Registers that are summed side by side: all of a slice, so that its values are read one after the other. */
#define WIDE (SPRY_SHAPE_HEIGHT / LANES)

/* Ask for the lines of so many values that lie ahead, if they come from memory: `far`, here and below, a constant. */
INLINE void ask_ahead(const val_t *val, int64_t count, bool far) {
    if (far)
        v_prefetch_lines(val + SPRY_AHEAD, count * (int64_t)sizeof *val);
}

/* WIDE * LANES rows, of which this is the first. */
INLINE void wide_rows(const struct shape_row *row, int64_t height, val_t alpha, const val_t *x, val_t beta,
                      bool far, val_t *y) {
    const val_t *val = row->val;
    vec sum[WIDE];
    for (int w = 0; w < WIDE; w++)
        sum[w] = v_zero();
    for (int64_t k = 0; k < row->entries.length; k++, val += height) {
        const val_t *from = x + row->entries.offset[k];
        ask_ahead(val, WIDE * LANES, far);
        for (int w = 0; w < WIDE; w++)
            sum[w] = v_fma(v_load(val + w * LANES), v_load(from + w * LANES), sum[w]);
    }
    for (int w = 0; w < WIDE; w++)
        put_rows(sum[w], alpha, beta, y + w * LANES);
}

INLINE void whole_rows(const struct shape_row *row, int64_t height, val_t alpha, const val_t *x, val_t beta,
                       bool far, val_t *y) {
    const val_t *val = row->val;
    vec sum = v_zero();
    for (int64_t k = 0; k < row->entries.length; k++, val += height) {
        ask_ahead(val, LANES, far);
        sum = v_fma(v_load(val), v_load(x + row->entries.offset[k]), sum);
    }
    put_rows(sum, alpha, beta, y);
}

/* Fewer than LANES rows. */
INLINE void last_rows(const struct shape_row *row, int64_t height, int64_t count, val_t alpha, const val_t *x,
                      val_t beta, bool far, val_t *y) {
    const val_t *val = row->val;
    vec sum = v_zero();
    for (int64_t k = 0; k < row->entries.length; k++, val += height) {
        ask_ahead(val, count, far);
        sum = v_fma(v_load_first(val, count), v_load_first(x + row->entries.offset[k], count), sum);
    }
    put_first(sum, count, alpha, beta, y);
}

/* Rows that follow each other in a slice. */
INLINE void sum_run(struct shape_row row, int64_t height, int64_t count, val_t alpha, const val_t *x,
                    val_t beta, bool far, val_t *y) {
    const val_t *first = row.val;
    int64_t r = 0;
    for (; r + WIDE * LANES <= count; r += WIDE * LANES, row.val = first + r)
        wide_rows(&row, height, alpha, x + r, beta, far, y + r);
    for (; r + LANES <= count; r += LANES, row.val = first + r)
        whole_rows(&row, height, alpha, x + r, beta, far, y + r);
    if (r < count)
        last_rows(&row, height, count - r, alpha, x + r, beta, far, y + r);
}

/* ---- every second or third row ---- */

/* Rows that lie `period` apart, LANES of them at most: values and x are gathered, with the same steps for all entries. */
static void sum_apart(const struct shape_row *row, int64_t height, int64_t period, int64_t count, val_t alpha,
                      const val_t *x, val_t beta, val_t *y) {
    const val_t *val = row->val;
    idx_t step[LANES];
    vec sum = v_zero();
    find_steps(period, count, step);
    for (int64_t k = 0; k < row->entries.length; k++, val += height)
        sum = v_fma(v_gather(val, step), v_gather(x + row->entries.offset[k], step), sum);
    put_apart(sum, period, count, alpha, beta, y);
}

/* Rows first … end - 1 of a slice, each with the shape of the row `period` before it. */
static void sum_period(const spry_shape *shape, int64_t first, int64_t end, int64_t period, val_t alpha,
                       const val_t *x, val_t beta, val_t *y) {
    for (int64_t p = first; p < first + period && p < end; p++) {
        struct shape_row row = shape_row(shape, p);
        for (int64_t i = p; i < end; i += LANES * period, row.val += LANES * period) {
            const int64_t left = (end - i + period - 1) / period;
            sum_apart(&row, shape->height, period, left < LANES ? left : LANES, alpha, x + i, beta, y + i);
        }
    }
}

/* ---- runs ---- */

INLINE void all_rows(const spry_shape *shape, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                     val_t beta, val_t *y, bool far) {
    for (int64_t i = begin; i < end;) {
        const struct run run = run_from(&shape->rows, i, end);
        for (int64_t next; i < run.end; i = next) {
            next = shape_slice_end(shape, i, run.end);
            if (run.period == 1)
                sum_run(shape_row(shape, i), shape->height, next - i, alpha, x + i, beta, far, y + i);
            else
                sum_period(shape, i, next, run.period, alpha, x, beta, y);
        }
    }
}

static void rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                 val_t beta, val_t *y) {
    SIMD_FAR(matrix->plan.far, all_rows, &matrix->shape, begin, end, alpha, x, beta, y);
}

static union spry_terms work(const struct spry_candidate *candidate) {
    return NAME(spry_runs_work)(candidate, &candidate->features->shapes, candidate->storage.parameter[0],
                                LANES);
}

static const struct spry_kernel kernels[] = {
    {SPRY_KERNEL(SIMD_NAME("shape"), SPRY_SHAPE, SPRY_N), .needs = SIMD_NEEDS, .run = SHARED(spry_rows_run),
     .partials = SHARED(spry_partials), .work = work, .part = (void (*)(void))rows},
};

extern const struct spry_kernel_list SIMD_LIST(shape);
const struct spry_kernel_list SIMD_LIST(shape) = {sizeof kernels / sizeof *kernels, kernels};
