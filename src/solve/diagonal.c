/* SPDX-License-Identifier: BSD-3-Clause */
/* Diagonals, blocks along them and what polynomials take on CPU threads. */
#include "solve/diagonal.h"

#include <math.h>
#include <string.h>

#include "core/hash.h"
#include "core/team.h"
#include "formats/major.h"
#include "solve/inverse.h"

/* Rows of a block whose sums are in registers at the same time. */
#define PANEL 8

/* The first entry of a row at this column or a later one. */
static int64_t entry_from(const compressed_t *a, int64_t row, int64_t col) {
    return index_from(a->idx, a->ptr[row], a->ptr[row + 1], col);
}

/* ---- the diagonal ---- */

static spry_status invert(spry_context *context, const spry_matrix *csr, bool positive, void *inverse_,
                          int64_t *fault) {
    const compressed_t a = NAME(spry_compressed_of)(csr);
    int64_t n = csr->rows, first = n;
    val_t *inverse = inverse_;
#pragma omp parallel for num_threads(spry_team_over(context, n)) reduction(min : first)
    for (int64_t i = 0; i < n; i++) {
        val_t sum = 0;
        for (int64_t k = entry_from(&a, i, i); k < a.ptr[i + 1] && a.idx[k] == i; k++)
            sum += a.val[k];
        bool right = has_inverse(sum) && (!positive || sum > 0);
        inverse[i] = right ? 1 / sum : sum;
        if (!right && i < first)
            first = i;
    }
    *fault = first < n ? first : -1;
    return SPRY_OK;
}

static spry_status apply(spry_context *context, int64_t n, double scale_, const void *diagonal_,
                         const void *x_, double beta_, void *y_) {
    const val_t *diagonal = diagonal_, *x = x_, scale = (val_t)scale_, beta = (val_t)beta_;
    val_t *y = y_;
#pragma omp parallel for num_threads(spry_team_over(context, n))
    for (int64_t i = 0; i < n; i++) {
        val_t scaled = scale * (diagonal[i] * x[i]);
        y[i] = beta == 0 ? scaled : scaled + beta * y[i];
    }
    return SPRY_OK;
}

/* ---- blocks along it: one after the other, by columns ---- */

/* The block of `size` rows from row `first` on. */
static void read_block(const compressed_t *a, int64_t first, int size, val_t *block) {
    memset(block, 0, (size_t)size * (size_t)size * sizeof *block);
    for (int i = 0; i < size; i++) {
        int64_t row = first + i;
        for (int64_t k = entry_from(a, row, first); k < a->ptr[row + 1] && a->idx[k] < first + size; k++)
            block[(a->idx[k] - first) * size + i] += a->val[k];
    }
}

/* The row with the largest entry of column k, from row k on. */
static int pivot_row(const val_t *block, int size, int k) {
    int best = k;
    for (int i = k + 1; i < size; i++)
        if (fabs((double)block[k * size + i]) > fabs((double)block[k * size + best]))
            best = i;
    return best;
}

static void swap(val_t *a, val_t *b) {
    val_t kept = *a;
    *a = *b;
    *b = kept;
}

/* Step k of the elimination: column k becomes that of the unit matrix, and its place takes the inverse's. */
static void eliminate(val_t *block, int size, int k) {
    val_t factor[SPRY_MAX_BLOCK], reciprocal = 1 / block[k * size + k];
    for (int i = 0; i < size; i++) {
        factor[i] = i == k ? 0 : block[k * size + i];
        block[k * size + i] = i == k;
    }
    for (int j = 0; j < size; j++) {
        val_t *column = &block[j * size], scaled = column[k] * reciprocal;
        column[k] = scaled;
        for (int i = 0; i < size; i++)
            column[i] -= factor[i] * scaled;
    }
}

/* Gauss-Jordan elimination in place, with rows exchanged for the largest pivot. Whether all pivots and all
   of the inverse are finite: what was divided by zero stays infinite, or NaN, to the end. */
static bool invert_block(val_t *block, int size) {
    int pivot[SPRY_MAX_BLOCK];
    bool finite = true;
    for (int k = 0; k < size; k++) {
        pivot[k] = pivot_row(block, size, k);
        for (int j = 0; j < size && pivot[k] != k; j++)
            swap(&block[j * size + k], &block[j * size + pivot[k]]);
        finite &= isfinite(block[k * size + k]);
        eliminate(block, size, k);
    }
    for (int k = size - 1; k >= 0; k--)
        for (int i = 0; i < size && pivot[k] != k; i++)
            swap(&block[k * size + i], &block[pivot[k] * size + i]);
    for (int i = 0; i < size * size; i++)
        finite &= isfinite(block[i]);
    return finite;
}

