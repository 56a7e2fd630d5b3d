/* SPDX-License-Identifier: BSD-3-Clause */
/* ELL in plain C. A block of rows is summed column by column of the layout, so that all three arrays are
   read in the order of memory; a row's length tells where it ends, so padding is never multiplied and
   cannot turn an infinite x into NaN. */
#include "formats/ell.h"
#include "spmv/depth.h"
#include "spmv/parts.h"

static void rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                 val_t beta, val_t *y) {
    const spry_ell *ell = &matrix->ell;
    const idx_t *len = ell->len, *idx = ell->idx;
    const val_t *val = ell->val;
    for (int64_t i = begin; i < end; i += SPRY_ELL_BLOCK) {
        int64_t count = end - i < SPRY_ELL_BLOCK ? end - i : SPRY_ELL_BLOCK, k = 0;
        struct depth depth = depth_of(len + i, count);
        val_t sum[SPRY_ELL_BLOCK] = {0};
        for (; k < depth.shortest; k++)
            for (int64_t r = 0; r < count; r++)
                sum[r] += val[k * ell->stride + i + r] * x[idx[k * ell->stride + i + r]];
        for (; k < depth.longest; k++)
            for (int64_t r = 0; r < count; r++)
                if (k < len[i + r])
                    sum[r] += val[k * ell->stride + i + r] * x[idx[k * ell->stride + i + r]];
        for (int64_t r = 0; r < count; r++)
            y[i + r] = spry_blend(alpha, sum[r], beta, &y[i + r]);
    }
}

/* As many rows in a group as there are lanes; they end with the longest of them, and cache lines are read as far as that.
   Each column of the layout is a stream of its own. */
union spry_terms SHARED(spry_ell_work)(const struct spry_candidate *candidate, int lanes) {
    const struct spry_features *features = candidate->features;
    const double rows = (double)features->rows, entries = (double)features->nnz - candidate->spilled;
    const int parts = spry_parts_over(candidate, entries);
    double steps = spry_group_steps(features, lanes, candidate->width),
           slots = steps * lanes > entries ? steps * lanes : entries,
           touched = rows * sizeof(idx_t) + slots * (sizeof(idx_t) + sizeof(val_t)) +
                     candidate->spilled * (2 * sizeof(idx_t) + sizeof(val_t)),
           even = spry_even_parts(rows, SPRY_ELL_BLOCK, parts);
    union spry_terms amounts = spry_traffic(candidate, touched, parts);
    amounts.streams = spry_unfollowed(entries / rows) * (amounts.far + amounts.near * parts);
    amounts.steps = steps / even;
    amounts.critical = spry_steps_left(candidate->width, amounts.steps);
    amounts.units = rows / lanes / even;
    amounts.padding = (slots - entries) / even;
    return amounts;
}

/* A block stops at its longest row, and looks at each of its slots. */
static union spry_terms work(const struct spry_candidate *candidate) {
    return SHARED(spry_ell_work)(candidate, SPRY_ELL_BLOCK);
}

static union spry_terms hyb_work(const struct spry_candidate *candidate) {
    union spry_terms amounts = work(candidate);
    SHARED(spry_spill_work)(candidate, &amounts);
    return amounts;
}

static void scatter(const spry_matrix *matrix, const struct spry_cut *cut, val_t alpha, const val_t *x,
                    val_t *out) {
    const spry_ell *ell = &matrix->ell;
    const idx_t *len = ell->len, *idx = ell->idx;
    const val_t *val = ell->val;
    for (int64_t i = cut[0].unit; i < cut[1].unit; i += SPRY_ELL_BLOCK) {
        int64_t left = cut[1].unit - i, count = left < SPRY_ELL_BLOCK ? left : SPRY_ELL_BLOCK;
        int64_t longest = depth_of(len + i, count).longest;
        for (int64_t k = 0; k < longest; k++)
            for (int64_t r = 0; r < count; r++)
                if (k < len[i + r])
                    out[idx[k * ell->stride + i + r]] += alpha * (val[k * ell->stride + i + r] * x[i + r]);
    }
}

#define ROWS(INDEX)                                                                                          \
    {SPRY_KERNEL_OF(INDEX, "ell", SPRY_ELL, SPRY_N), .run = SHARED(spry_rows_run),                           \
     .partials = SHARED(spry_partials), .work = work, .part = (void (*)(void))rows},                         \
        {SPRY_KERNEL_OF(INDEX, "hyb", SPRY_HYB, SPRY_N), .run = SHARED(spry_hyb_run), .work = hyb_work,      \
         .part = (void (*)(void))rows},                                                                      \
    {                                                                                                        \
        SPRY_KERNEL_OF(INDEX, "ell", SPRY_ELL, SPRY_T), .run = SHARED(spry_scatter_run),                     \
                                                        .part = (void (*)(void))scatter                      \
    }

SPRY_SHARED_LISTS(spry_kernels_ell, ROWS)
