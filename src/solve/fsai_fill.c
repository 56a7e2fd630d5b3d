/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values of a factorised sparse approximate inverse. Row i of G has entries at P, which ends with i. With A(P, P) =
 * L Lᵀ it is the solution g of Lᵀ g = e, the last unit vector: then A(P, P) g is a multiple of e, and gᵀ A(P, P) g = 1,
 * so that G A Gᵀ has ones on its diagonal. Of all G with this pattern, it makes the mean of the eigenvalues of G A Gᵀ
 * smallest to their geometric mean (Kolotilin and Yeremin, “Factorized sparse approximate inverse preconditionings I”,
 * SIAM Journal on Matrix Analysis and Applications 14, 1993). Rows need nothing of each other. Their systems are solved
 * in double.
 *
 * Where A(P, P) is not positive definite, A is not either, but for rounding. The row then has its diagonal entry alone,
 * as for Jacobi. So G always has an inverse, and M is positive definite, whatever A is.
 */
#include <math.h>

#include "core/team.h"
#include "solve/fsai.h"
#include "solve/seek.h"

/* The small systems are lower triangles, row by row. */
static double *row_of(double *system, int r) {
    return &system[r * (r + 1) / 2];
}

/* Gives the last entry of the diagonal. */
static double read_system(const compressed_t *a, const idx_t *column, int size, double shift,
                          double *system) {
    double diagonal = 0;
    for (int r = 0; r < size; r++) {
        double *row = row_of(system, r);
        const ptr_t end = a->ptr[column[r] + 1];
        ptr_t at = a->ptr[column[r]];
        for (int c = 0; c <= r; c++) {
            row[c] = 0;
            for (at = seek(a->idx, at, end, column[c]); at < end && a->idx[at] == column[c]; at++)
                row[c] += (double)a->val[at];
        }
        diagonal = row[r] *= 1 + shift;
    }
    return diagonal;
}

/* Cholesky's factor in the system's place, with the reciprocals of its diagonal. Whether there is one. */
static bool factor(double *system, int size) {
    for (int r = 0; r < size; r++) {
        double *row = row_of(system, r), pivot = row[r];
        for (int c = 0; c < r; c++) {
            const double *other = row_of(system, c);
            double sum = row[c];
            for (int k = 0; k < c; k++)
                sum -= row[k] * other[k];
            row[c] = sum * other[c];
            pivot -= row[c] * row[c];
        }
        if (!(pivot > size * NO_PIVOT * row[r]))
            return false;
        row[r] = 1 / sqrt(pivot);
    }
    return true;
}

/* The solution of Lᵀ g = e, in the type of the matrix. Whether all of it is finite. */
static bool substitute(double *system, int size, val_t *result) {
    double g[SPRY_MAX_ENTRIES] = {0};
    bool finite = true;
    g[size - 1] = 1;
    for (int r = size - 1; r >= 0; r--) {
        const double *row = row_of(system, r);
        g[r] *= row[r];
        for (int c = 0; c < r; c++)
            g[c] -= row[c] * g[r];
        result[r] = (val_t)g[r];
        finite &= isfinite(result[r]);
    }
    return finite;
}

static void fill_row(const compressed_t *a, double shift, const compressed_t *g, int64_t i) {
    double system[SPRY_MAX_ENTRIES * (SPRY_MAX_ENTRIES + 1) / 2];
    const idx_t *column = &g->idx[g->ptr[i]];
    const int size = (int)(g->ptr[i + 1] - g->ptr[i]), last = size - 1;
    val_t *row = &g->val[g->ptr[i]];
    const double diagonal = read_system(a, column, size, shift, system);
    if (factor(system, size) && substitute(system, size, row))
        return;
    for (int c = 0; c < last; c++)
        row[c] = 0;
    row[last] = (val_t)(1 / sqrt(diagonal));
}

spry_status NAME(spry_fsai_fill)(spry_context *context, const spry_matrix *csr, double shift, int most,
                                 const spry_matrix *factor_) {
    const compressed_t a = NAME(spry_compressed_of)(csr), g = NAME(spry_compressed_of)(factor_);
#pragma omp parallel for num_threads(spry_team_over(context, factor_->nnz *most)) schedule(dynamic, 256)
    for (int64_t i = 0; i < csr->rows; i++)
        fill_row(&a, shift, &g, i);
    return SPRY_OK;
}
