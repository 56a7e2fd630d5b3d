/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of layouts that are cut between rows: ELL, JDS, DIA and shapes. */
#include "core/team.h"
#include "spmv/parts.h"

/* A few rows at a time, so that they are added up while they are near at hand. */
static double dot_rows(NAME(spry_rows_part) * part, const spry_matrix *matrix, int64_t begin, int64_t end,
                       const struct spry_product *product) {
    double sum = 0;
    for (int64_t first = begin; first < end; first += SPRY_DOT_ROWS) {
        int64_t last = end - first < SPRY_DOT_ROWS ? end : first + SPRY_DOT_ROWS;
        part(matrix, first, last, 1, product->x, 0, product->y);
        sum += spry_near_dot(product->w, product->y, first, last);
    }
    return sum;
}

spry_status SHARED(spry_rows_run)(spry_context *context, const struct spry_kernel *kernel,
                                  const spry_matrix *matrix, const struct spry_product *product) {
    (void)context;
    NAME(spry_rows_part) *part = (NAME(spry_rows_part) *)kernel->part;
    const struct spry_split *split = &matrix->plan.split[kernel->op];
    const val_t alpha = (val_t)product->alpha, beta = (val_t)product->beta, *x = product->x;
    val_t *y = product->y;
    double *partial = product->partial;
    if (split->parts == 1 && !partial) {
        part(matrix, 0, matrix->rows, alpha, x, beta, y);
        return SPRY_OK;
    }
#pragma omp parallel for num_threads(spry_team(split->parts)) schedule(static, 1)
    for (int p = 0; p < split->parts; p++)
        if (partial)
            partial[p] = dot_rows(part, matrix, split->cut[p].unit, split->cut[p + 1].unit, product);
        else
            part(matrix, split->cut[p].unit, split->cut[p + 1].unit, alpha, x, beta, y);
    return SPRY_OK;
}

int64_t SHARED(spry_partials)(const spry_matrix *matrix) {
    return matrix->plan.split[SPRY_N].parts;
}
