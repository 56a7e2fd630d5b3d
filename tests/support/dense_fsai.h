/* SPDX-License-Identifier: BSD-3-Clause */
/* A factorised sparse approximate inverse, dense and in higher precision, from what the kind is said to be. */
#ifndef TEST_DENSE_FSAI_H
#define TEST_DENSE_FSAI_H

#include "list.h"

/* n × n, by rows, to be freed: G with entries where the lower triangle of A, or of its square, has any, and with the
   diagonal of A multiplied by 1 + shift. */
long double *dense_fsai(const struct list *a, int power, double shift);
/* The same, taken back out of W = Gᵀ G, which is n × n by rows. */
long double *dense_fsai_of(const long double *w, int64_t n);
/* A dense matrix, by rows, to be freed. */
long double *dense_list(const struct list *a);

#endif
