/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits of a product: how many parts, and what a part scatters to. */
#include "core/saturate.h"
#include "core/split.h"
#include "core/team.h"

static int part_count(const spry_context *context, const spry_matrix *matrix, spry_op op) {
    if (matrix->nnz == 0)
        return 1;
    int64_t outputs = op == SPRY_N ? matrix->rows : matrix->cols;
    return spry_part_count(context, matrix->nnz + outputs);
}

static spry_status new_split(spry_context *context, spry_matrix *matrix, spry_op op) {
    struct spry_split *split = &matrix->plan.split[op];
    void *cut;
    split->parts = part_count(context, matrix, op);
    spry_status status = spry_matrix_array(context, matrix, split->parts + 1, sizeof *split->cut, &cut);
    split->cut = cut;
    return status;
}

spry_status spry_plan_gather(spry_context *context, spry_matrix *matrix, spry_op op, spry_cut_function *cut) {
    struct spry_split *split = &matrix->plan.split[op];
    spry_status status = new_split(context, matrix, op);
    if (!status)
        cut(matrix, split);
    return status;
}

/* How many outputs all windows have together. */
static int64_t open_windows(const spry_matrix *matrix, struct spry_split *split, spry_span_function *span) {
    int64_t total = 0;
#pragma omp parallel for num_threads(spry_team(split->parts)) schedule(static, 1)
    for (int p = 0; p < split->parts; p++)
        split->window[p] = span(matrix, &split->cut[p]);
    for (int p = 0; p < split->parts; p++)
        total = spry_sum_counts(total, split->window[p].count);
    return total;
}

spry_status spry_plan_scatter(spry_context *context, spry_matrix *matrix, spry_op op, int64_t outputs,
                              spry_cut_function *cut, spry_span_function *span) {
    struct spry_split *split = &matrix->plan.split[op];
    spry_status status = new_split(context, matrix, op);
    void *window;
    if (!status)
        status = spry_matrix_array(context, matrix, split->parts, sizeof *split->window, &window);
    if (status)
        return status;
    split->window = window;

    /* A window is written, cleared and read again where an entry of the matrix is read once: together
       they may be as many as the entries, or little more than the outputs, which a band gives, unless
       nearly all the outputs are empty. */
    int64_t band = spry_sum_counts(outputs, outputs / 8), few = spry_multiply_counts(4, matrix->nnz);
    int64_t most = band < few ? band : few;
    most = matrix->nnz > most ? matrix->nnz : most;
    int64_t total;
    for (;;) {
        cut(matrix, split);
        if (split->parts == 1)
            return SPRY_OK;
        total = open_windows(matrix, split, span);
        if (total <= most)
            break;
        split->parts /= 2;
    }
    size_t bytes = spry_multiply_sizes((size_t)total, spry_type_size(matrix->type));
    if (bytes > matrix->plan.scratch)
        matrix->plan.scratch = bytes;
    return SPRY_OK;
}
