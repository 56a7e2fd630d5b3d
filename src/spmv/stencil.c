/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils in plain C. Rows of one stencil that follow each other read x one after the other, at each of its offsets: there are no
   columns to load, and nothing is gathered. */
#include "spmv/stencil_rows.h"

/* Rows that are summed side by side. */
#define GROUP 16

/* `count` rows, which all have these entries. */
INLINE void put_group(const struct stencil_entries *entries, int64_t count, val_t alpha, struct input x,
                      val_t beta, val_t *y) {
    val_t sum[GROUP] = {0};
    for (int64_t k = 0; k < entries->length; k++) {
        const struct input from = input_at(x, entries->offset[k]);
        const val_t value = entries->val[k];
        for (int64_t r = 0; r < count; r++)
            sum[r] += value * factor(from, r);
    }
    for (int64_t r = 0; r < count; r++)
        y[r] = spry_blend(alpha, sum[r], beta, &y[r]);
}

/* Where a group is full, its sums stay in registers. */
INLINE void put_run(const struct stencil_entries *entries, int64_t count, val_t alpha, struct input x,
                    val_t beta, val_t *y) {
    int64_t r = 0;
    for (; r + GROUP <= count; r += GROUP)
        put_group(entries, GROUP, alpha, input_at(x, r), beta, y + r);
    if (r < count)
        put_group(entries, count - r, alpha, input_at(x, r), beta, y + r);
}

INLINE void multiply_rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, struct input x,
                          val_t beta, val_t *y) {
    const spry_stencil *stencil = &matrix->stencil;
    for (int64_t i = begin, last; i < end; i = last) {
        const struct stencil_entries entries = stencil_at(stencil, stencil_number(stencil, i));
        last = i + 1;
        if (last < end && stencil_number(stencil, last) == stencil_number(stencil, i))
            last = NAME(spry_stencil_run_end)(stencil, i, 1, end);
        put_run(&entries, last - i, alpha, input_at(x, i), beta, y + (i - begin));
    }
}

/* Full groups are steps. Each run ends with a group that is not full, which waits for each of its entries; where rows
   alternate, x is gathered. */
union spry_terms NAME(spry_runs_work)(const struct spry_candidate *candidate, const struct spry_alike *alike,
                                      int64_t height, int lanes) {
    const struct spry_features *features = candidate->features;
    const int parts = spry_candidate_parts(candidate);
    const double rows = (double)features->rows, runs = spry_expected_runs(features, alike),
                 alone =
                     alike->period > 1 ? (double)features->nnz : spry_expected_first_entries(features, alike),
                 even = spry_even_parts(rows, (double)height, parts),
                 slices = height > 1 ? rows / (double)height : 0;
    union spry_terms amounts = spry_traffic(candidate, candidate->bytes, parts);
    amounts.steps = (double)features->nnz / lanes / even;
    amounts.units = (runs + slices) / even;
    amounts.entries = alone / even;
    amounts.critical = spry_steps_left(features->longest, amounts.steps);
    return amounts;
}

static union spry_terms work(const struct spry_candidate *candidate) {
    return NAME(spry_runs_work)(candidate, &candidate->features->stencils, 1, GROUP);
}

static void scatter(const spry_matrix *matrix, const struct spry_cut *part, val_t alpha, const val_t *x,
                    val_t *out) {
    const spry_stencil *stencil = &matrix->stencil;
    for (int64_t i = part[0].unit; i < part[1].unit; i++) {
        const struct stencil_entries entries = stencil_at(stencil, stencil_number(stencil, i));
        for (int64_t k = 0; k < entries.length; k++)
            out[i + entries.offset[k]] += alpha * (entries.val[k] * x[i]);
    }
}

static const struct spry_kernel kernels[] = {
    {SPRY_KERNEL("stencil", SPRY_STENCIL, SPRY_N), .run = SHARED(spry_scaled_rows_run),
     .partials = SHARED(spry_partials), .work = work, .scales = true, .part = (void (*)(void))rows},
    {SPRY_KERNEL("stencil", SPRY_STENCIL, SPRY_T), .run = SHARED(spry_scatter_run),
     .part = (void (*)(void))scatter},
};

const struct spry_kernel_list NAME(spry_kernels_stencil) = {sizeof kernels / sizeof *kernels, kernels};
