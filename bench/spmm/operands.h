/* SPDX-License-Identifier: BSD-3-Clause */
/* What Y = A X is computed with, where products are, and whether Y is right. All in f64. */
#ifndef SPRY_SPMM_OPERANDS_H
#define SPRY_SPMM_OPERANDS_H

#include "measuring/exact.h"
#include "measuring/place.h"

/* How X and Y lie. */
enum order { BY_ROWS, BY_COLUMNS, ORDERS };

/* Of one matrix: a vector and the exact product with it, of which all columns are multiples by powers of two. So they have
   its relative errors. On the host. */
struct reference {
    int64_t rows, cols;
    double *x;
    struct exact exact; /* A x */
};

/* By the threads of a context that outlives it. SPRY_ERROR_MEMORY; reference_close is due then, too. */
spry_status reference_open(const spry_context *context, const spry_matrix *csr, struct reference *reference);
void reference_close(struct reference *reference);

/* X and Y with so many columns, in either order, where products are. */
struct operands {
    struct place *place;
    const struct reference *reference;
    int columns;
    void *x[ORDERS], *y[ORDERS];
};

/* operands_close is due on failure, too. */
spry_status operands_open(struct place *place, const struct reference *reference, int columns,
                          struct operands *operands);
void operands_close(struct operands *operands);

spry_view operands_x(const struct operands *operands, enum order order);
spry_view operands_y(const struct operands *operands, enum order order);

/* Compute Y, every value of which is NaN before, and hold it against the exact one: *right tells. */
spry_status operands_check(const struct operands *operands, enum order order, timed_call *call, void *user,
                           bool *right);

#endif
