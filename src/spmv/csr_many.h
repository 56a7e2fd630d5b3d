/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR times many columns. */
#ifndef SPRY_CSR_MANY_H
#define SPRY_CSR_MANY_H

#include "spmv/many.h"

/* The arrays, and where the entries of each row begin in them. */
struct csr_rows {
    const ptr_t *ptr;
    const idx_t *idx;
    const stored_t *val;
};

/* Columns that lie anywhere. */
INLINE void csr_columns(const struct many *m, int64_t begin, int64_t end, int64_t first, int count) {
    const struct csr_rows *a = m->rows;
    for (int64_t i = begin; i < end; i++) {
        const ptr_t k = a->ptr[i];
        row_columns(m, (struct entries){a->idx + k, a->val + k, a->ptr[i + 1] - k, 1}, i, first, count);
    }
}

/* `part` of the kernel is a many_part. */
NAME(spry_run) CODED(spry_csr_many_run);

#endif
