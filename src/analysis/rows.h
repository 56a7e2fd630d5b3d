/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows and entries of a CSR matrix, both counted from 0. The same code runs on every backend. */
#ifndef SPRY_ROWS_H
#define SPRY_ROWS_H

#include "core/host_device.h"
#include "core/inline.h"
#include "core/integers.h"
#include "core/internal.h"

/* CSR with integers of so many bytes. Where loops are hot, the sizes are constants wherever these functions end up. */
struct spry_rows {
    const void *ptr, *idx;
    size_t ptr_size, idx_size;
    int64_t count, entries;
    int base;
};

/* The rows of a matrix in CSR on the host, the sizes of whose integers the caller gives, to have them constant or not. */
INLINE struct spry_rows spry_rows_of(const spry_matrix *csr, size_t ptr_size, size_t idx_size) {
    const struct spry_rows rows = {csr->csr.ptr, csr->csr.idx, ptr_size,     idx_size,
                                   csr->rows,    csr->nnz,     csr->csr.base};
    return rows;
}

SPRY_HOST_AND_DEVICE int64_t spry_row_begin(const struct spry_rows *a, int64_t row) {
    return load_integer(a->ptr, a->ptr_size, row) - a->base;
}

SPRY_HOST_AND_DEVICE int64_t spry_column_of(const struct spry_rows *a, int64_t entry) {
    return load_integer(a->idx, a->idx_size, entry) - a->base;
}

/* Entries of a row, from pointers of so many bytes. */
SPRY_HOST_AND_DEVICE int64_t spry_row_length(const void *ptr, size_t size, int64_t row) {
    return load_integer(ptr, size, row + 1) - load_integer(ptr, size, row);
}

/* The row that an entry belongs to: the last that begins at it or before. It is found by halving; which half is as good as random, and a
   branch would be mispredicted. */
SPRY_HOST_AND_DEVICE int64_t spry_row_of(const struct spry_rows *a, int64_t entry) {
    int64_t row = 0;
    for (int64_t rows = a->count, half; rows > 1; rows -= half) {
        half = rows / 2;
        row += half & -(int64_t)(spry_row_begin(a, row + half) <= entry);
    }
    return row;
}

#endif
