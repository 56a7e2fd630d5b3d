/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL-C-σ in plain C: a few rows of a slice side by side, column by column of the slice. A row's length tells where it
   ends, so padding is never multiplied. */
#include "spmv/sell.h"

/* Rows that are summed side by side. */
#define GROUP 16

/* Rows g … g + count - 1 of a slice, whose first lengths, columns and values these are; slots of a row are `height`
   apart. */
static void sum_group(const idx_t *len, const idx_t *idx, const stored_t *val, int64_t height, int64_t count,
                      const val_t *x, val_t *sum) {
    struct depth depth = depth_of(len, count);
    int64_t k = 0;
    for (; k < depth.shortest; k++, idx += height, val += height)
        for (int64_t r = 0; r < count; r++)
            sum[r] += val[r] * x[idx[r]];
    /* Few columns of a slice. */
    for (; k < depth.longest; k++, idx += height, val += height)
#pragma GCC unroll 1
        for (int64_t r = 0; r < count; r++)
            if (k < len[r])
                sum[r] += val[r] * x[idx[r]];
}

/* The rows at the positions p … p + count - 1 that there are: y = alpha sum + beta y. */
static void put_rows(const spry_matrix *matrix, int64_t p, int64_t count, const val_t *sum, val_t alpha,
                     val_t beta, val_t *y) {
    for (int64_t r = 0; r < count && p + r < matrix->rows; r++) {
        int64_t i = row_at(&matrix->sell, p + r);
        y[i] = spry_blend(alpha, sum[r], beta, &y[i]);
    }
}

static void rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                 val_t beta, val_t *y) {
    const spry_sell *sell = &matrix->sell;
    for (int64_t s = begin; s < end; s++) {
        struct slice slice = slice_at(matrix, s);
        for (int64_t g = 0; g < sell->height; g += GROUP) {
            int64_t left = sell->height - g, count = left < GROUP ? left : GROUP, p = s * sell->height + g;
            val_t sum[GROUP] = {0};
            sum_group((const idx_t *)sell->len + p, (const idx_t *)sell->idx + slice.first + g,
                      (const stored_t *)sell->val + slice.first + g, sell->height, count, x, sum);
            put_rows(matrix, p, count, sum, alpha, beta, y);
        }
    }
}

/* Everything is one stream, and groups end with their longest row. A slice is one thread's, and few are not dealt out evenly. */
union spry_terms CODED(spry_sell_work)(const struct spry_candidate *candidate, int lanes) {
    const struct spry_features *features = candidate->features;
    const double rows = (double)features->rows;
    const int parts = spry_candidate_parts(candidate);
    const double even = spry_even_parts(rows, (double)candidate->storage.parameter[0], parts);
    union spry_terms amounts = spry_traffic(candidate, candidate->bytes, parts);
    amounts.steps = candidate->slots / lanes / even;
    amounts.critical = spry_steps_left(features->longest, amounts.steps);
    amounts.units = rows / lanes / even;
    amounts.padding = (candidate->slots - (double)features->nnz) / even;
    /* Rows that come back in their order. */
    amounts.entries = candidate->storage.parameter[1] > 1 ? rows / even : 0;
    amounts.branches = spry_branch_misses((double)features->changes / lanes, parts);
    return amounts;
}

static union spry_terms work(const struct spry_candidate *candidate) {
    return CODED(spry_sell_work)(candidate, 1);
}

/* `narrow` and `table`, whether values are in one, are constants. */
INLINE void scatter_some(const spry_matrix *matrix, const struct spry_cut *cut, bool narrow, bool table,
                         val_t alpha, const val_t *x, val_t *out) {
    const spry_sell *sell = &matrix->sell;
    const idx_t *len = sell->len, *idx = sell->idx;
    const stored_t *val = sell->val;
    int64_t last = cut[1].unit * sell->height;
    last = last < matrix->rows ? last : matrix->rows;
    for (int64_t p = cut[0].unit * sell->height; p < last; p++) {
        int64_t slot = first_slot(matrix, p);
        val_t *from = narrow ? out + ((const idx_t *)matrix->bases)[p / sell->height] : out;
        val_t factor = len[p] > 0 ? x[row_at(sell, p)] : 0;
        for (int64_t k = 0; k < len[p]; k++, slot += sell->height) {
            int64_t j = narrow ? ((const uint16_t *)sell->idx)[slot] : idx[slot];
            val_t value = table ? spry_decoded_value(matrix, val, slot) : val[slot];
            from[j] += alpha * (value * factor);
        }
    }
}

#define SCATTER(name, narrow, table)                                                                         \
    static void name(const spry_matrix *matrix, const struct spry_cut *cut, val_t alpha, const val_t *x,     \
                     val_t *out) {                                                                           \
        scatter_some(matrix, cut, narrow, table, alpha, x, out);                                             \
    }
SCATTER(scatter, false, false)
SCATTER(scatter_narrow, true, false)
#ifndef SPRY_TMPL_CODE
SCATTER(scatter_table, false, true)
SCATTER(scatter_narrow_table, true, true)
#endif
#undef SCATTER

#define SCATTERS(scatter) .run = SHARED(spry_scatter_run), .part = (void (*)(void))scatter

#define ROWS(INDEX)                                                                                          \
    SPRY_TABLE_KERNELS(PLAIN, INDEX, "sell", SPRY_SELL, SPRY_T, SCATTERS(scatter_table))                     \
    SPRY_NARROW_KERNELS(INDEX, "sell", SPRY_SELL, SPRY_T, SCATTERS(scatter_narrow))                          \
    SPRY_TABLE_KERNELS(NARROW, INDEX, "sell_narrow", SPRY_SELL, SPRY_T, SCATTERS(scatter_narrow_table))      \
    SPRY_DECODING(INDEX, "sell", SPRY_SELL, SPRY_N, .run = SHARED(spry_units_run),                           \
                  .partials = SHARED(spry_partials), .work = work, .part = (void (*)(void))rows),            \
    {                                                                                                        \
        SPRY_KERNEL_OF(INDEX, "sell", SPRY_SELL, SPRY_T), SCATTERS(scatter)                                  \
    }

SPRY_SHARED_LISTS(spry_kernels_sell, ROWS)
