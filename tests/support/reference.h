/* SPDX-License-Identifier: BSD-3-Clause */
/* What a product should give, accumulated in higher precision straight from the list of entries, and how
   far from it a kernel may be. */
#ifndef TEST_REFERENCE_H
#define TEST_REFERENCE_H

#include "list.h"
#include "vector.h"

struct reference {
    int64_t count;          /* length of y */
    int64_t *length;        /* entries of each row, or column for SPRY_T */
    long double *sum;       /* of a x in each of them */
    long double *magnitude; /* of |a x| */
    bool flushed;           /* atomic additions in f32 on a device, which take denormal numbers for zero */
};

/* `list` holds values of x's type. */
struct reference reference_new(const struct list *list, spry_op op, const struct vector *x);
void reference_free(struct reference *reference);

/*
 * The first i at which y is not alpha * sum + beta * before, or -1. Finite values may be off by
 * 4 * length * epsilon * (sum |alpha a x| + |beta y|) and the last denormal bits of each a x, times alpha, and of
 * y, or all of them if `flushed`; infinities and NaN must be where they belong. Sums that may overflow the type on the way are not judged.
 */
int64_t reference_differs(const struct reference *reference, double alpha, double beta,
                          const struct vector *before, const struct vector *y);

/* The first i at which two vectors are further apart than reference_differs lets each be from the sum, or -1;
   infinities and NaN are left to that. */
int64_t reference_apart(const struct reference *reference, const struct vector *a, const struct vector *b);

/* What y[i] should be, for messages. */
double reference_value(const struct reference *reference, double alpha, double beta,
                       const struct vector *before, int64_t i);

#endif
