/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ruiz, "A scaling algorithm to equilibrate both rows and columns norms in matrices", RAL-TR-2001-034, 2001, with the
 * largest entry as the norm: rows and columns are divided by the square roots of their norms, all at once, a few times.
 */
#include "spsolve/scale.h"

#include <math.h>
#include <stdlib.h>

#include "spsolve/rows.h"

/* After so many, norms are mostly within a few per cent of 1. */
#define ROUNDS 5

static void fill_with_ones(double *values, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        values[i] = 1.0;
}

/* The largest entry of each row and column as it is scaled now. What is not finite is passed over. */
static void find_norms(const struct scale *scale, const struct rows *rows, double *of_row,
                       double *of_column) {
    for (int64_t i = 0; i < rows->count; i++)
        of_row[i] = of_column[i] = 0.0;
    for (int64_t i = 0; i < rows->count; i++)
        for (int64_t k = rows_begin(rows, i); k < rows_begin(rows, i + 1); k++) {
            int64_t j = rows_column(rows, k);
            double size = fabs(rows_value(rows, k)) * scale->row[i] * scale->column[j];
            if (!isfinite(size))
                continue;
            of_row[i] = fmax(of_row[i], size);
            of_column[j] = fmax(of_column[j], size);
        }
}

static void divide(double *scale, const double *norm, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (norm[i] > 0.0)
            scale[i] /= sqrt(norm[i]);
}

bool scale_open(struct scale *scale, const spry_matrix *csr, bool equilibrate) {
    struct rows rows = rows_of(csr);
    size_t bytes = (size_t)(rows.count + 1) * sizeof(double);
    double *of_row = malloc(bytes), *of_column = malloc(bytes);
    *scale = (struct scale){malloc(bytes), malloc(bytes)};
    bool good = of_row && of_column && scale->row && scale->column;
    if (good) {
        fill_with_ones(scale->row, rows.count);
        fill_with_ones(scale->column, rows.count);
    }
    for (int round = 0; good && equilibrate && round < ROUNDS; round++) {
        find_norms(scale, &rows, of_row, of_column);
        divide(scale->row, of_row, rows.count);
        divide(scale->column, of_column, rows.count);
    }
    free(of_row);
    free(of_column);
    return good;
}

void scale_free(struct scale *scale) {
    free(scale->row);
    free(scale->column);
    *scale = (struct scale){0};
}
