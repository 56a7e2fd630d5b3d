/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with a matrix between two diagonals, in parts of rows. What is multiplied is scaled where it is read, by kernels; sums
   are scaled, and products added up, a few rows at a time, while they are near at hand. */
#include "core/team.h"
#include "spmv/parts.h"

/* Rows whose sums are scaled together: few, so that the diagonal and y are read while x is, and not in between. Of 7 points in 160³ in
   f64, with both diagonals, 128 of them take 6.4 ms, 512 take 9.2, and passes 9.7 (Zen 5, a thread). */
#define SCALED_ROWS 128

/* y = left sum + beta y for rows begin … end - 1, whose sums alone are given. */
static void scale_rows(const val_t *left, const val_t *sum, int64_t begin, int64_t end, val_t beta,
                       val_t *y) {
    for (int64_t i = begin; i < end; i++) {
        const val_t scaled = left[i] * sum[i - begin];
        y[i] = beta == 0 ? scaled : scaled + beta * y[i];
    }
}

/* Rows begin … end - 1, with a diagonal on the left SCALED_ROWS at most. */
static void scaled_rows(NAME(spry_scaled_part) * part, const spry_matrix *matrix, int64_t begin, int64_t end,
                        const struct spry_product *product) {
    const val_t alpha = (val_t)product->alpha, beta = (val_t)product->beta;
    val_t sum[SCALED_ROWS];
    if (product->left) {
        part(matrix, begin, end, alpha, product->right, product->x, 0, sum);
        scale_rows(product->left, sum, begin, end, beta, product->y);
    } else
        part(matrix, begin, end, alpha, product->right, product->x, beta, (val_t *)product->y + begin);
}

/* Σ w y, if it is wanted. */
static double near_rows(NAME(spry_scaled_part) * part, const spry_matrix *matrix, int64_t begin, int64_t end,
                        const struct spry_product *product) {
    const int64_t most = product->left ? SCALED_ROWS : SPRY_DOT_ROWS;
    double sum = 0;
    for (int64_t first = begin; first < end; first += most) {
        const int64_t last = end - first < most ? end : first + most;
        scaled_rows(part, matrix, first, last, product);
        sum += product->partial ? spry_near_dot(product->w, product->y, first, last) : 0;
    }
    return sum;
}

/* One thread's share. */
static void run_part(const struct spry_kernel *kernel, const spry_matrix *matrix, int p,
                     const struct spry_product *product) {
    NAME(spry_scaled_part) *part = (NAME(spry_scaled_part) *)kernel->part;
    const struct spry_cut *cut = &matrix->plan.split[kernel->op].cut[p];
    if (!product->left && !product->partial) {
        part(matrix, cut[0].unit, cut[1].unit, (val_t)product->alpha, product->right, product->x,
             (val_t)product->beta, (val_t *)product->y + cut[0].unit);
        return;
    }
    const double sum = near_rows(part, matrix, cut[0].unit, cut[1].unit, product);
    if (product->partial)
        product->partial[p] = sum;
}

spry_status SHARED(spry_scaled_rows_run)(spry_context *context, const struct spry_kernel *kernel,
                                         const spry_matrix *matrix, const struct spry_product *product) {
    (void)context;
    const int parts = matrix->plan.split[kernel->op].parts;
    if (parts == 1) {
        run_part(kernel, matrix, 0, product);
        return SPRY_OK;
    }
#pragma omp parallel for num_threads(spry_team(parts)) schedule(static, 1)
    for (int p = 0; p < parts; p++)
        run_part(kernel, matrix, p, product);
    return SPRY_OK;
}
