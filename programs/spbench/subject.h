/* SPDX-License-Identifier: BSD-3-Clause */
/* What all rows of a matrix share, wherever they are measured: the vectors, and the product that each of theirs
   is held against. All of it in host memory. */
#ifndef SPRY_SPBENCH_SUBJECT_H
#define SPRY_SPBENCH_SUBJECT_H

#include "measuring/exact.h"

struct subject {
    const spry_matrix *csr;
    spry_op op;
    spry_value_type type;
    void *x;
    void *poison; /* y before a product: NaN */
    void *y;      /* y after a product, brought here */
    int64_t x_count, y_count;
    size_t x_bytes, y_bytes;
    struct exact exact;
    double tolerance; /* what exact_error of a right product may come to */
};

/* Make vectors for a matrix that outlives the subject, and multiply, both by the threads of a context that does too.
   SPRY_ERROR_MEMORY; subject_close is due then, too. */
spry_status subject_open(const spry_context *context, const spry_matrix *csr, spry_op op,
                         struct subject *subject);
void subject_close(struct subject *subject);

#endif
