/* SPDX-License-Identifier: BSD-3-Clause */
/* COO in row order: what its kernels are made of. */
#ifndef SPRY_SPMV_COO_H
#define SPRY_SPMV_COO_H

#include "spmv/parts.h"

/* What one thread does: entries begin … end - 1, and y = beta y for the rows up to that of the last of
   them that no earlier part has (for the last part, up to the end). Alpha times what belongs to the row that the part
   before ended with is returned. */
typedef val_t NAME(spry_runs_part)(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha,
                                   const val_t *x, val_t beta, val_t *y);

/* The rows of a part, done in their order. */
struct rows_done {
    val_t alpha, beta, *y;
    int64_t next; /* the first row that is not done */
    val_t head;
};

static inline struct rows_done rows_begin(const spry_matrix *matrix, int64_t begin, val_t alpha, val_t beta,
                                          val_t *y) {
    const idx_t *row = matrix->coo.row;
    return (struct rows_done){
        .alpha = alpha, .beta = beta, .y = y, .next = begin > 0 ? row[begin - 1] - matrix->coo.base + 1 : 0};
}

/* Rows before `end` that have no entries. */
static inline void rows_skip(struct rows_done *done, int64_t end) {
    if (done->beta == 1 && done->next < end)
        done->next = end;
    for (; done->next < end; done->next++)
        done->y[done->next] = done->beta == 0 ? 0 : done->beta * done->y[done->next];
}

/* Row i, the sum of whose entries this is. */
static inline void rows_put(struct rows_done *done, int64_t i, val_t sum) {
    if (done->next < i)
        rows_skip(done, i);
    if (done->next == i) {
        done->y[i] = spry_blend(done->alpha, sum, done->beta, &done->y[i]);
        done->next = i + 1;
    } else {
        done->head = done->alpha * sum;
    }
}

/* What is left of the rows of a part that ends at entry `end`. Returns what belongs to the part before. */
static inline val_t rows_end(struct rows_done *done, const spry_matrix *matrix, int64_t end) {
    const idx_t *row = matrix->coo.row;
    rows_skip(done, end == matrix->nnz ? matrix->rows : end > 0 ? row[end - 1] - matrix->coo.base + 1 : 0);
    return done->head;
}

#endif
