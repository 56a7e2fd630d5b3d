/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR times many columns. */
#ifndef SPRY_CSR_MANY_H
#define SPRY_CSR_MANY_H

#include "formats/pointer.h"
#include "spmv/many.h"

/* The rows of CSR, or the columns of CSC, whose arrays have the same names in `csr`. Pointers count in the arrays given. */
struct csr_rows {
    const spry_matrix *matrix;
    int64_t count;
    const idx_t *idx;
    const stored_t *val;
};

/* Where the entries of row i begin. */
static inline int64_t csr_begin(const struct csr_rows *rows, int64_t i) {
    return pointer_at(rows->matrix, rows->matrix->csr.ptr, i);
}

/* Columns that lie anywhere. */
INLINE void csr_columns(const struct many *m, int64_t begin, int64_t end, int64_t first, int count) {
    const struct csr_rows *a = m->rows;
    for (int64_t i = begin; i < end; i++) {
        const int64_t k = csr_begin(a, i);
        row_columns(m, (struct entries){a->idx + k, a->val + k, csr_begin(a, i + 1) - k, 1}, i, first, count);
    }
}

/* `part` of the kernel is a many_part. */
NAME(spry_run) CODED(spry_csr_many_run);

#endif
