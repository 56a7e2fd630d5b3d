/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/derive.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/entries.h"
#include "common/random.h"

/* What the functions below go over. */
struct rows {
    int64_t rows, cols, count; /* of entries */
    const int32_t *ptr, *idx;
    const double *val;
};

static struct rows rows_of(const spry_matrix *matrix) {
    const spry_csr *csr = spry_matrix_csr(matrix);
    return (struct rows){spry_matrix_rows(matrix),
                         spry_matrix_cols(matrix),
                         spry_matrix_nnz(matrix),
                         csr->ptr,
                         csr->idx,
                         csr->val};
}

/* ---- another order ---- */

/* A permutation, the same on every machine (Fisher and Yates; Durstenfeld, Algorithm 235, Communications of the ACM 7, 1964). Null: no
   memory. */
static int32_t *permutation(int64_t count) {
    uint64_t state = 1;
    int32_t *place = malloc(((size_t)count + 1) * sizeof *place);
    for (int64_t i = 0; place && i < count; i++)
        place[i] = (int32_t)i;
    for (int64_t i = count - 1; place && i > 0; i--) {
        const int64_t other = (int64_t)(random_next(&state) % (uint64_t)(i + 1));
        const int32_t kept = place[i];
        place[i] = place[other];
        place[other] = kept;
    }
    return place;
}

/* P A Pᵀ, or P A where the matrix is not square. */
static spry_status shuffled(spry_context *context, const spry_matrix *from, spry_matrix **made) {
    const struct rows a = rows_of(from);
    struct entries entries = {.row = NULL};
    int32_t *place = permutation(a.rows);
    spry_status status = SPRY_ERROR_MEMORY;
    if (place && entries_new(&entries, a.count)) {
        for (int64_t i = 0; i < a.rows; i++)
            for (int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++)
                entries_push(&entries, place[i], a.rows == a.cols ? place[a.idx[k]] : a.idx[k], a.val[k]);
        status = entries_compress(context, a.rows, a.cols, &entries, made);
    }
    entries_free(&entries);
    free(place);
    return status;
}

/* ---- a saddle point ---- */

/* (I Aᵀ; A 0). */
static spry_status saddle(spry_context *context, const spry_matrix *from, spry_matrix **made) {
    const struct rows a = rows_of(from);
    const int64_t size = a.rows + a.cols, most = 2 * a.count + a.cols;
    struct entries entries;
    if (size >= INT32_MAX || most >= INT32_MAX)
        return SPRY_ERROR_OVERFLOW;
    if (!entries_new(&entries, most))
        return SPRY_ERROR_MEMORY;
    for (int64_t j = 0; j < a.cols; j++)
        entries_push(&entries, j, j, 1);
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++) {
            entries_push(&entries, a.cols + i, a.idx[k], a.val[k]);
            entries_push(&entries, a.idx[k], a.cols + i, a.val[k]);
        }
    spry_status status = entries_compress(context, size, size, &entries, made);
    entries_free(&entries);
    return status;
}

/* ---- normal equations ---- */

/* The columns of a row of A Aᵀ, and its values. */
struct accumulator {
    int32_t *row; /* of each column: the last row, plus 1, that it was met in */
    double *sum;
    int32_t *met; /* so many columns of this row */
    int64_t count;
};

static bool accumulator_new(struct accumulator *of, int64_t cols) {
    const size_t room = (size_t)cols + 1;
    *of = (struct accumulator){calloc(room, sizeof *of->row), malloc(room * sizeof *of->sum),
                               malloc(room * sizeof *of->met), 0};
    return of->row && of->sum && of->met;
}

static void accumulator_free(struct accumulator *of) {
    free(of->row);
    free(of->sum);
    free(of->met);
}

/* Row i of A Aᵀ: Gustavson, Two fast algorithms for sparse matrices, ACM Transactions on Mathematical Software 4, 1978. */
static void multiply_row(const struct rows *a, const struct rows *transpose, int64_t i,
                         struct accumulator *of) {
    of->count = 0;
    for (int64_t k = a->ptr[i]; k < a->ptr[i + 1]; k++)
        for (int64_t t = transpose->ptr[a->idx[k]]; t < transpose->ptr[a->idx[k] + 1]; t++) {
            const int32_t j = transpose->idx[t];
            if (of->row[j] != i + 1) {
                of->row[j] = (int32_t)(i + 1);
                of->sum[j] = 0;
                of->met[of->count++] = j;
            }
            of->sum[j] += a->val[k] * transpose->val[t];
        }
}

/* How many entries the product has, or that they are too many for 32-bit indices. */
static spry_status count_product(const struct rows *a, const struct rows *transpose, struct accumulator *of,
                                 int64_t *count) {
    *count = 0;
    for (int64_t i = 0; i < a->rows && *count < INT32_MAX; i++) {
        multiply_row(a, transpose, i, of);
        *count += of->count;
    }
    memset(of->row, 0, (size_t)a->rows * sizeof *of->row);
    return *count < INT32_MAX ? SPRY_OK : SPRY_ERROR_OVERFLOW;
}

static spry_status multiply(spry_context *context, const struct rows *a, const struct rows *transpose,
                            spry_matrix **made) {
    struct accumulator of;
    struct entries entries = {.row = NULL};
    int64_t count = 0;
    spry_status status =
        accumulator_new(&of, a->rows) ? count_product(a, transpose, &of, &count) : SPRY_ERROR_MEMORY;
    if (status == SPRY_OK && !entries_new(&entries, count))
        status = SPRY_ERROR_MEMORY;
    if (status == SPRY_OK) {
        for (int64_t i = 0; i < a->rows; i++) {
            multiply_row(a, transpose, i, &of);
            for (int64_t k = 0; k < of.count; k++)
                entries_push(&entries, i, of.met[k], of.sum[of.met[k]]);
        }
        status = entries_compress(context, a->rows, a->rows, &entries, made);
    }
    entries_free(&entries);
    accumulator_free(&of);
    return status;
}

/* A Aᵀ; of a symmetric matrix, its square. */
static spry_status normal(spry_context *context, const spry_matrix *from, spry_matrix **made) {
    spry_matrix *transposed;
    spry_status status = spry_transpose(context, from, &transposed);
    if (status != SPRY_OK)
        return status;
    const struct rows a = rows_of(from), transpose = rows_of(transposed);
    status = multiply(context, &a, &transpose, made);
    spry_matrix_destroy(transposed);
    return status;
}

/* ---- all of them ---- */

static const struct derivation derivations[] = {
    {"shuffled", "rows, and columns if square, in any order", shuffled},
    {"saddle", "of its saddle point problem, (I A'; A 0)", saddle},
    {"normal", "of its normal equations, A A'", normal},
};
#define DERIVATIONS (sizeof derivations / sizeof *derivations)

const struct derivation *derivation_at(size_t i) {
    return i < DERIVATIONS ? &derivations[i] : NULL;
}

const struct derivation *derivation_named(const char *name, size_t length) {
    for (size_t i = 0; i < DERIVATIONS; i++)
        if (strlen(derivations[i].name) == length && memcmp(derivations[i].name, name, length) == 0)
            return &derivations[i];
    return NULL;
}
