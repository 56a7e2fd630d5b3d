/* SPDX-License-Identifier: BSD-3-Clause */
/* The product in about twice the precision of double, and how far another is from it. */
#ifndef SPRY_MEASURING_EXACT_H
#define SPRY_MEASURING_EXACT_H

#include <spry/spry.h>

struct exact {
    spry_value_type type;        /* of the matrix, x and y */
    int64_t count;               /* values of y */
    const spry_context *context; /* whose threads compute */
    double *high;                /* y is high + low */
    double *low;
    double *magnitude; /* sum of |a||x| over the terms of each value */
    int64_t *terms;    /* how many they are */
};

/* y = A x or y = Aᵀ x of a matrix in CSR, by the threads of a context that outlives the result. Also on failure
   (SPRY_ERROR_MEMORY), exact_free is due. */
spry_status exact_product(const spry_context *context, const spry_matrix *csr, spry_op op, const void *x,
                          struct exact *exact);
void exact_free(struct exact *exact);

/*
 * The largest |y - exact| over the sum of |a||x| of its terms: the error that rounding may make of the
 * product, however much of it cancels. Sums in the range of denormal numbers count as the smallest normal
 * one. Values whose sum overflows the type are not judged.
 */
double exact_error(const struct exact *exact, const void *y);

/* What that error may come to: 4 roundings a term of the longest sum. */
double exact_tolerance(const struct exact *exact);

#endif
