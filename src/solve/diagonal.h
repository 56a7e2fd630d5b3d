/* SPDX-License-Identifier: BSD-3-Clause */
/* What preconditioners without factors do with arrays: the diagonal of a matrix, blocks along it, and what polynomials in
   it take. */
#ifndef SPRY_DIAGONAL_H
#define SPRY_DIAGONAL_H

#include "core/backend.h"
#include "solve/precond.h"

/* y = a u + b v + c y, n values each. Where c is zero, y is not read. */
struct spry_combination {
    int64_t n;
    double a, b, c;
    const void *u, *v; /* v may be null: it is left out */
    void *y;
};

/* For one backend, value and index type: a constant record in diagonal.c or diagonal.cu. The CSR matrix is square
   and has base 0 and sorted rows; entries at the same place count as their sum. Arrays are where the context works, and
   only what gives `fault` waits for a device. */
struct spry_diagonal_code {
    /* inverse[i] = 1 / a_ii. *fault is the first row where that is not finite, zero or, where it has to be positive,
       negative: a_ii itself is in its place then. -1 where there is none. */
    spry_status (*invert)(spry_context *context, const spry_matrix *csr, bool positive, void *inverse,
                          int64_t *fault);
    /* The inverses of the blocks of `block` rows along the diagonal, of which the last may have fewer, to n × block
       values, whose order apply_blocks knows. *fault is the first row of the first singular block, or -1. */
    spry_status (*invert_blocks)(spry_context *context, const spry_matrix *csr, int block, void *inverse,
                                 int64_t *fault);
    /* y[i] = scale diagonal[i] x[i] + beta y[i]; y may be x, and is not read if beta is zero. */
    spry_status (*apply)(spry_context *context, int64_t n, double scale, const void *diagonal, const void *x,
                         double beta, void *y);
    spry_status (*apply_blocks)(spry_context *context, int64_t n, int block, const void *inverse,
                                const void *x, void *y);
    spry_status (*combine)(spry_context *context, const struct spry_combination *combination);
    /* The matrix becomes `shift` times the unit matrix less itself, each row i of it multiplied by scale[i]. Where `shift`
       is not zero, each row has an entry on the diagonal. */
    spry_status (*shift_rows)(spry_context *context, spry_matrix *csr, double shift, const void *scale);
    spry_status (*fill)(spry_context *context, int64_t n, double value, void *x);
    /* x[i]: reproducible values over -1 to 1 that have something of every frequency, divided by the root of inverse[i], which is
       positive. */
    spry_status (*noise)(spry_context *context, int64_t n, const void *inverse, void *x);
};

static inline const struct spry_diagonal_code *
spry_diagonal_code_for(const spry_context *context, spry_value_type type, spry_index_type index) {
    return context->code->instance[type][index]->diagonal;
}

/* ---- jacobi.c ---- */

/* `invert`, with a fault as SPRY_ERROR_INVALID and its words. */
spry_status spry_invert_diagonal(spry_context *context, const spry_matrix *csr, bool positive, void *inverse);

#endif
