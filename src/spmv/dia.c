/* SPDX-License-Identifier: BSD-3-Clause */
/* DIA by slices in plain C: the rows of a slice side by side, which read x one value after the other. */
#include "spmv/dia.h"

#include "analysis/diagonals.h"

/* out[r] += factor (val[r] in[r]) for the rows that have an entry on a diagonal. */
static inline void add_diagonal(uint32_t mask, const val_t *val, val_t factor, const val_t *in, val_t *out) {
    if (mask == SPRY_DIA_FULL) {
        for (int r = 0; r < SPRY_DIA_ROWS; r++)
            out[r] += factor * (val[r] * in[r]);
        return;
    }
    for (; mask; mask &= mask - 1) {
        const int r = __builtin_ctz(mask);
        out[r] += factor * (val[r] * in[r]);
    }
}

static void rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                 val_t beta, val_t *y) {
    for (int64_t i = begin; i < end; i += SPRY_DIA_ROWS) {
        const struct dia_slice slice = dia_slice_at(matrix, i);
        const val_t *val = slice.val;
        val_t sum[SPRY_DIA_ROWS] = {0};
        for (int64_t d = 0; d < slice.count; d++, val += SPRY_DIA_ROWS)
            add_diagonal(slice.mask[d], val, 1, x + i + slice.offset[d], sum);
        for (int64_t r = 0; r < SPRY_DIA_ROWS && i + r < end; r++)
            y[i + r] = spry_blend(alpha, sum[r], beta, &y[i + r]);
    }
}

/* To how many even parts the slices come: no part has less than the longest row's slice, in which each entry of that row is on a diagonal
   of its own. */
static double even_parts(const struct spry_candidate *candidate, double diagonals) {
    const struct spry_features *features = candidate->features;
    const double parts =
                     spry_even_parts((double)features->rows, SPRY_DIA_ROWS, spry_candidate_parts(candidate)),
                 most = diagonals / ((double)features->longest > 1 ? (double)features->longest : 1);
    return most < 1 ? 1 : most < parts ? most : parts;
}

union spry_terms SHARED(spry_dia_work)(const struct spry_candidate *candidate, int lanes) {
    const int parts = spry_candidate_parts(candidate);
    const struct spry_diagonal_estimate found = spry_expected_diagonals(candidate->features);
    const double even = even_parts(candidate, found.diagonals), nnz = (double)candidate->features->nnz;
    union spry_terms amounts = spry_traffic(candidate, candidate->bytes, parts);
    amounts.near *= parts / even;
    /* x is read as it lies: a few lines a diagonal. */
    const double lines = found.diagonals * (SPRY_DIA_ROWS / SPRY_LINE_COLUMNS + 1),
                 share = lines < nnz ? lines / nnz : 1;
    amounts.lines *= share;
    amounts.misses *= share;
    amounts.steps = candidate->slots / lanes / even;
    amounts.units = (double)candidate->features->rows / SPRY_DIA_ROWS / even;
    amounts.padding = (found.diagonals - found.full) * (SPRY_DIA_ROWS / lanes) / even;
    return amounts;
}

/* The compiler makes vectors of diagonals that all rows are on; entries of others are added one by one. */
static union spry_terms work(const struct spry_candidate *candidate) {
    const struct spry_diagonal_estimate found = spry_expected_diagonals(candidate->features);
    const double even = even_parts(candidate, found.diagonals), slots = found.full * SPRY_DIA_ROWS;
    union spry_terms amounts = SHARED(spry_dia_work)(candidate, SPRY_DIA_ROWS);
    amounts.steps = slots / even;
    amounts.entries = ((double)candidate->features->nnz - slots) / even;
    return amounts;
}

static void scatter(const spry_matrix *matrix, const struct spry_cut *part, val_t alpha, const val_t *x,
                    val_t *out) {
    for (int64_t i = part[0].unit; i < part[1].unit; i += SPRY_DIA_ROWS) {
        const struct dia_slice slice = dia_slice_at(matrix, i);
        for (int64_t d = 0; d < slice.count; d++)
            add_diagonal(slice.mask[d], slice.val + d * SPRY_DIA_ROWS, alpha, x + i,
                         out + i + slice.offset[d]);
    }
}

#define ROWS(INDEX)                                                                                          \
    {SPRY_KERNEL_OF(INDEX, "dia", SPRY_DIA, SPRY_N), .run = SHARED(spry_rows_run),                           \
     .partials = SHARED(spry_partials), .work = work, .part = (void (*)(void))rows},                         \
    {                                                                                                        \
        SPRY_KERNEL_OF(INDEX, "dia", SPRY_DIA, SPRY_T), .run = SHARED(spry_scatter_run),                     \
                                                        .part = (void (*)(void))scatter                      \
    }

SPRY_SHARED_LISTS(spry_kernels_dia, ROWS)