static int size_at(int64_t n, int64_t first, int block) {
    return n - first < block ? (int)(n - first) : block;
}

static spry_status invert_blocks(spry_context *context, const spry_matrix *csr, int block, void *inverse_,
                                 int64_t *fault) {
    const compressed_t a = NAME(spry_compressed_of)(csr);
    int64_t n = csr->rows, first_fault = n;
    val_t *inverse = inverse_;
#pragma omp parallel for num_threads(spry_team_over(context, n *block)) reduction(min : first_fault)
    for (int64_t first = 0; first < n; first += block) {
        int size = size_at(n, first, block);
        read_block(&a, first, size, &inverse[first * block]);
        if (!invert_block(&inverse[first * block], size) && first < first_fault)
            first_fault = first;
    }
    *fault = first_fault < n ? first_fault : -1;
    return SPRY_OK;
}

/* The first `rows` rows of a block of `size`, PANEL at most. */
static inline void multiply_rows(int rows, int size, const val_t *inverse, const val_t *x, val_t *y) {
    val_t sum[PANEL] = {0};
    for (int j = 0; j < size; j++)
        for (int i = 0; i < rows; i++)
            sum[i] += inverse[j * size + i] * x[j];
    for (int i = 0; i < rows; i++)
        y[i] = sum[i];
}

static void multiply_block(int size, const val_t *inverse, const val_t *x, val_t *y) {
    int i = 0;
    for (; i + PANEL <= size; i += PANEL)
        multiply_rows(PANEL, size, &inverse[i], x, &y[i]);
    multiply_rows(size - i, size, &inverse[i], x, &y[i]);
}

static spry_status apply_blocks(spry_context *context, int64_t n, int block, const void *inverse_,
                                const void *x_, void *y_) {
    const val_t *inverse = inverse_, *x = x_;
    val_t *y = y_;
#pragma omp parallel for num_threads(spry_team_over(context, n *block))
    for (int64_t first = 0; first < n; first += block)
        multiply_block(size_at(n, first, block), &inverse[first * block], &x[first], &y[first]);
    return SPRY_OK;
}

/* ---- polynomials ---- */

static spry_status combine(spry_context *context, const struct spry_combination *combination) {
    const val_t *u = combination->u, *v = combination->v, a = (val_t)combination->a,
                b = (val_t)combination->b, c = (val_t)combination->c;
    val_t *restrict y = combination->y;
#pragma omp parallel for simd num_threads(spry_team_over(context, combination->n))
    for (int64_t i = 0; i < combination->n; i++) {
        val_t sum = v ? a * u[i] + b * v[i] : a * u[i];
        y[i] = c == 0 ? sum : sum + c * y[i];
    }
    return SPRY_OK;
}

static spry_status shift_rows(spry_context *context, spry_matrix *csr, double shift, const void *scale_) {
    const compressed_t a = NAME(spry_compressed_of)(csr);
    const val_t *scale = scale_;
    val_t *val = csr->csr.val;
#pragma omp parallel for num_threads(spry_team_over(context, csr->nnz))
    for (int64_t i = 0; i < csr->rows; i++) {
        for (int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++)
            val[k] *= -scale[i];
        if (shift != 0)
            val[entry_from(&a, i, i)] += (val_t)shift;
    }
    return SPRY_OK;
}

static spry_status fill(spry_context *context, int64_t n, double value, void *x_) {
    val_t *x = x_;
#pragma omp parallel for num_threads(spry_team_over(context, n))
    for (int64_t i = 0; i < n; i++)
        x[i] = (val_t)value;
    return SPRY_OK;
}

static spry_status noise(spry_context *context, int64_t n, const void *inverse_, void *x_) {
    const val_t *inverse = inverse_;
    val_t *x = x_;
#pragma omp parallel for num_threads(spry_team_over(context, n))
    for (int64_t i = 0; i < n; i++)
        x[i] = (val_t)(((double)(spry_hash(i) >> 11) * 0x1p-52 - 1) / sqrt((double)inverse[i]));
    return SPRY_OK;
}

extern const struct spry_diagonal_code NAME(spry_diagonal_code);
const struct spry_diagonal_code NAME(spry_diagonal_code) = {
    .invert = invert,
    .invert_blocks = invert_blocks,
    .apply = apply,
    .apply_blocks = apply_blocks,
    .combine = combine,
    .shift_rows = shift_rows,
    .fill = fill,
    .noise = noise,
};
