/* SPDX-License-Identifier: BSD-3-Clause */
/* COO. Sorted by row, the product gathers: a run of entries of one row is summed before y is touched.
   In any other order, and transposed, it scatters. */
#include "core/team.h"
#include "formats/hyb.h"
#include "spmv/coo.h"

static val_t runs(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                  val_t beta, val_t *y) {
    int base = matrix->coo.base;
    const idx_t *row = matrix->coo.row, *col = matrix->coo.col;
    const val_t *val = matrix->coo.val;
    struct rows_done done = rows_begin(matrix, begin, alpha, beta, y);
    x -= base;
    for (int64_t k = begin; k < end;) {
        idx_t i = row[k];
        val_t sum = 0;
        for (; k < end && row[k] == i; k++)
            sum += val[k] * x[col[k]];
        rows_put(&done, i - base, sum);
    }
    return rows_end(&done, matrix, end);
}

spry_status SHARED(spry_coo_run)(spry_context *context, const struct spry_kernel *kernel,
                                 const spry_matrix *matrix, const struct spry_product *product) {
    (void)context;
    NAME(spry_runs_part) *part = (NAME(spry_runs_part) *)kernel->part;
    const struct spry_split *split = &matrix->plan.split[SPRY_N];
    const idx_t *row = matrix->coo.row;
    const val_t alpha = (val_t)product->alpha, beta = (val_t)product->beta, *x = product->x;
    val_t *y = product->y, head[SPRY_MAX_THREADS];
    if (split->parts == 1) {
        part(matrix, 0, matrix->nnz, alpha, x, beta, y);
        return SPRY_OK;
    }
#pragma omp parallel for num_threads(spry_team(split->parts)) schedule(static, 1)
    for (int p = 0; p < split->parts; p++)
        head[p] = part(matrix, split->cut[p].entry, split->cut[p + 1].entry, alpha, x, beta, y);
    for (int p = 1; p < split->parts; p++) {
        int64_t first = split->cut[p].entry;
        if (first > 0 && row[first] == row[first - 1])
            y[row[first] - matrix->coo.base] += head[p];
    }
    return SPRY_OK;
}

/* `runs`: rows that have entries; `changes`: rows that are not as long as the one before. */
static void add_runs(double entries, double runs, double changes, int parts, union spry_terms *amounts) {
    amounts->units += runs / parts;
    amounts->entries += entries / parts;
    amounts->branches += spry_branch_misses(changes, parts);
}

/* Rows without entries are gone over too, up to the next one that has some. */
union spry_terms SHARED(spry_coo_work)(const struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    int parts = spry_candidate_parts(candidate);
    union spry_terms amounts = spry_traffic(candidate, candidate->bytes, parts);
    add_runs((double)features->nnz, (double)(features->rows - features->by_row[0]), (double)features->changes,
             parts, &amounts);
    return amounts;
}

/* Whether the longest row leaves parts of whole rows even. */
static bool is_even(const struct spry_candidate *candidate, int parts) {
    const struct spry_features *features = candidate->features;
    const double rows = (double)features->rows, within = (double)features->nnz - candidate->spilled,
                 share = (rows + within + SPRY_HYB_SPILLED_MOST * candidate->spilled) / parts,
                 longest = SPRY_HYB_SPILLED_MOST * (double)(features->longest - candidate->width);
    return spry_hyb_is_even(share + longest, share);
}

/* Rows that spill nothing are passed over, as beta is 1. */
void SHARED(spry_spill_work)(const struct spry_candidate *candidate, union spry_terms *amounts) {
    const struct spry_features *features = candidate->features;
    if (candidate->spilled <= 0)
        return;
    const int all = spry_candidate_parts(candidate);
    const bool together = is_even(candidate, all);
    const int parts = together ? all : spry_parts_over(candidate, candidate->spilled);
    const double runs = (double)spry_count_above(features->by_row, candidate->width);
    amounts->extra = parts > 1 && !together;
    add_runs(candidate->spilled, runs, (double)features->changes * (runs / (double)features->rows), parts,
             amounts);
}

static void scatter(const idx_t *to, const idx_t *from, const spry_coo *coo, const struct spry_cut *cut,
                    val_t alpha, const val_t *x, val_t *out) {
    const val_t *val = coo->val;
    x -= coo->base;
    out -= coo->base;
    for (int64_t k = cut[0].entry; k < cut[1].entry; k++)
        out[to[k]] += alpha * (val[k] * x[from[k]]);
}

static void scatter_rows(const spry_matrix *matrix, const struct spry_cut *cut, val_t alpha, const val_t *x,
                         val_t *out) {
    scatter(matrix->coo.row, matrix->coo.col, &matrix->coo, cut, alpha, x, out);
}

static void scatter_cols(const spry_matrix *matrix, const struct spry_cut *cut, val_t alpha, const val_t *x,
                         val_t *out) {
    scatter(matrix->coo.col, matrix->coo.row, &matrix->coo, cut, alpha, x, out);
}

bool SHARED(spry_in_row_order)(const spry_matrix *matrix) {
    return matrix->row_sorted;
}

static bool in_any_order(const spry_matrix *matrix) {
    return !matrix->row_sorted;
}

#define ROWS(INDEX)                                                                                          \
    {SPRY_KERNEL_OF(INDEX, "coo", SPRY_COO, SPRY_N), .takes = SHARED(spry_in_row_order),                     \
     .run = SHARED(spry_coo_run), .work = SHARED(spry_coo_work), .part = (void (*)(void))runs},              \
        {SPRY_KERNEL_OF(INDEX, "coo_unsorted", SPRY_COO, SPRY_N), .takes = in_any_order,                     \
         .run = SHARED(spry_scatter_run), .part = (void (*)(void))scatter_rows},                             \
    {                                                                                                        \
        SPRY_KERNEL_OF(INDEX, "coo", SPRY_COO, SPRY_T), .run = SHARED(spry_scatter_run),                     \
                                                        .part = (void (*)(void))scatter_cols                 \
    }

SPRY_SHARED_LISTS(spry_kernels_coo, ROWS)
