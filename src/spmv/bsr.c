/* SPDX-License-Identifier: BSD-3-Clause */
/* BSR in plain C. A mask tells which places of a block are entries, so that padding is never multiplied; the products of a row
   are added in the order of its entries. */
#include "spmv/bsr.h"

/* Add the products of block b, all of whose places are entries, to the sums of its rows. */
static void add_full_block(const struct blocks *a, int64_t b, const val_t *x, val_t *sum) {
    const stored_t *val = block_values(a, b);
    const val_t *factor = x + (int64_t)a->idx[b] * a->width;
    for (int r = 0; r < a->height; r++)
        for (int c = 0; c < a->width; c++)
            sum[r] += val[r * a->width + c] * factor[c];
}

/* The same of a block some of whose places are padding. */
static void add_partial_block(const struct blocks *a, int64_t b, const val_t *x, val_t *sum) {
    const stored_t *val = block_values(a, b);
    const val_t *factor = x + (int64_t)a->idx[b] * a->width;
    const uint64_t row = spry_bsr_full_mask(a->width), mask = mask_at(a, b);
    for (int r = 0; r < a->height; r++)
        for (uint64_t left = mask >> r * a->width & row; left; left &= left - 1) {
            const int c = __builtin_ctzll(left);
            sum[r] += val[r * a->width + c] * factor[c];
        }
}

static void rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                 val_t beta, val_t *y) {
    const struct blocks a = blocks_of(matrix);
    const uint64_t full = spry_bsr_full_mask(a.places);
    for (int64_t i = begin; i < end; i++) {
        val_t sum[SPRY_BLOCK_MOST] = {0};
        for (int64_t b = a.ptr[i]; b < a.ptr[i + 1]; b++)
            if (mask_at(&a, b) == full)
                add_full_block(&a, b, x, sum);
            else
                add_partial_block(&a, b, x, sum);
        put_rows(&a, i, sum, alpha, beta, y);
    }
}

/* Everything is one stream. */
union spry_terms CODED(spry_bsr_work)(const struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    const int64_t height = candidate->storage.parameter[0];
    const int parts = spry_candidate_parts(candidate);
    union spry_terms amounts = spry_traffic(candidate, candidate->bytes, parts);
    amounts.units = (double)spry_cover(features->rows, height) / parts;
    amounts.branches = spry_branch_misses((double)features->changes / (double)height, parts);
    return amounts;
}

/* Entries one after the other, whether the block is full or not, and a step for each block. */
static union spry_terms work(const struct spry_candidate *candidate) {
    const int64_t *parameter = candidate->storage.parameter;
    const int parts = spry_candidate_parts(candidate);
    union spry_terms amounts = CODED(spry_bsr_work)(candidate);
    amounts.entries = (double)candidate->features->nnz / parts;
    amounts.steps = spry_blocks_of(candidate->features, parameter[0], parameter[1]).blocks / parts;
    return amounts;
}

/* `is_decoded`, whether values are in a table, is a constant. */
INLINE void scatter_some(const spry_matrix *matrix, const struct spry_cut *cut, bool is_decoded, val_t alpha,
                         const val_t *x, val_t *out) {
    const struct blocks a = blocks_of(matrix);
    for (int64_t i = cut[0].unit; i < cut[1].unit; i++)
        for (int64_t b = a.ptr[i]; b < a.ptr[i + 1]; b++)
            for (uint64_t left = mask_at(&a, b); left; left &= left - 1) {
                const int place = __builtin_ctzll(left), r = place / a.width, c = place - r * a.width;
                const val_t value = is_decoded ? spry_decoded_value(matrix, a.val, b * a.places + place)
                                               : (val_t)block_values(&a, b)[place];
                out[(int64_t)a.idx[b] * a.width + c] += alpha * (value * x[i * a.height + r]);
            }
}

static void scatter(const spry_matrix *matrix, const struct spry_cut *cut, val_t alpha, const val_t *x,
                    val_t *out) {
    scatter_some(matrix, cut, false, alpha, x, out);
}

#ifndef SPRY_TMPL_CODE
static void scatter_decoded(const spry_matrix *matrix, const struct spry_cut *cut, val_t alpha,
                            const val_t *x, val_t *out) {
    scatter_some(matrix, cut, true, alpha, x, out);
}
#endif

static const struct spry_kernel kernels[] = {
    SPRY_DECODING_VALUES(TMPL_INDEX, "bsr", SPRY_BSR, SPRY_N, .run = SHARED(spry_units_run),
                         .partials = SHARED(spry_partials), .work = work, .part = (void (*)(void))rows),
    {SPRY_KERNEL("bsr", SPRY_BSR, SPRY_T), .run = SHARED(spry_scatter_run), .part = (void (*)(void))scatter},
    SPRY_TABLE_KERNELS(PLAIN, TMPL_INDEX, "bsr", SPRY_BSR, SPRY_T, .run = SHARED(spry_scatter_run),
                       .part = (void (*)(void))scatter_decoded)};

const struct spry_kernel_list CODED(spry_kernels_bsr) = {sizeof kernels / sizeof *kernels, kernels};
