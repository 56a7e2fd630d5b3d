/* SPDX-License-Identifier: BSD-3-Clause */
/* Preconditioners of two triangles, dense and in higher precision, straight from what the kind is said to be. */
#ifndef TEST_SPLITS_H
#define TEST_SPLITS_H

#include <stdbool.h>

#include "list.h"
#include "vector.h"

/* A square matrix, by rows. */
struct exact {
    int64_t n;
    long double *value;
};

/* The factors of M = left right. Their entries, and those of the product where it is exact, have about the size of A's,
   as diagonals outweigh what is beside them. */
struct split {
    struct exact left, right;
};

long double *exact_at(struct exact exact, int64_t i, int64_t j);

struct split split_of(const struct list *list, const spry_precond_options *options);
/* For IC(0). The lower triangle alone is read. */
struct split split_ic0(const struct list *list, double shift);
void split_free(struct split *split);
/* Whether left right y is x, up to rounding in both substitutions and in the factors. */
bool is_inverse(const struct split *m, const struct vector *x, const struct vector *y);

#endif
