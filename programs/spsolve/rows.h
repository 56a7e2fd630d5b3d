/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of a CSR matrix on the host, whatever its types. */
#ifndef SPRY_SPSOLVE_ROWS_H
#define SPRY_SPSOLVE_ROWS_H

#include <spry/spry.h>

/* Of a matrix with base 0, which is what conversions make. */
struct rows {
    const spry_csr *arrays;
    spry_value_type type;
    size_t of_pointer, of_index; /* bytes */
    int64_t count;
};

struct rows rows_of(const spry_matrix *csr);

/* Row i has the entries from rows_begin(i) to before rows_begin(i + 1). */
int64_t rows_begin(const struct rows *rows, int64_t i);
int64_t rows_column(const struct rows *rows, int64_t entry);
double rows_value(const struct rows *rows, int64_t entry);

#endif
